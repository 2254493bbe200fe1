//! Blocks: how events lie in rows.
//!
//! A body is its events one after the other, each with its length in front. The block of a compacted run says in
//! `spans` how many numbers each of them covers, and how to cut it:
//!
//! ```text
//!  body    │ length │ json │ length │ json │ ...
//!  spans   │ covers │ length │ cuts │ covers │ length │ cuts │ ...       numbers are 4 bytes, little endian
//! ```

use bytes::{Buf, BufMut, Bytes};
use forestage_protocol::id::RunId;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{
    body::Body,
    place::{self, Chain},
};
use crate::{Append, Compacted, Entry, RunRecord, Seq};

/// A block of a compacted run is about so long, so that a reader who wants little need not load much.
const BODY: usize = 64 * 1024;

/// The events of an append as they will lie in a row. Whoever appends makes it, before it is the writer's turn.
pub(super) fn body_of(append: &Append) -> Body {
    Body::new(pack(append.events.iter()))
}

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
    let mut pairs = held.iter().zip(&*append.events);
    Ok(!append.events.is_empty()
        && held.len() == append.events.len()
        && pairs.all(|(held, given)| {
            held.first == held.seq && held.run_id == append.run_id && held.json == *given
        }))
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
    mut entries: &[Compacted],
) -> rusqlite::Result<()> {
    place::remove(db, thread, signed(run.first), signed(run.last))?;
    while let (Some(first), count) = (entries.first(), chunk(entries)) {
        let (some, rest) = entries.split_at(count);
        let body = Body::new(pack(some.iter().map(|entry| &entry.json)));
        let last = some[count - 1].last;
        let block = db
            .prepare_cached(
                "INSERT INTO block (first, run, body, unpacked, spans) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .insert(params![
                signed(first.first),
                run.run_id.as_str(),
                body.bytes(),
                body.unpacked(),
                pack_spans(some)
            ])?;
        place::add_settled(db, thread, signed(last), block)?;
        entries = rest;
    }
    Ok(())
}

/// How many entries make a block; at least one if there is one.
fn chunk(entries: &[Compacted]) -> usize {
    let mut size = 0;
    let full = entries.iter().position(|entry| {
        size += entry.json.len() + entry.cuts.len();
        size >= BODY
    });
    full.map_or(entries.len(), |last| last + 1)
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

fn signed(seq: Seq) -> i64 {
    seq.0.min(Seq::END.0).cast_signed()
}

fn pack<'a>(events: impl Iterator<Item = &'a Bytes> + Clone) -> Vec<u8> {
    let mut body = Vec::with_capacity(events.clone().map(|event| event.len() + 4).sum());
    events.for_each(|event| put_sized(&mut body, event));
    body
}

fn pack_spans(entries: &[Compacted]) -> Vec<u8> {
    let mut spans = Vec::new();
    for entry in entries {
        spans.put_u32_le((entry.last.0 - entry.first.0 + 1) as u32);
        put_sized(&mut spans, &entry.cuts);
    }
    spans
}

fn put_sized(out: &mut Vec<u8>, bytes: &Bytes) {
    out.put_u32_le(bytes.len() as u32);
    out.put_slice(bytes);
}

/// The entries of a block, as views of one allocation.
fn unpack(row: &Row<'_>) -> rusqlite::Result<impl Iterator<Item = Entry> + use<>> {
    let mut next = Seq(row.get::<_, i64>(0)?.cast_unsigned());
    let run_id = RunId::from(row.get_ref(1)?.as_str()?);
    let mut body = Bytes::from(Body::read(row, 2, 4)?);
    let mut spans = row.get::<_, Option<Vec<u8>>>(3)?.map(Bytes::from);
    Ok(std::iter::from_fn(move || {
        let json = take_sized(&mut body)?;
        let (count, cuts) = match &mut spans {
            Some(spans) => (spans.try_get_u32_le().ok()?, take_sized(spans)?),
            None => (1, Bytes::new()),
        };
        let first = next;
        next = first.forward(count as usize);
        Some(Entry { first, seq: Seq(next.0 - 1), run_id: run_id.clone(), json, cuts })
    }))
}

fn take_sized(bytes: &mut Bytes) -> Option<Bytes> {
    let length = bytes.try_get_u32_le().ok()? as usize;
    (length <= bytes.len()).then(|| bytes.split_to(length))
}
