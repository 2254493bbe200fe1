//! SQLite by hand: one row per event, 256 rows per commit, no checks, nobody who waits. Checkpoints are made by another
//! thread, as ours are.

use std::{
    path::Path,
    sync::mpsc::{self, SyncSender},
    thread,
};

use rusqlite::Connection;

const BATCH: usize = 256;

/// So many commits make about a thousand pages, after which SQLite itself would move them.
const COMMITS: u32 = 100;

pub(super) struct Floor {
    connection: Connection,
    checkpoint: SyncSender<()>,
    commits: u32,
    tail: i64,
}

impl Floor {
    pub(super) fn new(path: &Path) -> Self {
        let connection = connect(path);
        connection
            .execute_batch(
                "CREATE TABLE event (thread TEXT, seq INTEGER, json BLOB, PRIMARY KEY (thread, seq)) WITHOUT ROWID",
            )
            .expect("a new file");
        let (checkpoint, due) = mpsc::sync_channel(1);
        let other = connect(path);
        thread::spawn(move || {
            while due.recv().is_ok() {
                let _ = other.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
            }
        });
        Self { connection, checkpoint, commits: 0, tail: 0 }
    }

    /// Appends so many events, the texts over and over.
    pub(super) fn append(&mut self, texts: &[String], count: usize) {
        let mut texts = texts.iter().cycle().take(count).peekable();
        while texts.peek().is_some() {
            self.commit(texts.by_ref().take(BATCH));
            self.commits += 1;
            if self.commits.is_multiple_of(COMMITS) {
                let _ = self.checkpoint.try_send(());
            }
        }
    }

    /// Appends an event and commits it.
    pub(super) fn append_one(&mut self, text: &String) {
        self.commit(std::iter::once(text));
    }

    fn commit<'a>(&mut self, texts: impl Iterator<Item = &'a String>) {
        let transaction = self.connection.transaction().expect("free");
        {
            let mut insert =
                transaction.prepare_cached("INSERT INTO event VALUES ('thread', ?1, ?2)").expect("a table");
            for text in texts {
                self.tail += 1;
                insert.execute((self.tail, text.as_bytes())).expect("room");
            }
        }
        transaction.commit().expect("room");
    }

    /// Reads everything, and says how much it was.
    pub(super) fn read(&self) -> usize {
        let mut select = self
            .connection
            .prepare_cached("SELECT seq, json FROM event WHERE thread = 'thread' ORDER BY seq");
        let select = select.as_mut().expect("a table");
        let rows = select.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?)));
        rows.expect("readable").map(|row| row.expect("readable")).collect::<Vec<_>>().len()
    }
}

fn connect(path: &Path) -> Connection {
    let connection = Connection::open(path).expect("a file");
    for (name, value) in [("journal_mode", "WAL"), ("synchronous", "NORMAL"), ("wal_autocheckpoint", "0")] {
        connection.pragma_update(None, name, value).expect("settable");
    }
    connection
}
