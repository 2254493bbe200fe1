//! Annotations.

use bytes::Bytes;
use forestage_protocol::id::ThreadId;
use rusqlite::{Connection, Row, params};

use super::index;
use crate::Annotation;

pub(super) fn put(db: &Connection, annotation: &Annotation) -> rusqlite::Result<bool> {
    let Some(thread) = index::key(db, &annotation.thread_id)? else { return Ok(false) };
    db.prepare_cached(
        "INSERT OR REPLACE INTO annotation (thread, id, run, message, kind, json, made_by, at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        thread,
        annotation.id,
        annotation.run_id.as_deref(),
        annotation.message_id.as_deref(),
        annotation.kind,
        &annotation.json[..],
        annotation.by,
        annotation.at
    ])?;
    Ok(true)
}

pub(super) fn list(db: &Connection, thread_id: &ThreadId) -> rusqlite::Result<Vec<Annotation>> {
    db.prepare_cached(
        "SELECT annotation.id, run, message, kind, json, made_by, at
         FROM annotation JOIN thread ON key = annotation.thread WHERE thread.id = ?1 ORDER BY at, annotation.id",
    )?
    .query_map([thread_id.as_str()], |row| record(row, thread_id))?
    .collect()
}

fn record(row: &Row<'_>, thread_id: &ThreadId) -> rusqlite::Result<Annotation> {
    Ok(Annotation {
        id: row.get(0)?,
        thread_id: thread_id.clone(),
        run_id: row.get_ref(1)?.as_str_or_null()?.map(Into::into),
        message_id: row.get_ref(2)?.as_str_or_null()?.map(Into::into),
        kind: row.get(3)?,
        json: Bytes::from(row.get::<_, Vec<u8>>(4)?),
        by: row.get(5)?,
        at: row.get(6)?,
    })
}

pub(super) fn delete(db: &Connection, thread_id: &ThreadId, id: &str) -> rusqlite::Result<bool> {
    let deleted = db
        .prepare_cached(
            "DELETE FROM annotation WHERE thread = (SELECT key FROM thread WHERE id = ?1) AND id = ?2",
        )?
        .execute([thread_id.as_str(), id])?;
    Ok(deleted == 1)
}
