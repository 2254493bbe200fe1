//! A store that forgets when the process ends.

mod log;
mod index;
mod run;
mod interrupt;
mod decide;
mod audit;
mod rule;
mod note;
mod annotation;
mod share;
mod utterance;
mod lease;

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use bytes::Bytes;
use forestage_protocol::id::{InterruptId, RunId, ThreadId};

use crate::{
    Annotation, Append, AppendError, AuditEntry, AuditQuery, BoxFuture, ClaimError, Compacted, CreateError,
    Decide, Decided, Entry, Found, InterruptQuery, InterruptRecord, Lease, LeaseLost, NewAudit, NewThread,
    Note, Page, Rule, RunRecord, Search, Seq, Share, Store, StoreError, Tails, Thread, ThreadChange,
    ThreadQuery, Utterance, Viewer, Watch,
};

/// A store in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    // Plain locks: nothing waits while holding them. Who needs both takes the threads first.
    threads: Mutex<HashMap<ThreadId, Record>>,
    books: Mutex<Books>,
    tails: Tails,
}

/// What does not belong to a thread.
#[derive(Debug, Default)]
struct Books {
    trail: Vec<AuditEntry>,
    rules: Vec<Rule>,
    notes: Vec<Note>,
}

/// All there is about a thread.
#[derive(Debug)]
struct Record {
    thread: Thread,
    entries: Vec<Entry>,
    runs: Vec<RunRecord>,
    interrupts: Vec<InterruptRecord>,
    annotations: Vec<Annotation>,
    shares: Vec<Share>,
    utterances: Vec<Utterance>,
    snapshots: HashMap<RunId, Bytes>,
    fence: u64,
    lease: Option<Lease>,
}

impl MemoryStore {
    fn threads(&self) -> MutexGuard<'_, HashMap<ThreadId, Record>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
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

