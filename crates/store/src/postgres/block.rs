//! Blocks in rows. How events lie in a block is the business of [`crate::block`].

use bytes::Bytes;
use forestage_protocol::id::{RunId, ThreadId};
use tokio_postgres::Row;

use super::{failure::Failure, pool::Db, transaction::Transaction};
use crate::{
    Append, Compacted, Entry, RunRecord, Seq,
    block::{Packed, has_already as is_the_same, pieces, signed, unpack},
    body::Body,
};

/// So many blocks are asked for at first, and then ever more: who wants a few entries need not load much.
const FEW: i64 = 32;
const MANY: i64 = 512;

/// Appends to a run that goes on, if fence and end are as the append says: one statement, which locks the row of the thread
/// and looks again at what it has become where it had to wait for somebody. `false` if something does not fit.
///
/// The run is looked up as it was before the wait. That is enough: whoever ends it moves the end or has another fence, and
/// what one holder appends comes one after the other.
pub(super) async fn go_on(tx: &Transaction, append: &Append, body: &Body) -> Result<bool, Failure> {
    let written = tx
        .execute(
            "WITH place AS (
                 UPDATE thread SET tail = $5 WHERE id = $1 AND fence = $2 AND tail = $3
                    AND EXISTS (SELECT 1 FROM run WHERE run.thread = key AND run.id = $4 AND ended IS NULL)
                 RETURNING key)
             INSERT INTO block (thread, last, first, run, body, unpacked)
             SELECT key, $5, $3 + 1, $4, $6, $7 FROM place",
            &[
                &append.thread_id.as_str(),
                &append.fence.0.cast_signed(),
                &signed(append.after),
                &append.run_id.as_str(),
                &signed(append.tail()),
                &body.bytes(),
                &body.unpacked(),
            ],
        )
        .await?;
    Ok(written == 1)
}

/// Writes the events of an append, if it has any.
pub(super) async fn insert(
    tx: &Transaction,
    thread: i64,
    append: &Append,
    body: &Body,
) -> Result<(), Failure> {
    if append.events.is_empty() {
        return Ok(());
    }
    let (first, last) = (append.after.forward(1), append.tail());
    put(tx, thread, &append.run_id, (first, last), body, None).await
}

async fn put(
    tx: &Transaction,
    thread: i64,
    run_id: &RunId,
    (first, last): (Seq, Seq),
    body: &Body,
    spans: Option<&[u8]>,
) -> Result<(), Failure> {
    tx.execute(
        "INSERT INTO block (thread, last, first, run, body, unpacked, spans) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        &[
            &thread,
            &signed(last),
            &signed(first),
            &run_id.as_str(),
            &body.bytes(),
            &body.unpacked(),
            &spans,
        ],
    )
    .await?;
    Ok(())
}

/// The same events at the same place.
pub(super) async fn has_already(tx: &Transaction, thread: i64, append: &Append) -> Result<bool, Failure> {
    let rows = tx
        .query(
            "SELECT first, run, body, unpacked, spans FROM block WHERE thread = $1 AND last > $2 AND first <= $3
             ORDER BY last LIMIT $4",
            &[
                &thread,
                &signed(append.after),
                &signed(append.tail()),
                &i64::try_from(append.events.len()).unwrap_or(i64::MAX),
            ],
        )
        .await?;
    let mut held = Vec::new();
    for row in &rows {
        let block = entries_of(row)?;
        held.extend(block.filter(|entry| entry.seq > append.after && entry.first <= append.tail()));
    }
    Ok(is_the_same(append, &held))
}

/// Whether nothing of another run lies between a run's ends.
pub(super) async fn is_only(tx: &Transaction, thread: i64, run: &RunRecord) -> Result<bool, Failure> {
    let other = tx
        .first(
            "SELECT 1 FROM block WHERE thread = $1 AND last BETWEEN $2 AND $3 AND run <> $4 LIMIT 1",
            &[&thread, &signed(run.first), &signed(run.last), &run.run_id.as_str()],
        )
        .await?;
    Ok(other.is_none())
}

/// Puts compacted entries in the place of a run's blocks.
pub(super) async fn replace(
    tx: &Transaction,
    thread: i64,
    run: &RunRecord,
    entries: &[Compacted],
) -> Result<(), Failure> {
    tx.execute(
        "DELETE FROM block WHERE thread = $1 AND last BETWEEN $2 AND $3",
        &[&thread, &signed(run.first), &signed(run.last)],
    )
    .await?;
    for Packed { first, last, body, spans } in pieces(entries) {
        put(tx, thread, &run.run_id, (first, last), &body, Some(&spans)).await?;
    }
    Ok(())
}

/// Entries of a log, some blocks at a time. Where a run was compacted between two of these times, its entries reach back
/// behind what was read, and reading stops before them.
pub(super) async fn entries(
    db: &Db,
    thread_id: &ThreadId,
    after: Seq,
    until: Seq,
    limit: usize,
) -> Result<Vec<Entry>, Failure> {
    let (mut entries, mut behind, mut thread, mut count) = (Vec::new(), after, None::<i64>, FEW);
    while entries.len() < limit {
        let rows = db
            .query(
                "SELECT block.first, run, body, unpacked, spans, key FROM block JOIN thread ON key = thread
                 WHERE thread.id = $1 AND ($2::bigint IS NULL OR key = $2) AND block.last > $3 AND block.first <= $4
                 ORDER BY block.last LIMIT $5",
                &[&thread_id.as_str(), &thread, &signed(behind), &signed(until), &count],
            )
            .await?;
        for row in &rows {
            thread = Some(row.try_get(5)?);
            for entry in entries_of(row)?.filter(|entry| entry.seq > behind && entry.first <= until) {
                if entries.len() == limit || (behind > after && entry.first <= behind) {
                    return Ok(entries);
                }
                entries.push(entry);
            }
            behind = entries.last().map_or(behind, |entry| entry.seq);
        }
        if (rows.len() as i64) < count {
            break;
        }
        count = (count * 2).min(MANY);
    }
    Ok(entries)
}

fn entries_of(row: &Row) -> Result<impl Iterator<Item = Entry> + use<>, Failure> {
    let first = Seq(row.try_get::<_, i64>(0)?.cast_unsigned());
    let run_id = RunId::from(row.try_get::<_, &str>(1)?);
    let unpacked =
        row.try_get::<_, Option<i64>>(3)?.map(|length| usize::try_from(length).unwrap_or(usize::MAX));
    let body = Body::plain(row.try_get(2)?, unpacked).ok_or(Failure::Damaged)?;
    let spans = row.try_get::<_, Option<Vec<u8>>>(4)?.map(Bytes::from);
    Ok(unpack(first, run_id, Bytes::from(body), spans))
}
