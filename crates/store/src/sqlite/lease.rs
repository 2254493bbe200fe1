//! Leases, in the row of their thread.

use forestage_protocol::id::ThreadId;
use rusqlite::{Connection, OptionalExtension, params};

use crate::{ClaimError, Fence, Lease, LeaseLost};

/// Whether somebody asked to stop an open run of the thread.
const CANCEL: &str = "EXISTS (SELECT 1 FROM run WHERE thread = key AND ended IS NULL AND cancel_requested)";

pub(super) fn claim(
    db: &Connection,
    thread_id: &ThreadId,
    holder: &str,
    now: i64,
    for_ms: i64,
) -> rusqlite::Result<Result<Lease, ClaimError>> {
    let held = db
        .prepare_cached("SELECT holder, expires_at FROM thread WHERE id = ?1")?
        .query_row([thread_id.as_str()], |row| {
            Ok((row.get::<_, Option<String>>(0)?, row.get::<_, Option<i64>>(1)?))
        })
        .optional()?;
    match held {
        None => return Ok(Err(ClaimError::NoThread(thread_id.clone()))),
        Some((Some(holder), Some(expires_at))) if expires_at > now => {
            return Ok(Err(ClaimError::Held { holder, expires_at }));
        }
        Some(_) => {}
    }
    let expires_at = now + for_ms;
    let (fence, cancel_requested) = db
        .prepare_cached(&format!(
            "UPDATE thread SET fence = fence + 1, holder = ?2, expires_at = ?3 WHERE id = ?1 RETURNING fence, {CANCEL}"
        ))?
        .query_row(params![thread_id.as_str(), holder, expires_at], |row| {
            Ok((row.get::<_, i64>(0)?, row.get(1)?))
        })?;
    let fence = Fence(fence.cast_unsigned());
    Ok(Ok(Lease {
        thread_id: thread_id.clone(),
        holder: holder.to_owned(),
        fence,
        expires_at,
        cancel_requested,
    }))
}

pub(super) fn renew(
    db: &Connection,
    lease: &Lease,
    now: i64,
    for_ms: i64,
) -> rusqlite::Result<Result<Lease, LeaseLost>> {
    let expires_at = now + for_ms;
    let cancel_requested = db
        .prepare_cached(&format!(
            "UPDATE thread SET expires_at = ?3 WHERE id = ?1 AND fence = ?2 AND holder IS NOT NULL RETURNING {CANCEL}"
        ))?
        .query_row(params![lease.thread_id.as_str(), lease.fence.0.cast_signed(), expires_at], |row| row.get(0))
        .optional()?;
    Ok(match cancel_requested {
        None => Err(LeaseLost::Lost(lease.thread_id.clone())),
        Some(cancel_requested) => Ok(Lease { expires_at, cancel_requested, ..lease.clone() }),
    })
}

/// Gives back the lease of a thread that the caller knows to hold.
pub(super) fn give_back(db: &Connection, thread: i64) -> rusqlite::Result<()> {
    db.prepare_cached("UPDATE thread SET holder = NULL, expires_at = NULL WHERE key = ?1")?
        .execute([thread])?;
    Ok(())
}

pub(super) fn release(db: &Connection, lease: &Lease) -> rusqlite::Result<()> {
    db.prepare_cached("UPDATE thread SET holder = NULL, expires_at = NULL WHERE id = ?1 AND fence = ?2")?
        .execute(params![lease.thread_id.as_str(), lease.fence.0.cast_signed()])?;
    Ok(())
}
