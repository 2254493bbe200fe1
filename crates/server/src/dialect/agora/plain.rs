//! Events that AGORA shares with AG-UI, in the shape that it wants them.

use std::collections::HashSet;

use forestage_protocol::{event::Event, id::ToolCallId, interrupt::Interrupt, number::Timestamp};
use serde_json::{Value, json};

use super::payload::stamped;
use crate::dialect::shape::strip;

/// Members of events that AGORA does not know.
const NOT_THEIRS: [&str; 5] = ["subagentRunId", "metadata", "protocolVersion", "input", "usage"];

/// Writes events without what AGORA does not know.
#[derive(Debug, Default)]
pub(super) struct Plain {
    /// Calls whose arguments have not begun.
    silent: HashSet<ToolCallId>,
}

impl Plain {
    /// Writes an event; a piece of nothing is left out, and a call without arguments gets the empty ones.
    pub(super) fn event(&mut self, event: &Event, out: &mut Vec<Value>) {
        match event {
            Event::TextMessageContent(event) if event.delta.is_empty() => return,
            Event::ToolCallArgs(event) if event.delta.is_empty() => return,
            Event::ToolCallStart(event) => drop(self.silent.insert(event.tool_call_id.clone())),
            Event::ToolCallArgs(event) => drop(self.silent.remove(&event.tool_call_id)),
            Event::ToolCallEnd(event) if self.silent.remove(&event.tool_call_id) => {
                let arguments =
                    json!({ "type": "TOOL_CALL_ARGS", "toolCallId": event.tool_call_id, "delta": "{}" });
                out.push(stamped(arguments, event.base.timestamp));
            }
            _ => {}
        }
        out.push(plain(event));
    }
}

fn plain(event: &Event) -> Value {
    let mut value = serde_json::to_value(event).unwrap_or_default();
    // An event about a subagent says which one; the others are the agent's, as far as AGORA knows.
    let kept = usize::from(event.event_type().as_str().starts_with("SUBAGENT_"));
    strip(&mut value, &NOT_THEIRS[kept..]);
    match event {
        Event::TextMessageStart(_) => value["role"] = "assistant".into(),
        // A call that belongs to no message is one of its own, and has its id.
        Event::ToolCallStart(start) if start.parent_message_id.is_none() => {
            value["parentMessageId"] = start.tool_call_id.as_str().into();
        }
        Event::ToolCallResult(result) => {
            value["role"] = "tool".into();
            value["content"] = result.content.text().into_owned().into();
        }
        _ => {}
    }
    value
}

/// A question for words is something the assistant says.
pub(super) fn ask_in_words(asked: &Interrupt, at: Option<Timestamp>, out: &mut Vec<Value>) {
    let text = asked.message.clone().filter(|text| !text.is_empty()).unwrap_or_else(|| asked.reason.clone());
    for event in [
        json!({ "type": "TEXT_MESSAGE_START", "messageId": asked.id, "role": "assistant" }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": asked.id, "delta": text }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": asked.id }),
    ] {
        out.push(stamped(event, at));
    }
}
