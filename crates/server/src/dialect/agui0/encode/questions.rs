//! The questions that a client was shown as text messages.
//!
//! The log has no such messages, so a `MESSAGES_SNAPSHOT`, which replaces everything that a client has, would remove them.
//! They are added to every snapshot, each behind the message that it followed. A question whose message a snapshot no longer
//! has (on another branch, or replaced by the agent) leaves with that message.

use forestage_protocol::{
    apply::ThreadView,
    event::{Event, RunFinished},
    id::{InterruptId, MessageId},
    interrupt::{Interrupt, RunOutcome},
};
use serde_json::{Value, json};

/// Prefix of the ids of messages that show a question as text.
pub(in crate::dialect::agui0) const QUESTION_PREFIX: &str = "forestage-question-";

/// The questions of a thread, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    asked: Vec<Question>,
    /// The message behind which the stream goes on, if it does not begin at the beginning.
    last: Option<MessageId>,
}

/// A question, and its place in the conversation.
#[derive(Clone, Debug)]
struct Question {
    id: InterruptId,
    text: String,
    /// The message before it; `None` if it is the first.
    behind: Option<MessageId>,
}

impl Questions {
    /// Notes the questions with which a run ends, for a client that has the messages of `view`.
    pub(super) fn note(&mut self, finished: &RunFinished, view: &ThreadView) {
        let last = view.messages().last().map(|message| message.id().clone());
        let behind = last.or_else(|| self.last.clone());
        for asked in interrupts(finished) {
            if !self.has(&asked.id) {
                let question =
                    Question { id: asked.id.clone(), text: text_of(asked), behind: behind.clone() };
                self.asked.push(question);
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    /// Returns whether the client has this question already.
    pub(super) fn has(&self, id: &InterruptId) -> bool {
        self.asked.iter().any(|question| question.id == *id)
    }

    /// Adds the questions to the messages of a snapshot.
    pub(super) fn add_to(&self, messages: &mut Value) {
        let Some(list) = messages.as_array_mut().filter(|_| !self.asked.is_empty()) else { return };
        let mut out = Vec::with_capacity(list.len() + self.asked.len());
        out.extend(self.behind(None));
        for message in list.drain(..) {
            let id = message["id"].as_str().map(MessageId::from);
            out.push(message);
            out.extend(id.iter().flat_map(|id| self.behind(Some(id))));
        }
        *list = out;
    }

    fn behind(&self, id: Option<&MessageId>) -> impl Iterator<Item = Value> {
        self.asked.iter().filter(move |question| question.behind.as_ref() == id).map(Question::message)
    }
}

impl Question {
    fn message(&self) -> Value {
        json!({ "id": message_id(&self.id), "role": "assistant", "content": self.text })
    }
}

/// Finds the questions in the log of a thread, event by event.
#[derive(Debug, Default)]
pub(in crate::dialect::agui0) struct Finder {
    view: ThreadView,
    questions: Questions,
}

impl Finder {
    pub(in crate::dialect::agui0) fn take(&mut self, event: &Event) {
        self.view.apply(event);
        if let Event::RunFinished(finished) = event {
            self.questions.note(finished, &self.view);
        }
    }

    pub(in crate::dialect::agui0) fn into_questions(self) -> Questions {
        let last = self.view.messages().last().map(|message| message.id().clone());
        Questions { last, ..self.questions }
    }
}

/// Returns the events that show a question as a text message.
pub(super) fn told(asked: &Interrupt) -> [Value; 3] {
    let id = message_id(&asked.id);
    [
        json!({ "type": "TEXT_MESSAGE_START", "messageId": id, "role": "assistant" }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": text_of(asked) }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": id }),
    ]
}

fn interrupts(finished: &RunFinished) -> &[Interrupt] {
    match &finished.outcome {
        Some(RunOutcome::Interrupt(outcome)) => outcome.interrupts.as_slice(),
        _ => &[],
    }
}

fn message_id(id: &InterruptId) -> String {
    format!("{QUESTION_PREFIX}{id}")
}

fn text_of(asked: &Interrupt) -> String {
    match &asked.message {
        Some(message) if !message.is_empty() => message.clone(),
        _ => format!("Waiting for an answer ({}).", asked.reason),
    }
}
