//! What models are told so that they can draw: generated from a catalog, with examples that fit it.
//!
//! [`instructions`] is a whole chapter for a system prompt: in which order messages are sent, the rules, the components
//! and functions of the catalog, examples, and the JSON Schema of a payload. [`repair`] is what a model hears when its
//! payload could not be drawn. An example that the catalog cannot draw is left out, so no prompt teaches what is refused.
//!
//! ```
//! use forestage_a2ui::{catalog::Catalog, prompt};
//!
//! let told = prompt::instructions(&Catalog::basic_0_9());
//! assert!(told.contains("createSurface") && told.contains("### Components"));
//! ```

mod example;
mod parts;
mod repair;
mod rules;
mod schema;

pub use self::{
    example::{Example, examples},
    repair::repair,
    schema::schema,
};
use crate::catalog::Catalog;

/// What stands before the schema of a payload.
pub const SCHEMA_BEGINS: &str = "---BEGIN A2UI JSON SCHEMA---";

/// What stands behind it.
pub const SCHEMA_ENDS: &str = "---END A2UI JSON SCHEMA---";

/// Everything that a model has to know to draw with a catalog, as Markdown.
#[must_use]
pub fn instructions(catalog: &Catalog) -> String {
    let sections = [
        rules::opening(catalog),
        parts::components(catalog),
        parts::functions(catalog),
        rules::updates(catalog.version),
        rules::forms(catalog.version),
        rules::ACTIONS.to_owned(),
        rules::MISTAKES.to_owned(),
        shown(catalog),
        format!("### Schema of the messages\n\n{SCHEMA_BEGINS}\n{}\n{SCHEMA_ENDS}", schema(catalog)),
    ];
    let sections: Vec<_> =
        sections.iter().map(|section| section.trim()).filter(|it| !it.is_empty()).collect();
    sections.join("\n\n") + "\n"
}

fn shown(catalog: &Catalog) -> String {
    let examples = examples(catalog);
    if examples.is_empty() {
        return String::new();
    }
    // A message stands on one line: models need no indentation, and every prompt carries it.
    let shown = |example: &Example| {
        let messages = example.payload.as_array().into_iter().flatten();
        let lines: Vec<_> = messages.map(|message| format!("  {message}")).collect();
        format!("{}:\n\n```json\n[\n{}\n]\n```", example.about, lines.join(",\n"))
    };
    let shown: Vec<_> = examples.iter().map(shown).collect();
    format!("### Examples\n\nEach is a value of `a2ui_json`.\n\n{}", shown.join("\n\n"))
}
