//! What can go wrong with tools.

use std::{error::Error, fmt};

use forestage_protocol::Fault;

use crate::AgentError;

/// Why a tool did not do what it was asked for. Any error becomes one, so `?` works on everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolError {
    /// A stable word for programs: `unknown_tool`, `invalid_arguments`, `invalid_schema`, `tool_error`, or the tool's
    /// own.
    pub code: String,
    /// A sentence for people and models.
    pub message: String,
    /// The argument at fault, such as `arguments.items[0].amount`.
    pub path: Option<String>,
    /// Everything that is wrong with the arguments, where that is known one by one.
    pub faults: Vec<Fault>,
    /// What a model can do about it, where that takes more than a sentence.
    pub hint: Option<String>,
}

impl ToolError {
    /// An error with a code that programs can rely on.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), path: None, faults: Vec::new(), hint: None }
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// The same about one argument.
    #[must_use]
    pub fn at(self, path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..self }
    }

    /// The same with everything that is wrong; the first of it is where the path leads.
    pub(crate) fn faults(self, faults: Vec<Fault>) -> Self {
        let path = faults.first().map(|fault| fault.path.clone());
        Self { path, faults, ..self }
    }

    /// Nobody knows a tool of this name.
    pub(super) fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        let known: Vec<_> = known.map(|name| format!("`{name}`")).collect();
        let known = if known.is_empty() { "there are none".to_owned() } else { known.join(", ") };
        Self::new("unknown_tool", format!("there is no tool `{name}`; known tools: {known}"))
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self::new("tool_error", error.to_string())
    }
}

impl From<ToolError> for AgentError {
    fn from(error: ToolError) -> Self {
        Self::new(&error.code, error.message)
    }
}

/// Why something is no JSON Schema that we take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// It breaks a rule of JSON Schema.
    #[error("this is not valid JSON Schema: {0}")]
    Invalid(String),
    /// It is for something else than an object, which arguments always are.
    #[error("arguments are an object, but the schema says `{0}`")]
    NotAnObject(String),
    /// It is larger, deeper or more entangled than a schema from the network may be.
    #[error("the schema is too large: {0}")]
    TooLarge(String),
    /// It refers to something outside of itself, or to a part that is not there.
    #[error("the schema refers to `{0}`, which is not in it")]
    Reference(String),
}

/// Why a tool was not registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// There is one of this name already.
    #[error("there is a tool `{0}` already")]
    Duplicate(String),
    /// A tool needs a name, of at most 256 characters that are no control characters.
    #[error("{0:?} is not a name for a tool")]
    Name(String),
    /// Its parameters are no schema.
    #[error("the parameters of tool `{tool}`: {source}")]
    Schema {
        /// The tool.
        tool: String,
        /// What is wrong.
        source: SchemaError,
    },
}
