//! Answers as older clients give them: `forwardedProps.command`, as LangGraph has it.

use axum::http::StatusCode;
use forestage_protocol::{
    id::ThreadId,
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
    /// The question that the client has sent back.
    question: Named,
}

/// The question that an answer names.
#[derive(Debug, PartialEq, Eq)]
enum Named {
    /// None.
    Not,
    /// The one with this id.
    Id(String),
    /// Something that is not a question.
    Unreadable,
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
        Some(Self { payload, question: Named::read(command.get("interruptEvent")) })
    }

    /// Returns the error for an answer on a thread that does not exist, or not any more.
    pub(super) fn without_thread(id: &ThreadId) -> ApiError {
        let text = format!("there is no thread `{id}`, so no question waits for this answer");
        ApiError::new(StatusCode::NOT_FOUND, "unknown_thread", text)
            .at("forwardedProps.command.resume")
            .hint("the thread may have been deleted; send a message without `command` to begin a new one")
    }

    /// Returns the id of the question that the answer names.
    pub(super) fn question(&self) -> Option<&str> {
        match &self.question {
            Named::Id(id) => Some(id),
            Named::Not | Named::Unreadable => None,
        }
    }

    /// Writes the answer as one of 1.0. What it does not say, the questions that wait have to.
    pub(super) fn apply(self, input: &mut RunAgentInput, pending: &[Interrupt]) -> Result<(), ApiError> {
        let (asked, id) = match (self.question, pending) {
            // A question of the agent's own, of which the log knows nothing: the answer is for the agent to read.
            (_, []) => return Ok(()),
            (Named::Id(id), _) => (pending.iter().find(|asked| asked.id.as_str() == id), id.into()),
            (Named::Not, [only]) => (Some(only), only.id.clone()),
            (Named::Not, _) => return Err(which(pending)),
            // Whatever it names, it is not known to be the question that waits.
            (Named::Unreadable, _) => return Err(unreadable()),
        };
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

impl Named {
    /// Reads a question that was sent back: as the text that it was sent as, or parsed.
    fn read(event: Option<&Value>) -> Self {
        let id = |question: &Value| question.get("id")?.as_str().map(str::to_owned);
        let id = match event {
            None | Some(Value::Null) => return Self::Not,
            Some(Value::String(text)) => serde_json::from_str(text).ok().as_ref().and_then(id),
            Some(event) => id(event),
        };
        id.map_or(Self::Unreadable, Self::Id)
    }
}

fn unreadable() -> ApiError {
    let text = "`interruptEvent` is not a question of this thread";
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_answer", text)
        .at("forwardedProps.command.interruptEvent")
        .hint("send the value of the `on_interrupt` event, or leave it out if one question waits")
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