    fn create_and_claim(
        &self,
        thread: NewThread,
        holder: String,
        now: i64,
        for_ms: i64,
    ) -> BoxFuture<'_, Result<Option<(Thread, Lease)>, StoreError>> {
        ready(Ok(self.create_held(thread, holder, now, for_ms)))
    }

    fn thread(&self, id: ThreadId) -> BoxFuture<'_, Result<Option<Thread>, StoreError>> {
        ready(Ok(self.get(&id)))
    }

    fn threads(&self, query: ThreadQuery) -> BoxFuture<'_, Result<Page<Thread>, StoreError>> {
        ready(Ok(self.list(&query)))
    }

    fn search(&self, search: Search) -> BoxFuture<'_, Result<Vec<Found>, StoreError>> {
        ready(Ok(self.find(&search)))
    }

    fn update_thread(
        &self,
        id: ThreadId,
        change: ThreadChange,
    ) -> BoxFuture<'_, Result<Option<Thread>, StoreError>> {
        ready(Ok(self.update(&id, change)))
    }

    fn delete_thread(&self, id: ThreadId) -> BoxFuture<'_, Result<bool, StoreError>> {
        ready(Ok(self.delete(&id)))
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Seq, AppendError>> {
        ready(self.add(append))
    }

    fn read(
        &self,
        thread_id: ThreadId,
        after: Seq,
        until: Seq,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Entry>, StoreError>> {
        ready(Ok(self.entries(&thread_id, after, until, limit)))
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

    fn request_cancel(&self, thread_id: ThreadId, run_id: RunId) -> BoxFuture<'_, Result<bool, StoreError>> {
        ready(Ok(self.stop(&thread_id, &run_id)))
    }

    fn compact(
        &self,
        thread_id: ThreadId,
        run_id: RunId,
        entries: Vec<Compacted>,
    ) -> BoxFuture<'_, Result<bool, StoreError>> {
        ready(self.replace(&thread_id, &run_id, entries))
    }

    fn uncompacted_runs(&self, limit: usize) -> BoxFuture<'_, Result<Vec<RunRecord>, StoreError>> {
        ready(Ok(self.uncompacted(limit)))
    }

    fn put_snapshot(
        &self,
        thread_id: ThreadId,
        run_id: RunId,
        body: Bytes,
    ) -> BoxFuture<'_, Result<bool, StoreError>> {
        ready(Ok(self.keep_snapshot(&thread_id, run_id, body)))
    }

    fn snapshot(
        &self,
        thread_id: ThreadId,
        run_id: RunId,
    ) -> BoxFuture<'_, Result<Option<Bytes>, StoreError>> {
        ready(Ok(self.snapshot_of(&thread_id, &run_id)))
    }

    fn interrupts(&self, query: InterruptQuery) -> BoxFuture<'_, Result<Vec<InterruptRecord>, StoreError>> {
        ready(Ok(self.waiting(&query)))
    }

    fn interrupt(
        &self,
        id: InterruptId,
        viewer: Viewer,
    ) -> BoxFuture<'_, Result<Option<InterruptRecord>, StoreError>> {
        ready(Ok(self.newest(&id, &viewer)))
    }

    fn decide(&self, decide: Decide) -> BoxFuture<'_, Result<Decided, StoreError>> {
        ready(Ok(self.record(decide)))
    }

    fn due_interrupts(
        &self,
        now: i64,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<InterruptRecord>, StoreError>> {
        ready(Ok(self.due(now, limit)))
    }

    fn resumable(&self, limit: usize) -> BoxFuture<'_, Result<Vec<ThreadId>, StoreError>> {
        ready(Ok(self.decided_heads(limit)))
    }

    fn watch_inbox(&self) -> Watch {
        self.tails.watch_inbox()
    }

    fn audit(&self, entry: NewAudit) -> BoxFuture<'_, Result<AuditEntry, StoreError>> {
        ready(Ok(self.books().enter(entry)))
    }

    fn audit_trail(&self, query: AuditQuery) -> BoxFuture<'_, Result<Vec<AuditEntry>, StoreError>> {
        ready(Ok(self.trail(&query)))
    }

    fn rules(&self, owner: String) -> BoxFuture<'_, Result<Vec<Rule>, StoreError>> {
        ready(Ok(self.rules_of(&owner)))
    }

    fn put_rule(&self, rule: Rule) -> BoxFuture<'_, Result<bool, StoreError>> {
        let threads = self.threads();
        ready(Ok(self.books().allow(&threads, rule)))
    }

    fn delete_rule(
        &self,
        owner: String,
        id: String,
        audit: NewAudit,
    ) -> BoxFuture<'_, Result<bool, StoreError>> {
        let mut books = self.books();
        let removed = books.forbid(&owner, &id);
        if removed {
            books.enter(audit);
        }
        ready(Ok(removed))
    }

    fn annotate(&self, annotation: Annotation) -> BoxFuture<'_, Result<bool, StoreError>> {
        ready(Ok(self.remark(annotation)))
    }

    fn annotations(&self, thread_id: ThreadId) -> BoxFuture<'_, Result<Vec<Annotation>, StoreError>> {
        ready(Ok(self.remarks(&thread_id)))
    }

    fn delete_annotation(&self, thread_id: ThreadId, id: String) -> BoxFuture<'_, Result<bool, StoreError>> {
        ready(Ok(self.unremark(&thread_id, &id)))
    }

    fn put_share(&self, share: Share, audit: NewAudit) -> BoxFuture<'_, Result<bool, StoreError>> {
        ready(Ok(self.share_out(share, audit)))
    }

    fn shares(&self, thread_id: ThreadId) -> BoxFuture<'_, Result<Vec<Share>, StoreError>> {
        ready(Ok(self.shares_of(&thread_id)))
    }

    fn share(&self, hash: [u8; 32]) -> BoxFuture<'_, Result<Option<Share>, StoreError>> {
        ready(Ok(self.share_with(&hash)))
    }

    fn delete_share(
        &self,
        thread_id: ThreadId,
        id: String,
        audit: NewAudit,
    ) -> BoxFuture<'_, Result<bool, StoreError>> {
        ready(Ok(self.take_back(&thread_id, &id, audit)))
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

    fn note(&self, owner: String, name: String) -> BoxFuture<'_, Result<Option<Note>, StoreError>> {
        ready(Ok(self.books().note(&owner, &name).cloned()))
    }

    fn put_note(&self, note: Note) -> BoxFuture<'_, Result<bool, StoreError>> {
        ready(Ok(self.books().write_down(note)))
    }
}
