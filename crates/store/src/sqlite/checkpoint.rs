//! The thread that moves the write-ahead log into the database.

use std::{
    sync::mpsc::{self, SyncSender},
    thread,
};

use rusqlite::Connection;

/// A handful of commits make a checkpoint worth its while.
const COMMITS: u32 = 256;

/// Tells the thread that there is something to move. The thread ends when this is dropped.
#[derive(Debug)]
pub(super) struct Checkpoints {
    wake: SyncSender<()>,
    commits: std::cell::Cell<u32>,
}

impl Checkpoints {
    pub(super) fn after_commit(&self) {
        let commits = self.commits.get() + 1;
        self.commits.set(commits % COMMITS);
        if commits == COMMITS {
            // A full channel means that one is due already.
            let _ = self.wake.try_send(());
        }
    }
}

pub(super) fn start(connection: Connection) -> Checkpoints {
    let (wake, due) = mpsc::sync_channel(1);
    thread::Builder::new()
        .name("forestage-checkpoint".to_owned())
        .spawn(move || {
            while due.recv().is_ok() {
                // Passive: it takes what no reader holds and leaves the rest for the next time.
                let _ = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
            }
        })
        .expect("the system has room for a thread");
    Checkpoints { wake, commits: std::cell::Cell::new(0) }
}
