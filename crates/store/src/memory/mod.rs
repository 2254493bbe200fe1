//! A store that forgets when the process ends.

mod index;
mod lease;
mod log;

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use forestage_protocol::id::{RunId, ThreadId};

use crate::{
    Append, AppendError, BoxFuture, ClaimError, CreateError, Entry, Lease, LeaseLost, NewThread, Page,
    RunRecord, Seq, Store, StoreError, Tails, Thread, ThreadChange, ThreadQuery, Watch,
};

/// A store in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    // A plain lock: nothing waits while holding it.
    threads: Mutex<HashMap<ThreadId, Record>>,
    tails: Tails,
}

/// All there is about a thread.
#[derive(Debug)]
struct Record {
    thread: Thread,
    entries: Vec<Entry>,
    runs: Vec<RunRecord>,
    fence: u64,
    lease: Option<Lease>,
}

impl MemoryStore {
    fn threads(&self) -> MutexGuard<'_, HashMap<ThreadId, Record>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Wraps an answer that is ready.
fn ready<'a, T: Send + 'a>(value: T) -> BoxFuture<'a, T> {
    Box::pin(std::future::ready(value))
}

impl Store for MemoryStore {
    fn create_thread(&self, thread: NewThread) -> BoxFuture<'_, Result<Thread, CreateError>> {
        ready(self.create(thread))
    }

    fn thread(&self, id: ThreadId) -> BoxFuture<'_, Result<Option<Thread>, StoreError>> {
        ready(Ok(self.threads().get(&id).map(|record| record.thread.clone())))
    }

    fn threads(&self, query: ThreadQuery) -> BoxFuture<'_, Result<Page<Thread>, StoreError>> {
        ready(Ok(self.list(&query)))
    }

    fn update_thread(
        &self,
        id: ThreadId,
        change: ThreadChange,
    ) -> BoxFuture<'_, Result<Option<Thread>, StoreError>> {
        ready(Ok(self.update(&id, change)))
    }

    fn delete_thread(&self, id: ThreadId) -> BoxFuture<'_, Result<bool, StoreError>> {
        ready(Ok(self.threads().remove(&id).is_some()))
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Seq, AppendError>> {
        ready(self.add(append))
    }

    fn read(
        &self,
        thread_id: ThreadId,
        after: Seq,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Entry>, StoreError>> {
        ready(Ok(self.entries(&thread_id, after, limit)))
    }

    fn watch(&self, thread_id: &ThreadId) -> Watch {
        self.tails.watch(thread_id)
    }

    fn run(
        &self,
        thread_id: ThreadId,
        run_id: RunId,
    ) -> BoxFuture<'_, Result<Option<RunRecord>, StoreError>> {
        ready(Ok(self.runs_of(&thread_id).into_iter().find(|run| run.run_id == run_id)))
    }

    fn runs(&self, thread_id: ThreadId) -> BoxFuture<'_, Result<Vec<RunRecord>, StoreError>> {
        ready(Ok(self.runs_of(&thread_id)))
    }

    fn abandoned_runs(&self, now: i64) -> BoxFuture<'_, Result<Vec<RunRecord>, StoreError>> {
        ready(Ok(self.abandoned(now)))
    }

    fn claim(
        &self,
        thread_id: ThreadId,
        holder: String,
        now: i64,
        for_ms: i64,
    ) -> BoxFuture<'_, Result<Lease, ClaimError>> {
        ready(self.take_lease(thread_id, holder, now, for_ms))
    }

    fn renew(&self, lease: Lease, now: i64, for_ms: i64) -> BoxFuture<'_, Result<Lease, LeaseLost>> {
        ready(self.prolong(lease, now, for_ms))
    }

    fn release(&self, lease: Lease) -> BoxFuture<'_, Result<(), StoreError>> {
        self.give_back(&lease);
        ready(Ok(()))
    }
}
