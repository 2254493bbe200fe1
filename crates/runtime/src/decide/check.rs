//! May they, is it in time, does it fit?

use forestage_a2ui::v1::View;
use forestage_protocol::interrupt::{Interrupt, ResumeEntry, ResumeStatus};
use forestage_store::{Decision, InterruptRecord, Rule};
use serde_json::Value;

use super::{Decider, Terms};
use crate::{clock, context::DRAFT_REVIEW, error::Refusal, run::schema};

/// The question of a record.
pub(crate) fn question(record: &InterruptRecord) -> Result<Interrupt, Refusal> {
    serde_json::from_slice(&record.json).map_err(|error| {
        Refusal::conflict("unreadable_interrupt", format!("question `{}` cannot be read: {error}", record.id))
    })
}

/// Everything that has to hold before an answer to an undecided question counts. `path` is where the payload stands in
/// the request.
pub(crate) fn check(
    record: &InterruptRecord,
    question: &Interrupt,
    entry: &ResumeEntry,
    who: &Decider,
    path: &str,
) -> Result<(), Refusal> {
    may_decide(record, who)?;
    in_time(record, question, entry)?;
    // The schema does not offer what is refused here, but could not say why.
    may_edit(record, entry, path)?;
    may_remember(question, entry, path)?;
    schema::check(question, entry, path)?;
    is_view(question, entry, path)
}

/// What a reviewer shows instead has to be a view.
fn is_view(question: &Interrupt, entry: &ResumeEntry, path: &str) -> Result<(), Refusal> {
    let view = payload(entry).get("view").cloned().filter(|_| question.reason == DRAFT_REVIEW);
    let Some(Err(faults)) = view.map(|view| View::read(&view)) else { return Ok(()) };
    let place = format!("{path}.view");
    let at = match faults.first().path.as_str() {
        "" => place,
        inner => format!("{place}.{inner}"),
    };
    Err(Refusal::invalid("invalid_answer", format!("`view` is not a view: {faults}")).at(at))
}

fn may_decide(record: &InterruptRecord, who: &Decider) -> Result<(), Refusal> {
    if record.may_decide(&who.viewer()) {
        return Ok(());
    }
    let role = record.role.as_deref().unwrap_or("owner");
    let text = format!("question `{}` is for somebody with the role `{role}`", record.id);
    Err(Refusal::forbidden("role_required", text))
}

/// After its time a question can only be withdrawn.
fn in_time(record: &InterruptRecord, question: &Interrupt, entry: &ResumeEntry) -> Result<(), Refusal> {
    let until = record.expires_at.filter(|until| *until <= clock::now());
    let Some(until) = until.filter(|_| entry.status != ResumeStatus::Cancelled) else { return Ok(()) };
    let text = format!("question `{}` could be answered until {}", question.id, clock::iso(until));
    Err(Refusal::conflict("interrupt_expired", text).hint("cancel it to go on"))
}

/// Several people have to agree to the same thing: what was asked.
fn may_edit(record: &InterruptRecord, entry: &ResumeEntry, path: &str) -> Result<(), Refusal> {
    if record.needs <= 1 || payload(entry).get("editedArgs").is_none() {
        return Ok(());
    }
    let text = "what several people have to agree to cannot be changed by one of them";
    Err(Refusal::invalid("not_editable", text)
        .at(format!("{path}.editedArgs"))
        .hint("reject it with a reason"))
}

/// What needs several people, or is for somebody else to judge, is asked anew each time.
fn may_remember(question: &Interrupt, entry: &ResumeEntry, path: &str) -> Result<(), Refusal> {
    let terms = Terms::of(question);
    if terms.tool.is_none() || payload(entry).get("remember").is_none() {
        return Ok(());
    }
    let text = match (approves(entry), terms.remember.is_empty()) {
        (true, false) => return Ok(()),
        (true, true) => {
            "an approval of this question cannot be remembered: what is critical, needs several people or is for a \
             role is asked each time"
        }
        (false, _) => "a rejection is not remembered: the next call is asked about again",
    };
    Err(Refusal::invalid("not_rememberable", text)
        .at(format!("{path}.remember"))
        .hint("leave `remember` out; the question is still open"))
}

/// Whether an answer agrees with what is asked. One to a question that is no yes or no does.
pub(crate) fn approves(entry: &ResumeEntry) -> bool {
    entry.status == ResumeStatus::Resolved && payload(entry).get("approved") != Some(&Value::Bool(false))
}

/// Whether an answer is the one that was recorded.
pub(crate) fn is_same(entry: &ResumeEntry, decision: &Decision) -> bool {
    let recorded: Option<ResumeEntry> = serde_json::from_slice(&decision.json).ok();
    recorded.is_some_and(|recorded| recorded.status == entry.status && payload(&recorded) == payload(entry))
}

/// The rule that an approval brings, if it is to be remembered.
pub(crate) fn rule(
    who: &Decider,
    record: &InterruptRecord,
    question: &Interrupt,
    entry: &ResumeEntry,
    at: i64,
) -> Option<Rule> {
    let scope = text_of(entry, "remember").filter(|_| approves(entry))?;
    let Terms { tool: Some(tool), risk, .. } = Terms::of(question) else { return None };
    Some(Rule {
        id: format!("{}-{}", record.thread_id, record.id),
        owner: record.owner.clone(),
        agent: record.agent.clone(),
        tool,
        risk: risk.unwrap_or_else(|| "low".to_owned()),
        thread_id: (scope == "thread").then(|| record.thread_id.clone()),
        by: who.user.clone(),
        at,
    })
}

pub(crate) fn payload(entry: &ResumeEntry) -> Value {
    entry.payload.as_ref().and_then(|payload| payload.to_value().ok()).unwrap_or_default()
}

fn text_of(entry: &ResumeEntry, name: &str) -> Option<String> {
    payload(entry).get(name)?.as_str().map(str::to_owned)
}

pub(super) fn already_decided(record: &InterruptRecord) -> Refusal {
    let by = record.decision.as_ref().map_or("somebody", |decision| decision.by.as_str());
    let text = format!("question `{}` was decided by {by} already", record.id);
    Refusal::conflict("already_decided", text)
}

pub(super) fn voted_already(record: &InterruptRecord) -> Refusal {
    let (have, needs) = (record.votes.len(), record.needs);
    let text = format!("you have agreed already; {have} of {needs} have, and another person has to");
    Refusal::conflict("already_voted", text)
}

pub(super) fn more_needed(record: &InterruptRecord) -> Refusal {
    let (have, needs) = (record.votes.len(), record.needs);
    let text = format!("your agreement is recorded; {have} of {needs} have agreed");
    Refusal::conflict("more_needed", text).hint("the run goes on when the others have agreed")
}
