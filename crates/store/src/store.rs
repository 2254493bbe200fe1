//! The contract of a store.

use std::{pin::Pin, sync::Arc};

use forestage_protocol::id::{RunId, ThreadId};

use crate::{
    Append, AppendError, ClaimError, CreateError, Entry, Lease, LeaseLost, NewThread, OpenError, Page,
    RunRecord, Seq, StoreError, Thread, ThreadChange, ThreadQuery, Watch, memory::MemoryStore,
    sqlite::SqliteStore,
};

/// A future that can be kept in a box, since stores are chosen at run time.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Where threads live. Any number of tasks may use a store at once.
///
/// # Order
///
/// A log is a row of entries numbered from 1 without gaps:
///
/// ```text
///  seq     1     2     3     4     5
///        ┌─────┬─────┬─────┬─────┬─────┐
///        │     │     │     │     │     │ <── append(after: 5)
///        └─────┴─────┴─────┴─────┴─────┘
///            read(after: 2) ──> 3, 4, 5     tail = 5
/// ```
///
/// An append is in the log as a whole or not at all. Who has seen entry `n` can read every entry up to `n`
/// again, the same bytes under the same numbers, for as long as the thread exists.
///
/// # Durability
///
/// When `append` returns, its events survive what its [`Durability`](crate::Durability) names. Until then no
/// reader sees them. Later appends never survive what earlier ones do not.
///
/// # Fencing
///
/// At most one [`Lease`] of a thread counts, the one with the highest fence. Appends carry a fence; an older
/// one is refused, whether or not the newer holder has written yet. An expired lease still counts until
/// somebody claims the thread.
///
/// # Idempotency
///
/// An append that is already in the log, the same events at the same place, succeeds again and changes
/// nothing: a writer that did not hear the answer may ask again.
///
/// # Waking
///
/// [`watch`](Store::watch) tells that a log may have grown. A wake-up may be late, may come for nothing and may
/// stand for several appends, but after the last append one comes. Readers read on from their own place, so
/// nothing depends on counting wake-ups.
///
/// # Cancellation
///
/// Dropping a future may leave its effect in the store or not; it never leaves half of it.
pub trait Store: Send + Sync + 'static {
    /// Adds a thread with an empty log. An id is used once, whoever asks.
    fn create_thread(&self, thread: NewThread) -> BoxFuture<'_, Result<Thread, CreateError>>;

    /// The entry of a thread.
    fn thread(&self, id: ThreadId) -> BoxFuture<'_, Result<Option<Thread>, StoreError>>;

    /// Threads of one owner, the one that changed last first.
    fn threads(&self, query: ThreadQuery) -> BoxFuture<'_, Result<Page<Thread>, StoreError>>;

    /// Changes the entry of a thread; nothing if there is none.
    fn update_thread(
        &self,
        id: ThreadId,
        change: ThreadChange,
    ) -> BoxFuture<'_, Result<Option<Thread>, StoreError>>;

    /// Removes a thread with its log, its runs and its lease. Says whether there was one.
    fn delete_thread(&self, id: ThreadId) -> BoxFuture<'_, Result<bool, StoreError>>;

    /// Adds events to a log and returns its new end. `now` of the thread's entry is not touched by it.
    fn append(&self, append: Append) -> BoxFuture<'_, Result<Seq, AppendError>>;

    /// Entries behind a place, in order, at most `limit` and possibly fewer; none means the end is reached, or
    /// that there is no such thread.
    fn read(
        &self,
        thread_id: ThreadId,
        after: Seq,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Entry>, StoreError>>;

    /// Wake-ups for a thread, from now on. The thread need not exist yet.
    fn watch(&self, thread_id: &ThreadId) -> Watch;

    /// The record of a run.
    fn run(&self, thread_id: ThreadId, run_id: RunId)
    -> BoxFuture<'_, Result<Option<RunRecord>, StoreError>>;

    /// The runs of a thread, first first.
    fn runs(&self, thread_id: ThreadId) -> BoxFuture<'_, Result<Vec<RunRecord>, StoreError>>;

    /// Runs that have begun and not ended, on threads whose lease has expired by `now` or was never taken: those
    /// that somebody has to close.
    fn abandoned_runs(&self, now: i64) -> BoxFuture<'_, Result<Vec<RunRecord>, StoreError>>;

    /// Claims a thread until `now + for_ms`. The fence is higher than any before it on this thread.
    fn claim(
        &self,
        thread_id: ThreadId,
        holder: String,
        now: i64,
        for_ms: i64,
    ) -> BoxFuture<'_, Result<Lease, ClaimError>>;

    /// Prolongs a lease until `now + for_ms`, if it still counts.
    fn renew(&self, lease: Lease, now: i64, for_ms: i64) -> BoxFuture<'_, Result<Lease, LeaseLost>>;

    /// Gives a lease back. One that no longer counts is none, and that is fine.
    fn release(&self, lease: Lease) -> BoxFuture<'_, Result<(), StoreError>>;
}

/// Opens the store that a URL names: `memory:`, or `sqlite:` with a path.
pub async fn open(url: &str) -> Result<Arc<dyn Store>, OpenError> {
    match url.split_once(':') {
        Some(("memory", _)) => Ok(Arc::new(MemoryStore::default())),
        Some(("sqlite", path)) => Ok(Arc::new(SqliteStore::open(path.trim_start_matches("//")).await?)),
        _ => Err(OpenError::UnknownScheme(url.to_owned())),
    }
}
