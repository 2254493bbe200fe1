//! What an older client sees: each event of 1.0 in the best form that its line has.

mod conversation;
mod message;
mod outcome;
mod prelude;
mod questions;
mod serial;
mod step;
mod thinking;

use bytes::Bytes;
use forestage_protocol::{
    event::{Event, ToolCallResult},
    message::Message,
};
use serde_json::{Value, json};

pub use self::questions::Questions;
use self::{
    conversation::Conversation, message::plain_messages, serial::Serial, step::Steps, thinking::Thinking,
};
pub(super) use self::{
    message::plain_parts,
    questions::{Finder, QUESTION_PREFIX},
};
use super::version::{Line, Reasoning};
use crate::dialect::{Encode, shape::strip};

/// The `source` of a `RAW` event that carries a complete event of 1.0.
const SOURCE: &str = "ag-ui/1.0";

/// Turns a stream of 1.0 into that of an older line.
#[derive(Debug)]
pub struct Encoder {
    line: Line,
    steps: Steps,
    thinking: Thinking,
    conversation: Conversation,
    questions: Questions,
    serial: Serial,
    is_over: bool,
}

impl Encoder {
    /// For a client of this line that follows a thread from its beginning.
    #[must_use]
    pub fn new(line: Line) -> Self {
        Self::after(line, Some(Vec::new()))
    }

    /// For a client that has these messages already; nothing if it is not known which.
    #[must_use]
    pub fn after(line: Line, conversation: Option<Vec<Message>>) -> Self {
        Self {
            line,
            steps: Steps::default(),
            thinking: Thinking::default(),
            conversation: Conversation::new(conversation),
            questions: Questions::default(),
            serial: Serial::default(),
            is_over: false,
        }
    }

    /// Adds the questions that the client has seen as text, or that the prelude has to show it.
    #[must_use]
    pub fn with_questions(self, questions: Questions) -> Self {
        Self { questions, ..self }
    }

    /// Returns whether an event is held back. A client that reconnects behind the last event would miss it, so frames carry
    /// no cursor meanwhile.
    pub(crate) fn holds(&self) -> bool {
        self.serial.holds() || self.thinking.holds() || self.conversation.has_changes()
    }

    /// Returns whether a client of this line rejects every further event.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Appends the translation of the next event. `text` is the event as stored; an unchanged event keeps these bytes.
    pub(crate) fn take(&mut self, event: &Event, text: &Bytes, out: &mut Vec<Bytes>) {
        self.note_end(event);
        if !matches!(event, Event::ActivityDelta(_)) {
            self.draw(out);
        }
        let is_repeated =
            matches!(event, Event::MessagesSnapshot(snapshot) if self.conversation.is_repeated_by(snapshot));
        let comes_later = self.conversation.take(event, self.line);
        if is_repeated || comes_later {
            return;
        }
        match self.shaped(event) {
            Shaped::AsIs => self.pass(event, text.clone(), out),
            Shaped::Values(values) => {
                for value in values {
                    self.pass_value(&value, out);
                }
            }
        }
    }

    /// Appends an event that this version of the server cannot read.
    pub(crate) fn keep(&mut self, text: &Bytes, out: &mut Vec<Bytes>) {
        let event: Value = serde_json::from_slice(text).unwrap_or_default();
        self.pass_value(&json!({ "type": "RAW", "source": SOURCE, "event": event }), out);
    }

    /// Returns the prelude for a client that joins in the middle of a run.
    pub(crate) fn prelude(&mut self, events: &[Event]) -> Vec<Bytes> {
        let mut out = Vec::new();
        if !self.questions.is_empty() {
            // The snapshot has to come even if it has no message: the questions are in it.
            self.conversation.forget();
        }
        for event in prelude::restarted(events) {
            self.take(&event, &event.to_json().into(), &mut out);
        }
        out
    }

    /// Appends a snapshot of each activity that consecutive deltas have changed.
    pub(crate) fn draw(&mut self, out: &mut Vec<Bytes>) {
        for value in self.conversation.changes() {
            out.push(text_of(&value));
        }
    }

    fn pass(&mut self, event: &Event, text: Bytes, out: &mut Vec<Bytes>) {
        match self.line.is_serial() {
            true => self.serial.take(serial::Turn::of(event), text, out),
            false => out.push(text),
        }
    }

    fn pass_value(&mut self, value: &Value, out: &mut Vec<Bytes>) {
        match self.line.is_serial() {
            true => self.serial.take(serial::Turn::of_value(value), text_of(value), out),
            false => out.push(text_of(value)),
        }
    }

    fn note_end(&mut self, event: &Event) {
        self.is_over |= match event {
            Event::RunError(_) => !self.line.goes_on_after_errors(),
            Event::RunFinished(_) => self.line.is_serial(),
            _ => false,
        };
    }

