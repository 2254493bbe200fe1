//! Inputs and messages as the contract has them.

use serde_json::{Map, Value, json};

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
        (true, parts) => parts.iter_mut().for_each(binary),
        (false, parts) => {
            *content = parts.iter().filter_map(|part| part["text"].as_str()).collect::<String>().into();
        }
    }
}

/// A part with a source is binary content.
fn binary(part: &mut Value) {
    let Some(source) = part.get("source").cloned() else { return };
    let mut binary = Map::from_iter([("type".to_owned(), json!("binary"))]);
    let mime = source.get("mimeType").cloned().unwrap_or_else(|| json!("application/octet-stream"));
    binary.insert("mimeType".to_owned(), mime);
    let kept = |name: &str| part.pointer(&format!("/metadata/{name}")).cloned();
    let place = if source["type"] == "url" { "url" } else { "data" };
    // What was uploaded before has no place of its own, and is known by its id.
    if kept("id").map(|id| upload(&id)) != Some(source["value"].clone()) {
        binary.insert(place.to_owned(), source["value"].clone());
    }
    for name in ["id", "url", "filename"] {
        if let Some(value) = kept(name) {
            binary.insert(name.to_owned(), value);
        }
    }
    *part = Value::Object(binary);
}

/// Binary content is a part of its kind, with everything that it says. Nothing if it has neither id, url nor data.
pub(super) fn media(part: &Map<String, Value>) -> Option<Value> {
    let given = |name: &str| part.get(name).filter(|value| value.as_str() != Some("")).cloned();
    let mime = part.get("mimeType").cloned().unwrap_or_default();
    let family = mime.as_str().and_then(|mime| mime.split('/').next());
    let kind = family.filter(|family| matches!(*family, "image" | "audio" | "video")).unwrap_or("document");
    let (place, value) = match (given("data"), given("url"), given("id")) {
        (Some(data), ..) => ("data", data),
        (None, Some(url), _) => ("url", url),
        (None, None, id) => ("url", upload(&id?)),
    };
    let beside = ["id", "url", "filename"].into_iter().filter(|name| *name != place);
    let metadata: Map<_, _> = beside.filter_map(|name| Some((name.to_owned(), given(name)?))).collect();
    let mut media = json!({ "type": kind, "source": { "type": place, "value": value, "mimeType": mime } });
    if !metadata.is_empty() {
        media["metadata"] = metadata.into();
    }
    Some(media)
}

/// The address of something that was uploaded before.
fn upload(id: &Value) -> Value {
    format!("upload:{}", id.as_str().unwrap_or_default()).into()
}
