//! Moving the write-ahead log into the database.
//!
//! A thread of its own does it, since on the writer it would make some commits wait a hundred times longer than
//! others. But the log can only begin anew once all of it has been moved, and a writer that never pauses is always
//! a little ahead of that thread. So when the log has become long, the writer moves the last few pages itself, right
//! after the thread has moved all the others.
//!
//! Whoever copies the database of a server that rests shall find everything in it. So the thread also moves what there
//! is when nothing was committed for a while, and tries again where a reader held some of it.

use std::{
    cell::Cell,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use rusqlite::Connection;

/// So many more pages in the log make it worth while to move them: 16 MB.
const STEP: u32 = 4096;

/// With so many pages the log has to begin anew: 64 MB.
const LONG: u32 = 16_384;

/// A store without a commit for so long rests.
const REST: Duration = Duration::from_secs(1);

/// How long readers and other checkpoints may hold up the move of everything, and how long it waits for each of them.
const PATIENCE: Duration = Duration::from_secs(3);
const TURN: Duration = Duration::from_millis(500);

/// Watches over the length of the log, on the writer. The thread ends when this is dropped.
#[derive(Debug)]
pub(super) struct Checkpoints {
    wake: Sender<Wake>,
    /// How many it had when the thread was woken last.
    woken_at: Cell<u32>,
    shared: Arc<Shared>,
}

/// What the writer and the thread tell each other.
#[derive(Debug, Default)]
struct Shared {
    /// How many pages the log has since it began anew.
    pages: AtomicU32,
    /// How often was committed.
    commits: AtomicU64,
    /// Whether the thread has moved pages since the writer looked last.
    moved: AtomicBool,
    /// Whether there may be pages to move, and the thread knows.
    behind: AtomicBool,
}

/// Why the thread is woken.
enum Wake {
    /// The log has grown so much that it is worth while.
    Grown,
    /// The log has pages again, which are to be moved when the store rests.
    Begun,
}

impl Checkpoints {
    /// Watches over the commits of one connection, and moves pages with another.
    pub(super) fn start(writer: &mut Connection, mover: Connection) -> rusqlite::Result<Self> {
        let (wake, due) = mpsc::channel();
        let shared = Arc::new(Shared::default());
        let (counted, seen) = (shared.clone(), shared.clone());
        writer.wal_hook(Some(move |_: &mut _, pages| {
            counted.pages.store(u32::try_from(pages).unwrap_or_default(), Ordering::Relaxed);
            counted.commits.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }))?;
        thread::Builder::new()
            .name("forestage-checkpoint".to_owned())
            .spawn(move || work(&mover, &due, &seen))
            .expect("the system has room for a thread");
        Ok(Self { wake, woken_at: Cell::new(0), shared })
    }

    /// Has pages moved if there are enough of them.
    pub(super) fn after_commit(&self, writer: &Connection) {
        let pages = self.shared.pages.load(Ordering::Relaxed);
        if pages < self.woken_at.get() {
            self.woken_at.set(0);
        }
        if !self.shared.behind.swap(true, Ordering::SeqCst) {
            let _ = self.wake.send(Wake::Begun);
        }
        if self.shared.moved.swap(false, Ordering::Relaxed) && pages >= LONG {
            move_pages(writer);
        } else if pages >= self.woken_at.get() + STEP {
            self.woken_at.set(pages);
            let _ = self.wake.send(Wake::Grown);
        }
    }
}

fn work(connection: &Connection, due: &Receiver<Wake>, shared: &Shared) {
    while let Ok(wake) = due.recv() {
        let ended = match wake {
            Wake::Grown => {
                move_pages(connection);
                shared.moved.store(true, Ordering::Relaxed);
                false
            }
            Wake::Begun => until_all_is_moved(connection, due, shared),
        };
        if ended {
            return;
        }
    }
}

/// Moves pages as the log grows, and the last ones when the store rests. Says whether the writer is gone.
fn until_all_is_moved(connection: &Connection, due: &Receiver<Wake>, shared: &Shared) -> bool {
    let mut seen = None;
    loop {
        match due.recv_timeout(REST) {
            Ok(_) => {
                move_pages(connection);
                shared.moved.store(true, Ordering::Relaxed);
            }
            Err(RecvTimeoutError::Disconnected) => return true,
            Err(RecvTimeoutError::Timeout) => {
                let commits = shared.commits.load(Ordering::Relaxed);
                if seen.replace(commits) == Some(commits) && moves_all(connection, shared) {
                    return false;
                }
            }
        }
    }
}

/// Moves what there is. Says whether nothing is left but what is committed from now on, of which the writer tells.
fn moves_all(connection: &Connection, shared: &Shared) -> bool {
    shared.behind.store(false, Ordering::SeqCst);
    let all = move_pages(connection);
    shared.moved.store(true, Ordering::Relaxed);
    // Where the writer has told meanwhile, its word waits in the channel.
    all || shared.behind.swap(true, Ordering::SeqCst)
}

/// Takes what no reader holds and leaves the rest for the next time. Says whether that was everything.
fn move_pages(connection: &Connection) -> bool {
    checkpoint(connection, "PRAGMA wal_checkpoint(PASSIVE)").is_ok_and(|done| done.is_whole())
}

/// Moves everything that was committed and empties the log, waiting for readers and other checkpoints for a while. Says
/// whether they let it.
pub(super) fn settle(connection: &Connection) -> rusqlite::Result<bool> {
    let deadline = Instant::now() + PATIENCE;
    connection.busy_timeout(TURN)?;
    let settled = loop {
        let done = checkpoint(connection, "PRAGMA wal_checkpoint(TRUNCATE)");
        match done {
            // SQLite does not wait for another checkpoint by itself.
            Ok(done) if done.busy && Instant::now() < deadline => thread::sleep(Duration::from_millis(10)),
            done => break done.map(|done| !done.busy),
        }
    };
    connection.busy_timeout(super::schema::PATIENCE)?;
    settled
}

/// What came of a checkpoint.
struct Done {
    /// Whether somebody held it up.
    busy: bool,
    /// How many pages the log has.
    pages: i64,
    /// How many of them have been moved.
    moved: i64,
}

impl Done {
    fn is_whole(&self) -> bool {
        !self.busy && self.pages == self.moved
    }
}

fn checkpoint(connection: &Connection, statement: &str) -> rusqlite::Result<Done> {
    connection.query_row(statement, [], |row| {
        Ok(Done { busy: row.get::<_, i64>(0)? != 0, pages: row.get(1)?, moved: row.get(2)? })
    })
}
