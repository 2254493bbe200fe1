//! Runs that wait for their turn: nobody has to guess what became of them.
//!
//! They are in no log yet. The same request again waits for the same run, and whoever wants one stopped need not wait until
//! it begins.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use forestage_protocol::id::{RunId, ThreadId};
use tokio_util::sync::CancellationToken;

use super::start::StartRun;

/// All runs of this process that wait.
#[derive(Debug, Default)]
pub(crate) struct Queue(Mutex<HashMap<Key, Arc<Waiting>>>);

type Key = (ThreadId, RunId);

/// A run that waits.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) owner: String,
    /// Hash of the request.
    pub(crate) hash: u64,
    /// Nobody wants it any more.
    pub(crate) stop: CancellationToken,
    over: CancellationToken,
}

impl Waiting {
    /// Waits until it waits no longer, for whatever reason.
    pub(crate) async fn over(&self) {
        self.over.cancelled().await;
    }
}

impl Queue {
    /// The run that waits under these ids.
    pub(crate) fn get(&self, thread_id: &ThreadId, run_id: &RunId) -> Option<Arc<Waiting>> {
        self.runs().get(&(thread_id.clone(), run_id.clone())).cloned()
    }

    /// Stops all that wait on a thread.
    pub(crate) fn stop_all(&self, thread_id: &ThreadId) {
        let runs = self.runs();
        let waiting = runs.iter().filter(|((thread, _), _)| thread == thread_id);
        waiting.for_each(|(_, waiting)| waiting.stop.cancel());
    }

    /// Lets a run wait; it does until the place is dropped.
    pub(super) fn join(&self, request: &StartRun, hash: u64) -> Place<'_> {
        let key = (request.input.thread_id.clone(), request.input.run_id.clone());
        let (stop, over) = (CancellationToken::new(), CancellationToken::new());
        let waiting = Arc::new(Waiting { owner: request.owner.clone(), hash, stop, over });
        self.runs().insert(key.clone(), waiting.clone());
        Place { queue: self, key, waiting }
    }

    fn runs(&self) -> MutexGuard<'_, HashMap<Key, Arc<Waiting>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place in the queue.
pub(super) struct Place<'a> {
    queue: &'a Queue,
    key: Key,
    waiting: Arc<Waiting>,
}

impl Place<'_> {
    /// Waits until nobody wants the run any more.
    pub(super) async fn stopped(&self) {
        self.waiting.stop.cancelled().await;
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut runs = self.queue.runs();
        // Two who came at the same moment both wait; the later one is found.
        if runs.get(&self.key).is_some_and(|waiting| Arc::ptr_eq(waiting, &self.waiting)) {
            runs.remove(&self.key);
        }
        self.waiting.over.cancel();
    }
}
