//! The index: threads and runs, findable without reading logs.

use forestage_protocol::id::{RunId, ThreadId};

use crate::log::Seq;

/// A thread to be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewThread {
    /// Its id.
    pub id: ThreadId,
    /// Who it belongs to.
    pub owner: String,
    /// The agent it is with.
    pub agent: String,
    /// When, in milliseconds since 1970.
    pub now: i64,
}

impl NewThread {
    /// A thread of an owner with an agent.
    pub fn new(id: impl Into<ThreadId>, owner: &str, agent: &str, now: i64) -> Self {
        Self { id: id.into(), owner: owner.to_owned(), agent: agent.to_owned(), now }
    }
}

/// A thread, as listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its id.
    pub id: ThreadId,
    /// Who it belongs to.
    pub owner: String,
    /// The agent it is with.
    pub agent: String,
    /// What it is called, once somebody has named it.
    pub title: Option<String>,
    /// Whether it is put away.
    pub archived: bool,
    /// When it was created, in milliseconds since 1970.
    pub created_at: i64,
    /// When it changed last.
    pub updated_at: i64,
    /// Where its log ends.
    pub tail: Seq,
}

/// A change of a thread's entry. What is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadChange {
    /// A new title; `Some(None)` takes it away.
    pub title: Option<Option<String>>,
    /// Put away, or back.
    pub archived: Option<bool>,
    /// When, in milliseconds since 1970.
    pub now: i64,
}

/// Which threads to list. They come with the one that changed last first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadQuery {
    /// Whose threads; a store never lists across owners.
    pub owner: String,
    /// Archived ones too.
    pub archived: bool,
    /// Only titles and ids that contain this, whatever the case of its letters.
    pub search: Option<String>,
    /// At most so many.
    pub limit: usize,
    /// From where the last page ended.
    pub after: Option<(i64, ThreadId)>,
}

impl ThreadQuery {
    /// The newest threads of an owner.
    #[must_use]
    pub fn of(owner: &str) -> Self {
        Self { owner: owner.to_owned(), archived: false, search: None, limit: 50, after: None }
    }
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// What is on it.
    pub items: Vec<T>,
    /// What to ask for next, if there is more.
    pub next: Option<(i64, ThreadId)>,
}

/// A run, as the log has it. Whether it is running is the lease's word; whether it has ended is here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRecord {
    /// The thread.
    pub thread_id: ThreadId,
    /// The run.
    pub run_id: RunId,
    /// Hash of the request that started it.
    pub request_hash: u64,
    /// Its first entry.
    pub first: Seq,
    /// Its last entry so far.
    pub last: Seq,
    /// How it ended, if it has.
    pub end: Option<String>,
}
