//! A store in a Postgres database, for as many processes on as many machines as it takes.
//!
//! A few tasks write, each with a connection of its own for as long as a commit takes; what arrives while one is under way
//! is committed together by the next one. Readers have connections of their own and never wait for writers. One more
//! connection listens for what other processes have committed.
//!
//! Who may write to a thread is decided under the lock of its row, so two processes never both do. A commit that asks for
//! [`Durability::Disk`](crate::Durability) waits for the server's disk; others are acknowledged when the server has them.

mod log;
mod block;
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
mod lifetime;
mod wake;
mod writer;
mod transaction;
mod pool;
mod address;
mod tls;
mod failure;
mod schema;

use std::sync::Arc;

use bytes::Bytes;
use forestage_protocol::id::{InterruptId, RunId, ThreadId};

use self::{
    address::Address,
    failure::in_time,
    lifetime::Lifetime,
    pool::{PATIENCE, Pool},
    wake::Listener,
    writer::{Office, Terms, WRITERS, Writers},
};
use crate::{
    Annotation, Append, AppendError, AuditEntry, AuditQuery, BoxFuture, ClaimError, Compacted, CreateError,
    Creation, Decide, Decided, Durability, Entry, Found, InterruptQuery, InterruptRecord, Lease, LeaseLost,
    NewAudit, NewThread, Note, OpenError, Page, Rule, RunRecord, Search, Seq, Share, Store, StoreError,
    Tails, Thread, ThreadChange, ThreadQuery, Viewer, Watch, block::body_of,
};

/// So many connections read at most.
const READERS: usize = 8;

/// A store in a Postgres database.
pub struct PostgresStore {
    writers: Writers,
    readers: Arc<Pool>,
    tails: Arc<Tails>,
    /// Which incarnation of the server it is, where that matters: nothing is lost where every commit waits for the disk.
    lifetime: Option<Arc<Lifetime>>,
    _listener: Listener,
}

impl std::fmt::Debug for PostgresStore {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("PostgresStore").finish_non_exhaustive()
    }
}

impl PostgresStore {
    /// Whether a URL could be opened, as far as it can be told without a server.
    pub(crate) fn check_url(url: &str) -> Result<(), OpenError> {
        Address::new(url).map(drop)
    }

    /// Opens the database that a URL names, `postgres://user@host/database`, and makes our tables in it if they are not
    /// there. Its settings are `durability=disk`, which makes every commit survive the machine, `schema=`, where our tables
    /// are (`forestage`), and those of the connection.
    pub async fn open(url: &str) -> Result<Self, OpenError> {
        let address = Arc::new(Address::new(url)?);
        schema::open(&address).await?;
        let tails = Arc::new(Tails::default());
        let listener = Listener::start(address.clone(), tails.clone()).await.map_err(StoreError::from)?;
        let lifetime = Arc::new(Lifetime::default());
        let office = Office {
            pool: Pool::new(address.clone(), WRITERS + 1, lifetime.clone()),
            tails: tails.clone(),
            origin: listener.origin.clone(),
            channel: wake::channel(&address.schema).into(),
            trail: format!("forestage audit {}", address.schema).into(),
        };
        let writers = Writers::start(&office, address.least);
        let least = address.least;
        let readers = Pool::new(address, READERS, lifetime.clone());
        // The incarnation is known before the first place is named.
        readers.take().await.map_err(StoreError::from)?.give_back();
        let lifetime = (least != Durability::Disk).then_some(lifetime);
        Ok(Self { writers, readers, tails, lifetime, _listener: listener })
    }
}

/// Reads on a connection of the readers, and once more on another one if that was lost: reading twice does no harm.
macro_rules! read {
    ($store:ident, $db:ident => $read:expr) => {
        Box::pin(async move {
            let mut again = true;
            loop {
                let lent = $store.readers.take().await?;
                let $db = &*lent.db;
                match in_time("reading", PATIENCE, $read).await {
                    Ok(found) => {
                        lent.give_back();
                        return Ok(found);
                    }
                    Err(failure) if failure.is_lost() && again => {
                        $store.readers.forget();
                        again = false;
                    }
                    Err(failure) => return Err(failure.into()),
                }
            }
        })
    };
}

