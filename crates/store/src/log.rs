//! The log: what was said on a thread, in order.

use bytes::Bytes;
use forestage_protocol::id::{RunId, ThreadId};

use crate::lease::Fence;

/// A place in a thread's log. The first entry has number 1, so [`Seq::START`] is before everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seq(pub u64);

impl Seq {
    /// Before the first entry.
    pub const START: Seq = Seq(0);

    /// The place `count` entries further on.
    #[must_use]
    pub const fn forward(self, count: usize) -> Self {
        Self(self.0 + count as u64)
    }
}

/// One event of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its place.
    pub seq: Seq,
    /// The run it belongs to.
    pub run_id: RunId,
    /// The event as JSON on one line: the bytes that every viewer gets.
    pub json: Bytes,
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
    /// The run begins. The hash tells a repeated request from a different one under the same id.
    Started {
        /// Hash of the request.
        request_hash: u64,
    },
    /// The run is over.
    Ended {
        /// How, as the type of its outcome: `success`, `interrupt`, `cancelled` or `error`.
        end: String,
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
    /// The events, each as JSON on one line.
    pub events: Vec<Bytes>,
    /// What the commit has to survive.
    pub durability: Durability,
    /// Whether the run begins or ends with it; a short run may do both.
    pub boundaries: Vec<Boundary>,
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
            events,
            durability: Durability::default(),
            boundaries: Vec::new(),
        }
    }

    /// The same, with a boundary of the run; boundaries survive the machine.
    #[must_use]
    pub fn with_boundary(mut self, boundary: Boundary) -> Self {
        self.boundaries.push(boundary);
        self.durability = Durability::Disk;
        self
    }

    /// Where the log ends when this is in it.
    #[must_use]
    pub fn tail(&self) -> Seq {
        self.after.forward(self.events.len())
    }
}
