//! Small changes of shape that several dialects need.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::error::ApiError;

/// Names of members that some clients write in snake_case.
const SNAKE: [(&str, &str); 12] = [
    ("thread_id", "threadId"),
    ("run_id", "runId"),
    ("parent_run_id", "parentRunId"),
    ("forwarded_props", "forwardedProps"),
    ("tool_call_id", "toolCallId"),
    ("tool_calls", "toolCalls"),
    ("message_id", "messageId"),
    ("interrupt_id", "interruptId"),
    ("approval_id", "approvalId"),
    ("mime_type", "mimeType"),
    ("activity_type", "activityType"),
    ("encrypted_value", "encryptedValue"),
];

/// Writes the members of an object, and of the messages in it, in camelCase. What is inside of state, context, tools and
/// content stays as it is, since it belongs to the application. One that says two things in two spellings is refused.
pub(super) fn camel(object: &mut Map<String, Value>) -> Result<(), ApiError> {
    for (snake, camel) in SNAKE {
        let Some(value) = object.remove(snake).filter(|value| !value.is_null()) else { continue };
        match object.get(camel) {
            Some(other) if !other.is_null() && *other != value => return Err(ambiguous(snake, camel)),
            _ => drop(object.insert(camel.to_owned(), value)),
        }
    }
    for list in ["messages", "toolCalls", "resume"] {
        if let Some(Value::Array(items)) = object.get_mut(list) {
            items.iter_mut().filter_map(Value::as_object_mut).try_for_each(camel)?;
        }
    }
    Ok(())
}

fn ambiguous(snake: &str, camel: &str) -> ApiError {
    let text = format!("`{camel}` and `{snake}` are the same member, and say different things");
    ApiError::bad_request("ambiguous_member", text).at(camel)
}

/// Leaves out what is null: it means the same as not being there.
pub(super) fn without_nulls(object: &mut Map<String, Value>) {
    object.retain(|_, value| !value.is_null());
    for list in ["messages", "resume"] {
        if let Some(Value::Array(items)) = object.get_mut(list) {
            items.iter_mut().filter_map(Value::as_object_mut).for_each(without_nulls);
        }
    }
}

/// A context that is a mapping becomes a list of what it says.
pub(super) fn context_as_list(object: &mut Map<String, Value>) {
    let Some(Value::Object(context)) = object.get("context") else { return };
    let entries = context.iter().map(|(name, value)| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        json!({ "description": name, "value": text })
    });
    let entries: Vec<Value> = entries.collect();
    object.insert("context".to_owned(), Value::Array(entries));
}

/// Gives messages ids. A client without ids cannot say what is new, so only what it says after the last word of
/// somebody else is: the rest is in the log.
pub(super) fn name_messages(object: &mut Map<String, Value>) {
    let run_id = object.get("runId").and_then(Value::as_str).map(str::to_owned);
    let Some(Value::Array(messages)) = object.get_mut("messages") else { return };
    if messages.iter().all(|message| message.get("id").is_some_and(Value::is_string)) {
        return;
    }
    let is_theirs = |message: &Value| {
        let role = message["role"].as_str();
        matches!(role, Some("assistant" | "system" | "developer" | "activity" | "reasoning"))
    };
    let first = messages.iter().rposition(is_theirs).map_or(0, |at| at + 1);
    messages.drain(..first);
    for (at, message) in messages.iter_mut().filter_map(Value::as_object_mut).enumerate() {
        // The same frame again is the same request, so its messages are called the same.
        let id =
            || run_id.as_ref().map_or_else(|| Uuid::new_v4().to_string(), |run| format!("said-{run}-{at}"));
        message.entry("id").or_insert_with(|| id().into());
    }
}

/// Leaves out members that only AG-UI 1.0 knows.
pub(super) fn strip(value: &mut Value, names: &[&str]) {
    if let Value::Object(object) = value {
        names.iter().for_each(|name| drop(object.remove(*name)));
    }
}
