//! The thread that writes: whatever waits is committed together.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::oneshot;

use super::{
    checkpoint::Checkpoints,
    database,
    known::{Known, data_version},
    sync::Syncer,
};
use crate::{BoxFuture, Durability, StoreError, Tails};

/// So many jobs share a commit at most, so that nobody waits for ever longer ones.
const MAX_GROUP: usize = 1024;

/// When so many jobs came together that share something, a sync or the cost of a commit that is larger than theirs, there is
/// a crowd. Then commits are this far apart for as long as more are coming: more jobs share the next one, and nobody notices
/// three milliseconds. Who is alone never waits.
const CROWD: usize = 8;
const PAUSE: Duration = Duration::from_millis(3);

/// So often it is looked whether more are coming.
const MOMENT: Duration = Duration::from_micros(250);

/// The larger the crowd, the longer its tokens wait for each other, while what begins, ends or decides something does not:
/// so long for every token in a second, up to a time that still looks like typing.
const PATIENCE_PER_RATE: Duration = Duration::from_nanos(500);
const MAX_PATIENCE: Duration = Duration::from_millis(25);

/// So often it looks whether another process has written, while somebody here watches.
const GLANCE: Duration = Duration::from_millis(50);

/// A piece of work in a transaction. It may be run again after a rollback, and is answered once.
pub(super) trait Job: Send {
    fn run(&mut self, db: &Connection, known: &mut Known) -> rusqlite::Result<()>;
    /// How many tokens it is, if it is a few and nothing else.
    fn tokens(&self) -> usize;
    fn answer(self: Box<Self>, committed: Result<(), StoreError>);
}

enum Order {
    Job(Durability, Box<dyn Job>),
    /// Somebody watches, so begin to look at what others write.
    Look,
}

/// Hands jobs to the thread that writes. The thread ends when this is dropped.
#[derive(Debug)]
pub(super) struct Writer {
    orders: Sender<Order>,
    /// How many jobs were handed in.
    handed_in: Arc<AtomicU64>,
    /// What every commit has to survive at least.
    least: Durability,
    /// Whether a commit has failed since somebody asked.
    failed: Arc<AtomicBool>,
}

impl Writer {
    pub(super) fn start(
        connection: Connection,
        checkpoints: Checkpoints,
        syncer: Syncer,
        tails: Arc<Tails>,
        least: Durability,
    ) -> Self {
        let (orders, queue) = mpsc::channel();
        let handed_in = Arc::new(AtomicU64::new(0));
        let seen = data_version(&connection);
        let now = Instant::now();
        let desk = Desk {
            connection,
            checkpoints,
            syncer,
            tails,
            seen,
            looked: now,
            woken: now,
            crowded: false,
            handed_in: handed_in.clone(),
            tokens: Tokens::new(now),
            known: Known::default(),
        };
        thread::Builder::new()
            .name("forestage-writer".to_owned())
            .spawn(move || desk.work(&queue))
            .expect("the system has room for a thread");
        Self { orders, handed_in, least, failed: Arc::default() }
    }

    /// Begins to look at what other processes write, for as long as somebody watches.
    pub(super) fn look(&self) {
        let _ = self.orders.send(Order::Look);
    }

    /// Whether a commit has failed since this was asked last. One that fails later is told the next time.
    pub(super) fn take_failed(&self) -> bool {
        self.failed.swap(false, Ordering::Relaxed)
    }

    /// Runs a job and waits until its commit is as durable as asked. A job that fails leaves nothing behind and
    /// does not harm the others of its group.
    pub(super) fn run<T: Send + 'static>(
        &self,
        durability: Durability,
        job: impl FnMut(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, StoreError>> {
        self.run_then(durability, job, |_| ())
    }

    /// The same, and calls `then` after the commit, even if nobody waits for the answer any more.
    pub(super) fn run_then<T: Send + 'static>(
        &self,
        durability: Durability,
        mut job: impl FnMut(&Connection) -> rusqlite::Result<T> + Send + 'static,
        then: impl FnOnce(&T) + Send + 'static,
    ) -> BoxFuture<'static, Result<T, StoreError>> {
        let job = move |db: &Connection, known: &mut Known| {
            known.forget_all();
            job(db)
        };
        self.order(durability, 0, job, then)
    }

    /// The same for a job that leaves alone where threads grow, such as one that tidies up what is over.
    pub(super) fn run_aside<T: Send + 'static>(
        &self,
        durability: Durability,
        mut job: impl FnMut(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, StoreError>> {
        self.order(durability, 0, move |db: &Connection, _: &mut Known| job(db), |_| ())
    }

    /// The same for one that knows where threads grow. It says how many tokens it is, if it is a few and nothing else.
    pub(super) fn order<T: Send + 'static>(
        &self,
        durability: Durability,
        tokens: usize,
        job: impl FnMut(&Connection, &mut Known) -> rusqlite::Result<T> + Send + 'static,
        then: impl FnOnce(&T) + Send + 'static,
    ) -> BoxFuture<'static, Result<T, StoreError>> {
        let (sender, receiver) = oneshot::channel();
        let task = Task { tokens, job, then, sender, result: None, failed: self.failed.clone() };
        self.handed_in.fetch_add(1, Ordering::Relaxed);
        let _ = self.orders.send(Order::Job(durability.max(self.least), Box::new(task)));
        Box::pin(async move { receiver.await.unwrap_or(Err(StoreError::Closed)) })
    }
}

