//! Moving the write-ahead log into the database.
//!
//! A thread of its own does it, since on the writer it would make some commits wait a hundred times longer than
//! others. But the log can only begin anew once all of it has been moved, and a writer that never pauses is always
//! a little ahead of that thread. So when the log has become long, the writer moves the last few pages itself, right
//! after the thread has moved all the others.

use std::{
    cell::Cell,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
        mpsc::{self, Receiver, SyncSender},
    },
    thread,
};

use rusqlite::Connection;

/// So many more pages in the log make it worth while to move them: 16 MB.
const STEP: u32 = 4096;

/// With so many pages the log has to begin anew: 64 MB.
const LONG: u32 = 16_384;

/// Watches over the length of the log, on the writer. The thread ends when this is dropped.
#[derive(Debug)]
pub(super) struct Checkpoints {
    wake: SyncSender<()>,
    /// How many pages the log has since it began anew.
    pages: Arc<AtomicU32>,
    /// How many it had when the thread was woken last.
    woken_at: Cell<u32>,
    /// Whether the thread has moved pages since the writer looked last.
    moved: Arc<AtomicBool>,
}

impl Checkpoints {
    /// Watches over the commits of one connection, and moves pages with another.
    pub(super) fn start(writer: &mut Connection, mover: Connection) -> rusqlite::Result<Self> {
        let (wake, due) = mpsc::sync_channel(1);
        let (pages, moved) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(false)));
        let (counted, done) = (pages.clone(), moved.clone());
        writer.wal_hook(Some(move |_: &mut _, pages| {
            counted.store(u32::try_from(pages).unwrap_or_default(), Ordering::Relaxed);
            Ok(())
        }))?;
        thread::Builder::new()
            .name("forestage-checkpoint".to_owned())
            .spawn(move || work(&mover, &due, &done))
            .expect("the system has room for a thread");
        Ok(Self { wake, pages, woken_at: Cell::new(0), moved })
    }

    /// Has pages moved if there are enough of them.
    pub(super) fn after_commit(&self, writer: &Connection) {
        let pages = self.pages.load(Ordering::Relaxed);
        if pages < self.woken_at.get() {
            self.woken_at.set(0);
        }
        if self.moved.swap(false, Ordering::Relaxed) && pages >= LONG {
            move_pages(writer);
        } else if pages >= self.woken_at.get() + STEP {
            self.woken_at.set(pages);
            // A full channel means that the thread is about to begin.
            let _ = self.wake.try_send(());
        }
    }
}

fn work(connection: &Connection, due: &Receiver<()>, moved: &AtomicBool) {
    while due.recv().is_ok() {
        move_pages(connection);
        moved.store(true, Ordering::Relaxed);
    }
}

/// Takes what no reader holds and leaves the rest for the next time.
fn move_pages(connection: &Connection) {
    let _ = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
}
