//! What a client sees.

use forestage_protocol::{
    compat::net,
    event::Event,
    id::InterruptId,
    interrupt::{Interrupt, RunOutcome},
};
use serde_json::{Value, json};

use super::input::{plain_messages, started};
use crate::dialect::{
    Encode,
    calls::{Calls, Kind},
    shape::strip,
};

/// Members that the contract does not have.
const NOT_THEIRS: [&str; 4] = ["metadata", "subagentRunId", "usage", "protocolVersion"];

/// Turns events into those of contract 004.
#[derive(Debug, Default)]
pub struct Encoder {
    calls: Calls,
    /// A beginning of reasoning, and of its first message, that may get its encrypted content yet.
    reasoning: Vec<Value>,
    /// The questions that still have no answer, if some may have one.
    waits_for: Option<Vec<InterruptId>>,
}

impl Encoder {
    /// For a run that is over and waits for these answers yet.
    pub(super) fn waiting_for(questions: Vec<InterruptId>) -> Self {
        Self { waits_for: Some(questions), ..Self::default() }
    }

    /// Whether a question has no answer, as far as is known.
    fn is_open(&self, asked: &Interrupt) -> bool {
        self.waits_for.as_ref().is_none_or(|waits_for| waits_for.contains(&asked.id))
    }

    fn finished(&self, outcome: Option<&RunOutcome>, value: &mut Value) {
        match outcome {
            Some(RunOutcome::Interrupt(outcome)) => {
                value["outcome"] = "interrupt".into();
                if let Some(first) = outcome.interrupts.as_slice().iter().find(|asked| self.is_open(asked)) {
                    value["interrupt"] = self.interrupt(first);
                }
            }
            Some(RunOutcome::Cancelled(_)) => {
                let error =
                    json!({ "type": "RUN_ERROR", "message": "the run was stopped", "code": "cancelled" });
                *value = stamped(error, value);
            }
            Some(RunOutcome::Success(_)) | None => value["outcome"] = "success".into(),
            Some(_) => strip(value, &["outcome"]),
        }
    }

    /// A question as the contract has it.
    pub(super) fn interrupt(&self, asked: &Interrupt) -> Value {
        // One that came in the contract's own shape leaves as it came.
        if let Some(payload) = net::Interrupt::of(asked).and_then(|before| before.payload) {
            return json!({ "id": asked.id, "payload": payload });
        }
        let approval = |name, arguments| json!({ "functionName": name, "functionArguments": arguments });
        let payload = match (Kind::of(asked), self.calls.asked(asked)) {
            (Kind::Tool, Some((name, arguments))) => approval(name, arguments),
            (Kind::Tool | Kind::Draft, _) => approval(asked.reason.clone(), json!({})),
            (Kind::Words, _) => {
                let prompt = asked.message.as_ref().unwrap_or(&asked.reason);
                json!({ "prompt": prompt, "inputType": input_type(asked) })
            }
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

fn meta(kind: &str, value: &Value) -> Value {
    let payload = match &value["value"] {
        Value::Object(payload) => Value::Object(payload.clone()),
        other => json!({ "value": other }),
    };
    stamped(json!({ "type": "META", "metaType": kind, "payload": payload }), value)
}

/// An event that the contract does not have, as one of the application's.
fn as_custom(value: Value) -> Value {
    let mut inner = value.clone();
    strip(&mut inner, &["type", "timestamp", "rawEvent"]);
    stamped(json!({ "type": "CUSTOM", "name": value["type"], "value": inner }), &value)
}

/// An event with what every event may have of the one that it stands for.
fn stamped(mut event: Value, original: &Value) -> Value {
    for name in ["timestamp", "rawEvent"] {
        if let Some(given) = original.get(name) {
            event[name] = given.clone();
        }
    }
    event
}

impl Encode for Encoder {
    fn event(&mut self, event: &Event, out: &mut Vec<Value>) {
        if let Event::ReasoningEncryptedValue(sealed) = event
            && self.reasoning.iter().any(|begun| begun["messageId"] == sealed.entity_id.as_str())
        {
            self.reasoning[0]["encryptedContent"] = sealed.encrypted_value.as_str().into();
            return;
        }
        let is_first_message = self.reasoning.len() == 1 && matches!(event, Event::ReasoningMessageStart(_));
        if !is_first_message {
            out.append(&mut self.reasoning);
        }
        let mut value = serde_json::to_value(event).unwrap_or_default();
        if event.event_type().as_str().starts_with("SUBAGENT_") {
            out.push(as_custom(value));
            return;
        }
        strip(&mut value, &NOT_THEIRS);
        match event {
            Event::RunStarted(_) => started(&mut value),
            Event::RunFinished(finished) => self.finished(finished.outcome.as_ref(), &mut value),
            Event::TextMessageContent(content) if content.delta.is_empty() => return,
            Event::ReasoningMessageContent(content) if content.delta.is_empty() => return,
            Event::TextMessageStart(_) => value["role"] = "assistant".into(),
            Event::ReasoningStart(_) => {
                self.reasoning.push(value);
                return;
            }
            Event::ReasoningMessageStart(_) => {
                value["role"] = "assistant".into();
                if is_first_message {
                    self.reasoning.push(value);
                    return;
                }
            }
            Event::ReasoningEncryptedValue(_) => value = as_custom(value),
            Event::MessagesSnapshot(_) => plain_messages(&mut value["messages"]),
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

    fn flush(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.reasoning)
    }
}