/// Has a job run by the writers. It may have to be run again, so it gets what it needs as copies.
macro_rules! write {
    ($store:ident, $terms:expr, [$($given:ident),*], $tx:ident => $write:expr) => {
        $store.writers.run($terms, move |$tx| {
            $(let $given = $given.clone();)*
            Box::pin(async move { $write.await })
        })
    };
}

/// A job about a thread or something else, as durable as this.
fn about(what: impl ToString, durability: Durability) -> Terms {
    Terms { about: what.to_string(), durability, audit: false, aside: false }
}

/// A job that has something to say for the audit trail, which is on the disk when it returns.
fn audited(what: impl ToString) -> Terms {
    Terms { audit: true, ..about(what, Durability::Disk) }
}

/// A job that only tidies up.
fn aside(what: impl ToString) -> Terms {
    Terms { aside: true, ..about(what, Durability::Process) }
}

impl Store for PostgresStore {
    fn create_thread(&self, thread: NewThread) -> BoxFuture<'_, Result<Thread, CreateError>> {
        let terms = about(&thread.id, Durability::Disk);
        let done = write!(self, terms, [thread], tx => index::create(&tx, &thread));
        Box::pin(async move { done.await? })
    }

    fn create_and_claim(
        &self,
        thread: NewThread,
        holder: String,
        now: i64,
        for_ms: i64,
    ) -> BoxFuture<'_, Result<Option<(Thread, Lease)>, StoreError>> {
        // The first run follows at once, and its sync covers what was committed before it.
        let terms = about(&thread.id, Durability::Process);
        let lease = Creation { thread: NewThread { now, ..thread.clone() }, holder, for_ms }.lease();
        let (new, held) = (thread.clone(), lease.clone());
        let added = write!(self, terms, [new, held], tx => index::create_held(&tx, &new, &held));
        Box::pin(async move { Ok(added.await?.map(|_| (thread.thread(), lease))) })
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Seq, AppendError>> {
        let terms = Terms { audit: !append.audit.is_empty(), ..about(&append.thread_id, append.durability) };
        let (body, append) = (Arc::new(body_of(&append)), Arc::new(append));
        let done = write!(self, terms, [append, body], tx => log::append(&tx, &append, &body));
        Box::pin(async move { done.await? })
    }

    fn epoch(&self, created_at: i64) -> i64 {
        let incarnation = self.lifetime.as_ref().map_or(0, |lifetime| lifetime.incarnation());
        crate::epoch::epoch(created_at, incarnation)
    }

    fn watch(&self, thread_id: &ThreadId) -> Watch {
        self.tails.watch(thread_id)
    }

    fn watch_inbox(&self) -> Watch {
        self.tails.watch_inbox()
    }

    fn thread(&self, id: ThreadId) -> BoxFuture<'_, Result<Option<Thread>, StoreError>> {
        read!(self, db => index::get(db, &id))
    }

    fn threads(&self, query: ThreadQuery) -> BoxFuture<'_, Result<Page<Thread>, StoreError>> {
        read!(self, db => index::list(db, &query))
    }

    fn search(&self, search: Search) -> BoxFuture<'_, Result<Vec<Found>, StoreError>> {
        read!(self, db => utterance::search(db, &search))
    }

    fn update_thread(
        &self,
        id: ThreadId,
        change: ThreadChange,
    ) -> BoxFuture<'_, Result<Option<Thread>, StoreError>> {
        let terms = about(&id, Durability::Process);
        write!(self, terms, [id, change], tx => index::update(&tx, &id, &change))
    }

    fn delete_thread(&self, id: ThreadId) -> BoxFuture<'_, Result<bool, StoreError>> {
        let terms = about(&id, Durability::Disk);
        write!(self, terms, [id], tx => index::delete(&tx, &id))
    }

    fn read(
        &self,
        thread_id: ThreadId,
        after: Seq,
        until: Seq,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Entry>, StoreError>> {
        read!(self, db => log::read(db, &thread_id, after, until, limit))
    }

    fn run(
        &self,
        thread_id: ThreadId,
        run_id: RunId,
    ) -> BoxFuture<'_, Result<Option<RunRecord>, StoreError>> {
        read!(self, db => run::run(db, &thread_id, &run_id))
    }

    fn runs(&self, thread_id: ThreadId) -> BoxFuture<'_, Result<Vec<RunRecord>, StoreError>> {
        read!(self, db => run::runs(db, &thread_id))
    }

    fn abandoned_runs(&self, now: i64) -> BoxFuture<'_, Result<Vec<RunRecord>, StoreError>> {
        read!(self, db => run::abandoned(db, now))
    }

    fn request_cancel(&self, thread_id: ThreadId, run_id: RunId) -> BoxFuture<'_, Result<bool, StoreError>> {
        let terms = about(&thread_id, Durability::Process);
        write!(self, terms, [thread_id, run_id], tx => run::stop(&tx, &thread_id, &run_id))
    }

    fn compact(
        &self,
        thread_id: ThreadId,
        run_id: RunId,
        entries: Vec<Compacted>,
    ) -> BoxFuture<'_, Result<bool, StoreError>> {
        let (terms, entries) = (aside(&thread_id), Arc::new(entries));
        let done = write!(self, terms, [thread_id, run_id, entries], tx => run::compact(&tx, &thread_id, &run_id, &entries));
        Box::pin(async move { done.await? })
    }

    fn uncompacted_runs(&self, limit: usize) -> BoxFuture<'_, Result<Vec<RunRecord>, StoreError>> {
        read!(self, db => run::uncompacted(db, limit))
    }

    fn put_snapshot(
        &self,
        thread_id: ThreadId,
        run_id: RunId,
        body: Bytes,
    ) -> BoxFuture<'_, Result<bool, StoreError>> {
        let terms = aside(&thread_id);
        write!(self, terms, [thread_id, run_id, body], tx => run::keep_snapshot(&tx, &thread_id, &run_id, &body))
    }

    fn snapshot(
        &self,
        thread_id: ThreadId,
        run_id: RunId,
    ) -> BoxFuture<'_, Result<Option<Bytes>, StoreError>> {
        read!(self, db => run::snapshot(db, &thread_id, &run_id))
    }

    fn interrupts(&self, query: InterruptQuery) -> BoxFuture<'_, Result<Vec<InterruptRecord>, StoreError>> {
        read!(self, db => interrupt::list(db, &query))
    }

    fn interrupt(
        &self,
        id: InterruptId,
        viewer: Viewer,
    ) -> BoxFuture<'_, Result<Option<InterruptRecord>, StoreError>> {
        read!(self, db => interrupt::newest(db, &id, &viewer))
    }

    fn decide(&self, decide: Decide) -> BoxFuture<'_, Result<Decided, StoreError>> {
        let terms = Terms { audit: !decide.audit.is_empty(), ..about(&decide.thread_id, Durability::Disk) };
        write!(self, terms, [decide], tx => decide::decide(&tx, &decide))
    }

    fn due_interrupts(
        &self,
        now: i64,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<InterruptRecord>, StoreError>> {
        read!(self, db => interrupt::due(db, now, limit))
    }

    fn resumable(&self, limit: usize) -> BoxFuture<'_, Result<Vec<ThreadId>, StoreError>> {
        read!(self, db => interrupt::resumable(db, limit))
    }

    fn audit(&self, entry: NewAudit) -> BoxFuture<'_, Result<AuditEntry, StoreError>> {
        write!(self, audited(""), [entry], tx => async { Ok(tx.seal(&entry)) })
    }

    fn audit_trail(&self, query: AuditQuery) -> BoxFuture<'_, Result<Vec<AuditEntry>, StoreError>> {
        read!(self, db => audit::trail(db, &query))
    }

    fn rules(&self, owner: String) -> BoxFuture<'_, Result<Vec<Rule>, StoreError>> {
        read!(self, db => rule::list(db, &owner))
    }

    fn put_rule(&self, rule: Rule) -> BoxFuture<'_, Result<bool, StoreError>> {
        let terms = about(format!("{} {}", rule.owner, rule.id), Durability::Disk);
        write!(self, terms, [rule], tx => rule::put(&tx, &rule))
    }

    fn delete_rule(
        &self,
        owner: String,
        id: String,
        audit: NewAudit,
    ) -> BoxFuture<'_, Result<bool, StoreError>> {
        let terms = audited(format!("{owner} {id}"));
        write!(self, terms, [owner, id, audit], tx => rule::delete(&tx, &owner, &id, &audit))
    }

    fn annotate(&self, annotation: Annotation) -> BoxFuture<'_, Result<bool, StoreError>> {
        let terms = about(&annotation.thread_id, Durability::Disk);
        write!(self, terms, [annotation], tx => annotation::put(&tx, &annotation))
    }

    fn annotations(&self, thread_id: ThreadId) -> BoxFuture<'_, Result<Vec<Annotation>, StoreError>> {
        read!(self, db => annotation::list(db, &thread_id))
    }

    fn delete_annotation(&self, thread_id: ThreadId, id: String) -> BoxFuture<'_, Result<bool, StoreError>> {
        let terms = about(&thread_id, Durability::Disk);
        write!(self, terms, [thread_id, id], tx => annotation::delete(&tx, &thread_id, &id))
    }

    fn put_share(&self, share: Share, audit: NewAudit) -> BoxFuture<'_, Result<bool, StoreError>> {
        let terms = audited(&share.thread_id);
        write!(self, terms, [share, audit], tx => share::put(&tx, &share, &audit))
    }

    fn shares(&self, thread_id: ThreadId) -> BoxFuture<'_, Result<Vec<Share>, StoreError>> {
        read!(self, db => share::list(db, &thread_id))
    }

    fn share(&self, hash: [u8; 32]) -> BoxFuture<'_, Result<Option<Share>, StoreError>> {
        read!(self, db => share::with_hash(db, &hash))
    }

    fn delete_share(
        &self,
        thread_id: ThreadId,
        id: String,
        audit: NewAudit,
    ) -> BoxFuture<'_, Result<bool, StoreError>> {
        let terms = audited(&thread_id);
        write!(self, terms, [thread_id, id, audit], tx => share::delete(&tx, &thread_id, &id, &audit))
    }

    fn claim(
        &self,
        thread_id: ThreadId,
        holder: String,
        now: i64,
        for_ms: i64,
    ) -> BoxFuture<'_, Result<Lease, ClaimError>> {
        let terms = about(&thread_id, Durability::Process);
        let done = write!(self, terms, [thread_id, holder], tx => lease::claim(&tx, &thread_id, &holder, now, for_ms));
        Box::pin(async move { done.await? })
    }

    fn renew(&self, lease: Lease, now: i64, for_ms: i64) -> BoxFuture<'_, Result<Lease, LeaseLost>> {
        let terms = about(&lease.thread_id, Durability::Process);
        let done = write!(self, terms, [lease], tx => lease::renew(&tx, &lease, now, for_ms));
        Box::pin(async move { done.await? })
    }

    fn release(&self, lease: Lease) -> BoxFuture<'_, Result<(), StoreError>> {
        let terms = about(&lease.thread_id, Durability::Process);
        write!(self, terms, [lease], tx => lease::release(&tx, &lease))
    }

    fn note(&self, owner: String, name: String) -> BoxFuture<'_, Result<Option<Note>, StoreError>> {
        read!(self, db => note::get(db, &owner, &name))
    }

    fn put_note(&self, note: Note) -> BoxFuture<'_, Result<bool, StoreError>> {
        let terms = about(format!("{} {}", note.owner, note.name), Durability::Disk);
        write!(self, terms, [note], tx => note::put(&tx, &note))
    }
}
