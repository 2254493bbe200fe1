//! Answers to questions, in the form in which they are sent.

use forestage_protocol::{
    id::InterruptId,
    interrupt::{ResumeEntry, ResumeStatus},
};
use serde_json::Value;

/// The answer to a question.
#[must_use]
pub fn resolved(interrupt_id: impl Into<InterruptId>, payload: impl Into<Value>) -> ResumeEntry {
    // A null is no answer on the wire: the member is left out.
    let payload = Some(payload.into()).filter(|payload| !payload.is_null()).map(Into::into);
    ResumeEntry { payload, ..ResumeEntry::new(interrupt_id, ResumeStatus::Resolved) }
}

/// A question that is refused or withdrawn.
#[must_use]
pub fn cancelled(interrupt_id: impl Into<InterruptId>) -> ResumeEntry {
    ResumeEntry::new(interrupt_id, ResumeStatus::Cancelled)
}
