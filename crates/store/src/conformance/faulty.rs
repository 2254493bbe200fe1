//! A store that fails when it is told to, around one that works.
//!
//! For tests of what stands on a store: how followers, exports and runs behave while it is out of reach, and how often it
//! is asked. Nothing is lost in the store inside; only the way to it is cut.

use std::sync::{
    Arc,
    atomic::{AtomicI64, AtomicU64, Ordering},
};

use bytes::Bytes;
use forestage_protocol::id::{InterruptId, RunId, ThreadId};
use tokio::sync::watch;

use crate::{
    Annotation, Append, AppendError, AuditEntry, AuditQuery, BoxFuture, ClaimError, Compacted, CreateError,
    Decide, Decided, Entry, Found, InterruptQuery, InterruptRecord, Lease, LeaseLost, NewAudit, NewThread,
    Note, Page, Rule, RunRecord, Search, Seq, Share, Store, StoreError, Thread, ThreadChange, ThreadQuery,
    Viewer, Watch,
};

/// Calls left before they fail, when nothing is to fail.
const NEVER: u64 = u64::MAX;

/// A store whose reads or writes can be made to fail.
pub struct Faulty {
    inner: Arc<dyn Store>,
    reads: Switch,
    writes: Switch,
    refused: watch::Sender<u64>,
    /// How often it has said that something may be lost.
    losses: AtomicI64,
}

/// One kind of call.
struct Switch {
    /// So many calls succeed before the first one fails.
    left: AtomicU64,
    /// So many calls were made.
    made: AtomicU64,
}

impl Default for Switch {
    fn default() -> Self {
        Self { left: AtomicU64::new(NEVER), made: AtomicU64::new(0) }
    }
}

impl Faulty {
    /// A store that works as the one inside does, until it is told to fail.
    #[must_use]
    pub fn new(inner: Arc<dyn Store>) -> Arc<Self> {
        Arc::new(Self {
            inner,
            reads: Switch::default(),
            writes: Switch::default(),
            refused: watch::Sender::new(0),
            losses: AtomicI64::new(0),
        })
    }

    /// Lets reads fail, after so many more have succeeded.
    pub fn fail_reads_after(&self, count: u64) {
        self.reads.left.store(count, Ordering::SeqCst);
    }

    /// Lets writes fail, after so many more have succeeded.
    pub fn fail_writes_after(&self, count: u64) {
        self.writes.left.store(count, Ordering::SeqCst);
    }

    /// Lets everything succeed again.
    pub fn heal(&self) {
        self.fail_reads_after(NEVER);
        self.fail_writes_after(NEVER);
    }

    /// Says that something may be lost from now on, as a database does that has crashed.
    pub fn lose(&self) {
        self.losses.fetch_add(1, Ordering::SeqCst);
    }

    /// How many reads were made so far, whatever came of them.
    #[must_use]
    pub fn reads(&self) -> u64 {
        self.reads.made.load(Ordering::SeqCst)
    }

    /// Waits until at least so many calls have failed since the store was made.
    pub async fn refused(&self, count: u64) {
        let mut refused = self.refused.subscribe();
        // The sender is ours, so it is there as long as we wait.
        let _ = refused.wait_for(|found| *found >= count).await;
    }

    /// How many calls have failed so far.
    #[must_use]
    pub fn refusals(&self) -> u64 {
        *self.refused.borrow()
    }

    fn reading(&self) -> Result<(), StoreError> {
        self.pass(&self.reads)
    }

    fn writing(&self) -> Result<(), StoreError> {
        self.pass(&self.writes)
    }

    fn pass(&self, switch: &Switch) -> Result<(), StoreError> {
        switch.made.fetch_add(1, Ordering::SeqCst);
        let next = |left: u64| match left {
            NEVER => Some(NEVER),
            left => left.checked_sub(1),
        };
        match switch.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, next) {
            Ok(_) => Ok(()),
            Err(_) => {
                self.refused.send_modify(|count| *count += 1);
                Err(StoreError::Database("the store was told to fail".into()))
            }
        }
    }
}

/// Asks the store inside, unless calls of this kind are to fail.
macro_rules! pass {
    ($($kind:ident fn $name:ident($($arg:ident: $type:ty),*) -> $result:ty;)*) => {$(
        fn $name(&self $(, $arg: $type)*) -> BoxFuture<'_, $result> {
            Box::pin(async move {
                self.$kind()?;
                self.inner.$name($($arg),*).await
            })
        }
    )*};
}

