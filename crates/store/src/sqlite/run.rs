//! Runs: their records, their compaction and their snapshots.

use bytes::Bytes;
use forestage_protocol::id::{RunId, ThreadId};
use rusqlite::{Connection, OptionalExtension, Params, Row, params};

use super::{block, index};
use crate::{Compacted, RunRecord, Seq, StoreError, log::covers};

/// Where an open run ends is the word of its last block.
const SELECT: &str = "SELECT thread.id, run.id, run.agent, parent, request_hash, run.first,
    ifnull(run.last, max(ifnull(
        (SELECT last FROM fresh JOIN block ON block.key = block
         WHERE fresh.thread = thread.key AND block.run = run.id), 0), ifnull(
        (SELECT last FROM settled JOIN block ON block.key = block
         WHERE settled.thread = thread.key AND last >= run.first AND block.run = run.id
         ORDER BY last DESC LIMIT 1), run.first - 1))),
    ended, started_at, ended_at, cancel_requested, compacted,
    EXISTS (SELECT 1 FROM snapshot WHERE snapshot.thread = key AND snapshot.run = run.id)
    FROM run JOIN thread ON thread.key = run.thread";

fn record(row: &Row<'_>) -> rusqlite::Result<RunRecord> {
    Ok(RunRecord {
        thread_id: row.get_ref(0)?.as_str()?.into(),
        run_id: row.get_ref(1)?.as_str()?.into(),
        agent: row.get(2)?,
        parent: row.get_ref(3)?.as_str_or_null()?.map(Into::into),
        request_hash: row.get::<_, i64>(4)?.cast_unsigned(),
        first: Seq(row.get::<_, i64>(5)?.cast_unsigned()),
        last: Seq(row.get::<_, i64>(6)?.cast_unsigned()),
        end: row.get(7)?,
        started_at: row.get(8)?,
        ended_at: row.get(9)?,
        cancel_requested: row.get(10)?,
        compacted: row.get(11)?,
        snapshot: row.get(12)?,
    })
}

fn select(db: &Connection, rest: &str, params: impl Params) -> rusqlite::Result<Vec<RunRecord>> {
    db.prepare_cached(&format!("{SELECT} {rest}"))?.query_map(params, record)?.collect()
}

pub(super) fn run(
    db: &Connection,
    thread_id: &ThreadId,
    run_id: &RunId,
) -> rusqlite::Result<Option<RunRecord>> {
    let found = select(db, "WHERE thread.id = ?1 AND run.id = ?2", [thread_id.as_str(), run_id.as_str()])?;
    Ok(found.into_iter().next())
}

pub(super) fn runs(db: &Connection, thread_id: &ThreadId) -> rusqlite::Result<Vec<RunRecord>> {
    select(db, "WHERE thread.id = ?1 ORDER BY run.first, started_at", [thread_id.as_str()])
}

pub(super) fn abandoned(db: &Connection, now: i64) -> rusqlite::Result<Vec<RunRecord>> {
    select(db, "WHERE ended IS NULL AND ifnull(expires_at, 0) <= ?1", [now])
}

pub(super) fn uncompacted(db: &Connection, limit: usize) -> rusqlite::Result<Vec<RunRecord>> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let rest = "WHERE ended IS NOT NULL AND compacted = 0 ORDER BY ended_at, thread.id, run.first LIMIT ?1";
    select(db, rest, [limit])
}

pub(super) fn stop(db: &Connection, thread_id: &ThreadId, run_id: &RunId) -> rusqlite::Result<bool> {
    let marked = db
        .prepare_cached(
            "UPDATE run SET cancel_requested = 1
             WHERE thread = (SELECT key FROM thread WHERE id = ?1) AND id = ?2 AND ended IS NULL",
        )?
        .execute([thread_id.as_str(), run_id.as_str()])?;
    Ok(marked == 1)
}

pub(super) fn compact(
    db: &Connection,
    thread_id: &ThreadId,
    run_id: &RunId,
    entries: &[Compacted],
) -> rusqlite::Result<Result<bool, StoreError>> {
    let (Some(key), Some(run)) = (index::key(db, thread_id)?, run(db, thread_id, run_id)?) else {
        return Ok(Ok(false));
    };
    if run.end.is_none() || run.compacted {
        return Ok(Ok(false));
    }
    if !covers(entries, run.first, run.last) || !block::is_only(db, key, &run)? {
        return Ok(Err(StoreError::NotCovered(run_id.clone())));
    }
    block::replace(db, key, &run, entries)?;
    db.prepare_cached("UPDATE run SET compacted = 1 WHERE thread = ?1 AND id = ?2")?
        .execute(params![key, run_id.as_str()])?;
    Ok(Ok(true))
}

pub(super) fn keep_snapshot(
    db: &Connection,
    thread_id: &ThreadId,
    run_id: &RunId,
    body: &Bytes,
) -> rusqlite::Result<bool> {
    let kept = db
        .prepare_cached(
            "INSERT OR REPLACE INTO snapshot (thread, run, body)
             SELECT key, run.id, ?3 FROM run JOIN thread ON key = run.thread WHERE thread.id = ?1 AND run.id = ?2",
        )?
        .execute(params![thread_id.as_str(), run_id.as_str(), &body[..]])?;
    Ok(kept == 1)
}

pub(super) fn snapshot(
    db: &Connection,
    thread_id: &ThreadId,
    run_id: &RunId,
) -> rusqlite::Result<Option<Bytes>> {
    db.prepare_cached(
        "SELECT body FROM snapshot JOIN thread ON key = snapshot.thread WHERE thread.id = ?1 AND run = ?2",
    )?
    .query_row([thread_id.as_str(), run_id.as_str()], |row| row.get::<_, Vec<u8>>(0).map(Bytes::from))
    .optional()
}
