//! What the house says about what an agent elsewhere asks.
//!
//! Its tools are its own and it calls them as it likes, but where it asks first the rules of this house count: one that
//! forbids answers no, one that allows answers yes, and one that asks says who decides, how many of them, and until when.
//! What no rule is about is asked as the agent asks it.

use std::time::Duration;

use forestage_protocol::{
    interrupt::{Interrupt, ResumeEntry, ResumeStatus},
    json::Json,
};
use forestage_runtime::{
    RunContext,
    policy::{Action, Judgement},
};
use serde_json::{Map, Value, json};

/// What becomes of a question.
#[derive(Debug)]
pub(super) enum Verdict {
    /// A person is asked, and has so much time for it.
    Asked(Interrupt, Option<Duration>),
    /// It is answered, and everybody is told.
    Settled(ResumeEntry, Value),
}

/// Judges a question about a call, if it is about one.
pub(super) fn judge(ctx: &RunContext, interrupt: Interrupt, call: Option<(String, Value)>) -> Verdict {
    let Some((name, arguments)) = call else { return Verdict::Asked(interrupt, None) };
    let judgement = ctx.judge(&name, &arguments);
    match judgement.action {
        Action::Deny => {
            settled(&interrupt, false, &judgement).unwrap_or_else(|| refused(&interrupt, &judgement))
        }
        Action::Allow if judgement.rule.is_some() => {
            settled(&interrupt, true, &judgement).unwrap_or(Verdict::Asked(interrupt, None))
        }
        Action::Allow => Verdict::Asked(interrupt, None),
        Action::Ask => asked(interrupt, &name, arguments, &judgement),
    }
}

fn settled(interrupt: &Interrupt, approved: bool, judgement: &Judgement) -> Option<Verdict> {
    let schema = interrupt.response_schema.as_deref()?;
    let mut payload = json!({ "approved": approved });
    if let Some(reason) = judgement.reason.as_ref().filter(|_| !approved) {
        payload["reason"] = reason.as_str().into();
    }
    let payload = is_yes_or_no(schema).then(|| fitted(payload, schema))?;
    let entry = ResumeEntry {
        payload: Some(payload.into()),
        ..ResumeEntry::new(&interrupt.id, ResumeStatus::Resolved)
    };
    Some(Verdict::Settled(entry, told(interrupt, approved, judgement)))
}

/// A no for a question that cannot be answered with one.
fn refused(interrupt: &Interrupt, judgement: &Judgement) -> Verdict {
    let entry = ResumeEntry::new(&interrupt.id, ResumeStatus::Cancelled);
    Verdict::Settled(entry, told(interrupt, false, judgement))
}

fn told(interrupt: &Interrupt, approved: bool, judgement: &Judgement) -> Value {
    json!({
        "toolCallId": interrupt.tool_call_id,
        "approved": approved,
        "by": "house",
        "rule": judgement.rule,
        "reason": judgement.reason,
    })
}

fn asked(mut interrupt: Interrupt, name: &str, arguments: Value, judgement: &Judgement) -> Verdict {
    let terms = interrupt.metadata.get_or_insert_default();
    let mut set = |name: &str, value: Value| terms.insert(name.to_owned(), value);
    set("tool", name.into());
    set("arguments", arguments);
    set("risk", judgement.risk.as_str().into());
    if let Some(rule) = &judgement.rule {
        set("rule", rule.as_str().into());
    }
    if let Some(role) = &judgement.role {
        set("role", role.as_str().into());
    }
    if judgement.people > 1 {
        set("people", judgement.people.into());
    }
    if judgement.timeout.is_some() {
        set("onExpiry", judgement.on_expiry.as_str().into());
    }
    if let Some(reason) = &judgement.reason {
        let before = interrupt.message.as_deref().unwrap_or_default();
        interrupt.message = Some(format!("{before} {reason}").trim().to_owned());
    }
    Verdict::Asked(interrupt, judgement.timeout)
}

/// Whether yes or no is all that has to be said.
fn is_yes_or_no(schema: &Map<String, Value>) -> bool {
    let is_boolean = schema.get("properties").is_some_and(|it| it["approved"]["type"] == "boolean");
    let required = schema.get("required").and_then(Value::as_array);
    is_boolean && required.is_none_or(|names| names.iter().all(|name| name == "approved"))
}

/// What silence and rules say beside yes and no is left out where the agent does not take it.
pub(super) fn fitted(mut payload: Value, schema: &Map<String, Value>) -> Value {
    let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    let takes_reason = schema.get("properties").is_some_and(|it| it.get("reason").is_some());
    if let Value::Object(members) = &mut payload
        && is_closed
        && !takes_reason
    {
        members.remove("reason");
    }
    payload
}

/// The same for an answer that was given.
pub(super) fn fitted_answer(payload: Json, interrupt: &Interrupt) -> Json {
    match (payload.to_value(), interrupt.response_schema.as_deref()) {
        (Ok(value), Some(schema)) => fitted(value, schema).into(),
        _ => payload,
    }
}
