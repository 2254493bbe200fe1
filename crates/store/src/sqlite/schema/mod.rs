//! The tables, and how older files get them. The step to each format is a file of SQL beside this one.

mod file;

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior, config::DbConfig};

use crate::OpenError;

/// Tells our files from other databases: "Fstg" in ASCII.
const APPLICATION_ID: i64 = 0x4673_7467;

/// How long to wait for another process that has the file.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// One step per format. Steps are never changed, only added.
const STEPS: [&str; 10] = [
    include_str!("1.sql"),
    include_str!("2.sql"),
    include_str!("3.sql"),
    include_str!("4.sql"),
    include_str!("5.sql"),
    include_str!("6.sql"),
    include_str!("7.sql"),
    include_str!("8.sql"),
    include_str!("9.sql"),
    include_str!("10.sql"),
];

/// The tables that a file has, with the format that brought them.
const TABLES: [(i64, &str); 15] = [
    (1, "thread"),
    (1, "block"),
    (1, "fresh"),
    (1, "settled"),
    (1, "run"),
    (1, "snapshot"),
    (1, "interrupt"),
    (1, "annotation"),
    (2, "vote"),
    (2, "audit"),
    (2, "rule"),
    (7, "note"),
    (8, "share"),
    (9, "life"),
    (10, "utterance"),
];

/// The format this version writes.
const FORMAT: i64 = STEPS.len() as i64;

/// The writer's cache, as SQLite writes kilobytes. What runs say passes through it and would push the indexes out of
/// the usual two megabytes, and then every append reads them again.
const WRITER_CACHE: i64 = -16_384;

/// Opens a file for writing, making or migrating it where needed. A file that is not ours is not touched.
pub(super) fn open(path: &Path) -> Result<Connection, OpenError> {
    file::check(path)?;
    let database = |error| file::explain(path, error);
    let connection = plain(path).map_err(database)?;
    let (application, found, has_tables) = header(&connection).map_err(database)?;
    if connection.is_readonly("main").map_err(database)? {
        return Err(OpenError::ReadOnly(path.display().to_string()));
    }
    if found > FORMAT && application == APPLICATION_ID {
        return Err(OpenError::TooNew { path: path.display().to_string(), found, known: FORMAT });
    }
    if application != APPLICATION_ID && (application != 0 || has_tables) {
        return Err(OpenError::Foreign(path.display().to_string()));
    }
    if let Some(table) = missing_table(&connection, found).map_err(database)? {
        return Err(OpenError::Incomplete { path: path.display().to_string(), format: found, table });
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
    // Plans that depend on the values that are asked for would be made anew for each of them.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
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

/// A table that a file of this format should have and has not. One that another process migrates meanwhile only
/// gets more of them.
fn missing_table(connection: &Connection, format: i64) -> rusqlite::Result<Option<&'static str>> {
    let mut exists = connection
        .prepare("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1)")?;
    for (since, table) in TABLES {
        if since <= format && !exists.query_row([table], |row| row.get(0))? {
            return Ok(Some(table));
        }
    }
    Ok(None)
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
