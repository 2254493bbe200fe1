//! Runs that speak in this process: their newest entries, at hand for everyone who follows.
//!
//! A viewer is a cursor. It asks for what is behind its place, gets whole commits that all viewers share, and
//! falls back to the store when it is too far behind; so a slow viewer costs nothing and slows nobody.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use forestage_protocol::id::{RunId, ThreadId};
use forestage_store::{Lease, Seq};
use tokio::sync::{mpsc, oneshot, watch};

use super::{Batch, Prelude};

/// So many bytes of a run are kept at hand; older entries are read from the store.
const KEPT_BYTES: usize = 256 << 10;

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) tail: Seq,
    pub(crate) ended: bool,
    /// Nothing more is published here; if the run has not ended, it is lost to this process.
    pub(crate) gone: bool,
}

/// A run that speaks in this process.
#[derive(Debug)]
pub(crate) struct Live {
    thread_id: ThreadId,
    pub(crate) run_id: RunId,
    recent: Mutex<Recent>,
    progress: watch::Sender<Progress>,
    preludes: mpsc::UnboundedSender<oneshot::Sender<Prelude>>,
    failure: OnceLock<Arc<Failure>>,
}

/// A run of this process whose events could not be written. Its log ends in the middle until somebody can close it.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) run_id: RunId,
    /// The last entry that is in the log.
    pub(crate) tail: Seq,
    /// What the store said.
    pub(crate) reason: String,
    /// The right to close the log, if it could not be given back.
    pub(crate) lease: Option<Lease>,
}

#[derive(Debug, Default)]
struct Recent {
    /// Each with its last number, so that a place is found without a look into every batch.
    batches: VecDeque<(Seq, Arc<Batch>)>,
    bytes: usize,
}

impl Live {
    pub(crate) fn new(
        thread_id: ThreadId,
        run_id: RunId,
        first: Seq,
        preludes: mpsc::UnboundedSender<oneshot::Sender<Prelude>>,
    ) -> Self {
        let before = Seq(first.0.saturating_sub(1));
        let progress = watch::Sender::new(Progress { tail: before, ended: false, gone: false });
        let failure = OnceLock::new();
        Self { thread_id, run_id, recent: Mutex::default(), progress, preludes, failure }
    }

    /// Nothing more can be written. Viewers are told once the run is removed.
    pub(crate) fn fail(&self, reason: String, lease: Option<Lease>) {
        let (run_id, tail) = (self.run_id.clone(), self.tail());
        self.failure.get_or_init(|| Arc::new(Failure { run_id, tail, reason, lease }));
    }

    /// Shows a commit to everyone.
    pub(crate) fn publish(&self, batch: Batch, ended: bool) {
        let tail = batch.last();
        let batch = if ended { batch.ending() } else { batch };
        self.recent.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::new(batch));
        self.progress.send_replace(Progress { tail, ended, gone: false });
    }

    /// The commit that holds the entry behind a place, if it is at hand.
    pub(crate) fn batch_after(&self, after: Seq) -> Option<Arc<Batch>> {
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let at = recent.batches.partition_point(|(last, _)| *last <= after);
        let (_, batch) = recent.batches.get(at)?;
        (batch.first() <= after.forward(1)).then(|| batch.clone())
    }

    pub(crate) fn tail(&self) -> Seq {
        self.progress.borrow().tail
    }

    /// What it costs to keep it.
    fn kept_bytes(&self) -> usize {
        1024 + self.recent.lock().unwrap_or_else(PoisonError::into_inner).bytes
    }

    pub(crate) fn progress(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    /// The conversation as it stands at a commit; nothing once the run is over.
    pub(crate) async fn prelude(&self) -> Option<Prelude> {
        let (sender, receiver) = oneshot::channel();
        self.preludes.send(sender).ok()?;
        receiver.await.ok()
    }
}

impl Recent {
    fn push(&mut self, batch: Arc<Batch>) {
        self.bytes += batch.json_bytes();
        self.batches.push_back((batch.last(), batch));
        while self.bytes > KEPT_BYTES && self.batches.len() > 1 {
            self.bytes -= self.batches.pop_front().map_or(0, |(_, oldest)| oldest.json_bytes());
        }
    }
}

