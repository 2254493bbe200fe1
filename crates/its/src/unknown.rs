//! Components of tomorrow.

use serde_json::{Map, Value};

/// Members that say to a person what a component is about, the most telling first.
const TELLING: [&str; 7] = [
    "prompt_text",
    "question_text",
    "problem_statement",
    "problem_description",
    "title",
    "caption",
    "description",
];

/// A component that this version does not know. It is passed on as it is, and so is its answer; who cannot draw it can
/// still say what it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// The name of the tool.
    pub name: String,
    /// What it is about, in its own words.
    pub text: Option<String>,
    /// Its arguments as they came.
    pub arguments: Map<String, Value>,
}

impl Unknown {
    /// What can be kept of a call. Nothing if its arguments are no object, which is nobody's component.
    #[must_use]
    pub fn of(name: &str, arguments: &Value) -> Option<Self> {
        let arguments = arguments.as_object()?.clone();
        let text = TELLING.iter().find_map(|member| arguments.get(*member)?.as_str()).map(str::to_owned);
        Some(Self { name: name.to_owned(), text, arguments })
    }
}
