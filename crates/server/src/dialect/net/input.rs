//! Inputs and messages as the contract has them.

use forestage_protocol::compat::net::downgrade_part;
use serde_json::{Value, json};

/// The input of a run, with one answer where there are answers.
pub(super) fn started(value: &mut Value) {
    let Some(input) = value.get_mut("input").and_then(Value::as_object_mut) else { return };
    if let Some(Value::Array(answers)) = input.remove("resume")
        && let Some(first) = answers.into_iter().next()
    {
        let mut resume = json!({ "interruptId": first["interruptId"] });
        if let Some(payload) = first.get("payload") {
            resume["payload"] = payload.clone();
        }
        input.insert("resume".to_owned(), resume);
    }
    if let Some(messages) = input.get_mut("messages") {
        plain_messages(messages);
    }
    // The contract requires all four. Tools and context that the log leaves out were empty; a state that the client changed
    // follows in a STATE_SNAPSHOT; `forwardedProps` are not on record.
    for (name, empty) in
        [("tools", json!([])), ("context", json!([])), ("state", json!({})), ("forwardedProps", json!({}))]
    {
        input.entry(name).or_insert(empty);
    }
}

/// Messages without a role that the contract does not have, and with content as it has it.
pub(super) fn plain_messages(messages: &mut Value) {
    let Value::Array(messages) = messages else { return };
    messages.retain(|message| message["role"] != "reasoning");
    for message in messages.iter_mut().filter_map(Value::as_object_mut) {
        for name in ["metadata", "subagentRunId", "encryptedValue", "encryptedValueType"] {
            message.remove(name);
        }
        let is_user = message.get("role") == Some(&json!("user"));
        if let Some(content @ Value::Array(_)) = message.get_mut("content") {
            plain_content(content, is_user);
        }
    }
}

/// A person's parts stay parts, unless there is one text or none; anybody else's content is text.
fn plain_content(content: &mut Value, is_user: bool) {
    let Value::Array(parts) = content else { return };
    match (is_user, parts.as_mut_slice()) {
        (true, []) => *content = json!(""),
        (true, [only]) if only["type"] == "text" => *content = only["text"].take(),
        (true, parts) => parts.iter_mut().for_each(downgrade_part),
        (false, parts) => {
            *content = parts.iter().filter_map(|part| part["text"].as_str()).collect::<String>().into();
        }
    }
}
