//! Answers as older clients give them: `forwardedProps.command`, as LangGraph has it.

use forestage_protocol::{
    input::RunAgentInput,
    interrupt::{Interrupt, ResumeEntry, ResumeStatus},
    json::Json,
};
use serde_json::{Value, json};

use crate::error::ApiError;

/// An answer to a question, as a client of before `resume` gives it.
#[derive(Debug)]
pub(super) struct Command {
    payload: Value,
    /// The question, if the client has sent it back.
    interrupt_id: Option<String>,
}

impl Command {
    /// The answer in an input, if there is one and no other.
    pub(super) fn of(input: &RunAgentInput) -> Option<Self> {
        if input.resume.is_some() {
            return None;
        }
        let properties = input.forwarded_props.as_ref()?.to_value().ok()?;
        let command = properties.get("command")?;
        let payload = command.get("resume").filter(|payload| !payload.is_null())?.clone();
        Some(Self { payload, interrupt_id: command.get("interruptEvent").and_then(id_of) })
    }

    /// Writes the answer as one of 1.0. What it does not say, the questions that wait have to.
    pub(super) fn apply(self, input: &mut RunAgentInput, pending: &[Interrupt]) -> Result<(), ApiError> {
        let asked = match (&self.interrupt_id, pending) {
            (Some(id), _) => pending.iter().find(|asked| asked.id.as_str() == id),
            (None, [only]) => Some(only),
            (None, []) => None,
            (None, _) => return Err(which(pending)),
        };
        let id = asked.map(|asked| asked.id.clone()).or_else(|| self.interrupt_id.map(Into::into));
        // A question of the agent's own, of which the log knows nothing: the answer is for the agent to read.
        let Some(id) = id.filter(|_| !pending.is_empty()) else { return Ok(()) };
        let payload = fitted(self.payload, asked);
        let entry = ResumeEntry {
            payload: Some(Json::from(payload)),
            ..ResumeEntry::new(id, ResumeStatus::Resolved)
        };
        input.resume = Some(vec![entry]);
        input.forwarded_props = input.forwarded_props.take().and_then(without_command);
        Ok(())
    }
}

/// The id in a question that was sent back: as the text that it was sent as, or read.
fn id_of(event: &Value) -> Option<String> {
    match event {
        Value::String(text) => id_of(&serde_json::from_str::<Value>(text).ok().filter(Value::is_object)?),
        Value::Object(question) => question.get("id")?.as_str().map(str::to_owned),
        _ => None,
    }
}

/// An answer that is JSON in a text, unless a text is wanted.
fn fitted(payload: Value, asked: Option<&Interrupt>) -> Value {
    let schema = asked.and_then(|asked| asked.response_schema.as_ref());
    let wants_other = schema.is_some_and(|schema| schema.get("type") != Some(&json!("string")));
    match &payload {
        Value::String(text) if wants_other => serde_json::from_str(text).unwrap_or(payload),
        _ => payload,
    }
}

fn without_command(properties: Json) -> Option<Json> {
    let Ok(Value::Object(mut properties)) = properties.to_value() else { return Some(properties) };
    properties.remove("command");
    (!properties.is_empty()).then(|| Json::from(Value::Object(properties)))
}

fn which(pending: &[Interrupt]) -> ApiError {
    let ids: Vec<_> = pending.iter().map(|asked| format!("`{}`", asked.id)).collect();
    let text = format!("{} questions wait, and the answer does not say which it is for", pending.len());
    ApiError::bad_request("ambiguous_answer", text).at("forwardedProps.command.interruptEvent").hint(format!(
        "send the value of the `on_interrupt` event as `interruptEvent`; waiting: {}",
        ids.join(", ")
    ))
}
