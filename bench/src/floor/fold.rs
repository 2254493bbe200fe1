//! The floor of folding: a map from id to place, and strings that grow.

use std::collections::HashMap;

use serde_json::Value;

use super::one_pass::parsed::{Event, Metadata, Operation};

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
    metadata: Option<Metadata>,
}

#[derive(Default)]
struct Call {
    #[expect(dead_code, reason = "it is written to measure writing")]
    name: String,
    arguments: String,
    metadata: Option<Metadata>,
}

impl View {
    pub(crate) fn apply(&mut self, event: &Event) {
        match event {
            Event::TextContent(event) => {
                let message = self.message(&event.message_id);
                message.content.push_str(&event.delta);
                merge(&mut message.metadata, &event.metadata);
            }
            Event::TextStart(event) => self
                .push(&event.message_id, Message { metadata: event.metadata.clone(), ..Message::default() }),
            Event::TextEnd(event) => merge(&mut self.message(&event.message_id).metadata, &event.metadata),
            Event::ToolStart(event) => {
                let parent = event.parent_message_id.as_deref().unwrap_or_default();
                let at = self.by_id[parent];
                let calls = &mut self.messages[at].calls;
                self.calls.insert(event.tool_call_id.clone(), (at, calls.len()));
                let (name, metadata) = (event.tool_call_name.clone(), event.metadata.clone());
                calls.push(Call { name, metadata, ..Call::default() });
            }
            Event::ToolArgs(event) => {
                let call = self.call(&event.tool_call_id);
                call.arguments.push_str(&event.delta);
                merge(&mut call.metadata, &event.metadata);
            }
            Event::ToolEnd(event) => merge(&mut self.call(&event.tool_call_id).metadata, &event.metadata),
            Event::ToolResult(event) => {
                let (content, metadata) = (event.content.clone(), event.metadata.clone());
                self.push(&event.message_id, Message { content, metadata, ..Message::default() });
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

    fn call(&mut self, id: &str) -> &mut Call {
        let (message, call) = self.calls[id];
        &mut self.messages[message].calls[call]
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

fn merge(held: &mut Option<Metadata>, new: &Option<Metadata>) {
    let Some(new) = new else {
        return;
    };
    match held {
        Some(held) => held.extend(new.clone()),
        None => *held = Some(new.clone()),
    }
}
