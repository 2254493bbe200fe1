//! What a model is told before anybody speaks: the instructions of its file, and the facts of the moment.

use forestage_runtime::RunContext;
use serde_json::Value;

use super::Part;

/// The instructions of a run.
pub(super) fn instructions(part: &Part, ctx: &RunContext) -> String {
    let mut text = part.instructions.clone();
    let facts: Vec<_> =
        ctx.context().iter().map(|(name, value)| format!("- {name}: {}", fact(value))).collect();
    if !facts.is_empty() {
        text.push_str("\n\n# What the person's application says\n\n");
        text.push_str(&facts.join("\n"));
    }
    let missing: Vec<_> = part.mcp.missing().iter().map(|error| format!("- {error}")).collect();
    if !missing.is_empty() {
        text.push_str("\n\n# Tools that you do not have at the moment\n\n");
        text.push_str(&missing.join("\n"));
    }
    if part.state.is_some() {
        text.push_str("\n\n# The state at the beginning of this turn\n\n");
        text.push_str(&ctx.state().to_string());
    }
    text
}

fn fact(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
