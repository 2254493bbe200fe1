//! A store in one SQLite file.
//!
//! One thread writes; readers have connections of their own and never wait for it (WAL). What arrives while a
//! commit is under way is committed together by the next one, so the cost of a commit is shared by everyone
//! who waits. The write-ahead log is moved into the database by a third thread: doing it on the writer would
//! make some commits wait a hundred times longer than the others.
//!
//! A commit is written to the operating system before it is acknowledged, so it survives a kill of our
//! process; one that asks for [`Durability::Disk`](crate::Durability) is synced as well.

mod checkpoint;
mod index;
mod lease;
mod log;
mod reader;
mod schema;
mod writer;

use std::{path::Path, sync::Arc};

use forestage_protocol::id::{RunId, ThreadId};

use self::{reader::Readers, writer::Writer};
use crate::{
    Append, AppendError, BoxFuture, ClaimError, CreateError, Durability, Entry, Lease, LeaseLost, NewThread,
    OpenError, Page, RunRecord, Seq, Store, StoreError, Tails, Thread, ThreadChange, ThreadQuery, Watch,
};

/// A store in one SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    writer: Writer,
    readers: Arc<Readers>,
    tails: Tails,
}

impl SqliteStore {
    /// Opens a file, or makes it.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let path = path.as_ref().to_owned();
        let opened = tokio::task::spawn_blocking(move || {
            let connection = schema::open(&path)?;
            let checkpoints = checkpoint::start(schema::connect(&path).map_err(database)?);
            Ok(Self {
                writer: Writer::start(connection, checkpoints),
                readers: Arc::new(Readers::new(path)),
                tails: Tails::default(),
            })
        });
        opened.await.map_err(|_| OpenError::Store(StoreError::Closed))?
    }

    fn read<T: Send + 'static>(
        &self,
        job: impl FnOnce(&rusqlite::Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, StoreError>> {
        let readers = self.readers.clone();
        Box::pin(async move {
            let done = tokio::task::spawn_blocking(move || readers.with(job)).await;
            done.map_err(|_| StoreError::Closed)?.map_err(database)
        })
    }
}

fn database(error: rusqlite::Error) -> StoreError {
    StoreError::Database(Box::new(error))
}

impl Store for SqliteStore {
    fn create_thread(&self, thread: NewThread) -> BoxFuture<'_, Result<Thread, CreateError>> {
        let done = self.writer.run(Durability::Disk, move |db| index::create(db, thread));
        Box::pin(async move { done.await? })
    }

    fn thread(&self, id: ThreadId) -> BoxFuture<'_, Result<Option<Thread>, StoreError>> {
        self.read(move |db| index::get(db, &id))
    }

    fn threads(&self, query: ThreadQuery) -> BoxFuture<'_, Result<Page<Thread>, StoreError>> {
        self.read(move |db| index::list(db, &query))
    }

    fn update_thread(
        &self,
        id: ThreadId,
        change: ThreadChange,
    ) -> BoxFuture<'_, Result<Option<Thread>, StoreError>> {
        self.writer.run(Durability::Process, move |db| index::update(db, &id, &change))
    }

    fn delete_thread(&self, id: ThreadId) -> BoxFuture<'_, Result<bool, StoreError>> {
        self.writer.run(Durability::Disk, move |db| index::delete(db, &id))
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Seq, AppendError>> {
        let thread_id = append.thread_id.clone();
        let done = self.writer.run(append.durability, move |db| log::append(db, &append));
        Box::pin(async move {
            let tail = done.await??;
            self.tails.announce(&thread_id, tail);
            Ok(tail)
        })
    }

    fn read(
        &self,
        thread_id: ThreadId,
        after: Seq,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Entry>, StoreError>> {
        SqliteStore::read(self, move |db| log::read(db, &thread_id, after, limit))
    }

    fn watch(&self, thread_id: &ThreadId) -> Watch {
        self.tails.watch(thread_id)
    }

    fn run(
        &self,
        thread_id: ThreadId,
        run_id: RunId,
    ) -> BoxFuture<'_, Result<Option<RunRecord>, StoreError>> {
        SqliteStore::read(self, move |db| index::run(db, &thread_id, &run_id))
    }

    fn runs(&self, thread_id: ThreadId) -> BoxFuture<'_, Result<Vec<RunRecord>, StoreError>> {
        SqliteStore::read(self, move |db| index::runs(db, &thread_id))
    }

    fn abandoned_runs(&self, now: i64) -> BoxFuture<'_, Result<Vec<RunRecord>, StoreError>> {
        SqliteStore::read(self, move |db| index::abandoned(db, now))
    }

    fn claim(
        &self,
        thread_id: ThreadId,
        holder: String,
        now: i64,
        for_ms: i64,
    ) -> BoxFuture<'_, Result<Lease, ClaimError>> {
        let done =
            self.writer.run(Durability::Process, move |db| lease::claim(db, thread_id, holder, now, for_ms));
        Box::pin(async move { done.await? })
    }

    fn renew(&self, lease: Lease, now: i64, for_ms: i64) -> BoxFuture<'_, Result<Lease, LeaseLost>> {
        let done = self.writer.run(Durability::Process, move |db| lease::renew(db, lease, now, for_ms));
        Box::pin(async move { done.await? })
    }

    fn release(&self, lease: Lease) -> BoxFuture<'_, Result<(), StoreError>> {
        self.writer.run(Durability::Process, move |db| lease::release(db, &lease))
    }
}
