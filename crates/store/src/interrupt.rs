//! Interrupts: what a run asks a person, and what the person said.
//!
//! A run opens them with its end and a later run carries the answers in, each by the append that records the
//! boundary: a question is never without its run, and an answer never without the run that acts on it.

use bytes::Bytes;
use forestage_protocol::id::{InterruptId, RunId, ThreadId};

/// An interrupt that a run opens by ending. Asking again under an id of the same thread replaces the older record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewInterrupt {
    /// Its id, unique on its thread.
    pub id: InterruptId,
    /// When it is too late to answer, in milliseconds since 1970.
    pub expires_at: Option<i64>,
    /// The interrupt as JSON; the store does not look inside.
    pub json: Bytes,
}

/// An answer to a pending interrupt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Which one.
    pub interrupt_id: InterruptId,
    /// `resolved`, `cancelled` or `expired`.
    pub status: String,
    /// What was said, as JSON.
    pub json: Bytes,
    /// Who said it.
    pub by: String,
}

/// An interrupt, as kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterruptRecord {
    /// Its id, unique on its thread.
    pub id: InterruptId,
    /// The thread.
    pub thread_id: ThreadId,
    /// The run that asks.
    pub run_id: RunId,
    /// Who the thread belongs to.
    pub owner: String,
    /// The interrupt as JSON.
    pub json: Bytes,
    /// When it was opened, in milliseconds since 1970.
    pub opened_at: i64,
    /// When it is too late to answer.
    pub expires_at: Option<i64>,
    /// What was decided, if it has been.
    pub decision: Option<Decision>,
}

/// What became of an interrupt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// `resolved`, `cancelled` or `expired`.
    pub status: String,
    /// What was said, as JSON.
    pub json: Bytes,
    /// Who said it.
    pub by: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The run that carried it in.
    pub run_id: RunId,
}

/// Which interrupts to list. They come with the one that was opened first first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterruptQuery {
    /// Whose; a store never lists across owners.
    pub owner: String,
    /// Of one thread only.
    pub thread_id: Option<ThreadId>,
    /// Decided ones too.
    pub decided: bool,
    /// At most so many.
    pub limit: usize,
}

impl InterruptQuery {
    /// What waits for an owner.
    #[must_use]
    pub fn of(owner: &str) -> Self {
        Self { owner: owner.to_owned(), thread_id: None, decided: false, limit: 100 }
    }
}
