//! The log: what an append does, all of it in one transaction.

use forestage_protocol::id::{RunId, ThreadId};
use rusqlite::{Connection, OptionalExtension, params};

use super::{
    audit, block, decide, index, interrupt,
    known::Known,
    lease,
    place::{self, Chain, TAIL},
    rule, utterance,
};
use crate::{Append, AppendError, Boundary, Creation, Entry, Fence, Seq, body::Body};

/// What an append has to fit.
struct Place {
    thread: i64,
    fence: Fence,
    tail: Seq,
    /// Whether its run has begun, and if so whether it is open.
    run_open: Option<bool>,
}

pub(super) fn append(
    db: &Connection,
    known: &mut Known,
    append: &Append,
    body: &Body,
) -> rusqlite::Result<Result<Seq, AppendError>> {
    if let Some(place) = known.place_of(append) {
        place.chain = block::insert(db, place.thread, Some(place.chain), append, body)?;
        place.tail = append.tail();
        return Ok(Ok(append.tail()));
    }
    known.forget(&append.thread_id);
    let found = place(db, &append.thread_id, &append.run_id)?;
    if let Some(creation) = &append.creation {
        return create(db, append, body, creation, found.as_ref());
    }
    let Some(place) = found else {
        return Ok(Err(AppendError::NoThread(append.thread_id.clone())));
    };
    if place.fence != append.fence {
        return Ok(Err(AppendError::Fenced { given: append.fence, current: place.fence }));
    }
    if place.tail != append.after {
        if block::has_already(db, place.thread, append)? {
            return Ok(Ok(append.tail()));
        }
        return Ok(Err(AppendError::Conflict { expected: append.after, found: place.tail }));
    }
    // Everything that can be refused is refused before anything is written.
    if let Some(refusal) = refusal(db, &place, append)? {
        return Ok(Err(refusal));
    }
    let chain = write(db, place.thread, append, body)?;
    if let Some(chain) = chain.filter(|_| !ends(append)) {
        known.note(append, place.thread, chain);
    }
    Ok(Ok(append.tail()))
}

/// An append with which its thread begins.
fn create(
    db: &Connection,
    append: &Append,
    body: &Body,
    creation: &Creation,
    found: Option<&Place>,
) -> rusqlite::Result<Result<Seq, AppendError>> {
    if let Some(place) = found {
        let again = place.tail != append.after && block::has_already(db, place.thread, append)?;
        let exists = || AppendError::Exists(append.thread_id.clone());
        return Ok(if again { Ok(append.tail()) } else { Err(exists()) });
    }
    let nowhere = Place { thread: 0, fence: Fence::FIRST, tail: Seq::START, run_open: None };
    if let Some(refusal) = refusal(db, &nowhere, append)? {
        return Ok(Err(refusal));
    }
    index::create_held(db, &creation.thread, &creation.lease(), started(append))?;
    write(db, db.last_insert_rowid(), append, body)?;
    Ok(Ok(append.tail()))
}

fn write(db: &Connection, thread: i64, append: &Append, body: &Body) -> rusqlite::Result<Option<Chain>> {
    let chain = match append.events.is_empty() {
        true => None,
        false => {
            let before = place::before(db, thread, &append.run_id)?;
            Some(block::insert(db, thread, before, append, body)?)
        }
    };
    for boundary in &append.boundaries {
        note(db, thread, append, boundary)?;
    }
    audit::add_all(db, &append.audit)?;
    rule::put_all(db, &append.rules)?;
    utterance::put_all(db, thread, &append.utterances)?;
    if append.release && !ends(append) {
        lease::give_back(db, thread)?;
    }
    Ok(chain)
}

fn place(db: &Connection, thread_id: &ThreadId, run_id: &RunId) -> rusqlite::Result<Option<Place>> {
    db.prepare_cached(&format!(
        "SELECT key, fence, {TAIL}, (SELECT ended IS NULL FROM run WHERE run.thread = key AND run.id = ?2)
         FROM thread WHERE id = ?1"
    ))?
    .query_row([thread_id.as_str(), run_id.as_str()], |row| {
        Ok(Place {
            thread: row.get(0)?,
            fence: Fence(row.get::<_, i64>(1)?.cast_unsigned()),
            tail: Seq(row.get::<_, i64>(2)?.cast_unsigned()),
            run_open: row.get(3)?,
        })
    })
    .optional()
}

fn refusal(db: &Connection, place: &Place, append: &Append) -> rusqlite::Result<Option<AppendError>> {
    let begins = append.boundaries.iter().any(|boundary| matches!(boundary, Boundary::Started { .. }));
    let fits = if begins { place.run_open.is_none() } else { place.run_open == Some(true) };
    if !fits {
        return Ok(Some(AppendError::RunClosed(append.run_id.clone())));
    }
    for boundary in &append.boundaries {
        if let Boundary::Started { answers, .. } = boundary
            && let Some(refusal) = decide::refusal(db, append, answers)?
        {
            return Ok(Some(refusal));
        }
    }
    Ok(None)
}

/// The run that begins with an append, and when.
fn started(append: &Append) -> Option<(&RunId, i64)> {
    append.boundaries.iter().find_map(|boundary| match boundary {
        Boundary::Started { at, .. } => Some((&append.run_id, *at)),
        Boundary::Ended { .. } => None,
    })
}

fn ends(append: &Append) -> bool {
    append.boundaries.iter().any(|boundary| matches!(boundary, Boundary::Ended { .. }))
}

/// Keeps the index in step with the log.
fn note(db: &Connection, thread: i64, append: &Append, boundary: &Boundary) -> rusqlite::Result<()> {
    let run = append.run_id.as_str();
    match boundary {
        Boundary::Started { request_hash, agent, parent, at, answers } => {
            let first = append.after.forward(1).0.cast_signed();
            db.prepare_cached(
                "INSERT INTO run (thread, id, agent, parent, request_hash, first, started_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                thread,
                run,
                agent,
                parent.as_deref(),
                request_hash.cast_signed(),
                first,
                at
            ])?;
            // A thread that begins with it knows already.
            if append.creation.is_none() {
                db.prepare_cached(
                    "UPDATE thread SET head = ?2, runs = runs + 1, updated_at = ?3 WHERE key = ?1",
                )?
                .execute(params![thread, run, at])?;
            }
            answers.iter().try_for_each(|answer| decide::carry(db, thread, answer, *at, &append.run_id))
        }
        Boundary::Ended { end, at, messages, interrupts } => {
            place::settle(db, thread)?;
            let last = append.tail().0.cast_signed();
            db.prepare_cached(
                "UPDATE run SET last = ?3, ended = ?4, ended_at = ?5 WHERE thread = ?1 AND id = ?2",
            )?
            .execute(params![thread, run, last, end, at])?;
            db.prepare_cached(
                "UPDATE thread SET messages = ?2, updated_at = ?3, holder = iif(?4, NULL, holder),
                     expires_at = iif(?4, NULL, expires_at) WHERE key = ?1",
            )?
            .execute(params![thread, messages.cast_signed(), at, append.release])?;
            interrupts.iter().try_for_each(|new| interrupt::ask(db, thread, new, *at, &append.run_id))
        }
    }
}

pub(super) fn read(
    db: &Connection,
    thread_id: &ThreadId,
    after: Seq,
    until: Seq,
    limit: usize,
) -> rusqlite::Result<Vec<Entry>> {
    let key = index::key(db, thread_id)?;
    key.map_or(Ok(Vec::new()), |thread| block::entries(db, thread, after, until, limit))
}
