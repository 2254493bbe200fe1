//! Nulls that once stood for absent values.

use serde_json::{Map, Value};

use super::retired;
use crate::notice::Warning;

const MEDIA: [&str; 4] = ["image", "audio", "video", "document"];

pub(super) fn upgrade_event(event: &mut Map<String, Value>, warnings: &mut Vec<Warning>) {
    let members: &[&str] = match event.get("type").and_then(Value::as_str) {
        Some("TOOL_CALL_START" | "TOOL_CALL_CHUNK") => &["rawEvent", "parentMessageId"],
        Some("RUN_FINISHED") => &["rawEvent", "result", "outcome"],
        Some("SUBAGENT_FINISHED") => &["rawEvent", "result"],
        _ => &["rawEvent"],
    };
    for name in members {
        omit_null(event, name, "", warnings);
    }
}

pub(super) fn upgrade_input(input: &mut Map<String, Value>, path: &str, warnings: &mut Vec<Warning>) {
    omit_null(input, "forwardedProps", path, warnings);
    omit_null(input, "state", path, warnings);
    for (list, name) in [("tools", "parameters"), ("resume", "payload")] {
        each_object(input.get_mut(list), &format!("{path}/{list}"), |item, path| {
            omit_null(item, name, path, warnings);
        });
    }
    let Some(Value::Array(messages)) = input.get_mut("messages") else {
        return;
    };
    for (index, message) in messages.iter_mut().enumerate() {
        upgrade_parts(message, &format!("{path}/messages/{index}"), warnings);
    }
}

/// The metadata of media parts.
pub(super) fn upgrade_parts(message: &mut Value, path: &str, warnings: &mut Vec<Warning>) {
    each_object(message.get_mut("content"), &format!("{path}/content"), |part, path| {
        let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
        if MEDIA.contains(&kind) {
            omit_null(part, "metadata", path, warnings);
        }
    });
}

fn each_object(list: Option<&mut Value>, path: &str, mut visit: impl FnMut(&mut Map<String, Value>, &str)) {
    let Some(Value::Array(items)) = list else { return };
    for (index, item) in items.iter_mut().enumerate() {
        if let Value::Object(object) = item {
            visit(object, &format!("{path}/{index}"));
        }
    }
}

fn omit_null(owner: &mut Map<String, Value>, name: &str, path: &str, warnings: &mut Vec<Warning>) {
    if owner.get(name).is_some_and(Value::is_null) {
        owner.shift_remove(name);
        warnings.push(retired(format!("{path}/{name}"), format!("read `{name}: null` as absent")));
    }
}
