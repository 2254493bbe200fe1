//! A store in one SQLite file.
//!
//! One thread writes; readers have connections of their own and never wait for it (WAL). What arrives while a
//! commit is under way is committed together by the next one, so the cost of a commit is shared by everyone
//! who waits. The write-ahead log is moved into the database by a third thread: doing it on the writer would
//! make some commits wait a hundred times longer than the others.
//!
//! A commit is written to the operating system before it is acknowledged, so it survives a kill of our
//! process; one that asks for [`Durability::Disk`](crate::Durability) is acknowledged by a fourth thread, which
//! syncs. Other processes may use the same file: the writer looks for their commits while somebody watches.

mod log;
mod block;
mod place;
mod known;
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
mod life;
mod writer;
mod sync;
mod checkpoint;
mod reader;
mod trial;
mod alone;
mod open_file;
mod schema;

use std::{fs::File, path::Path, sync::Arc};

use bytes::Bytes;
use forestage_protocol::id::{InterruptId, RunId, ThreadId};

pub use self::alone::is_in_use;
use self::{checkpoint::Checkpoints, open_file::OpenFile, reader::Readers, sync::Syncer, writer::Writer};
use crate::{
    Annotation, Append, AppendError, AuditEntry, AuditQuery, BoxFuture, ClaimError, Compacted, CreateError,
    Creation, Decide, Decided, Durability, Entry, Found, InterruptQuery, InterruptRecord, Lease, LeaseLost,
    NewAudit, NewThread, Note, OpenError, Page, Rule, RunRecord, Search, Seq, Share, Store, StoreError,
    Tails, Thread, ThreadChange, ThreadQuery, Viewer, Watch, block::body_of,
};

/// So many events at most are tokens that may wait for others.
const FEW: usize = 4;

/// A store in one SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    file: OpenFile,
    writer: Writer,
    readers: Arc<Readers>,
    tails: Arc<Tails>,
    /// How often the end of the log may have been lost.
    incarnation: i64,
}

impl SqliteStore {
    /// Opens a file, or makes it. Commits survive what each asks for.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::open_with(path, Durability::Process).await
    }

    /// The same, with commits that survive at least this.
    pub async fn open_with(path: impl AsRef<Path>, least: Durability) -> Result<Self, OpenError> {
        let path = path.as_ref().to_owned();
        let opened = tokio::task::spawn_blocking(move || {
            Self::open_blocking(&path, least, life::boot_id().as_deref())
        });
        opened.await.map_err(|_| OpenError::Store(StoreError::Closed))?
    }

    fn open_blocking(path: &Path, least: Durability, boot: Option<&str>) -> Result<Self, OpenError> {
        let mut connection = schema::open(path)?;
        let incarnation = life::begin(&mut connection, least, boot).map_err(database)?;
        let mover = schema::connect(path).map_err(database)?;
        let checkpoints = Checkpoints::start(&mut connection, mover).map_err(database)?;
        let syncer =
            Syncer::start(write_ahead_log(path).map_err(|error| StoreError::Database(error.into()))?);
        let tails = Arc::new(Tails::default());
        let file = OpenFile::at(path).map_err(|error| StoreError::Database(error.into()))?;
        Ok(Self {
            file,
            writer: Writer::start(connection, checkpoints, syncer, tails.clone(), least),
            readers: Arc::new(Readers::new(path.to_owned())),
            tails,
            incarnation,
        })
    }

    fn read<T: Send + 'static>(
        &self,
        job: impl FnOnce(&rusqlite::Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, StoreError>> {
        Box::pin(self.readers.clone().run(job))
    }
}

/// The file that commits go to first. SQLite keeps it for as long as one of our connections is open.
fn write_ahead_log(path: &Path) -> std::io::Result<File> {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    File::options().write(true).open(name)
}

fn database(error: rusqlite::Error) -> StoreError {
    StoreError::Database(Box::new(error))
}

