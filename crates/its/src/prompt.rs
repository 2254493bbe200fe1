//! What models are told so that they can show components: generated from the table, with the examples that are in it.

use serde_json::Value;

use crate::table::Entry;

/// Everything that a model has to know to show these components, as Markdown.
///
/// ```
/// use forestage_its::{COMPONENTS, instructions};
///
/// let told = instructions(&COMPONENTS.iter().collect::<Vec<_>>());
/// assert!(told.contains("### `its:render_quick_quiz`"));
/// ```
#[must_use]
pub fn instructions(entries: &[&Entry]) -> String {
    let sections: String = entries.iter().map(|entry| section(entry)).collect();
    format!("{RULES}{sections}")
}

const RULES: &str = "\
## Showing tutoring components

Each component is a tool of its own; to show it, call the tool with the arguments that its schema describes. What the \
person does with it comes back as the result of that call, as JSON.

- Show one component and wait for its answer before you go on; do not repeat in words what it shows.
- Ids are yours to choose. Every id within a component is different from the others, and the answer comes back with them.
- Refer only to ids that you have given: the right answer of a quiz is one of its options.
- Leave out what you do not need. Nothing is null, and nothing is added that the schema does not name.
- Arguments that do not fit are not shown; the error lists every fault with its place. Correct all of them and call again.
- Give the learner something to do: a list of choices has choices in it. A warning with a result says what was missing.
- Where the arguments have a key, the server grades the answer. Do not grade it again, and do not give the key away before.
";

fn section(entry: &Entry) -> String {
    let compact = |value: &Value| value.to_string();
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
    let (name, about) = (entry.name, entry.description());
    let (arguments, answer) = (compact(entry.arguments()), compact(entry.answer()));
    let example = entry.examples().into_iter().next().map(|example| {
        let (shown, answered) = (pretty(&example.arguments), pretty(&example.answer));
        format!("\nExample:\n\n```json\n{shown}\n```\n\nan answer to it:\n\n```json\n{answered}\n```\n")
    });
    format!(
        "\n### `{name}`\n\n{about}\n\nArguments: `{arguments}`\n\nAnswer: `{answer}`\n{}",
        example.unwrap_or_default()
    )
}
