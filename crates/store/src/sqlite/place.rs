//! Places: where the blocks of a thread are.
//!
//! A place is a chain of blocks of one run. It names the newest, and `before` leads from each to the one before it. The
//! last chain of a thread is fresh while it grows; all that is settled comes before it.

use forestage_protocol::id::RunId;
use rusqlite::{Connection, OptionalExtension, params};

/// The number of a thread's last event, as SQL; `thread.key` is the thread.
pub(super) const TAIL: &str = "ifnull(
    (SELECT last FROM fresh WHERE fresh.thread = thread.key), ifnull(
    (SELECT last FROM settled WHERE settled.thread = thread.key ORDER BY last DESC LIMIT 1), 0))";

/// Who reads has to walk along a chain from its end, so it settles when it is this long.
const LONGEST: i64 = 64;

/// A chain that grows: its newest block, and how many it has.
#[derive(Clone, Copy)]
pub(super) struct Chain {
    pub(super) block: i64,
    pub(super) length: i64,
}

impl Chain {
    /// Whether it is short enough to grow.
    pub(super) fn goes_on(self) -> bool {
        self.length < LONGEST
    }
}

/// The chain that a new block of this run joins. There is none where a chain begins; one that is long enough, or of
/// another run, settles first.
pub(super) fn before(db: &Connection, thread: i64, run_id: &RunId) -> rusqlite::Result<Option<Chain>> {
    let newest = db
        .prepare_cached(
            "SELECT block, length, (SELECT run FROM block WHERE key = fresh.block) FROM fresh WHERE thread = ?1",
        )?
        .query_row([thread], |row| {
            let chain = Chain { block: row.get(0)?, length: row.get(1)? };
            Ok((chain, chain.goes_on() && row.get_ref(2)?.as_str()? == run_id.as_str()))
        })
        .optional()?;
    match newest {
        Some((chain, true)) => Ok(Some(chain)),
        Some((_, false)) => settle(db, thread).map(|()| None),
        None => Ok(None),
    }
}

/// Notes where the newest block of a thread is.
pub(super) fn add(db: &Connection, thread: i64, last: i64, chain: Chain) -> rusqlite::Result<()> {
    db.prepare_cached("INSERT OR REPLACE INTO fresh (thread, last, block, length) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![thread, last, chain.block, chain.length])?;
    Ok(())
}

/// Notes where a block in the midst of a thread is.
pub(super) fn add_settled(db: &Connection, thread: i64, last: i64, block: i64) -> rusqlite::Result<()> {
    db.prepare_cached("INSERT INTO settled (thread, last, block) VALUES (?1, ?2, ?3)")?
        .execute(params![thread, last, block])?;
    Ok(())
}

/// Lets the chain of a thread that grows settle, as when a run of it ends.
pub(super) fn settle(db: &Connection, thread: i64) -> rusqlite::Result<()> {
    db.prepare_cached("INSERT INTO settled SELECT thread, last, block FROM fresh WHERE thread = ?1")?
        .execute([thread])?;
    db.prepare_cached("DELETE FROM fresh WHERE thread = ?1")?.execute([thread])?;
    Ok(())
}

/// The blocks of a chain that hold something behind a number, in order. Numbers have no gaps, so a block ends where the
/// next one begins.
pub(super) fn chain(db: &Connection, newest: i64, after: i64) -> rusqlite::Result<Vec<i64>> {
    let mut select =
        db.prepare_cached("SELECT iif(first - 1 > ?2, before, NULL) FROM block WHERE key = ?1")?;
    let mut blocks = vec![newest];
    let mut before = |block: i64| select.query_row([block, after], |row| row.get::<_, Option<i64>>(0));
    while let Some(block) = before(blocks[blocks.len() - 1])? {
        blocks.push(block);
    }
    blocks.reverse();
    Ok(blocks)
}

/// Removes the settled places from `first` to `last`, with their blocks.
pub(super) fn remove(db: &Connection, thread: i64, first: i64, last: i64) -> rusqlite::Result<()> {
    db.prepare_cached(
        "WITH RECURSIVE doomed (block) AS (
             SELECT block FROM settled WHERE thread = ?1 AND last BETWEEN ?2 AND ?3
             UNION ALL SELECT before FROM doomed JOIN block ON key = doomed.block WHERE before IS NOT NULL)
         DELETE FROM block WHERE key IN (SELECT block FROM doomed)",
    )?
    .execute(params![thread, first, last])?;
    db.prepare_cached("DELETE FROM settled WHERE thread = ?1 AND last BETWEEN ?2 AND ?3")?
        .execute(params![thread, first, last])?;
    Ok(())
}
