//! The tables, and how older files get them.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::database;
use crate::OpenError;

/// Tells our files from other databases: "Fstg" in ASCII.
const APPLICATION_ID: i64 = 0x4673_7467;

/// How long to wait for another process that has the file.
const PATIENCE: Duration = Duration::from_secs(10);

/// One step per format. Steps are never changed, only added.
const STEPS: [&str; 1] = ["
    CREATE TABLE thread (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        owner TEXT NOT NULL,
        agent TEXT NOT NULL,
        title TEXT,
        archived INTEGER NOT NULL DEFAULT 0,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        head TEXT,
        runs INTEGER NOT NULL DEFAULT 0,
        messages INTEGER NOT NULL DEFAULT 0,
        fence INTEGER NOT NULL DEFAULT 0,
        holder TEXT,
        expires_at INTEGER
    ) STRICT;
    CREATE INDEX thread_by_owner ON thread (owner, updated_at DESC, id DESC);

    -- The events that one append added, so that a token costs no row of its own. Blocks lie in the order they came
    -- in, whatever their thread, so that those of one commit fill few pages. `spans` is there once the run is
    -- compacted.
    CREATE TABLE block (
        key INTEGER PRIMARY KEY,
        first INTEGER NOT NULL,
        run TEXT NOT NULL,
        body BLOB NOT NULL,
        spans BLOB
    ) STRICT;
    -- Where the blocks of a thread are. Places are found here, `fresh` until a run of the thread ends and `settled`
    -- after: a commit of many threads touches a page per thread of an index of everything, and a few pages of one
    -- that has only what is under way.
    CREATE TABLE fresh (
        thread INTEGER NOT NULL,
        last INTEGER NOT NULL,
        block INTEGER NOT NULL,
        PRIMARY KEY (thread, last)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE settled (
        thread INTEGER NOT NULL,
        last INTEGER NOT NULL,
        block INTEGER NOT NULL,
        PRIMARY KEY (thread, last)
    ) STRICT, WITHOUT ROWID;

    -- `last` counts once the run has ended.
    CREATE TABLE run (
        thread INTEGER NOT NULL,
        id TEXT NOT NULL,
        agent TEXT NOT NULL,
        parent TEXT,
        request_hash INTEGER NOT NULL,
        first INTEGER NOT NULL,
        last INTEGER,
        ended TEXT,
        started_at INTEGER NOT NULL,
        ended_at INTEGER,
        cancel_requested INTEGER NOT NULL DEFAULT 0,
        compacted INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (thread, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX run_open ON run (thread) WHERE ended IS NULL;
    CREATE INDEX run_uncompacted ON run (ended_at) WHERE ended IS NOT NULL AND compacted = 0;

    CREATE TABLE snapshot (
        thread INTEGER NOT NULL,
        run TEXT NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (thread, run)
    ) STRICT;

    -- The owner is the thread's, so that an inbox is one index.
    CREATE TABLE interrupt (
        thread INTEGER NOT NULL,
        id TEXT NOT NULL,
        owner TEXT NOT NULL,
        run TEXT NOT NULL,
        json BLOB NOT NULL,
        opened_at INTEGER NOT NULL,
        expires_at INTEGER,
        status TEXT,
        answer BLOB,
        decided_by TEXT,
        decided_at INTEGER,
        decided_run TEXT,
        PRIMARY KEY (thread, id)
    ) STRICT;
    CREATE INDEX interrupt_pending ON interrupt (owner, opened_at) WHERE status IS NULL;
    CREATE INDEX interrupt_by_id ON interrupt (id, owner);

    CREATE TABLE annotation (
        thread INTEGER NOT NULL,
        id TEXT NOT NULL,
        run TEXT,
        message TEXT,
        kind TEXT NOT NULL,
        json BLOB NOT NULL,
        made_by TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (thread, id)
    ) STRICT;
"];

/// The format this version writes.
const FORMAT: i64 = STEPS.len() as i64;

/// The writer's cache, as SQLite writes kilobytes. What runs say passes through it and would push the indexes out of
/// the usual two megabytes, and then every append reads them again.
const WRITER_CACHE: i64 = -16_384;

/// Opens a file for writing, making or migrating it where needed. A file that is not ours is not touched.
pub(super) fn open(path: &Path) -> Result<Connection, OpenError> {
    let connection = plain(path).map_err(database)?;
    let (application, found, has_tables) = header(&connection).map_err(database)?;
    if found > FORMAT && application == APPLICATION_ID {
        return Err(OpenError::TooNew { path: path.display().to_string(), found, known: FORMAT });
    }
    if application != APPLICATION_ID && (application != 0 || has_tables) {
        return Err(OpenError::Foreign(path.display().to_string()));
    }
    let mut connection = as_ours(connection).map_err(database)?;
    connection.pragma_update(None, "cache_size", WRITER_CACHE).map_err(database)?;
    migrate(&mut connection).map_err(database)?;
    Ok(connection)
}

/// Opens a connection as all of ours are.
pub(super) fn connect(path: &Path) -> rusqlite::Result<Connection> {
    as_ours(plain(path)?)
}

fn plain(path: &Path) -> rusqlite::Result<Connection> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    Ok(connection)
}

fn as_ours(connection: Connection) -> rusqlite::Result<Connection> {
    use_write_ahead_log(&connection)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Two processes that do this to a new file at once may get in each other's way, and SQLite does not wait by itself
/// here.
fn use_write_ahead_log(connection: &Connection) -> rusqlite::Result<()> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error) if is_busy(&error) && Instant::now() < deadline => {
                thread::sleep(Duration::from_millis(5));
            }
            result => return result,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

/// Whose file it is, in which format, and whether it has tables: one statement, so that another process that is
/// just making the file is seen before or after, never in between.
fn header(connection: &Connection) -> rusqlite::Result<(i64, i64, bool)> {
    connection.query_row(
        "SELECT application_id, user_version, EXISTS (SELECT 1 FROM sqlite_schema)
         FROM pragma_application_id, pragma_user_version",
        [],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )
}

fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    if header(connection)?.1 >= FORMAT {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
    // Another process may have done it while we waited.
    let done = usize::try_from(header(&transaction)?.1).unwrap_or_default();
    for step in STEPS.iter().skip(done) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", FORMAT)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.commit()
}
