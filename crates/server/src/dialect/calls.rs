//! The tool calls of a stream, and questions that are about one.

use std::collections::HashMap;

use forestage_protocol::{
    event::{Event, ToolCallStart},
    id::ToolCallId,
    interrupt::Interrupt,
};
use serde_json::{Map, Value, json};

/// Every call so far.
#[derive(Debug, Default)]
pub(super) struct Calls(HashMap<ToolCallId, Call>);

/// A call, as far as it has come.
#[derive(Debug)]
pub(super) struct Call {
    /// The tool.
    pub(super) name: String,
    /// What to show while it works, if its agent has said so.
    pub(super) label: Option<String>,
    arguments: String,
}

impl Call {
    fn new(start: &ToolCallStart) -> Self {
        let label = start.base.metadata.as_ref().and_then(|metadata| metadata.get("label")?.as_str());
        let (name, label) = (start.tool_call_name.clone(), label.map(str::to_owned));
        Self { name, label, arguments: String::new() }
    }

    /// The arguments, once they are whole.
    pub(super) fn arguments(&self) -> Option<Value> {
        serde_json::from_str(&self.arguments).ok()
    }
}

impl Calls {
    /// Remembers what an event says of a call.
    pub(super) fn note(&mut self, event: &Event) {
        match event {
            Event::ToolCallStart(event) => {
                self.0.insert(event.tool_call_id.clone(), Call::new(event));
            }
            Event::ToolCallArgs(event) => {
                if let Some(call) = self.0.get_mut(&event.tool_call_id) {
                    call.arguments.push_str(&event.delta);
                }
            }
            _ => {}
        }
    }

    pub(super) fn get(&self, id: &ToolCallId) -> Option<&Call> {
        self.0.get(id)
    }

    /// The tool that a question is about, and the arguments of the call; nothing if it is about none.
    pub(super) fn asked(&self, question: &Interrupt) -> Option<(String, Value)> {
        let call = question.tool_call_id.as_ref().and_then(|id| self.get(id));
        let name = fact(question, "tool").and_then(|name| name.as_str().map(str::to_owned));
        let name = name.or_else(|| call.map(|call| call.name.clone()))?;
        let streamed = || call.and_then(Call::arguments);
        let arguments = fact(question, "arguments").or_else(streamed).unwrap_or_else(|| json!({}));
        Some((name, arguments))
    }
}

/// Arguments as an object, where a contract wants one.
pub(super) fn as_object(arguments: Value) -> Map<String, Value> {
    match arguments {
        Value::Object(arguments) => arguments,
        other => Map::from_iter([("value".to_owned(), other)]),
    }
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Whether a tool may be called.
    Tool,
    /// Whether something that is held back may pass: a draft, or what the agent is to hear.
    Draft,
    /// Anything else: it wants words.
    Words,
}

impl Kind {
    pub(super) fn of(question: &Interrupt) -> Self {
        match question {
            question if matches!(question.reason.as_str(), "draft_review" | "stage_review") => Self::Draft,
            question if question.tool_call_id.is_some() || fact(question, "tool").is_some() => Self::Tool,
            _ => Self::Words,
        }
    }
}

/// A fact about a question.
pub(super) fn fact(question: &Interrupt, name: &str) -> Option<Value> {
    question.metadata.as_ref().and_then(|metadata| metadata.get(name)).cloned()
}
