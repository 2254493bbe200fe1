//! What the writer knows of the threads that grow, so that a token need not look it up.
//!
//! It holds as long as nobody else writes. Whatever changes a place without an append forgets it, a transaction that
//! fails forgets everything, and so does one that finds that another process has written.

use std::collections::HashMap;

use forestage_protocol::id::{RunId, ThreadId};
use rusqlite::Connection;

use super::place::Chain;
use crate::{Append, Fence, Seq};

/// So many threads are known at most.
const MOST: usize = 8192;

/// Threads with a run that is open.
#[derive(Default)]
pub(super) struct Known {
    growing: HashMap<ThreadId, Growing>,
    /// SQLite's number for the last foreign commit it has seen.
    version: Option<i64>,
}

/// Where a thread grows.
pub(super) struct Growing {
    pub(super) thread: i64,
    pub(super) chain: Chain,
    pub(super) tail: Seq,
    run_id: RunId,
    fence: Fence,
}

impl Known {
    /// Forgets everything if somebody else has written. To be called where nobody else can write any more.
    pub(super) fn begin(&mut self, db: &Connection) {
        let version = data_version(db);
        if version.is_none() || version != self.version {
            self.growing.clear();
            self.version = version;
        }
    }

    /// The place of an append that does nothing but go on.
    pub(super) fn place_of(&mut self, append: &Append) -> Option<&mut Growing> {
        let plain = append.boundaries.is_empty()
            && append.creation.is_none()
            && append.audit.is_empty()
            && append.rules.is_empty()
            && !append.release
            && !append.events.is_empty();
        let place = self.growing.get_mut(&append.thread_id).filter(|_| plain)?;
        let fits = place.tail == append.after
            && place.fence == append.fence
            && place.run_id == append.run_id
            && place.chain.goes_on();
        fits.then_some(place)
    }

    /// The append was written, and its run is open.
    pub(super) fn note(&mut self, append: &Append, thread: i64, chain: Chain) {
        if self.growing.len() >= MOST {
            self.growing.clear();
        }
        let (run_id, fence, tail) = (append.run_id.clone(), append.fence, append.tail());
        self.growing.insert(append.thread_id.clone(), Growing { thread, chain, tail, run_id, fence });
    }

    pub(super) fn forget(&mut self, thread_id: &ThreadId) {
        self.growing.remove(thread_id);
    }

    pub(super) fn forget_all(&mut self) {
        self.growing.clear();
    }
}

/// A number that changes when another connection has committed.
pub(super) fn data_version(db: &Connection) -> Option<i64> {
    db.prepare_cached("PRAGMA data_version")
        .and_then(|mut version| version.query_row([], |row| row.get(0)))
        .ok()
}
