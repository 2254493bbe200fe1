//! The log: what was said on a thread, in order.

use std::sync::Arc;

use bytes::Bytes;
use forestage_protocol::id::{RunId, ThreadId};

use crate::{
    audit::NewAudit,
    index::NewThread,
    interrupt::{Answer, NewInterrupt},
    lease::{Fence, Lease},
    rule::Rule,
    utterance::Utterance,
};

/// A place in a thread's log. The first entry has number 1, so [`Seq::START`] is before everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seq(pub u64);

impl Seq {
    /// Before the first entry.
    pub const START: Seq = Seq(0);

    /// Behind every entry there can be.
    pub const END: Seq = Seq(i64::MAX as u64);

    /// The place `count` entries further on.
    #[must_use]
    pub const fn forward(self, count: usize) -> Self {
        Self(self.0 + count as u64)
    }
}

/// One entry of a log: an event as it was appended, or a run of events that were compacted into one.
///
/// ```text
///  appended    3 ┊ 4 ┊ 5 ┊ 6      first == seq, no cuts
///  compacted   3 ┊ 4 ──────── 6   first = 4, seq = 6, and where to cut it is in `cuts`
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The first number it covers.
    pub first: Seq,
    /// The last number it covers: where a reader goes on.
    pub seq: Seq,
    /// The run it belongs to.
    pub run_id: RunId,
    /// The event as JSON on one line: the bytes that every viewer gets.
    pub json: Bytes,
    /// How to cut a compacted entry apart, in the words of whoever compacted it. Empty for an event as appended.
    pub cuts: Bytes,
}

impl Entry {
    /// An event as it was appended.
    pub fn event(seq: Seq, run_id: impl Into<RunId>, json: impl Into<Bytes>) -> Self {
        Self { first: seq, seq, run_id: run_id.into(), json: json.into(), cuts: Bytes::new() }
    }
}

/// An entry that takes the place of those from `first` to `last`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// The first number it covers.
    pub first: Seq,
    /// The last number it covers.
    pub last: Seq,
    /// The event as JSON on one line.
    pub json: Bytes,
    /// How to cut it apart again; the store does not look inside.
    pub cuts: Bytes,
}

/// Whether entries cover `first..=last` in order, without gaps.
pub(crate) fn covers(entries: &[Compacted], first: Seq, last: Seq) -> bool {
    let mut next = first;
    for entry in entries {
        if entry.first != next || entry.last < entry.first {
            return false;
        }
        next = entry.last.forward(1);
    }
    next == last.forward(1)
}

/// How much a commit has to survive before it is acknowledged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Durability {
    /// The end of our process. A crash of the machine may lose the last moments.
    #[default]
    Process,
    /// A crash of the machine: the bytes are on the disk.
    Disk,
}

/// What an append does to the run it belongs to, recorded in the index by the same commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// The run begins: it becomes the head of its thread and is counted there.
    Started {
        /// Hash of the request; it tells a repeated request from a different one under the same id.
        request_hash: u64,
        /// The agent that runs.
        agent: String,
        /// The run it goes on from.
        parent: Option<RunId>,
        /// When, in milliseconds since 1970.
        at: i64,
        /// Answers to interrupts of the thread that the run carries in.
        answers: Vec<Answer>,
    },
    /// The run is over.
    Ended {
        /// How, as the type of its outcome: `success`, `interrupt`, `cancelled` or `error`; or
        /// [`RunRecord::TOOL_CALLS`](crate::RunRecord::TOOL_CALLS) for a success that waits for the client.
        end: String,
        /// When, in milliseconds since 1970.
        at: i64,
        /// How many messages the conversation has after it.
        messages: u64,
        /// What it asks people before it can go on.
        interrupts: Vec<NewInterrupt>,
    },
}

/// Events to be added to a log, all or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// The thread.
    pub thread_id: ThreadId,
    /// The run that speaks.
    pub run_id: RunId,
    /// The right to write, from a [`Lease`](crate::Lease).
    pub fence: Fence,
    /// Where the writer believes the log ends.
    pub after: Seq,
    /// The events, each as JSON on one line. They are shared: whoever appends may have to ask again, and shows them
    /// afterwards.
    pub events: Arc<[Bytes]>,
    /// What the commit has to survive.
    pub durability: Durability,
    /// Whether the run begins or ends with it; a short run may do both.
    pub boundaries: Vec<Boundary>,
    /// The thread comes into being with it. If there is one with this id, the append is refused.
    pub creation: Option<Creation>,
    /// The lease is given back with it.
    pub release: bool,
    /// What the audit trail has to say of it.
    pub audit: Vec<NewAudit>,
    /// The rules that come with it.
    pub rules: Vec<Rule>,
    /// The texts of messages that come with it, for search.
    pub utterances: Vec<Utterance>,
}

/// A thread that begins with an append, and is held by whoever makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Creation {
    /// The thread.
    pub thread: NewThread,
    /// Who holds it.
    pub holder: String,
    /// For how long, in milliseconds from its creation.
    pub for_ms: i64,
}

impl Creation {
    /// The lease that the append brings: it carries [`Fence::FIRST`].
    #[must_use]
    pub fn lease(&self) -> Lease {
        Lease {
            thread_id: self.thread.id.clone(),
            holder: self.holder.clone(),
            fence: Fence::FIRST,
            expires_at: self.thread.now.saturating_add(self.for_ms),
            cancel_requested: false,
        }
    }
}

impl Append {
    /// An append that survives our process and is no boundary.
    pub fn new(
        thread_id: impl Into<ThreadId>,
        run_id: impl Into<RunId>,
        fence: Fence,
        after: Seq,
        events: Vec<Bytes>,
    ) -> Self {
        Self {
            thread_id: thread_id.into(),
            run_id: run_id.into(),
            fence,
            after,
            events: events.into(),
            durability: Durability::default(),
            boundaries: Vec::new(),
            creation: None,
            release: false,
            audit: Vec::new(),
            rules: Vec::new(),
            utterances: Vec::new(),
        }
    }

    /// The same, with a boundary of the run; boundaries survive the machine.
    #[must_use]
    pub fn with_boundary(mut self, boundary: Boundary) -> Self {
        self.boundaries.push(boundary);
        self.durability = Durability::Disk;
        self
    }

    /// Whether it opens or decides interrupts.
    pub(crate) fn concerns_the_inbox(&self) -> bool {
        self.boundaries.iter().any(|boundary| match boundary {
            Boundary::Started { answers, .. } => !answers.is_empty(),
            Boundary::Ended { interrupts, .. } => !interrupts.is_empty(),
        })
    }

    /// Where the log ends when this is in it.
    #[must_use]
    pub fn tail(&self) -> Seq {
        self.after.forward(self.events.len())
    }
}