impl Store for SqliteStore {
    fn create_thread(&self, thread: NewThread) -> BoxFuture<'_, Result<Thread, CreateError>> {
        let done = self.writer.run(Durability::Disk, move |db| index::create(db, &thread));
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
        let creation = Creation { thread: NewThread { now, ..thread.clone() }, holder, for_ms };
        self.writer.run(Durability::Process, move |db| {
            let added = index::create_held(db, &thread, &creation.lease(), None)?;
            Ok(added.then(|| (thread.thread(), creation.lease())))
        })
    }

    fn thread(&self, id: ThreadId) -> BoxFuture<'_, Result<Option<Thread>, StoreError>> {
        Box::pin(self.readers.clone().glance(move |db| index::get(db, &id)))
    }

    fn threads(&self, query: ThreadQuery) -> BoxFuture<'_, Result<Page<Thread>, StoreError>> {
        self.read(move |db| index::list(db, &query))
    }

    fn search(&self, search: Search) -> BoxFuture<'_, Result<Vec<Found>, StoreError>> {
        SqliteStore::read(self, move |db| utterance::search(db, &search))
    }

    fn update_thread(
        &self,
        id: ThreadId,
        change: ThreadChange,
    ) -> BoxFuture<'_, Result<Option<Thread>, StoreError>> {
        let (tails, moved) = (self.tails.clone(), change.head.is_some());
        let wake = move |_: &Option<Thread>| {
            if moved {
                tails.nudge_inbox();
            }
        };
        self.writer.run_then(Durability::Process, move |db| index::update(db, &id, &change), wake)
    }

    fn delete_thread(&self, id: ThreadId) -> BoxFuture<'_, Result<bool, StoreError>> {
        let (tails, watched) = (self.tails.clone(), id.clone());
        let wake = move |_: &bool| {
            tails.nudge(&watched);
            tails.nudge_inbox();
        };
        self.writer.run_then(Durability::Disk, move |db| index::delete(db, &id), wake)
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Seq, AppendError>> {
        let (tails, watched) = (self.tails.clone(), append.thread_id.clone());
        let inbox = append.concerns_the_inbox();
        let wake = move |appended: &Result<Seq, AppendError>| {
            let Ok(tail) = appended else { return };
            tails.announce(&watched, *tail);
            if inbox {
                tails.nudge_inbox();
            }
        };
        let (durability, body) = (append.durability, body_of(&append));
        let few =
            durability == Durability::Process && append.boundaries.is_empty() && append.events.len() <= FEW;
        let tokens = if few { append.events.len() } else { 0 };
        let job = move |db: &_, known: &mut _| log::append(db, known, &append, &body);
        let done = self.writer.order(durability, tokens, job, wake);
        Box::pin(async move { done.await? })
    }

    fn read(
        &self,
        thread_id: ThreadId,
        after: Seq,
        until: Seq,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Entry>, StoreError>> {
        SqliteStore::read(self, move |db| log::read(db, &thread_id, after, until, limit))
    }

    fn epoch(&self, created_at: i64) -> i64 {
        crate::epoch::epoch(created_at, self.incarnation)
    }

    fn watch(&self, thread_id: &ThreadId) -> Watch {
        let watch = self.tails.watch(thread_id);
        self.writer.look();
        watch
    }

    fn run(
        &self,
        thread_id: ThreadId,
        run_id: RunId,
    ) -> BoxFuture<'_, Result<Option<RunRecord>, StoreError>> {
        Box::pin(self.readers.clone().glance(move |db| run::run(db, &thread_id, &run_id)))
    }

    fn runs(&self, thread_id: ThreadId) -> BoxFuture<'_, Result<Vec<RunRecord>, StoreError>> {
        SqliteStore::read(self, move |db| run::runs(db, &thread_id))
    }

    fn abandoned_runs(&self, now: i64) -> BoxFuture<'_, Result<Vec<RunRecord>, StoreError>> {
        SqliteStore::read(self, move |db| run::abandoned(db, now))
    }

    fn request_cancel(&self, thread_id: ThreadId, run_id: RunId) -> BoxFuture<'_, Result<bool, StoreError>> {
        let (tails, watched) = (self.tails.clone(), thread_id.clone());
        let wake = move |_: &bool| tails.nudge(&watched);
        self.writer.run_then(Durability::Process, move |db| run::stop(db, &thread_id, &run_id), wake)
    }

    fn compact(
        &self,
        thread_id: ThreadId,
        run_id: RunId,
        entries: Vec<Compacted>,
    ) -> BoxFuture<'_, Result<bool, StoreError>> {
        let done = self
            .writer
            .run_aside(Durability::Process, move |db| run::compact(db, &thread_id, &run_id, &entries));
        Box::pin(async move { done.await? })
    }

    fn uncompacted_runs(&self, limit: usize) -> BoxFuture<'_, Result<Vec<RunRecord>, StoreError>> {
        SqliteStore::read(self, move |db| run::uncompacted(db, limit))
    }

    fn put_snapshot(
        &self,
        thread_id: ThreadId,
        run_id: RunId,
        body: Bytes,
    ) -> BoxFuture<'_, Result<bool, StoreError>> {
        self.writer
            .run_aside(Durability::Process, move |db| run::keep_snapshot(db, &thread_id, &run_id, &body))
    }

    fn snapshot(
        &self,
        thread_id: ThreadId,
        run_id: RunId,
    ) -> BoxFuture<'_, Result<Option<Bytes>, StoreError>> {
        SqliteStore::read(self, move |db| run::snapshot(db, &thread_id, &run_id))
    }

    fn interrupts(&self, query: InterruptQuery) -> BoxFuture<'_, Result<Vec<InterruptRecord>, StoreError>> {
        SqliteStore::read(self, move |db| interrupt::list(db, &query))
    }

    fn interrupt(
        &self,
        id: InterruptId,
        viewer: Viewer,
    ) -> BoxFuture<'_, Result<Option<InterruptRecord>, StoreError>> {
        SqliteStore::read(self, move |db| interrupt::newest(db, &id, &viewer))
    }

    fn decide(&self, decide: Decide) -> BoxFuture<'_, Result<Decided, StoreError>> {
        let tails = self.tails.clone();
        let wake = move |decided: &Decided| {
            if matches!(decided, Decided::Decided(_) | Decided::Counted(_)) {
                tails.nudge_inbox();
            }
        };
        self.writer.run_then(Durability::Disk, move |db| decide::decide(db, &decide), wake)
    }

    fn due_interrupts(
        &self,
        now: i64,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<InterruptRecord>, StoreError>> {
        SqliteStore::read(self, move |db| interrupt::due(db, now, limit))
    }

    fn resumable(&self, limit: usize) -> BoxFuture<'_, Result<Vec<ThreadId>, StoreError>> {
        SqliteStore::read(self, move |db| interrupt::resumable(db, limit))
    }

    fn watch_inbox(&self) -> Watch {
        let watch = self.tails.watch_inbox();
        self.writer.look();
        watch
    }

    fn audit(&self, entry: NewAudit) -> BoxFuture<'_, Result<AuditEntry, StoreError>> {
        self.writer.run(Durability::Disk, move |db| audit::add(db, &entry))
    }

    fn audit_trail(&self, query: AuditQuery) -> BoxFuture<'_, Result<Vec<AuditEntry>, StoreError>> {
        SqliteStore::read(self, move |db| audit::trail(db, &query))
    }

    fn rules(&self, owner: String) -> BoxFuture<'_, Result<Vec<Rule>, StoreError>> {
        SqliteStore::read(self, move |db| rule::list(db, &owner))
    }

    fn put_rule(&self, rule: Rule) -> BoxFuture<'_, Result<bool, StoreError>> {
        self.writer.run(Durability::Disk, move |db| rule::put(db, &rule))
    }

    fn delete_rule(
        &self,
        owner: String,
        id: String,
        audit: NewAudit,
    ) -> BoxFuture<'_, Result<bool, StoreError>> {
        self.writer.run(Durability::Disk, move |db| rule::delete(db, &owner, &id, &audit))
    }

    fn annotate(&self, annotation: Annotation) -> BoxFuture<'_, Result<bool, StoreError>> {
        self.writer.run(Durability::Disk, move |db| annotation::put(db, &annotation))
    }

    fn annotations(&self, thread_id: ThreadId) -> BoxFuture<'_, Result<Vec<Annotation>, StoreError>> {
        SqliteStore::read(self, move |db| annotation::list(db, &thread_id))
    }

    fn delete_annotation(&self, thread_id: ThreadId, id: String) -> BoxFuture<'_, Result<bool, StoreError>> {
        self.writer.run(Durability::Disk, move |db| annotation::delete(db, &thread_id, &id))
    }

    fn put_share(&self, share: Share, audit: NewAudit) -> BoxFuture<'_, Result<bool, StoreError>> {
        self.writer.run(Durability::Disk, move |db| share::put(db, &share, &audit))
    }

    fn shares(&self, thread_id: ThreadId) -> BoxFuture<'_, Result<Vec<Share>, StoreError>> {
        SqliteStore::read(self, move |db| share::list(db, &thread_id))
    }

    fn share(&self, hash: [u8; 32]) -> BoxFuture<'_, Result<Option<Share>, StoreError>> {
        Box::pin(self.readers.clone().glance(move |db| share::with_hash(db, &hash)))
    }

    fn delete_share(
        &self,
        thread_id: ThreadId,
        id: String,
        audit: NewAudit,
    ) -> BoxFuture<'_, Result<bool, StoreError>> {
        self.writer.run(Durability::Disk, move |db| share::delete(db, &thread_id, &id, &audit))
    }

    fn claim(
        &self,
        thread_id: ThreadId,
        holder: String,
        now: i64,
        for_ms: i64,
    ) -> BoxFuture<'_, Result<Lease, ClaimError>> {
        let claim = move |db: &_| lease::claim(db, &thread_id, &holder, now, for_ms);
        let done = self.writer.run(Durability::Process, claim);
        Box::pin(async move { done.await? })
    }

    fn renew(&self, lease: Lease, now: i64, for_ms: i64) -> BoxFuture<'_, Result<Lease, LeaseLost>> {
        let done =
            self.writer.run_aside(Durability::Process, move |db| lease::renew(db, &lease, now, for_ms));
        Box::pin(async move { done.await? })
    }

    fn release(&self, lease: Lease) -> BoxFuture<'_, Result<(), StoreError>> {
        self.writer.run(Durability::Process, move |db| lease::release(db, &lease))
    }

    fn note(&self, owner: String, name: String) -> BoxFuture<'_, Result<Option<Note>, StoreError>> {
        SqliteStore::read(self, move |db| note::get(db, &owner, &name))
    }

    fn put_note(&self, note: Note) -> BoxFuture<'_, Result<bool, StoreError>> {
        self.writer.run(Durability::Disk, move |db| note::put(db, &note))
    }

    fn check_writable(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            self.file.check_there().map_err(|error| StoreError::Database(error.into()))?;
            if self.writer.take_failed() {
                self.writer.run_aside(Durability::Disk, trial::write).await?;
                self.writer.run_aside(Durability::Process, trial::remove).await?;
            }
            Ok(())
        })
    }

    fn settle(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            match SqliteStore::read(self, checkpoint::settle).await? {
                true => Ok(()),
                false => Err(StoreError::Unsettled),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn limit(store: &SqliteStore, pages: i64) {
        let limit = move |db: &rusqlite::Connection| db.pragma_update(None, "max_page_count", pages);
        store.writer.run_aside(Durability::Process, limit).await.expect("a limit");
    }

    #[tokio::test]
    async fn a_store_without_room_says_so_until_it_has_room() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(folder.path().join("t.db")).await.expect("a new file");
        limit(&store, 1).await;
        store.check_writable().await.expect("nothing has failed yet, so nothing is tried");
        let note = |name: &str| Note {
            owner: "ann".into(),
            name: name.into(),
            body: vec![7; 100_000].into(),
            version: 0,
        };
        let refused = store.put_note(note("a")).await.expect_err("there is no room");
        assert!(refused.to_string().contains("full"), "{refused}");
        for _ in 0..2 {
            let told = store.check_writable().await.expect_err("there still is no room");
            assert!(told.to_string().contains("full"), "{told}");
        }
        limit(&store, 1_000_000).await;
        store.check_writable().await.expect("there is room");
        assert!(store.put_note(note("a")).await.expect("there is room"));
        let notes = |db: &rusqlite::Connection| {
            db.query_row("SELECT count(*) FROM note", [], |row| row.get::<_, i64>(0))
        };
        assert_eq!(SqliteStore::read(&store, notes).await.expect("readable"), 1, "trials leave nothing");
    }

    /// Opens a file as in a start of the machine with this id.
    fn start(path: &Path, boot: &str) -> SqliteStore {
        SqliteStore::open_blocking(path, Durability::Process, Some(boot)).expect("a file")
    }

    /// The files of a database, as they are now.
    fn files(path: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
        let wal = std::path::PathBuf::from(format!("{}-wal", path.display()));
        [path.to_owned(), wal].map(|file| (file.clone(), std::fs::read(file).expect("readable"))).to_vec()
    }

    /// Waits until the threads of a store that was dropped have closed its files.
    async fn closed(path: &Path) {
        while is_in_use(path).expect("readable") {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }

    async fn say(store: &SqliteStore, fence: crate::Fence, after: u64, text: &'static str) {
        let append = Append::new("t", "r", fence, Seq(after), vec![text.into()]);
        store.append(append).await.expect("it is acknowledged");
    }

    #[tokio::test]
    async fn what_a_loss_of_power_took_is_noticed_by_the_epoch_although_its_numbers_are_used_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.db");
        let store = start(&path, "monday");
        let new = NewThread::new("t", "ann", "hello", 1);
        let claimed = store.create_and_claim(new, "it".to_owned(), 1, 10_000).await.expect("room");
        let fence = claimed.expect("it is new").1.fence;
        let (agent, answers) = ("hello".to_owned(), Vec::new());
        let begin = crate::Boundary::Started { request_hash: 1, agent, parent: None, at: 1, answers };
        let first = Append::new("t", "r", fence, Seq::START, vec!["1".into()]).with_boundary(begin);
        store.append(first).await.expect("it is on the disk");
        let on_disk = files(&path);
        say(&store, fence, 1, "2").await;
        let epoch = store.epoch(1);
        drop(store);
        assert_eq!(start(&path, "monday").epoch(1), epoch, "the end of a process loses nothing");
        closed(&path).await;

        let _ = std::fs::remove_file(format!("{}-shm", path.display()));
        for (file, bytes) in on_disk {
            std::fs::write(file, bytes).expect("writable");
        }
        let store = start(&path, "tuesday");
        assert_eq!(store.thread("t".into()).await.expect("readable").expect("there").tail, Seq(1));
        say(&store, fence, 1, "other").await;
        assert_ne!(store.epoch(1), epoch, "the second event is another one now");
        let epoch = store.epoch(1);
        drop(store);
        assert_eq!(start(&path, "tuesday").epoch(1), epoch);
    }
}
