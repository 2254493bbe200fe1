//! Questions for words: what a person says next is the answer.

use forestage_protocol::{
    id::InterruptId,
    input::RunAgentInput,
    interrupt::{Interrupt, ResumeEntry, ResumeStatus},
    json::Json,
    message::Message,
};
use serde_json::{Value, json};

use super::calls::Kind;

/// What the words of an input are on a thread.
#[derive(Debug, PartialEq)]
pub(super) enum Words {
    /// Nothing was asked that words would answer.
    NotAsked,
    /// They answer everything that was asked.
    Resume(Vec<ResumeEntry>),
    /// They answer some of it; approvals are still wanted.
    Decide(Vec<(InterruptId, Value)>),
}

impl Words {
    pub(super) fn of(input: &RunAgentInput, asked: &[Interrupt]) -> Self {
        let said: Vec<_> = input.messages.iter().filter_map(words).collect();
        let wanted: Vec<_> = asked.iter().filter(|question| Kind::of(question) == Kind::Words).collect();
        if said.is_empty() || wanted.is_empty() || input.resume.is_some() {
            return Self::NotAsked;
        }
        let said = said.join("\n");
        let answers = wanted.iter().map(|question| (question.id.clone(), answer(question, &said)));
        if wanted.len() < asked.len() {
            return Self::Decide(answers.collect());
        }
        Self::Resume(answers.map(|(id, payload)| entry(id, payload)).collect())
    }
}

fn entry(id: InterruptId, payload: Value) -> ResumeEntry {
    ResumeEntry { payload: Some(Json::from(payload)), ..ResumeEntry::new(id, ResumeStatus::Resolved) }
}

fn words(message: &Message) -> Option<String> {
    match message {
        Message::User(message) => Some(message.content.text().into_owned()),
        _ => None,
    }
}

/// Words in the shape that the question wants.
fn answer(question: &Interrupt, said: &str) -> Value {
    let kind =
        question.response_schema.as_ref().and_then(|schema| schema.get("type")?.as_str().map(str::to_owned));
    match kind.as_deref() {
        Some("object") => json!({ "response": said }),
        Some("number" | "integer" | "boolean") => {
            serde_json::from_str(said.trim()).unwrap_or_else(|_| json!(said))
        }
        _ => json!(said),
    }
}
