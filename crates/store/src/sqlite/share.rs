//! Shares.

use forestage_protocol::id::ThreadId;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{audit, index};
use crate::{NewAudit, Share};

const COLUMNS: &str = "share.id, thread.id, hash, made_by, at, share.expires_at";

pub(super) fn put(db: &Connection, share: &Share, on_record: &NewAudit) -> rusqlite::Result<bool> {
    let Some(thread) = index::key(db, &share.thread_id)? else { return Ok(false) };
    db.prepare_cached(
        "INSERT OR REPLACE INTO share (thread, id, hash, made_by, at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![thread, share.id, share.hash, share.by, share.at, share.expires_at])?;
    audit::add(db, on_record)?;
    Ok(true)
}

pub(super) fn list(db: &Connection, thread_id: &ThreadId) -> rusqlite::Result<Vec<Share>> {
    db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM share JOIN thread ON key = share.thread WHERE thread.id = ?1 ORDER BY at, share.id"
    ))?
    .query_map([thread_id.as_str()], record)?
    .collect()
}

pub(super) fn with_hash(db: &Connection, hash: &[u8; 32]) -> rusqlite::Result<Option<Share>> {
    db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM share JOIN thread ON key = share.thread WHERE hash = ?1"
    ))?
    .query_row([hash], record)
    .optional()
}

fn record(row: &Row<'_>) -> rusqlite::Result<Share> {
    Ok(Share {
        id: row.get(0)?,
        thread_id: row.get_ref(1)?.as_str()?.into(),
        hash: row.get(2)?,
        by: row.get(3)?,
        at: row.get(4)?,
        expires_at: row.get(5)?,
    })
}

pub(super) fn delete(
    db: &Connection,
    thread_id: &ThreadId,
    id: &str,
    on_record: &NewAudit,
) -> rusqlite::Result<bool> {
    let deleted = db
        .prepare_cached(
            "DELETE FROM share WHERE thread = (SELECT key FROM thread WHERE id = ?1) AND id = ?2",
        )?
        .execute([thread_id.as_str(), id])?;
    if deleted == 1 {
        audit::add(db, on_record)?;
    }
    Ok(deleted == 1)
}
