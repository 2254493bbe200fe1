//! Interrupts.

use bytes::Bytes;
use forestage_protocol::id::{InterruptId, RunId};
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};

use crate::{Answer, AppendError, Decision, InterruptQuery, InterruptRecord, NewInterrupt};

const SELECT: &str = "SELECT interrupt.id, thread.id, run, interrupt.owner, json, opened_at,
    interrupt.expires_at, status, answer, decided_by, decided_at, decided_run
    FROM interrupt JOIN thread ON key = interrupt.thread";

fn record(row: &Row<'_>) -> rusqlite::Result<InterruptRecord> {
    Ok(InterruptRecord {
        id: row.get_ref(0)?.as_str()?.into(),
        thread_id: row.get_ref(1)?.as_str()?.into(),
        run_id: row.get_ref(2)?.as_str()?.into(),
        owner: row.get(3)?,
        json: row.get::<_, Vec<u8>>(4)?.into(),
        opened_at: row.get(5)?,
        expires_at: row.get(6)?,
        decision: decision(row)?,
    })
}

fn decision(row: &Row<'_>) -> rusqlite::Result<Option<Decision>> {
    let Some(status) = row.get(7)? else { return Ok(None) };
    Ok(Some(Decision {
        status,
        json: row.get::<_, Vec<u8>>(8)?.into(),
        by: row.get(9)?,
        at: row.get(10)?,
        run_id: row.get_ref(11)?.as_str()?.into(),
    }))
}

pub(super) fn list(db: &Connection, query: &InterruptQuery) -> rusqlite::Result<Vec<InterruptRecord>> {
    // Two statements, so that the usual question is answered by the index of what is pending.
    let which = if query.decided { "" } else { "AND status IS NULL" };
    db.prepare_cached(&format!(
        "{SELECT} WHERE interrupt.owner = :owner {which} AND (:thread IS NULL OR thread.id = :thread)
         ORDER BY opened_at, thread.id, interrupt.id LIMIT :limit"
    ))?
    .query_map(
        named_params! {
            ":owner": query.owner,
            ":thread": query.thread_id.as_deref(),
            ":limit": i64::try_from(query.limit).unwrap_or(i64::MAX),
        },
        record,
    )?
    .collect()
}

pub(super) fn newest(
    db: &Connection,
    id: &InterruptId,
    owner: &str,
) -> rusqlite::Result<Option<InterruptRecord>> {
    db.prepare_cached(&format!(
        "{SELECT} WHERE interrupt.id = ?1 AND interrupt.owner = ?2 ORDER BY opened_at DESC, thread.id DESC LIMIT 1"
    ))?
    .query_row([id.as_str(), owner], record)
    .optional()
}

/// Why an append with these answers is refused, if it is: every answer has to be to a pending interrupt, and to
/// another one.
pub(super) fn refusal(
    db: &Connection,
    thread: i64,
    answers: &[Answer],
) -> rusqlite::Result<Option<AppendError>> {
    for (index, answer) in answers.iter().enumerate() {
        let known = db
            .prepare_cached("SELECT decided_by FROM interrupt WHERE thread = ?1 AND id = ?2")?
            .query_row(params![thread, answer.interrupt_id.as_str()], |row| row.get::<_, Option<String>>(0))
            .optional()?;
        let earlier = answers[..index].iter().find(|other| other.interrupt_id == answer.interrupt_id);
        if known != Some(None) || earlier.is_some() {
            let decided_by = known.flatten().or(earlier.map(|other| other.by.clone()));
            return Ok(Some(AppendError::NotPending {
                interrupt_id: answer.interrupt_id.clone(),
                decided_by,
            }));
        }
    }
    Ok(None)
}

pub(super) fn decide(
    db: &Connection,
    thread: i64,
    answer: &Answer,
    at: i64,
    run_id: &RunId,
) -> rusqlite::Result<()> {
    db.prepare_cached(
        "UPDATE interrupt SET status = ?3, answer = ?4, decided_by = ?5, decided_at = ?6, decided_run = ?7
         WHERE thread = ?1 AND id = ?2",
    )?
    .execute(params![
        thread,
        answer.interrupt_id.as_str(),
        answer.status,
        blob(&answer.json),
        answer.by,
        at,
        run_id.as_str()
    ])?;
    Ok(())
}

pub(super) fn ask(
    db: &Connection,
    thread: i64,
    new: &NewInterrupt,
    at: i64,
    run_id: &RunId,
) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT OR REPLACE INTO interrupt (thread, id, owner, run, json, opened_at, expires_at)
         SELECT key, ?2, owner, ?3, ?4, ?5, ?6 FROM thread WHERE key = ?1",
    )?
    .execute(params![thread, new.id.as_str(), run_id.as_str(), blob(&new.json), at, new.expires_at])?;
    Ok(())
}

fn blob(bytes: &Bytes) -> &[u8] {
    bytes
}
