//! What goes on record: who, when, what was shown, what was decided, from where.

use forestage_protocol::{
    id::{InterruptId, RunId, ThreadId},
    input::RunAgentInput,
    interrupt::{Interrupt, ResumeEntry},
};
use forestage_store::{InterruptRecord, NewAudit, Rule};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Decider, Terms, check::payload, redacted};
use crate::{clock, error::Refusal};

/// So much of what was wrong is kept: nobody may fill the trail with what they send.
const MAX_MESSAGE: usize = 500;

/// A question was asked: what people are shown.
pub(crate) fn asked(owner: &str, agent: &str, thread_id: &ThreadId, question: &Interrupt) -> NewAudit {
    NewAudit {
        at: clock::now(),
        kind: "asked".to_owned(),
        actor: agent.to_owned(),
        origin: "agent".to_owned(),
        owner: owner.to_owned(),
        thread_id: Some(thread_id.clone()),
        interrupt_id: Some(question.id.clone()),
        json: bytes(&json!({ "shown": shown(question) })),
    }
}

/// Somebody decided, or agreed where several have to.
pub(crate) fn decided(
    who: &Decider,
    record: &InterruptRecord,
    question: &Interrupt,
    entry: &ResumeEntry,
    at: i64,
) -> NewAudit {
    let entry = redacted(question, entry);
    let terms = Terms::of(question);
    let kind = if record.needs > 1 && super::approves(&entry) { "agreed" } else { "decided" };
    let decision = json!({
        "status": entry.status.as_str(),
        "payload": payload(&entry),
        "shown": shown(question),
        "edited": payload(&entry).get("editedArgs").map(|edited| hash(Some(edited))),
        "original": terms.arguments.as_ref().map(|original| hash(Some(original))),
    });
    NewAudit {
        at,
        kind: kind.to_owned(),
        actor: who.user.clone(),
        origin: who.origin.clone(),
        owner: record.owner.clone(),
        thread_id: Some(record.thread_id.clone()),
        interrupt_id: Some(record.id.clone()),
        json: bytes(&decision),
    }
}

/// A run begins with a decision.
pub(crate) fn carried(who: &Decider, record: &InterruptRecord, run_id: &RunId) -> NewAudit {
    NewAudit {
        at: clock::now(),
        kind: "carried".to_owned(),
        actor: who.user.clone(),
        origin: who.origin.clone(),
        owner: record.owner.clone(),
        thread_id: Some(record.thread_id.clone()),
        interrupt_id: Some(record.id.clone()),
        json: bytes(&json!({ "runId": run_id })),
    }
}

/// An approval is remembered.
pub(crate) fn rule_added(who: &Decider, record: &InterruptRecord, rule: &Rule) -> NewAudit {
    let added = json!({
        "id": rule.id, "agent": rule.agent, "tool": rule.tool, "risk": rule.risk, "threadId": rule.thread_id,
    });
    NewAudit {
        at: rule.at,
        kind: "rule_added".to_owned(),
        actor: who.user.clone(),
        origin: who.origin.clone(),
        owner: record.owner.clone(),
        thread_id: Some(record.thread_id.clone()),
        interrupt_id: Some(record.id.clone()),
        json: bytes(&added),
    }
}

/// A run under review failed with words of the agent that nobody has looked at. The entry belongs to nobody: the owner of
/// the thread is the one who may not read it yet.
pub(crate) fn withheld(agent: &str, input: &RunAgentInput, code: &str, message: &str) -> NewAudit {
    let message: String = message.chars().take(MAX_MESSAGE).collect();
    NewAudit {
        at: clock::now(),
        kind: "withheld".to_owned(),
        actor: agent.to_owned(),
        origin: "agent".to_owned(),
        owner: String::new(),
        thread_id: Some(input.thread_id.clone()),
        interrupt_id: None,
        json: bytes(&json!({ "runId": input.run_id, "code": code, "message": message })),
    }
}

/// A recording became a thread. What is in it was not done here.
pub(crate) fn imported(
    who: &Decider,
    agent: &str,
    thread_id: &ThreadId,
    runs: usize,
    results: usize,
    records: usize,
) -> NewAudit {
    let brought =
        json!({ "agent": agent, "runs": runs, "unverifiedResults": results, "inertRecords": records });
    brought_in("imported", who, thread_id, &brought)
}

/// A thread begins with messages that were not said here.
pub(crate) fn seeded(who: &Decider, input: &RunAgentInput, messages: usize, results: usize) -> NewAudit {
    let brought = json!({
        "runId": input.run_id, "unverifiedMessages": messages, "unverifiedResults": results,
    });
    brought_in("seeded", who, &input.thread_id, &brought)
}

fn brought_in(kind: &str, who: &Decider, thread_id: &ThreadId, brought: &Value) -> NewAudit {
    NewAudit {
        at: clock::now(),
        kind: kind.to_owned(),
        actor: who.user.clone(),
        origin: who.origin.clone(),
        owner: who.user.clone(),
        thread_id: Some(thread_id.clone()),
        interrupt_id: None,
        json: bytes(brought),
    }
}

/// Somebody tried what they may not.
pub(crate) fn refused(
    who: &Decider,
    owner: &str,
    thread_id: Option<&ThreadId>,
    id: Option<&InterruptId>,
    refusal: &Refusal,
) -> NewAudit {
    let message: String = refusal.message.chars().take(MAX_MESSAGE).collect();
    let told = json!({ "code": refusal.code, "message": message, "path": refusal.path });
    NewAudit {
        at: clock::now(),
        kind: "refused".to_owned(),
        actor: who.user.clone(),
        origin: who.origin.clone(),
        owner: owner.to_owned(),
        thread_id: thread_id.cloned(),
        interrupt_id: id.cloned(),
        json: bytes(&told),
    }
}

/// What a person sees of a question, with a hash of the arguments that stand in it.
fn shown(question: &Interrupt) -> Value {
    let terms = Terms::of(question);
    json!({
        "reason": question.reason,
        "message": question.message,
        "toolCallId": question.tool_call_id,
        "tool": terms.tool,
        "risk": terms.risk,
        "argumentsHash": hash(terms.arguments.as_ref()),
        "arguments": terms.arguments,
    })
}

/// SHA-256 of a value as JSON, in hexadecimal.
fn hash(value: Option<&Value>) -> Option<String> {
    let digest = Sha256::digest(value?.to_string());
    Some(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn bytes(value: &Value) -> bytes::Bytes {
    value.to_string().into()
}