struct Task<T, J, A> {
    tokens: usize,
    job: J,
    then: A,
    sender: oneshot::Sender<Result<T, StoreError>>,
    result: Option<T>,
    failed: Arc<AtomicBool>,
}

impl<T, J, A> Job for Task<T, J, A>
where
    T: Send,
    J: FnMut(&Connection, &mut Known) -> rusqlite::Result<T> + Send,
    A: FnOnce(&T) + Send,
{
    fn run(&mut self, db: &Connection, known: &mut Known) -> rusqlite::Result<()> {
        self.result = Some((self.job)(db, known)?);
        Ok(())
    }

    fn tokens(&self) -> usize {
        self.tokens
    }

    fn answer(self: Box<Self>, committed: Result<(), StoreError>) {
        let Self { then, sender, result, failed, .. } = *self;
        if committed.is_err() {
            failed.store(true, Ordering::Relaxed);
        }
        let result = committed.and_then(|()| result.ok_or(StoreError::Closed));
        if let Ok(value) = &result {
            then(value);
        }
        // Whoever asked may have gone; the work is done all the same.
        let _ = sender.send(result);
    }
}

type Group = Vec<(Durability, Box<dyn Job>)>;

/// What the thread has before it.
struct Desk {
    connection: Connection,
    checkpoints: Checkpoints,
    syncer: Syncer,
    tails: Arc<Tails>,
    /// SQLite's number for the last foreign commit we know of.
    seen: Option<i64>,
    looked: Instant,
    woken: Instant,
    /// Whether many came together the last time.
    crowded: bool,
    handed_in: Arc<AtomicU64>,
    tokens: Tokens,
    known: Known,
}

/// Tokens that wait for others to share their commit.
struct Tokens {
    waiting: Group,
    patience: Duration,
    committed: Instant,
}

impl Tokens {
    fn new(now: Instant) -> Self {
        Self { waiting: Group::new(), patience: Duration::ZERO, committed: now }
    }

    /// How long until they are committed, if there are any.
    fn due(&self) -> Option<Duration> {
        (!self.waiting.is_empty()).then(|| self.patience.saturating_sub(self.committed.elapsed()))
    }

    /// All of them, if their time has come.
    fn take(&mut self) -> Group {
        let gathered = self.committed.elapsed();
        if gathered < self.patience {
            return Group::new();
        }
        let tokens: usize = self.waiting.iter().map(|(_, job)| job.tokens()).sum();
        let rate = tokens as f64 / gathered.max(PAUSE).as_secs_f64();
        self.patience = match self.waiting.len() {
            ..CROWD => Duration::ZERO,
            _ => PATIENCE_PER_RATE.mul_f64(rate).min(MAX_PATIENCE),
        };
        self.committed = Instant::now();
        std::mem::take(&mut self.waiting)
    }
}

impl Desk {
    fn work(mut self, queue: &Receiver<Order>) {
        loop {
            match self.next(queue) {
                Ok(Order::Job(durability, job)) => {
                    self.let_others_join();
                    let group = group((durability, job), queue);
                    self.woken = Instant::now();
                    self.take_up(group);
                }
                Ok(Order::Look) | Err(RecvTimeoutError::Timeout) => self.take_up(Group::new()),
                Err(RecvTimeoutError::Disconnected) => return self.finish(),
            }
            if self.looked.elapsed() >= GLANCE {
                self.look();
            }
        }
    }

