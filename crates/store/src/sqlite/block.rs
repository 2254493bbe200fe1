//! Blocks in rows, and chains of them. How events lie in a block is the business of [`crate::block`].

use bytes::Bytes;
use forestage_protocol::id::RunId;
use rusqlite::{Connection, OptionalExtension, Row, params, types::Type};

use super::place::{self, Chain};
use crate::{
    Append, Compacted, Entry, RunRecord, Seq,
    block::{Packed, has_already as is_the_same, pieces, signed, unpack as unpack_events},
    body::Body,
};

/// Writes the events of an append behind those of the chain, and returns the chain that it is now.
pub(super) fn insert(
    db: &Connection,
    thread: i64,
    chain: Option<Chain>,
    append: &Append,
    body: &Body,
) -> rusqlite::Result<Chain> {
    let before = chain.map(|chain| chain.block);
    let first = signed(append.after.forward(1));
    let block = db
        .prepare_cached("INSERT INTO block (first, run, body, unpacked, before) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .insert(params![first, append.run_id.as_str(), body.bytes(), body.unpacked(), before])?;
    let chain = Chain { block, length: chain.map_or(1, |chain| chain.length + 1) };
    place::add(db, thread, signed(append.tail()), chain)?;
    Ok(chain)
}

/// The same events at the same place.
pub(super) fn has_already(db: &Connection, thread: i64, append: &Append) -> rusqlite::Result<bool> {
    let held = entries(db, thread, append.after, append.tail(), append.events.len())?;
    Ok(is_the_same(append, &held))
}

/// Whether nothing of another run lies between a run's ends. Its own places have settled with its end, and a place is of
/// one run.
pub(super) fn is_only(db: &Connection, thread: i64, run: &RunRecord) -> rusqlite::Result<bool> {
    db.prepare_cached(
        "SELECT NOT EXISTS (SELECT 1 FROM settled JOIN block ON key = block
                            WHERE thread = ?1 AND last BETWEEN ?2 AND ?3 AND run <> ?4)",
    )?
    .query_row(params![thread, signed(run.first), signed(run.last), run.run_id.as_str()], |row| row.get(0))
}

/// Puts compacted entries in the place of a run's blocks.
pub(super) fn replace(
    db: &Connection,
    thread: i64,
    run: &RunRecord,
    entries: &[Compacted],
) -> rusqlite::Result<()> {
    place::remove(db, thread, signed(run.first), signed(run.last))?;
    for Packed { first, last, body, spans } in pieces(entries) {
        let block = db
            .prepare_cached(
                "INSERT INTO block (first, run, body, unpacked, spans) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .insert(params![signed(first), run.run_id.as_str(), body.bytes(), body.unpacked(), spans])?;
        place::add_settled(db, thread, signed(last), block)?;
    }
    Ok(())
}

pub(super) fn entries(
    db: &Connection,
    thread: i64,
    after: Seq,
    until: Seq,
    limit: usize,
) -> rusqlite::Result<Vec<Entry>> {
    let mut places = db.prepare_cached(
        "SELECT last, block FROM settled WHERE thread = ?1 AND last > ?2
         UNION ALL SELECT last, block FROM fresh WHERE thread = ?1 AND last > ?2 ORDER BY last",
    )?;
    let mut select = db.prepare_cached(
        "SELECT first, run, body, spans, unpacked FROM block WHERE key = ?1 AND first <= ?2",
    )?;
    // While this statement is under way, all that is read is of one moment: no chain grows or settles meanwhile.
    let mut rows = places.query(params![thread, signed(after)])?;
    let mut entries = Vec::new();
    while entries.len() < limit
        && let Some(row) = rows.next()?
    {
        for block in place::chain(db, row.get(1)?, signed(after))? {
            if entries.len() == limit {
                break;
            }
            let Some(block) = select.query_row([block, signed(until)], unpack).optional()? else {
                return Ok(entries);
            };
            let wanted = block.filter(|entry| entry.seq > after && entry.first <= until);
            entries.extend(wanted.take(limit - entries.len()));
        }
    }
    Ok(entries)
}

fn unpack(row: &Row<'_>) -> rusqlite::Result<impl Iterator<Item = Entry> + use<>> {
    let first = Seq(row.get::<_, i64>(0)?.cast_unsigned());
    let run_id = RunId::from(row.get_ref(1)?.as_str()?);
    let unpacked = row.get::<_, Option<u32>>(4)?.map(|length| length as usize);
    let body = Body::plain(row.get_ref(2)?.as_blob()?, unpacked).ok_or_else(|| {
        rusqlite::Error::FromSqlConversionFailure(2, Type::Blob, "the events are damaged".into())
    })?;
    let spans = row.get::<_, Option<Vec<u8>>>(3)?.map(Bytes::from);
    Ok(unpack_events(first, run_id, Bytes::from(body), spans))
}
