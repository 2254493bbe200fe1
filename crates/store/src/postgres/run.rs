//! Runs: their records, their compaction and their snapshots.

use bytes::Bytes;
use forestage_protocol::id::{RunId, ThreadId};
use tokio_postgres::Row;

use super::{
    block,
    failure::Failure,
    index,
    pool::{Db, Params},
    transaction::Transaction,
    wake::News,
};
use crate::{Compacted, RunRecord, Seq, StoreError, log::covers};

/// Where an open run ends is the word of its last block.
const SELECT: &str = "SELECT thread.id, run.id, run.agent, parent, request_hash, run.first,
    coalesce(run.last, (SELECT block.last FROM block
        WHERE block.thread = run.thread AND block.last >= run.first AND block.run = run.id
        ORDER BY block.last DESC LIMIT 1), run.first - 1),
    ended, started_at, ended_at, cancel_requested, compacted,
    EXISTS (SELECT 1 FROM snapshot WHERE snapshot.thread = run.thread AND snapshot.run = run.id)
    FROM run JOIN thread ON thread.key = run.thread";

fn record(row: &Row) -> Result<RunRecord, Failure> {
    Ok(RunRecord {
        thread_id: row.try_get::<_, &str>(0)?.into(),
        run_id: row.try_get::<_, &str>(1)?.into(),
        agent: row.try_get(2)?,
        parent: row.try_get::<_, Option<&str>>(3)?.map(Into::into),
        request_hash: row.try_get::<_, i64>(4)?.cast_unsigned(),
        first: Seq(row.try_get::<_, i64>(5)?.cast_unsigned()),
        last: Seq(row.try_get::<_, i64>(6)?.cast_unsigned()),
        end: row.try_get(7)?,
        started_at: row.try_get(8)?,
        ended_at: row.try_get(9)?,
        cancel_requested: row.try_get(10)?,
        compacted: row.try_get(11)?,
        snapshot: row.try_get(12)?,
    })
}

async fn select(db: &Db, rest: &str, params: Params<'_>) -> Result<Vec<RunRecord>, Failure> {
    db.query(&format!("{SELECT} {rest}"), params).await?.iter().map(record).collect()
}

pub(super) async fn run(db: &Db, thread_id: &ThreadId, run_id: &RunId) -> Result<Option<RunRecord>, Failure> {
    let rest = "WHERE thread.id = $1 AND run.id = $2";
    let found = select(db, rest, &[&thread_id.as_str(), &run_id.as_str()]).await?;
    Ok(found.into_iter().next())
}

pub(super) async fn runs(db: &Db, thread_id: &ThreadId) -> Result<Vec<RunRecord>, Failure> {
    select(db, "WHERE thread.id = $1 ORDER BY run.first, started_at", &[&thread_id.as_str()]).await
}

pub(super) async fn abandoned(db: &Db, now: i64) -> Result<Vec<RunRecord>, Failure> {
    select(db, "WHERE ended IS NULL AND coalesce(expires_at, 0) <= $1", &[&now]).await
}

pub(super) async fn uncompacted(db: &Db, limit: usize) -> Result<Vec<RunRecord>, Failure> {
    let rest = "WHERE ended IS NOT NULL AND NOT compacted ORDER BY ended_at, thread.id, run.first LIMIT $1";
    select(db, rest, &[&i64::try_from(limit).unwrap_or(i64::MAX)]).await
}

pub(super) async fn stop(tx: &Transaction, thread_id: &ThreadId, run_id: &RunId) -> Result<bool, Failure> {
    let marked = tx
        .execute(
            "UPDATE run SET cancel_requested = true
             WHERE thread = (SELECT key FROM thread WHERE thread.id = $1) AND id = $2 AND ended IS NULL",
            &[&thread_id.as_str(), &run_id.as_str()],
        )
        .await?;
    tx.tell(News::Nudge(thread_id.clone()));
    Ok(marked == 1)
}

pub(super) async fn compact(
    tx: &Transaction,
    thread_id: &ThreadId,
    run_id: &RunId,
    entries: &[Compacted],
) -> Result<Result<bool, StoreError>, Failure> {
    let Some(key) = index::hold(tx, thread_id).await? else { return Ok(Ok(false)) };
    // Others who want to compact it wait here, and then see that it was done.
    tx.query("SELECT 1 FROM run WHERE thread = $1 AND id = $2 FOR UPDATE", &[&key, &run_id.as_str()]).await?;
    let Some(run) = run(tx, thread_id, run_id).await? else { return Ok(Ok(false)) };
    if run.end.is_none() || run.compacted {
        return Ok(Ok(false));
    }
    if !covers(entries, run.first, run.last) || !block::is_only(tx, key, &run).await? {
        return Ok(Err(StoreError::NotCovered(run_id.clone())));
    }
    block::replace(tx, key, &run, entries).await?;
    tx.execute("UPDATE run SET compacted = true WHERE thread = $1 AND id = $2", &[&key, &run_id.as_str()])
        .await?;
    Ok(Ok(true))
}

pub(super) async fn keep_snapshot(
    tx: &Transaction,
    thread_id: &ThreadId,
    run_id: &RunId,
    body: &Bytes,
) -> Result<bool, Failure> {
    let Some(key) = index::hold(tx, thread_id).await? else { return Ok(false) };
    let kept = tx
        .execute(
            "INSERT INTO snapshot (thread, run, body) SELECT thread, id, $3 FROM run WHERE thread = $1 AND id = $2
             ON CONFLICT (thread, run) DO UPDATE SET body = excluded.body",
            &[&key, &run_id.as_str(), &&body[..]],
        )
        .await?;
    Ok(kept == 1)
}

pub(super) async fn snapshot(
    db: &Db,
    thread_id: &ThreadId,
    run_id: &RunId,
) -> Result<Option<Bytes>, Failure> {
    let row = db
        .first(
            "SELECT body FROM snapshot JOIN thread ON key = snapshot.thread WHERE thread.id = $1 AND run = $2",
            &[&thread_id.as_str(), &run_id.as_str()],
        )
        .await?;
    Ok(row.map(|row| row.try_get::<_, Vec<u8>>(0).map(Bytes::from)).transpose()?)
}
