//! Questions in a few words.

use anstyle::Style;
use forestage_client::InterruptRecord;
use serde_json::Value;

use crate::output::{
    age, brief, excerpt, safe,
    style::{DIM, ERROR, GOOD, WARNING},
};

/// What is asked: the message, or the call that it is about.
pub(super) fn what(record: &InterruptRecord) -> String {
    let call = record.fact("tool").and_then(Value::as_str).map(|tool| {
        let arguments = record.fact("arguments").map(brief).unwrap_or_default();
        format!("{} {arguments}", safe(tool))
    });
    let said = record.message().or(record.reason()).map(excerpt);
    call.or(said).unwrap_or_default()
}

/// Who may decide it, from where the caller stands.
pub(super) fn who(record: &InterruptRecord) -> String {
    let who = match (record.may_decide(), record.role()) {
        (true, _) => "you".to_owned(),
        (false, Some(role)) => format!("a {}", safe(role)),
        (false, None) => safe(record.owner().unwrap_or("the owner")),
    };
    match record.needs() {
        0 | 1 => who,
        needs => format!("{who}, {} of {needs}", record.votes().len()),
    }
}

/// What was decided, by whom, and when; nothing while it waits.
pub(super) fn decided(record: &InterruptRecord) -> Option<String> {
    let decision = record.decision()?;
    let text = |name: &str| decision.get(name).and_then(Value::as_str).unwrap_or_default();
    let approved =
        decision.get("answer").and_then(|answer| answer.get("payload")?.get("approved")?.as_bool());
    let what = match (text("status"), approved) {
        ("resolved", Some(true)) => "approved",
        ("resolved", Some(false)) => "rejected",
        ("resolved", None) => "answered",
        (other, _) => other,
    };
    let when = age(decision.get("at").and_then(Value::as_i64));
    let ago = if when == "just now" { when } else { format!("{when} ago") };
    Some(format!("{} by {}, {ago}", safe(what), safe(text("by"))))
}

pub(super) fn of_risk(risk: &str) -> Style {
    match risk {
        "critical" | "high" => ERROR,
        "medium" => WARNING,
        "low" => GOOD,
        _ => DIM,
    }
}
