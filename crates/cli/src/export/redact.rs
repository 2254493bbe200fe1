//! Events without what was said in them.
//!
//! Every text becomes blocks, as many as it had characters. What makes the stream a stream stays: types, ids,
//! names, roles, codes, paths of patches; so do numbers, truth values and the keys of objects. A redacted stream
//! is as legal as it was, and folds to a conversation of the same shape.

use std::collections::HashMap;

use serde_json::Value;

use super::args::ArgsScanner;

/// What a character becomes.
pub(super) const BLOCK: char = '█';

/// Members of the protocol's own objects that say what something is, never what was said.
const STRUCTURE: [&str; 20] = [
    "type",
    "id",
    "role",
    "name",
    "toolCallName",
    "stepName",
    "activityType",
    "subtype",
    "source",
    "code",
    "reason",
    "status",
    "op",
    "path",
    "from",
    "protocolVersion",
    "mimeType",
    "expiresAt",
    "provider",
    "model",
];

/// Members whose insides are the agent's and not the protocol's.
const OPEN: [&str; 11] = [
    "snapshot",
    "state",
    "value",
    "event",
    "rawEvent",
    "result",
    "payload",
    "metadata",
    "context",
    "forwardedProps",
    "responseSchema",
];

/// Redacts the events of a stream, one after the other.
#[derive(Debug, Default)]
pub(super) struct Redactor {
    /// Arguments come in pieces, so where in their JSON a call stands is remembered.
    calls: HashMap<String, ArgsScanner>,
}

impl Redactor {
    /// Redacts one event.
    pub(super) fn redact(&mut self, event: &mut Value) {
        let text = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
        if matches!(text("type").as_str(), "TOOL_CALL_ARGS" | "TOOL_CALL_CHUNK") {
            let scanner = self.calls.entry(text("toolCallId")).or_default();
            let delta = text("delta");
            if !delta.is_empty() {
                event["delta"] = scanner.redact(&delta).into();
            }
            return;
        }
        members(event);
    }
}

/// Redacts an object of the protocol.
fn members(value: &mut Value) {
    match value {
        Value::Object(object) => {
            let is_activity = object.get("content").is_some_and(Value::is_object);
            for (name, value) in object {
                match name.as_str() {
                    name if is_structure(name, value) => {}
                    "arguments" => arguments(value),
                    "content" if is_activity => everything(value),
                    name if OPEN.contains(&name) => everything(value),
                    _ => members(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(members),
        Value::String(text) => *text = blocks(text),
        _ => {}
    }
}

fn is_structure(name: &str, value: &Value) -> bool {
    let is_id = name.ends_with("Id") || name.ends_with("Ids");
    (value.is_string() || value.is_array()) && is_id || value.is_string() && STRUCTURE.contains(&name)
}

/// Redacts every text in a value that is not the protocol's.
fn everything(value: &mut Value) {
    match value {
        Value::Object(object) => object.values_mut().for_each(everything),
        Value::Array(items) => items.iter_mut().for_each(everything),
        Value::String(text) => *text = blocks(text),
        _ => {}
    }
}

fn arguments(value: &mut Value) {
    if let Value::String(text) = value {
        *text = ArgsScanner::default().redact(text);
    }
}

fn blocks(text: &str) -> String {
    text.chars().map(|c| if c.is_whitespace() { c } else { BLOCK }).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(mut event: Value, expected: Value) {
        Redactor::default().redact(&mut event);
        assert_eq!(event, expected);
    }

    #[test]
    fn what_was_said_goes_and_the_structure_stays() {
        check(
            json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": "Hi du", "timestamp": 7 }),
            json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": "██ ██", "timestamp": 7 }),
        );
        check(
            json!({ "type": "STATE_DELTA", "delta": [{ "op": "add", "path": "/a", "value": { "name": "Ada" } }] }),
            json!({ "type": "STATE_DELTA", "delta": [{ "op": "add", "path": "/a", "value": { "name": "███" } }] }),
        );
        check(
            json!({ "type": "MESSAGES_SNAPSHOT", "messages": [{ "id": "m", "role": "user", "content": "no" }] }),
            json!({ "type": "MESSAGES_SNAPSHOT", "messages": [{ "id": "m", "role": "user", "content": "██" }] }),
        );
        check(
            json!({ "type": "ACTIVITY_SNAPSHOT", "activityType": "PLAN", "content": { "type": "x", "n": 1 } }),
            json!({ "type": "ACTIVITY_SNAPSHOT", "activityType": "PLAN", "content": { "type": "█", "n": 1 } }),
        );
    }

    #[test]
    fn arguments_in_pieces_stay_json() {
        let mut redactor = Redactor::default();
        let pieces = [r#"{"city":"Ber"#, r#"lin \"x\"","n":1"#, "2}"];
        let mut joined = String::new();
        for delta in pieces {
            let mut event = json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": delta });
            redactor.redact(&mut event);
            joined.push_str(event["delta"].as_str().unwrap());
        }
        let value: Value = serde_json::from_str(&joined).unwrap();
        assert_eq!(value["n"], 12);
        assert!(value["city"].as_str().unwrap().starts_with("██████"), "{joined}");
        assert!(!joined.contains("lin") && !joined.contains('x'), "{joined}");
    }
}
