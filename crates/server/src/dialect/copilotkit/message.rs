//! Messages as a front end knows them.

use forestage_protocol::message::Message;
use serde_json::{Value, json};

/// Messages of a snapshot. Only the content of a tool's answer differs: there it is a text.
pub(super) fn plain_messages(messages: &mut Value) {
    for message in messages.as_array_mut().into_iter().flatten() {
        let known = serde_json::from_value::<Message>(message.clone());
        if let Ok(Message::Tool(known)) = known {
            message["content"] = known.content.text().into_owned().into();
        }
    }
}

/// A message as the inspector shows it: calls of tools have their name and arguments beside the id.
pub(super) fn inspected(message: &Message) -> Value {
    let mut shown = json!({ "id": message.id(), "role": message.role() });
    let whole = serde_json::to_value(message).unwrap_or_default();
    match message {
        Message::Tool(message) => {
            shown["content"] = message.content.text().into_owned().into();
            shown["toolCallId"] = message.tool_call_id.as_str().into();
        }
        _ if whole.get("content").is_some() => shown["content"] = whole["content"].clone(),
        _ => {}
    }
    let calls = message
        .tool_calls()
        .iter()
        .map(|call| json!({ "id": call.id, "name": call.function.name, "args": call.function.arguments }));
    let calls: Vec<_> = calls.collect();
    if !calls.is_empty() {
        shown["toolCalls"] = calls.into();
    }
    shown
}
