//! What a model is told before anybody speaks: the instructions of its file, and the facts of the moment.

use forestage_a2ui::catalog::CONTEXT_ENTRY;
use forestage_runtime::RunContext;
use serde_json::Value;

use super::{Part, offer::Offer};

/// What the context entry of a client begins with that lists its catalogs.
const CATALOGS_ENTRY: &str = "A2UI catalog capabilities";

/// The instructions of a run. What stays the same from run to run comes first, so that providers can keep it.
pub(super) fn instructions(part: &Part, ctx: &RunContext, offer: &Offer) -> String {
    let mut text = part.instructions.clone();
    let draws = offer.draws();
    if draws {
        text.push_str("\n\n");
        text.push_str(ctx.drawing_instructions(part.surfaces_version).trim_end());
    }
    let context = ctx.context();
    let facts = context.iter().filter(|(name, _)| !(draws && is_catalog(name)));
    let facts: Vec<_> = facts.map(|(name, value)| format!("- {name}: {}", fact(value))).collect();
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

/// Whether a fact is about catalogs, which the chapter about drawing is made of.
fn is_catalog(name: &str) -> bool {
    name.starts_with(CONTEXT_ENTRY) || name.starts_with(CATALOGS_ENTRY)
}
