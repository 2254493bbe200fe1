//! The log, in blocks.

use bytes::Bytes;
use forestage_protocol::id::{RunId, ThreadId};
use rusqlite::{Connection, OptionalExtension, params};

use crate::{Append, AppendError, Boundary, Entry, Fence, Seq};

pub(super) fn append(db: &Connection, append: &Append) -> rusqlite::Result<Result<Seq, AppendError>> {
    let mut find = db.prepare_cached("SELECT key, tail, fence FROM thread WHERE id = ?1")?;
    let found = find.query_row([append.thread_id.as_str()], |row| {
        Ok((
            row.get::<_, i64>(0)?,
            row.get::<_, i64>(1)?.cast_unsigned(),
            row.get::<_, i64>(2)?.cast_unsigned(),
        ))
    });
    let Some((thread, tail, fence)) = found.optional()? else {
        return Ok(Err(AppendError::NoThread(append.thread_id.clone())));
    };
    if Fence(fence) != append.fence {
        return Ok(Err(AppendError::Fenced { given: append.fence, current: Fence(fence) }));
    }
    if Seq(tail) != append.after {
        if has_already(db, thread, append)? {
            return Ok(Ok(append.tail()));
        }
        return Ok(Err(AppendError::Conflict { expected: append.after, found: Seq(tail) }));
    }
    if !note_run(db, thread, append)? {
        return Ok(Err(AppendError::RunClosed(append.run_id.clone())));
    }
    insert(db, thread, append)?;
    Ok(Ok(append.tail()))
}

fn insert(db: &Connection, thread: i64, append: &Append) -> rusqlite::Result<()> {
    if append.events.is_empty() {
        return Ok(());
    }
    db.prepare_cached("INSERT INTO block (thread, last, first, run, body) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![
            thread,
            signed(append.tail()),
            signed(append.after.forward(1)),
            append.run_id.as_str(),
            pack(&append.events)
        ])?;
    db.prepare_cached("UPDATE thread SET tail = ?2 WHERE key = ?1")?
        .execute(params![thread, signed(append.tail())])?;
    Ok(())
}

/// Keeps the index of runs in step with the log; `false` if the run cannot go on.
fn note_run(db: &Connection, thread: i64, append: &Append) -> rusqlite::Result<bool> {
    for boundary in &append.boundaries {
        if let Boundary::Started { request_hash } = boundary {
            let added = db
                .prepare_cached(
                    "INSERT OR IGNORE INTO run (thread, id, request_hash, first, last) VALUES (?1, ?2, ?3, ?4, ?5)",
                )?
                .execute(params![
                    thread,
                    append.run_id.as_str(),
                    request_hash.cast_signed(),
                    signed(append.after.forward(1)),
                    signed(append.tail())
                ])?;
            if added == 0 {
                return Ok(false);
            }
        }
    }
    let ended = append.boundaries.iter().find_map(|boundary| match boundary {
        Boundary::Ended { end } => Some(end.as_str()),
        Boundary::Started { .. } => None,
    });
    let changed = db
        .prepare_cached(
            "UPDATE run SET last = ?3, ended = ?4 WHERE thread = ?1 AND id = ?2 AND ended IS NULL",
        )?
        .execute(params![thread, append.run_id.as_str(), signed(append.tail()), ended])?;
    Ok(changed == 1)
}

/// The same events at the same place.
fn has_already(db: &Connection, thread: i64, append: &Append) -> rusqlite::Result<bool> {
    let held = entries(db, thread, append.after, append.events.len())?;
    let mut pairs = held.iter().zip(&append.events);
    Ok(!append.events.is_empty()
        && held.len() == append.events.len()
        && pairs.all(|(held, given)| held.run_id == append.run_id && held.json == *given))
}

pub(super) fn read(
    db: &Connection,
    thread_id: &ThreadId,
    after: Seq,
    limit: usize,
) -> rusqlite::Result<Vec<Entry>> {
    let key = db
        .prepare_cached("SELECT key FROM thread WHERE id = ?1")?
        .query_row([thread_id.as_str()], |row| row.get(0))
        .optional()?;
    key.map_or(Ok(Vec::new()), |thread| entries(db, thread, after, limit))
}

fn entries(db: &Connection, thread: i64, after: Seq, limit: usize) -> rusqlite::Result<Vec<Entry>> {
    let mut select = db
        .prepare_cached("SELECT first, run, body FROM block WHERE thread = ?1 AND last > ?2 ORDER BY last")?;
    let mut rows = select.query(params![thread, signed(after)])?;
    let mut entries = Vec::new();
    while entries.len() < limit
        && let Some(row) = rows.next()?
    {
        let first = Seq(row.get::<_, i64>(0)?.cast_unsigned());
        let run_id = RunId::from(row.get_ref(1)?.as_str()?);
        let events = unpack(row.get::<_, Vec<u8>>(2)?.into());
        let numbered = events.into_iter().enumerate().map(|(offset, json)| (first.forward(offset), json));
        let wanted = numbered.filter(|(seq, _)| *seq > after).take(limit - entries.len());
        entries.extend(wanted.map(|(seq, json)| Entry { seq, run_id: run_id.clone(), json }));
    }
    Ok(entries)
}

fn signed(seq: Seq) -> i64 {
    seq.0.cast_signed()
}

/// Each event with its length in front.
fn pack(events: &[Bytes]) -> Vec<u8> {
    let mut body = Vec::with_capacity(events.iter().map(|event| event.len() + 4).sum());
    for event in events {
        body.extend_from_slice(&(event.len() as u32).to_le_bytes());
        body.extend_from_slice(event);
    }
    body
}

/// The events of a block, as views of one allocation.
fn unpack(mut body: Bytes) -> Vec<Bytes> {
    let mut events = Vec::new();
    while let Some(length) = body.first_chunk::<4>() {
        let length = u32::from_le_bytes(*length) as usize;
        let mut rest = body.split_off(4);
        body = rest.split_off(length.min(rest.len()));
        events.push(rest);
    }
    events
}
