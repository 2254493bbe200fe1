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

    /// The thread as it is when it has just been created.
    #[must_use]
    pub fn thread(&self) -> Thread {
        Thread {
            id: self.id.clone(),
            owner: self.owner.clone(),
            agent: self.agent.clone(),
            title: None,
            archived: false,
            review: false,
            created_at: self.now,
            updated_at: self.now,
            opening: None,
            tail: Seq::START,
            head: None,
            status: ThreadStatus::default(),
            runs: 0,
            messages: 0,
            pending: 0,
        }
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
    /// The beginning of what the person wrote first: 200 characters at most.
    pub opening: Option<String>,
    /// Whether it is put away.
    pub archived: bool,
    /// Whether answers on it are held back until somebody has looked at them.
    pub review: bool,
    /// When it was created, in milliseconds since 1970.
    pub created_at: i64,
    /// When it changed last.
    pub updated_at: i64,
    /// Where its log ends.
    pub tail: Seq,
    /// The run that the conversation shown ends with: the one that began last, unless somebody moved it.
    pub head: Option<RunId>,
    /// What it is doing.
    pub status: ThreadStatus,
    /// How many runs have begun on it.
    pub runs: u64,
    /// How many messages the conversation had when a run ended last.
    pub messages: u64,
    /// How many interrupts of its head wait for a decision.
    pub pending: u64,
}

/// What a thread is doing. The first that is true counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ThreadStatus {
    /// A run has begun and not ended.
    Running,
    /// An interrupt of its head waits for a decision, a decision waits for the run that continues with it, or a tool call of
    /// its head waits for the client's result.
    Waiting,
    /// Its head ended with an error.
    Failed,
    /// None of these.
    #[default]
    Idle,
}

impl ThreadStatus {
    /// Its name: `running`, `waiting`, `failed` or `idle`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Failed => "failed",
            Self::Idle => "idle",
        }
    }

    /// The status with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Running, Self::Waiting, Self::Failed, Self::Idle]
            .into_iter()
            .find(|status| status.as_str() == name)
    }
}

/// A change of a thread's entry. What is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadChange {
    /// A new title; `Some(None)` takes it away.
    pub title: Option<Option<String>>,
    /// Put away, or back.
    pub archived: Option<bool>,
    /// Whether somebody has to look at answers first.
    pub review: Option<bool>,
    /// Another head; the store does not ask whether there is such a run.
    pub head: Option<Option<RunId>>,
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
    /// Only those that are doing this.
    pub status: Option<ThreadStatus>,
    /// Only those with this agent.
    pub agent: Option<String>,
    /// At most so many.
    pub limit: usize,
    /// From where the last page ended.
    pub after: Option<(i64, ThreadId)>,
}

impl ThreadQuery {
    /// The newest threads of an owner.
    #[must_use]
    pub fn of(owner: &str) -> Self {
        Self {
            owner: owner.to_owned(),
            archived: false,
            search: None,
            status: None,
            agent: None,
            limit: 50,
            after: None,
        }
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
    /// The agent that ran.
    pub agent: String,
    /// The run it went on from.
    pub parent: Option<RunId>,
    /// Hash of the request that started it.
    pub request_hash: u64,
    /// Its first entry.
    pub first: Seq,
    /// Its last entry so far.
    pub last: Seq,
    /// How it ended, if it has.
    pub end: Option<String>,
    /// When it began, in milliseconds since 1970.
    pub started_at: i64,
    /// When it ended.
    pub ended_at: Option<i64>,
    /// Whether somebody asked to stop it while it was open.
    pub cancel_requested: bool,
    /// Whether its entries have been compacted.
    pub compacted: bool,
    /// Whether a snapshot is kept for it.
    pub snapshot: bool,
}

impl RunRecord {
    /// The `end` of a run that succeeded and left tool calls for the client to answer. Its thread waits.
    pub const TOOL_CALLS: &'static str = "tool_calls";

    /// What clients read as the run's status: `running`, or the type of its outcome. A run with tool calls for the client is
    /// a success, as AG-UI has it.
    #[must_use]
    pub fn status(&self) -> &str {
        match self.end.as_deref() {
            None => "running",
            Some(Self::TOOL_CALLS) => "success",
            Some(end) => end,
        }
    }
}