    fn shaped(&mut self, event: &Event) -> Shaped {
        match event {
            Event::RunStarted(_) => Shaped::changed(event, |value| self.started(value)),
            Event::RunFinished(finished) => {
                let mut values = self.thinking.close();
                values.extend(outcome::finished(finished, self.line, &self.questions));
                if self.line.shows_questions_as_text() {
                    self.questions.note(finished, self.conversation.view());
                }
                Shaped::Values(values)
            }
            Event::RunError(_) => {
                let mut values = self.thinking.close();
                values.push(value_of(event));
                Shaped::Values(values)
            }
            Event::TextMessageStart(start) if start.role.is_none() || !self.line.has_roles() => {
                Shaped::changed(event, |value| value["role"] = "assistant".into())
            }
            Event::TextMessageContent(content) if content.delta.is_empty() => Shaped::nothing(),
            Event::ReasoningMessageContent(content) if content.delta.is_empty() => Shaped::nothing(),
            Event::ReasoningStart(_)
            | Event::ReasoningMessageStart(_)
            | Event::ReasoningMessageContent(_)
            | Event::ReasoningMessageEnd(_)
            | Event::ReasoningEnd(_) => self.reasoned(event),
            Event::ReasoningMessageChunk(_) | Event::ReasoningEncryptedValue(_) => {
                match self.line.reasoning() {
                    Reasoning::AsIs => Shaped::AsIs,
                    Reasoning::Raw | Reasoning::Thinking => Shaped::raw(event),
                }
            }
            Event::ToolCallResult(result) => answered(event, result),
            Event::ActivitySnapshot(_) | Event::ActivityDelta(_) if !self.line.has_activities() => {
                Shaped::raw(event)
            }
            Event::SubagentStarted(_) | Event::SubagentFinished(_) | Event::SubagentError(_)
                if !self.line.has_subagents() =>
            {
                Shaped::raw(event)
            }
            Event::StepStarted(_) | Event::StepFinished(_) if !self.line.has_subagents() => {
                match self.steps.rename(event) {
                    Some(name) => Shaped::changed(event, |value| value["stepName"] = name.into()),
                    None => Shaped::AsIs,
                }
            }
            Event::StateSnapshot(snapshot) if snapshot.snapshot.get() == "null" => {
                Shaped::changed(event, |value| value["snapshot"] = json!({}))
            }
            Event::MessagesSnapshot(_) => Shaped::changed(event, |value| {
                self.questions.add_to(&mut value["messages"]);
                plain_messages(&mut value["messages"], self.line);
            }),
            // Records of the engine. Some pages show every custom event.
            Event::Custom(custom) if custom.name.starts_with("forestage.") => Shaped::raw(event),
            _ => Shaped::AsIs,
        }
    }

    /// Rewrites RUN_STARTED: the input gets the members that clients require, or is removed for lines that do not read it.
    fn started(&self, value: &mut Value) {
        strip(value, &["protocolVersion"]);
        if !self.line.has_roles() {
            return strip(value, &["input"]);
        }
        let Some(input) = value.get_mut("input") else { return };
        plain_messages(&mut input["messages"], self.line);
        let Some(input) = input.as_object_mut() else { return };
        for (name, empty) in [
            ("tools", json!([])),
            ("context", json!([])),
            ("state", json!({})),
            ("forwardedProps", json!({})),
        ] {
            input.entry(name).or_insert(empty);
        }
    }

    fn reasoned(&mut self, event: &Event) -> Shaped {
        match self.line.reasoning() {
            Reasoning::AsIs => Shaped::AsIs,
            Reasoning::Raw => Shaped::raw(event),
            Reasoning::Thinking => Shaped::Values(self.thinking.take(event)),
        }
    }
}

/// The translation of an event.
enum Shaped {
    AsIs,
    Values(Vec<Value>),
}

impl Shaped {
    fn nothing() -> Self {
        Self::Values(Vec::new())
    }

    /// Wraps the event in `RAW`, which every line accepts and no user interface shows.
    fn raw(event: &Event) -> Self {
        Self::Values(vec![raw(event)])
    }

    fn changed(event: &Event, change: impl FnOnce(&mut Value)) -> Self {
        let mut value = value_of(event);
        change(&mut value);
        Self::Values(vec![value])
    }
}

fn raw(event: &Event) -> Value {
    json!({ "type": "RAW", "source": SOURCE, "event": value_of(event) })
}

/// Sends the text of a tool result, and the complete event as `RAW` if the result has other parts.
fn answered(event: &Event, result: &ToolCallResult) -> Shaped {
    if matches!(result.content, forestage_protocol::content::Content::Text(_)) {
        return Shaped::AsIs;
    }
    let mut value = value_of(event);
    value["content"] = result.content.text().into_owned().into();
    Shaped::Values(vec![value, raw(event)])
}

/// Converts an event to a JSON tree. An event with a number that a tree cannot hold is sent as text in `RAW`.
fn value_of(event: &Event) -> Value {
    serde_json::to_value(event).unwrap_or_else(|_| json!({ "type": "RAW", "event": event.to_json() }))
}

fn text_of(value: &Value) -> Bytes {
    value.to_string().into()
}

impl Encode for Encoder {
    fn event(&mut self, event: &Event, out: &mut Vec<Value>) {
        if self.is_over {
            return;
        }
        let mut texts = Vec::new();
        self.take(event, &event.to_json().into(), &mut texts);
        self.draw(&mut texts);
        out.extend(texts.iter().filter_map(|text| serde_json::from_slice(text).ok()));
    }

    fn is_over(&self) -> bool {
        self.is_over
    }
}

#[cfg(test)]
mod tests;
