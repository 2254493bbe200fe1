//! The floor of folding: a map from id to place, and strings that grow.

use std::collections::HashMap;

use serde_json::Value;

use super::one_pass::parsed::{Event, Operation};

/// A conversation with nothing but what is shown.
#[derive(Default)]
pub(crate) struct View {
    messages: Vec<Message>,
    by_id: HashMap<String, usize>,
    calls: HashMap<String, (usize, usize)>,
    state: Value,
}

#[derive(Default)]
struct Message {
    content: String,
    calls: Vec<Call>,
}

#[expect(dead_code, reason = "it is written to measure writing")]
struct Call {
    name: String,
    arguments: String,
}

impl View {
    pub(crate) fn apply(&mut self, event: &Event) {
        match event {
            Event::TextContent(event) => self.message(&event.message_id).content.push_str(&event.delta),
            Event::TextStart(event) => self.push(&event.message_id, Message::default()),
            Event::ToolStart(event) => {
                let parent = event.parent_message_id.as_deref().unwrap_or_default();
                let at = self.by_id[parent];
                let calls = &mut self.messages[at].calls;
                self.calls.insert(event.tool_call_id.clone(), (at, calls.len()));
                calls.push(Call { name: event.tool_call_name.clone(), arguments: String::new() });
            }
            Event::ToolArgs(event) => {
                let (message, call) = self.calls[&event.tool_call_id];
                self.messages[message].calls[call].arguments.push_str(&event.delta);
            }
            Event::ToolResult(event) => {
                let content = event.content.clone();
                let calls = Vec::new();
                self.push(&event.message_id, Message { content, calls });
            }
            Event::StateSnapshot(event) => self.state = event.snapshot.clone(),
            Event::StateDelta(event) => event.delta.iter().for_each(|operation| self.patch(operation)),
            _ => {}
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.messages.len()
    }

    pub(crate) fn state(&self) -> &Value {
        &self.state
    }

    fn push(&mut self, id: &str, message: Message) {
        self.by_id.insert(id.to_owned(), self.messages.len());
        self.messages.push(message);
    }

    fn message(&mut self, id: &str) -> &mut Message {
        &mut self.messages[self.by_id[id]]
    }

    fn patch(&mut self, operation: &Operation) {
        let value = operation.value.clone();
        match operation.path.strip_suffix("/-") {
            Some(list) if operation.op == "add" => {
                if let Some(Value::Array(items)) = self.state.pointer_mut(list) {
                    items.push(value);
                }
            }
            _ => {
                if let Some(place) = self.state.pointer_mut(&operation.path) {
                    *place = value;
                }
            }
        }
    }
}
