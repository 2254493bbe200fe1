//! What a person sees of a surface that is not there yet, or cannot be drawn: building, retrying, failed.
//!
//! Nothing stays in the first two for longer than its run: whoever ends the run, in order or not, gives up what is
//! unfinished, and that is what people see then.

use forestage_a2ui::{prompt, v0_9};
use forestage_protocol::{
    Fault,
    event::{ActivityDelta, ActivitySnapshot, Event},
    id::MessageId,
    json::Object,
    patch::Operation,
};
use serde_json::{Map, Value, json};

use super::{ACTIVITY, OPERATIONS, PENDING};
use crate::tool::ToolError;

/// So often in a row an agent may try.
pub(crate) const MAX_ATTEMPTS: u32 = 3;

/// Where an activity says how far it is.
pub(super) const STATUS: &str = "/status";

/// So many faults are shown.
const MAX_FAULTS: usize = 20;

/// An agent is still writing.
pub(crate) fn building(id: &MessageId) -> Event {
    snapshot(id, json!({ "status": "building" }))
}

/// An attempt was no surface; the agent may try again, or has tried often enough.
pub(crate) fn failed(id: &MessageId, attempt: u32, faults: &[Fault]) -> Event {
    let errors = &faults[..faults.len().min(MAX_FAULTS)];
    let content = json!({
        "status": "retrying", "attempt": attempt, "maxAttempts": MAX_ATTEMPTS, "errors": errors,
    });
    let content = if attempt < MAX_ATTEMPTS { content } else { as_failed(&content) };
    snapshot(id, content)
}

/// What was said of a failure does not count any more, or what was being built. A surface that was painted is taken away.
pub(crate) fn withdrawn(id: &MessageId, painted: Option<&str>) -> Event {
    let delete = painted.map(|it| v0_9::Message::DeleteSurface { surface_id: it.to_owned() }.to_value());
    snapshot(id, json!({ OPERATIONS: Vec::from_iter(delete) }))
}

/// Whether an activity says that somebody still works on it.
pub(crate) fn is_unfinished(activity_type: &str, content: &Object) -> bool {
    let status = content.get("status").and_then(Value::as_str);
    activity_type == ACTIVITY && matches!(status, Some("building" | "retrying"))
}

/// Whether a change says that nobody works on it any more, as it is complete.
pub(crate) fn finishes(change: &ActivityDelta) -> bool {
    change.patch.0.iter().any(|it| matches!(it, Operation::Remove { .. }) && it.path().as_str() == STATUS)
}

/// Nobody works on it any more.
pub(crate) fn given_up(id: &MessageId, content: &Object) -> Event {
    snapshot(
        id,
        as_failed(&Value::Object(content.iter().map(|(name, it)| (name.clone(), it.clone())).collect())),
    )
}

fn as_failed(content: &Value) -> Value {
    let told = content["errors"][0]["message"].as_str();
    let error = match content.get(PENDING) {
        _ if told.is_some() => told.unwrap_or_default(),
        Some(_) => "the surface was never begun",
        None => "the agent stopped before the surface was complete",
    };
    let mut failed = json!({ "status": "failed", "error": error });
    let kept =
        [("attempt", "attempts"), ("maxAttempts", "maxAttempts"), ("errors", "errors"), (PENDING, PENDING)];
    for (name, new) in kept {
        if let Some(value) = content.get(name) {
            failed[new] = value.clone();
        }
    }
    failed
}

/// What the agent hears of an attempt: everything that is wrong, and what to do about it.
pub(crate) fn not_drawn(faults: Vec<Fault>, attempt: u32) -> ToolError {
    let told: Vec<_> =
        faults.iter().take(5).map(|fault| format!("{}: {}", fault.path, fault.message)).collect();
    let more = if faults.len() > told.len() {
        format!("; and {} more", faults.len() - told.len())
    } else {
        String::new()
    };
    let message = format!("the surface cannot be drawn: {}{more}", told.join("; "));
    let left = MAX_ATTEMPTS.saturating_sub(attempt);
    let code = if left == 0 { EXHAUSTED } else { "invalid_a2ui" };
    let hint = prompt::repair(&faults, left);
    ToolError::new(code, message).faults(faults).hint(hint)
}

/// Nothing more is drawn in this run.
pub(crate) fn exhausted() -> ToolError {
    let message = format!("nothing is drawn any more in this run: {MAX_ATTEMPTS} attempts in a row failed");
    ToolError::new(EXHAUSTED, message).hint(prompt::repair(&[], 0))
}

/// The code of an attempt that was the last one.
const EXHAUSTED: &str = "a2ui_recovery_exhausted";

/// The activity with this content.
pub(super) fn snapshot(id: &MessageId, content: Value) -> Event {
    let content: Map<String, Value> = content.as_object().cloned().unwrap_or_default();
    ActivitySnapshot { replace: Some(true), ..ActivitySnapshot::new(id, ACTIVITY, Object::from(content)) }
        .into()
}
