//! The tool calls of a stream, for questions that are about one.

use std::collections::HashMap;

use forestage_protocol::{event::Event, id::ToolCallId, interrupt::Interrupt};
use serde_json::{Value, json};

/// Every call so far: the name of its tool, and its arguments as they came.
#[derive(Debug, Default)]
pub(super) struct Calls(HashMap<ToolCallId, (String, String)>);

impl Calls {
    /// Remembers what an event says of a call.
    pub(super) fn note(&mut self, event: &Event) {
        match event {
            Event::ToolCallStart(event) => {
                let call = (event.tool_call_name.clone(), String::new());
                self.0.insert(event.tool_call_id.clone(), call);
            }
            Event::ToolCallArgs(event) => {
                if let Some((_, arguments)) = self.0.get_mut(&event.tool_call_id) {
                    arguments.push_str(&event.delta);
                }
            }
            _ => {}
        }
    }

    /// The tool that a question is about, and the arguments of the call; nothing if it is about none.
    pub(super) fn asked(&self, question: &Interrupt) -> Option<(String, Value)> {
        let call = question.tool_call_id.as_ref().and_then(|id| self.0.get(id));
        let name = fact(question, "tool").and_then(|name| name.as_str().map(str::to_owned));
        let name = name.or_else(|| call.map(|(name, _)| name.clone()))?;
        let streamed = || call.and_then(|(_, arguments)| serde_json::from_str(arguments).ok());
        let arguments = fact(question, "arguments").or_else(streamed).unwrap_or_else(|| json!({}));
        Some((name, arguments))
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
