//! What an older client sends.

use forestage_protocol::{enforce, input::RunAgentInput};
use serde_json::{Map, Value, json};

use super::version::Protocol;
use crate::{dialect::shape::without_nulls, error::ApiError, once, route::runs::read_input_value};

/// A request for a run, and the protocol that its answer is to be written in.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) input: RunAgentInput,
    pub(crate) protocol: Protocol,
}

impl Request {
    /// Reads a body. One that is exactly 1.0 is read in one go.
    pub(crate) fn read(text: &str, asked: Option<Protocol>) -> Result<Self, ApiError> {
        once::check(text)?;
        if let Ok(input) = enforce::strict_as::<RunAgentInput>(text) {
            let protocol = Protocol::of(&input, asked)?;
            return Ok(Self { input, protocol });
        }
        Self::from_value(enforce::tree(text)?, asked)
    }

    /// Reads what was parsed already.
    pub(crate) fn from_value(mut value: Value, asked: Option<Protocol>) -> Result<Self, ApiError> {
        let is_older = value.get("protocolVersion").is_none_or(Value::is_null);
        if let Some(input) = value.as_object_mut().filter(|_| is_older) {
            upgrade(input);
        }
        let input = read_input_value(value)?;
        let protocol = Protocol::of(&input, asked)?;
        Ok(Self { input, protocol })
    }
}

/// Rewrites what older lines write differently: null for what is not there, and files by their id.
fn upgrade(input: &mut Map<String, Value>) {
    without_nulls(input);
    let messages = input.get_mut("messages").and_then(Value::as_array_mut).into_iter().flatten();
    let parts = messages.filter_map(|message| message.get_mut("content")?.as_array_mut()).flatten();
    for part in parts.filter(|part| part["type"] == "binary") {
        if let Some(file) = file_of(part) {
            *part = file;
        }
    }
}

/// A binary part that has nothing but an id is a file that somebody else holds.
fn file_of(part: &Value) -> Option<Value> {
    let given = |name: &str| part.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    if given("data").is_some() || given("url").is_some() {
        return None;
    }
    let (id, mime) = (given("id")?, given("mimeType")?);
    let family = mime.split('/').next().unwrap_or_default();
    let kind = if matches!(family, "image" | "audio" | "video") { family } else { "document" };
    let mut file = json!({ "type": kind, "source": { "type": "file", "value": id, "mimeType": mime } });
    if let Some(filename) = given("filename") {
        file["metadata"] = json!({ "filename": filename });
    }
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(message: &Value) -> Value {
        let body =
            json!({ "threadId": "t", "runId": "r", "messages": [message], "tools": [], "context": [] });
        let request = Request::read(&body.to_string(), None).expect("it is taken");
        serde_json::to_value(&request.input.messages[0]).expect("prints")
    }

    #[test]
    fn a_file_by_its_id_is_a_part_of_its_kind() {
        for (mime, kind) in [("image/png", "image"), ("application/pdf", "document")] {
            let part = json!({ "type": "binary", "mimeType": mime, "id": "f-1", "filename": "a" });
            let message = read(&json!({ "id": "m", "role": "user", "content": [part] }));
            let source = json!({ "type": "file", "value": "f-1", "mimeType": mime });
            assert_eq!(message["content"][0]["type"], kind);
            assert_eq!(message["content"][0]["source"], source);
        }
    }

    #[test]
    fn null_stands_for_what_is_not_there() {
        let call = json!({ "id": "c", "type": "function", "function": { "name": "f", "arguments": "{}" } });
        let message = read(&json!({ "id": "m", "role": "assistant", "content": null, "toolCalls": [call] }));
        assert!(message.get("content").is_none(), "{message}");
    }

    #[test]
    fn a_client_of_1_0_is_held_to_1_0() {
        let body = json!({
            "threadId": "t", "runId": "r", "protocolVersion": "1.0",
            "messages": [{ "id": "m", "role": "user", "content": [{ "type": "binary", "mimeType": "image/png", "id": "f" }] }],
        });
        assert!(Request::read(&body.to_string(), None).is_err());
    }
}