/// So many bytes of runs that have ended are kept at hand, for viewers who have not come to the end yet.
const KEPT_ENDED_BYTES: usize = 4 << 20;

/// All runs that speak in this process, and those that have just spoken.
#[derive(Debug, Default)]
pub(crate) struct Lives(Mutex<Registry>);

#[derive(Debug, Default)]
struct Registry {
    speaking: HashMap<ThreadId, Arc<Live>>,
    ended: HashMap<ThreadId, Arc<Live>>,
    /// Those that could not be written to their end.
    failed: HashMap<ThreadId, Arc<Failure>>,
    /// In which order they ended.
    order: VecDeque<Arc<Live>>,
    bytes: usize,
}

impl Lives {
    pub(crate) fn add(&self, live: &Arc<Live>) {
        let mut lives = self.lives();
        lives.ended.remove(&live.thread_id);
        lives.failed.remove(&live.thread_id);
        lives.speaking.insert(live.thread_id.clone(), live.clone());
    }

    pub(crate) fn get(&self, thread_id: &str) -> Option<Arc<Live>> {
        self.lives().speaking.get(thread_id).cloned()
    }

    /// The run that ended last on a thread where nobody speaks, if that is not long ago.
    pub(crate) fn just_ended(&self, thread_id: &str) -> Option<Arc<Live>> {
        self.lives().ended.get(thread_id).cloned()
    }

    /// The run is over, unless the thread has a newer one.
    pub(crate) fn remove(&self, thread_id: &str, run_id: &RunId) {
        let mut lives = self.lives();
        if lives.speaking.get(thread_id).is_some_and(|live| live.run_id == *run_id)
            && let Some(live) = lives.speaking.remove(thread_id)
        {
            if let Some(failure) = live.failure.get() {
                // Before anybody is woken, so that they find it.
                lives.failed.insert(thread_id.into(), failure.clone());
            }
            live.progress.send_modify(|progress| progress.gone = true);
            if live.progress.borrow().ended {
                lives.keep(live);
            }
        }
    }

    /// The run on a thread that could not be written to its end.
    pub(crate) fn failure(&self, thread_id: &str) -> Option<Arc<Failure>> {
        self.lives().failed.get(thread_id).cloned()
    }

    /// The log of such a run is closed.
    pub(crate) fn closed(&self, thread_id: &str) {
        self.lives().failed.remove(thread_id);
    }

    /// The thread is deleted: nothing of it stays at hand.
    pub(crate) fn forget(&self, thread_id: &str) {
        let mut lives = self.lives();
        lives.ended.remove(thread_id);
        lives.failed.remove(thread_id);
    }

    fn lives(&self) -> MutexGuard<'_, Registry> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Registry {
    fn keep(&mut self, live: Arc<Live>) {
        self.bytes += live.kept_bytes();
        self.order.push_back(live.clone());
        self.ended.insert(live.thread_id.clone(), live);
        while self.bytes > KEPT_ENDED_BYTES
            && let Some(oldest) = self.order.pop_front()
        {
            self.bytes -= oldest.kept_bytes();
            if self.ended.get(&oldest.thread_id).is_some_and(|live| Arc::ptr_eq(live, &oldest)) {
                self.ended.remove(&oldest.thread_id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use forestage_store::Entry;

    use super::*;

    #[test]
    fn what_is_at_hand_is_bounded_and_the_newest_is_always_there() {
        let batch =
            |seq, bytes| Arc::new(Batch::new(1, vec![Entry::event(Seq(seq), "r", "x".repeat(bytes))]));
        let kept = |recent: &Recent| recent.batches.iter().map(|(last, _)| last.0).collect::<Vec<_>>();
        let mut recent = Recent::default();
        for seq in 1..=5 {
            recent.push(batch(seq, KEPT_BYTES / 2));
        }
        assert_eq!((kept(&recent), recent.bytes), (vec![4, 5], KEPT_BYTES));
        recent.push(batch(6, 2 * KEPT_BYTES));
        assert_eq!((kept(&recent), recent.bytes), (vec![6], 2 * KEPT_BYTES));
    }
}
