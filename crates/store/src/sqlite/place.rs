//! Places: where the blocks of a thread are, fresh ones and settled ones.
//!
//! Whatever is fresh on a thread comes behind all that is settled, since a thread's places settle together.

use rusqlite::{Connection, params};

/// The number of a thread's last event, as SQL; `thread.key` is the thread.
pub(super) const TAIL: &str = "ifnull(
    (SELECT last FROM fresh WHERE fresh.thread = thread.key ORDER BY last DESC LIMIT 1), ifnull(
    (SELECT last FROM settled WHERE settled.thread = thread.key ORDER BY last DESC LIMIT 1), 0))";

/// Notes where the newest block of a thread is.
pub(super) fn add(db: &Connection, thread: i64, last: i64, block: i64) -> rusqlite::Result<()> {
    db.prepare_cached("INSERT INTO fresh (thread, last, block) VALUES (?1, ?2, ?3)")?
        .execute(params![thread, last, block])?;
    Ok(())
}

/// Notes where a block in the midst of a thread is.
pub(super) fn add_settled(db: &Connection, thread: i64, last: i64, block: i64) -> rusqlite::Result<()> {
    db.prepare_cached("INSERT INTO settled (thread, last, block) VALUES (?1, ?2, ?3)")?
        .execute(params![thread, last, block])?;
    Ok(())
}

/// Lets the fresh places of a thread settle, when a run of it ends.
pub(super) fn settle(db: &Connection, thread: i64) -> rusqlite::Result<()> {
    db.prepare_cached("INSERT INTO settled SELECT thread, last, block FROM fresh WHERE thread = ?1")?
        .execute([thread])?;
    db.prepare_cached("DELETE FROM fresh WHERE thread = ?1")?.execute([thread])?;
    Ok(())
}

/// Removes the settled places from `first` to `last`, with their blocks.
pub(super) fn remove(db: &Connection, thread: i64, first: i64, last: i64) -> rusqlite::Result<()> {
    db.prepare_cached(
        "DELETE FROM block WHERE key IN (SELECT block FROM settled WHERE thread = ?1 AND last BETWEEN ?2 AND ?3)",
    )?
    .execute(params![thread, first, last])?;
    db.prepare_cached("DELETE FROM settled WHERE thread = ?1 AND last BETWEEN ?2 AND ?3")?
        .execute(params![thread, first, last])?;
    Ok(())
}
