//! Messages as an older line reads them, in snapshots and in the inputs of runs.

use serde_json::{Map, Value, json};

use crate::dialect::agui0::version::{Line, Parts, Reasoning};

/// Leaves out the roles that the line does not have, and writes content as it has it.
pub(super) fn plain_messages(messages: &mut Value, line: Line) {
    let Value::Array(messages) = messages else { return };
    messages.retain(|message| match message["role"].as_str() {
        Some("reasoning") => line.reasoning() == Reasoning::AsIs,
        Some("activity") => line.has_activities(),
        _ => true,
    });
    for message in messages.iter_mut().filter_map(Value::as_object_mut) {
        let is_user = message.get("role") == Some(&json!("user"));
        let Some(content @ Value::Array(_)) = message.get_mut("content") else { continue };
        match is_user {
            true => plain_parts(content, line.parts()),
            false => *content = text_of(content).into(),
        }
    }
}

/// Writes the parts of a person's message.
pub(in crate::dialect::agui0) fn plain_parts(content: &mut Value, parts: Parts) {
    if !content.is_array() {
        return;
    }
    if parts == Parts::Text {
        *content = text_of(content).into();
        return;
    }
    for part in content.as_array_mut().into_iter().flatten() {
        let is_file = part.pointer("/source/type") == Some(&json!("file"));
        if is_file || parts == Parts::Binary {
            to_binary(part);
        }
    }
}

/// The text among the parts.
fn text_of(content: &Value) -> String {
    content.as_array().into_iter().flatten().filter_map(|part| part["text"].as_str()).collect()
}

/// Writes a media part as `binary`: a type, and where the bytes are.
fn to_binary(part: &mut Value) {
    let Some(source) = part.get("source") else { return };
    let mime = source.get("mimeType").cloned().unwrap_or_else(|| json!(guessed(&part["type"])));
    let place = match source["type"].as_str() {
        Some("url") => "url",
        Some("file") => "id",
        _ => "data",
    };
    let mut binary = Map::new();
    binary.insert("type".to_owned(), json!("binary"));
    binary.insert("mimeType".to_owned(), mime);
    binary.insert(place.to_owned(), source["value"].clone());
    if let Some(filename) = part.pointer("/metadata/filename") {
        binary.insert("filename".to_owned(), filename.clone());
    }
    *part = Value::Object(binary);
}

/// A media type of the kind of a part that has none.
fn guessed(kind: &Value) -> &'static str {
    match kind.as_str() {
        Some("image") => "image/*",
        Some("audio") => "audio/*",
        Some("video") => "video/*",
        _ => "application/octet-stream",
    }
}
