//! What a client sees.

use forestage_protocol::{
    event::Event,
    interrupt::{Interrupt, RunOutcome},
};
use serde_json::{Map, Value, json};

use crate::dialect::{calls::Calls, shape::strip};

/// Members that the contract does not have.
const NOT_THEIRS: [&str; 4] = ["metadata", "subagentRunId", "usage", "protocolVersion"];

/// Turns events into those of contract 004.
#[derive(Debug, Default)]
pub struct Encoder {
    calls: Calls,
    /// A beginning of reasoning that may get its encrypted content yet.
    reasoning: Option<Value>,
}

impl Encoder {
    /// Encodes events that came together.
    pub fn encode(&mut self, events: &[Event]) -> Vec<Value> {
        let mut out = Vec::new();
        for event in events {
            self.event(event, &mut out);
        }
        out.extend(self.reasoning.take());
        out
    }

    fn event(&mut self, event: &Event, out: &mut Vec<Value>) {
        if let (Event::ReasoningEncryptedValue(sealed), Some(begun)) = (event, &mut self.reasoning)
            && begun["messageId"] == sealed.entity_id.as_str()
        {
            begun["encryptedContent"] = sealed.encrypted_value.as_str().into();
            return;
        }
        out.extend(self.reasoning.take());
        let mut value = serde_json::to_value(event).unwrap_or_default();
        strip(&mut value, &NOT_THEIRS);
        match event {
            Event::RunStarted(_) => started(&mut value),
            Event::RunFinished(finished) => self.finished(finished.outcome.as_ref(), &mut value),
            Event::TextMessageStart(start) if start.role.is_none() => value["role"] = "assistant".into(),
            Event::ReasoningStart(_) => {
                self.reasoning = Some(value);
                return;
            }
            Event::ReasoningMessageStart(_) => value["role"] = "assistant".into(),
            Event::ReasoningEncryptedValue(_)
            | Event::SubagentStarted(_)
            | Event::SubagentFinished(_)
            | Event::SubagentError(_) => value = as_custom(value),
            Event::MessagesSnapshot(_) => messages(&mut value),
            Event::ToolCallResult(result) => value["content"] = result.content.text().into_owned().into(),
            Event::Custom(custom) => match custom.name.strip_prefix("meta:") {
                Some(kind) => value = meta(kind, &value),
                None if custom.name.starts_with("forestage.") => return,
                None => {}
            },
            _ => self.calls.note(event),
        }
        out.push(value);
    }

    fn finished(&self, outcome: Option<&RunOutcome>, value: &mut Value) {
        match outcome {
            Some(RunOutcome::Interrupt(outcome)) => {
                value["outcome"] = "interrupt".into();
                if let Some(first) = outcome.interrupts.as_slice().first() {
                    value["interrupt"] = self.interrupt(first);
                }
            }
            Some(RunOutcome::Cancelled(_)) => {
                *value = json!({
                    "type": "RUN_ERROR",
                    "message": "the run was stopped",
                    "code": "cancelled",
                    "timestamp": value["timestamp"],
                });
            }
            Some(RunOutcome::Success(_)) | None => value["outcome"] = "success".into(),
            Some(_) => strip(value, &["outcome"]),
        }
    }

    /// A question as the contract has it.
    pub(super) fn interrupt(&self, asked: &Interrupt) -> Value {
        let payload = match self.calls.asked(asked) {
            Some((name, arguments)) => json!({ "functionName": name, "functionArguments": arguments }),
            None => json!({ "prompt": asked.message, "inputType": input_type(asked) }),
        };
        json!({ "id": asked.id, "payload": payload })
    }
}

/// `password` where the answer may not be kept, otherwise the kind of value that is wanted.
fn input_type(asked: &Interrupt) -> String {
    let schema = asked.response_schema.as_ref().map(|schema| Value::Object((**schema).clone()));
    let schema = schema.unwrap_or_default();
    let inner = schema.pointer("/properties/response").unwrap_or(&schema);
    match (inner["format"].as_str(), inner["type"].as_str()) {
        (Some("password"), _) => "password".to_owned(),
        (_, Some(kind)) if kind != "string" => kind.to_owned(),
        _ => "text".to_owned(),
    }
}

/// The input of a run, with one answer where there are answers.
fn started(value: &mut Value) {
    let Some(input) = value.get_mut("input").and_then(Value::as_object_mut) else { return };
    if let Some(Value::Array(answers)) = input.remove("resume")
        && let Some(first) = answers.into_iter().next()
    {
        input.insert(
            "resume".to_owned(),
            json!({ "interruptId": first["interruptId"], "payload": first["payload"] }),
        );
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

fn messages(value: &mut Value) {
    plain_messages(&mut value["messages"]);
}

/// Messages without a role that the contract does not have, and with content parts as it has them.
fn plain_messages(messages: &mut Value) {
    let Value::Array(messages) = messages else { return };
    messages.retain(|message| message["role"] != "reasoning");
    for message in messages.iter_mut().filter_map(Value::as_object_mut) {
        for name in ["metadata", "subagentRunId", "encryptedValue", "encryptedValueType"] {
            message.remove(name);
        }
        if let Some(Value::Array(parts)) = message.get_mut("content") {
            parts.iter_mut().for_each(binary);
        }
    }
}

/// A part with a source is binary content.
fn binary(part: &mut Value) {
    let Some(source) = part.get("source").cloned() else { return };
    let mut binary = Map::from_iter([("type".to_owned(), json!("binary"))]);
    let mime = source.get("mimeType").cloned().unwrap_or_else(|| json!("application/octet-stream"));
    binary.insert("mimeType".to_owned(), mime);
    let place = if source["type"] == "url" { "url" } else { "data" };
    binary.insert(place.to_owned(), source["value"].clone());
    if let Some(name) = part.pointer("/metadata/filename") {
        binary.insert("filename".to_owned(), name.clone());
    }
    *part = Value::Object(binary);
}

fn meta(kind: &str, value: &Value) -> Value {
    let payload = match &value["value"] {
        Value::Object(payload) => Value::Object(payload.clone()),
        other => json!({ "value": other }),
    };
    json!({ "type": "META", "metaType": kind, "payload": payload, "timestamp": value["timestamp"] })
}

/// An event that the contract does not have, as one of the application's.
fn as_custom(mut value: Value) -> Value {
    let (name, at) = (value["type"].clone(), value["timestamp"].clone());
    strip(&mut value, &["type", "timestamp"]);
    json!({ "type": "CUSTOM", "name": name, "value": value, "timestamp": at })
}
