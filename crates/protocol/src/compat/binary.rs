//! `binary` content parts, which became image, audio, video and document.

use serde_json::{Map, Value, json};

use super::retired;
use crate::notice::Warning;

/// Upgrades the parts of a message that came in, and reports it.
pub(super) fn upgrade_reported(message: &mut Value, path: &str, base: &str, warnings: &mut Vec<Warning>) {
    for (index, upgraded) in upgrade_message(message) {
        let path = format!("{base}{path}/content/{index}");
        warnings.push(match upgraded {
            true => retired(path, "read a retired binary part as a media part"),
            false => retired(path, "a binary part with neither data nor url cannot be read as a media part"),
        });
    }
}

/// Upgrades the parts of a message: which ones were binary, and whether each could be upgraded.
pub fn upgrade_message(message: &mut Value) -> Vec<(usize, bool)> {
    let Some(Value::Array(parts)) = message.get_mut("content") else {
        return Vec::new();
    };
    let modern: Vec<Value> = parts.iter().filter(|part| !is_binary(part)).cloned().collect();
    let mut found = Vec::new();
    let mut index = 0;
    parts.retain_mut(|part| {
        let at = index;
        index += 1;
        if !is_binary(part) {
            return true;
        }
        let Some(upgraded) = upgrade(part) else {
            found.push((at, false));
            return true;
        };
        found.push((at, true));
        // Some producers send both spellings of one file; the modern one is kept.
        let twice = modern.iter().any(|other| says_the_same(other, &upgraded));
        *part = upgraded;
        !twice
    });
    found
}

fn is_binary(part: &Value) -> bool {
    part.get("type").and_then(Value::as_str) == Some("binary")
        && part.get("mimeType").is_some_and(Value::is_string)
}

fn upgrade(part: &Value) -> Option<Value> {
    // Whatever stands there is handed on: a value of the wrong kind is for the check to refuse, not for us to lose.
    let given = |name: &str| part.get(name).filter(|value| !value.is_null() && value.as_str() != Some(""));
    let mime_type = part.get("mimeType").and_then(Value::as_str)?;
    let (kind, value) = match (given("data"), given("url")) {
        (Some(data), _) => ("data", data),
        (None, Some(url)) => ("url", url),
        (None, None) => return None,
    };
    let mut upgraded = Map::new();
    upgraded.insert("type".to_owned(), part_type(mime_type).into());
    upgraded.insert("source".to_owned(), json!({"type": kind, "value": value, "mimeType": mime_type}));
    if let Some(filename) = given("filename") {
        upgraded.insert("metadata".to_owned(), json!({ "filename": filename }));
    }
    Some(Value::Object(upgraded))
}

pub(super) fn part_type(mime_type: &str) -> &'static str {
    match mime_type.split('/').next() {
        Some("image") => "image",
        Some("audio") => "audio",
        Some("video") => "video",
        _ => "document",
    }
}

fn says_the_same(modern: &Value, upgraded: &Value) -> bool {
    let same = |pointer: &str| modern.pointer(pointer) == upgraded.pointer(pointer);
    let filename = upgraded.pointer("/metadata/filename");
    same("/type")
        && same("/source/type")
        && same("/source/value")
        && same("/source/mimeType")
        && (filename.is_none() || same("/metadata/filename"))
}