impl Store for Faulty {
    pass! {
        writing fn create_thread(thread: NewThread) -> Result<Thread, CreateError>;
        writing fn create_and_claim(thread: NewThread, holder: String, now: i64, for_ms: i64)
            -> Result<Option<(Thread, Lease)>, StoreError>;
        reading fn thread(id: ThreadId) -> Result<Option<Thread>, StoreError>;
        reading fn threads(query: ThreadQuery) -> Result<Page<Thread>, StoreError>;
        writing fn update_thread(id: ThreadId, change: ThreadChange) -> Result<Option<Thread>, StoreError>;
        writing fn delete_thread(id: ThreadId) -> Result<bool, StoreError>;
        writing fn append(append: Append) -> Result<Seq, AppendError>;
        reading fn read(thread_id: ThreadId, after: Seq, until: Seq, limit: usize) -> Result<Vec<Entry>, StoreError>;
        reading fn run(thread_id: ThreadId, run_id: RunId) -> Result<Option<RunRecord>, StoreError>;
        reading fn runs(thread_id: ThreadId) -> Result<Vec<RunRecord>, StoreError>;
        reading fn abandoned_runs(now: i64) -> Result<Vec<RunRecord>, StoreError>;
        writing fn request_cancel(thread_id: ThreadId, run_id: RunId) -> Result<bool, StoreError>;
        writing fn compact(thread_id: ThreadId, run_id: RunId, entries: Vec<Compacted>) -> Result<bool, StoreError>;
        reading fn uncompacted_runs(limit: usize) -> Result<Vec<RunRecord>, StoreError>;
        writing fn put_snapshot(thread_id: ThreadId, run_id: RunId, body: Bytes) -> Result<bool, StoreError>;
        reading fn snapshot(thread_id: ThreadId, run_id: RunId) -> Result<Option<Bytes>, StoreError>;
        reading fn interrupts(query: InterruptQuery) -> Result<Vec<InterruptRecord>, StoreError>;
        reading fn interrupt(id: InterruptId, viewer: Viewer) -> Result<Option<InterruptRecord>, StoreError>;
        writing fn decide(decide: Decide) -> Result<Decided, StoreError>;
        reading fn due_interrupts(now: i64, limit: usize) -> Result<Vec<InterruptRecord>, StoreError>;
        reading fn resumable(limit: usize) -> Result<Vec<ThreadId>, StoreError>;
        writing fn audit(entry: NewAudit) -> Result<AuditEntry, StoreError>;
        reading fn audit_trail(query: AuditQuery) -> Result<Vec<AuditEntry>, StoreError>;
        reading fn rules(owner: String) -> Result<Vec<Rule>, StoreError>;
        writing fn put_rule(rule: Rule) -> Result<bool, StoreError>;
        writing fn delete_rule(owner: String, id: String, audit: NewAudit) -> Result<bool, StoreError>;
        writing fn annotate(annotation: Annotation) -> Result<bool, StoreError>;
        reading fn annotations(thread_id: ThreadId) -> Result<Vec<Annotation>, StoreError>;
        writing fn delete_annotation(thread_id: ThreadId, id: String) -> Result<bool, StoreError>;
        reading fn search(search: Search) -> Result<Vec<Found>, StoreError>;
        writing fn put_share(share: Share, audit: NewAudit) -> Result<bool, StoreError>;
        reading fn shares(thread_id: ThreadId) -> Result<Vec<Share>, StoreError>;
        reading fn share(hash: [u8; 32]) -> Result<Option<Share>, StoreError>;
        writing fn delete_share(thread_id: ThreadId, id: String, audit: NewAudit) -> Result<bool, StoreError>;
        writing fn claim(thread_id: ThreadId, holder: String, now: i64, for_ms: i64) -> Result<Lease, ClaimError>;
        writing fn renew(lease: Lease, now: i64, for_ms: i64) -> Result<Lease, LeaseLost>;
        writing fn release(lease: Lease) -> Result<(), StoreError>;
        reading fn note(owner: String, name: String) -> Result<Option<Note>, StoreError>;
        writing fn put_note(note: Note) -> Result<bool, StoreError>;
        writing fn check_writable() -> Result<(), StoreError>;
        writing fn settle() -> Result<(), StoreError>;
    }

    fn epoch(&self, created_at: i64) -> i64 {
        match self.losses.load(Ordering::SeqCst) {
            0 => self.inner.epoch(created_at),
            losses => crate::epoch::epoch(created_at, losses),
        }
    }

    fn watch(&self, thread_id: &ThreadId) -> Watch {
        self.inner.watch(thread_id)
    }

    fn watch_inbox(&self) -> Watch {
        self.inner.watch_inbox()
    }
}