    /// The next order, or a timeout when it is time to look or to commit what waits.
    fn next(&self, queue: &Receiver<Order>) -> Result<Order, RecvTimeoutError> {
        let look = self.tails.has_watchers().then(|| GLANCE.saturating_sub(self.looked.elapsed()));
        match look.into_iter().chain(self.tokens.due()).min() {
            Some(time) => queue.recv_timeout(time),
            None => queue.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    /// Commits what is there, without the tokens that still wait for others.
    fn take_up(&mut self, group: Group) {
        self.crowded = group.iter().filter(|(durability, job)| shares(*durability, &**job)).count() >= CROWD;
        let (tokens, mut group): (Group, Group) = group.into_iter().partition(|(_, job)| job.tokens() > 0);
        self.tokens.waiting.extend(tokens);
        group.extend(self.tokens.take());
        if !group.is_empty() {
            self.commit(group);
        }
    }

    fn finish(mut self) {
        let waiting = std::mem::take(&mut self.tokens.waiting);
        if !waiting.is_empty() {
            self.commit(waiting);
        }
    }

    /// Waits while more are coming, and not for those who wait for us: whoever needs an answer to go on hands in nothing
    /// meanwhile.
    fn let_others_join(&self) {
        let handed_in = || self.handed_in.load(Ordering::Relaxed);
        let mut before = handed_in();
        while self.crowded && self.woken.elapsed() < PAUSE {
            thread::sleep(MOMENT);
            let now = handed_in();
            if now == before {
                return;
            }
            before = now;
        }
    }

    /// Wakes everybody if another process has written. Our own commits do not count, since they are made on
    /// this connection.
    fn look(&mut self) {
        self.looked = Instant::now();
        self.tails.forget_unwatched();
        let version = data_version(&self.connection);
        if self.seen != version {
            self.seen = version;
            self.tails.nudge_all();
        }
    }

    fn commit(&mut self, mut group: Group) {
        let committed = self.transact(&mut group);
        if committed.is_err() {
            self.known.forget_all();
        }
        match committed {
            Ok(()) => self.settle(group),
            // One of them failed and took the others with it, so each gets a commit of its own.
            Err(_) if group.len() > 1 => group.into_iter().for_each(|job| self.commit(vec![job])),
            Err(error) => {
                if let Some((_, job)) = group.pop() {
                    job.answer(Err(database(error)));
                }
            }
        }
    }

    fn transact(&mut self, group: &mut Group) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        self.known.begin(&transaction);
        for (_, job) in group {
            job.run(&transaction, &mut self.known)?;
        }
        transaction.commit()
    }

    /// Answers what is durable enough, and hands the rest to the thread that syncs.
    fn settle(&self, group: Group) {
        self.checkpoints.after_commit(&self.connection);
        for (durability, job) in group {
            match durability {
                Durability::Process => job.answer(Ok(())),
                Durability::Disk => self.syncer.settle(job),
            }
        }
    }
}

/// Whether a job gains by a commit with others. One of many events that need no sync is worth a commit by itself.
fn shares(durability: Durability, job: &dyn Job) -> bool {
    durability == Durability::Disk || job.tokens() > 0
}

fn group(first: (Durability, Box<dyn Job>), queue: &Receiver<Order>) -> Group {
    let waiting = queue.try_iter().filter_map(|order| match order {
        Order::Job(durability, job) => Some((durability, job)),
        Order::Look => None,
    });
    std::iter::once(first).chain(waiting.take(MAX_GROUP - 1)).collect()
}

#[cfg(test)]
mod tests {
    use std::{fs::File, path::Path};

    use super::*;
    use crate::sqlite::{schema, write_ahead_log};

    fn writer(path: &Path) -> Writer {
        let mut connection = schema::open(path).expect("a new file");
        let log = write_ahead_log(path).expect("a file");
        writer_on(path, &mut connection, log, Durability::Process)
    }

    /// A writer that takes another file for the one to be synced.
    fn writer_on(path: &Path, connection: &mut Connection, log: File, least: Durability) -> Writer {
        let mover = schema::connect(path).expect("a file");
        let checkpoints = Checkpoints::start(connection, mover).expect("a file");
        let connection = std::mem::replace(connection, schema::connect(path).expect("a file"));
        Writer::start(connection, checkpoints, Syncer::start(log), Arc::new(Tails::default()), least)
    }

    /// A file that cannot be synced.
    #[cfg(target_os = "linux")]
    fn pipe() -> (std::io::PipeReader, File) {
        let (reader, pipe) = std::io::pipe().expect("a pipe");
        (reader, File::from(std::os::fd::OwnedFd::from(pipe)))
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn what_has_to_survive_the_machine_is_not_acknowledged_before_it_is_synced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.db");
        let mut connection = schema::open(&path).expect("a new file");
        let (_reader, log) = pipe();
        let writer = writer_on(&path, &mut connection, log, Durability::Process);
        let nothing = |_: &Connection| Ok(());
        writer.run(Durability::Process, nothing).await.expect("it waits for no disk");
        assert!(!writer.take_failed());
        let refused = writer.run(Durability::Disk, nothing).await.expect_err("the disk does not have it");
        assert!(refused.to_string().contains("sync") && writer.take_failed(), "{refused}");
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn where_everything_has_to_survive_the_machine_nothing_is_acknowledged_before_it_is_synced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.db");
        let mut connection = schema::open(&path).expect("a new file");
        let (_reader, log) = pipe();
        let writer = writer_on(&path, &mut connection, log, Durability::Disk);
        let told = Arc::new(AtomicBool::new(false));
        let then = told.clone();
        let added =
            writer.run_then(Durability::Process, |_| Ok(()), move |()| then.store(true, Ordering::Relaxed));
        added.await.expect_err("the disk does not have it");
        assert!(!told.load(Ordering::Relaxed), "and nobody is woken for it");
    }

