//! What a model is asked: instructions, the conversation, and the tools that it may call.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A prompt.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prompt {
    /// What the model is told before anybody speaks.
    pub instructions: String,
    /// The conversation. It begins with a person and every call in it has a result.
    pub turns: Vec<Turn>,
    /// The tools that it may call.
    pub tools: Vec<ToolSpec>,
    /// How it is to answer.
    pub options: Options,
}

/// A part of the conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    /// What a person said.
    Person(Vec<Said>),
    /// What the model said and called, in order.
    Model(Vec<Spoken>),
    /// What came of its calls.
    Results(Vec<Result>),
}

/// A piece of what a person said.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// Text.
    Text(String),
    /// An image or a document, in base64.
    Data {
        /// Its media type.
        mime_type: String,
        /// The bytes.
        base64: String,
    },
    /// An image or a document behind an address, which the provider fetches.
    Link {
        /// Its media type.
        mime_type: String,
        /// The address.
        url: String,
    },
}

/// A piece of what a model said.
#[derive(Clone, Debug, PartialEq)]
pub enum Spoken {
    /// What its provider wants back. It comes before everything else of the turn.
    Sealed(Sealed),
    /// Text.
    Text(String),
    /// A call.
    Call {
        /// The call.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        arguments: Value,
    },
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Result {
    /// The call.
    pub id: String,
    /// The tool.
    pub name: String,
    /// What it answered.
    pub text: String,
}

/// Something that a provider wants back as it was, such as signed thoughts. Nobody else can read anything into it, and no
/// other provider gets it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sealed {
    /// Whose it is.
    pub provider: String,
    /// What it is, in the provider's words.
    pub parts: Value,
}

impl Sealed {
    /// As text, for `REASONING_ENCRYPTED_VALUE`.
    #[must_use]
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// What a text holds, if it is one of ours.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

/// A tool, for models.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    /// The name that the model calls it by: letters, digits, `_` and `-`.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Map<String, Value>,
}

/// How a model is to answer. What is absent is left to the provider.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// How freely it chooses its words.
    pub temperature: Option<f64>,
    /// How long an answer may be.
    pub max_tokens: Option<u32>,
    /// How much it thinks first: `none`, `minimal`, `low`, `medium`, `high`, or a number of tokens.
    pub reasoning: Option<String>,
}
