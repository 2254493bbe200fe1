//! Questions of an agent elsewhere, asked here: they are ours then, and wait as any other does.

use forestage_protocol::{
    id::InterruptId,
    interrupt::{Interrupt, ResumeEntry, ResumeStatus},
    json::Json,
};
use forestage_runtime::{Answer, Question};
use serde_json::{Map, Value};

/// What only the rules of this house say about a question: who decides, how many of them, and what may be remembered.
const TERMS: [&str; 8] = ["tool", "arguments", "rule", "role", "people", "onExpiry", "remember", "forestage"];

/// A question of an agent as one of ours. It has an id of ours: those of two agents may be the same.
pub(super) fn question(interrupt: &Interrupt) -> Question {
    let mut question = Question::new(&interrupt.reason, interrupt.message.as_deref().unwrap_or_default());
    if let Some(call) = &interrupt.tool_call_id {
        question = question.about(call);
    }
    if let Some(schema) = &interrupt.response_schema {
        question = question.schema((**schema).clone());
    }
    if let Some(time) = &interrupt.expires_at {
        question = question.expires_at(time);
    }
    match metadata(interrupt) {
        facts if facts.is_empty() => question,
        facts => question.metadata(facts),
    }
}

fn metadata(interrupt: &Interrupt) -> Map<String, Value> {
    let facts = interrupt.metadata.as_ref().map(|facts| (**facts).clone()).unwrap_or_default();
    facts.into_iter().filter(|(name, _)| !TERMS.contains(&name.as_str())).collect()
}

/// An answer in the agent's words.
pub(super) fn entry(id: &InterruptId, answer: Answer) -> ResumeEntry {
    let (status, payload) = match answer {
        Answer::Resolved(payload) => (ResumeStatus::Resolved, Some(payload)),
        Answer::Cancelled(payload) => (ResumeStatus::Cancelled, payload),
    };
    let payload = payload.filter(|payload| *payload != Json::null());
    ResumeEntry { payload, ..ResumeEntry::new(id, status) }
}