    fn add(writer: &Writer, key: i64) -> BoxFuture<'static, Result<usize, StoreError>> {
        writer.run(Durability::Process, move |db| {
            db.execute("INSERT INTO fresh (thread, last, block) VALUES (?1, 0, 0)", [key])
        })
    }

    struct Words(usize);

    impl Job for Words {
        fn run(&mut self, _: &Connection, _: &mut Known) -> rusqlite::Result<()> {
            Ok(())
        }

        fn tokens(&self) -> usize {
            self.0
        }

        fn answer(self: Box<Self>, _: Result<(), StoreError>) {}
    }

    fn words(jobs: usize) -> Group {
        (0..jobs).map(|_| (Durability::Process, Box::new(Words(2)) as Box<dyn Job>)).collect()
    }

    #[test]
    fn the_tokens_of_a_crowd_wait_for_each_other_and_those_of_a_few_do_not() {
        let before = |time| Instant::now().checked_sub(time).expect("the machine has run for a while");
        let mut tokens = Tokens::new(before(Duration::from_millis(10)));
        tokens.waiting = words(CROWD - 1);
        assert_eq!((tokens.take().len(), tokens.patience), (CROWD - 1, Duration::ZERO));
        tokens.committed = before(Duration::from_millis(10));
        tokens.waiting = words(1000);
        assert_eq!(tokens.take().len(), 1000);
        assert_eq!(tokens.patience, MAX_PATIENCE, "two hundred thousand in a second");
        tokens.waiting = words(3);
        tokens.patience = Duration::from_secs(3600);
        assert!(tokens.take().is_empty() && tokens.due() > Some(Duration::from_secs(3500)));
        tokens.committed = before(Duration::from_millis(10));
        tokens.patience = MAX_PATIENCE.min(Duration::from_millis(9));
        assert_eq!((tokens.take().len(), tokens.due()), (3, None));
    }

    #[tokio::test]
    async fn what_waits_for_others_is_committed_when_nobody_comes_any_more() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.db");
        let writer = writer(&path);
        let word = |key: i64| {
            let job = move |db: &Connection, _: &mut Known| {
                db.execute("INSERT INTO fresh (thread, last, block) VALUES (?1, 0, 0)", [key])
            };
            writer.order(Durability::Process, 1000, job, |_| ())
        };
        let crowd = CROWD as i64 * 4;
        // The first crowd makes the second one wait.
        let mut added = 0;
        for word in (0..crowd).map(word).collect::<Vec<_>>() {
            added += word.await.expect("committed");
        }
        let waiting: Vec<_> = (crowd..2 * crowd).map(word).collect();
        drop(writer);
        for word in waiting {
            added += word.await.expect("committed");
        }
        let db = schema::connect(&path).expect("a file");
        let kept: i64 = db.query_row("SELECT count(*) FROM fresh", [], |row| row.get(0)).expect("readable");
        assert_eq!((added as i64, kept), (2 * crowd, 2 * crowd));
    }

    #[tokio::test]
    async fn a_job_that_fails_does_not_harm_its_group() {
        let folder = tempfile::tempdir().expect("a folder");
        let writer = writer(&folder.path().join("t.db"));
        // The first job holds the writer up, so that the others become one group.
        let (hold, held) = mpsc::channel::<()>();
        let first = writer.run(Durability::Process, move |_| Ok(held.recv().is_err()));
        let (one, twice, two) = (add(&writer, 1), add(&writer, 1), add(&writer, 2));
        let half = writer.run(Durability::Process, |db| {
            db.execute("INSERT INTO fresh (thread, last, block) VALUES (3, 0, 0)", [])?;
            db.execute("no such statement", [])
        });
        drop(hold);
        assert!(first.await.expect("committed"));
        assert_eq!((one.await.expect("committed"), two.await.expect("committed")), (1, 1));
        assert!(twice.await.is_err() && half.await.is_err());
        let count =
            |db: &Connection| db.query_row("SELECT count(*) FROM fresh", [], |row| row.get::<_, i64>(0));
        assert_eq!(writer.run(Durability::Disk, count).await.expect("readable"), 2);
    }
}
