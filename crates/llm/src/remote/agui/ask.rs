//! Questions of an agent elsewhere, asked here: they are ours then, and wait as any other does.

use forestage_protocol::{
    compat::net,
    id::InterruptId,
    interrupt::{Interrupt, ResumeEntry, ResumeStatus},
    json::Json,
};
use forestage_runtime::{Answer, Question};
use serde_json::{Map, Value, json};

use super::judge::fitted_answer;

/// The name of the custom event with which LangGraph asks, where it does not say so in the outcome. The answer goes back in
/// `forwardedProps.command.resume`.
pub(super) const LEGACY: &str = "on_interrupt";

/// What only the rules of this house say about a question: who decides, how many of them, and what may be remembered.
const TERMS: [&str; 8] = ["tool", "arguments", "rule", "role", "people", "onExpiry", "remember", "forestage"];

/// The mark of an answer that goes back alone, in the shape of AGUI.Protocol. It is taken off before anything is sent.
const ALONE: &str = "alone";

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
    match &interrupt.metadata {
        Some(facts) => question.metadata((**facts).clone()),
        None => question,
    }
}

/// A question without what only this house may say about it.
pub(super) fn without_terms(mut interrupt: Interrupt) -> Interrupt {
    if let Some(facts) = &mut interrupt.metadata {
        facts.retain(|name, _| !TERMS.contains(&name.as_str()));
    }
    interrupt.metadata = interrupt.metadata.take().filter(|facts| !facts.is_empty());
    interrupt
}

/// An answer in the agent's words.
pub(super) fn entry(interrupt: &Interrupt, answer: Answer) -> ResumeEntry {
    let (status, payload) = match answer {
        Answer::Resolved(payload) => (ResumeStatus::Resolved, Some(payload)),
        Answer::Cancelled(payload) => (ResumeStatus::Cancelled, payload),
    };
    let payload = payload.filter(|payload| *payload != Json::null());
    let payload = payload.map(|payload| fitted_answer(payload, interrupt));
    in_its_shape(interrupt, ResumeEntry { payload, ..ResumeEntry::new(&interrupt.id, status) })
}

/// An answer as the agent understands it: one that asked in the shapes of AGUI.Protocol knows no status.
pub(super) fn in_its_shape(interrupt: &Interrupt, entry: ResumeEntry) -> ResumeEntry {
    if net::Interrupt::of(interrupt).is_none() {
        return entry;
    }
    let mark = Map::from_iter([(ALONE.to_owned(), Value::Bool(true))]);
    ResumeEntry { metadata: Some(mark.into()), ..net::downgrade_resume(interrupt, &entry).into() }
}

/// Takes the answer out of an input whose agent wants it alone.
pub(super) fn alone(input: &mut Value) {
    let Some(first) = input.pointer("/resume/0") else { return };
    if first.pointer(&format!("/metadata/{ALONE}")).is_none() {
        return;
    }
    let mut answer = json!({ "interruptId": first["interruptId"] });
    if let Some(payload) = first.get("payload") {
        answer["payload"] = payload.clone();
    }
    input["resume"] = answer;
}

/// The function and the arguments that a question is about which names them itself.
pub(super) fn named_call(interrupt: &Interrupt) -> Option<(String, Value)> {
    let net::InterruptKind::Approval(approval) = net::Interrupt::of(interrupt)?.kind() else { return None };
    let arguments = approval.function_arguments.and_then(|arguments| arguments.to_value().ok());
    Some((approval.function_name, arguments.unwrap_or_else(|| json!({}))))
}

/// Whether a question can be cancelled. One that LangGraph asks by an event cannot: it asks again.
pub(super) fn is_cancellable(id: &InterruptId) -> bool {
    !id.starts_with(LEGACY)
}

/// A question as LangGraph asks it by an event: a text, or an object with what an interrupt has. It comes as JSON, perhaps
/// written as a text.
pub(super) fn legacy(number: usize, value: &Value) -> Interrupt {
    let read = value.as_str().and_then(|text| serde_json::from_str(text).ok());
    let value = read.as_ref().unwrap_or(value);
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let reason = text("reason").unwrap_or_else(|| "langgraph:interrupt".to_owned());
    let mut interrupt = Interrupt::new(format!("{LEGACY}/{number}"), reason);
    interrupt.message = text("message").or_else(|| value.as_str().map(str::to_owned));
    let metadata = interrupt.metadata.get_or_insert_default();
    metadata.insert("langgraph".to_owned(), json!({ "raw": value }));
    interrupt
}

/// Takes the answers to such questions out of the others: what `command.resume` is to be.
pub(super) fn take_legacy(resume: &mut Vec<ResumeEntry>) -> Option<Value> {
    let is_legacy = |entry: &ResumeEntry| entry.interrupt_id.starts_with(LEGACY);
    let (legacy, others): (Vec<_>, Vec<_>) = std::mem::take(resume).into_iter().partition(is_legacy);
    *resume = others;
    let payload = |entry: &ResumeEntry| entry.payload.as_ref().and_then(|payload| payload.to_value().ok());
    match legacy.as_slice() {
        [] => None,
        [entry] => Some(payload(entry).unwrap_or_default()),
        entries => Some(entries.iter().map(payload).collect()),
    }
}
