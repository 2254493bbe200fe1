//! Whether somebody has a file open, for whoever wants to delete it.

use std::{path::Path, time::Duration};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::database;
use crate::StoreError;

/// Whether a process has this file open as a store, this one included. A file that is none, or is not there, is in
/// nobody's use.
pub fn is_in_use(path: impl AsRef<Path>) -> Result<bool, StoreError> {
    if !path.as_ref().exists() {
        return Ok(false);
    }
    match lock(path.as_ref()) {
        Ok(()) => Ok(false),
        Err(error) => match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Ok(true),
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Ok(false),
            _ => Err(database(error)),
        },
    }
}

/// With a write-ahead log, everybody who has the file open holds a shared lock on it, so an exclusive one is refused.
fn lock(path: &Path) -> rusqlite::Result<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::ZERO)?;
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    connection.execute_batch("BEGIN EXCLUSIVE; ROLLBACK")
}
