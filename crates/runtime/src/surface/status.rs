//! What a person sees of a surface that cannot be drawn.

use forestage_protocol::{
    Fault,
    event::{ActivitySnapshot, Event},
    id::MessageId,
    json::Object,
};
use serde_json::{Map, Value, json};

use super::{ACTIVITY, OPERATIONS};

/// So often an agent may try.
pub(crate) const MAX_ATTEMPTS: u32 = 3;

/// So many faults are shown.
const MAX_FAULTS: usize = 20;

/// An attempt was no surface; the agent may try again, or has tried often enough.
pub(crate) fn failed(id: &MessageId, attempt: u32, faults: &[Fault]) -> Event {
    let errors = &faults[..faults.len().min(MAX_FAULTS)];
    let content = match attempt < MAX_ATTEMPTS {
        true => {
            json!({ "status": "retrying", "attempt": attempt, "maxAttempts": MAX_ATTEMPTS, "errors": errors })
        }
        false => {
            let error = faults.first().map_or("", |fault| fault.message.as_str());
            json!({ "status": "failed", "error": error, "attempts": attempt, "maxAttempts": MAX_ATTEMPTS, "errors": errors })
        }
    };
    snapshot(id, content)
}

/// What was said of a failure does not count any more.
pub(crate) fn withdrawn(id: &MessageId) -> Event {
    snapshot(id, json!({ OPERATIONS: [] }))
}

/// The activity with this content.
pub(super) fn snapshot(id: &MessageId, content: Value) -> Event {
    let content: Map<String, Value> = content.as_object().cloned().unwrap_or_default();
    ActivitySnapshot { replace: Some(true), ..ActivitySnapshot::new(id, ACTIVITY, Object::from(content)) }
        .into()
}
