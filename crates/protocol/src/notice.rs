//! What we say about a stream: warnings, and the fault that ends it.

use serde::Serialize;

/// Something that was repaired, dropped or ignored; the stream goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// A stable name for programs.
    pub code: &'static str,
    /// Which event of the stream, counted from 0, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// Where in the event, as a JSON Pointer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// A sentence for people.
    pub message: String,
}

impl Warning {
    /// A warning about a whole event.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, index: None, path: None, message: message.into() }
    }

    /// A warning about a place in an event.
    pub fn at(code: &'static str, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..Self::new(code, message) }
    }
}

/// Why a value is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// A stable name for programs.
    pub code: &'static str,
    /// Where, as a JSON Pointer: the value at fault, or the object that lacks a member or has one too many.
    pub path: String,
    /// A sentence for people.
    pub message: String,
}

impl Fault {
    /// A fault at a place.
    pub fn new(code: &'static str, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code, path: path.into(), message: message.into() }
    }
}
