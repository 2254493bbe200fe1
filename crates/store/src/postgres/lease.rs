//! Leases, in the row of their thread.

use forestage_protocol::id::ThreadId;

use super::{failure::Failure, transaction::Transaction};
use crate::{ClaimError, Fence, Lease, LeaseLost};

/// Whether somebody asked to stop an open run of the thread.
const CANCEL: &str =
    "EXISTS (SELECT 1 FROM run WHERE run.thread = key AND ended IS NULL AND cancel_requested)";

pub(super) async fn claim(
    tx: &Transaction,
    thread_id: &ThreadId,
    holder: &str,
    now: i64,
    for_ms: i64,
) -> Result<Result<Lease, ClaimError>, Failure> {
    let expires_at = now + for_ms;
    // Of two who want it at once the second waits for the first, and then finds it held.
    let sql = format!(
        "UPDATE thread SET fence = fence + 1, holder = $2, expires_at = $3
         WHERE id = $1 AND (holder IS NULL OR expires_at IS NULL OR expires_at <= $4) RETURNING fence, {CANCEL}"
    );
    let Some(row) = tx.first(&sql, &[&thread_id.as_str(), &holder, &expires_at, &now]).await? else {
        return refusal(tx, thread_id).await.map(Err);
    };
    Ok(Ok(Lease {
        thread_id: thread_id.clone(),
        holder: holder.to_owned(),
        fence: Fence(row.try_get::<_, i64>(0)?.cast_unsigned()),
        expires_at,
        cancel_requested: row.try_get(1)?,
    }))
}

async fn refusal(tx: &Transaction, thread_id: &ThreadId) -> Result<ClaimError, Failure> {
    let sql = "SELECT coalesce(holder, ''), coalesce(expires_at, 0) FROM thread WHERE id = $1";
    Ok(match tx.first(sql, &[&thread_id.as_str()]).await? {
        None => ClaimError::NoThread(thread_id.clone()),
        Some(row) => ClaimError::Held { holder: row.try_get(0)?, expires_at: row.try_get(1)? },
    })
}

pub(super) async fn renew(
    tx: &Transaction,
    lease: &Lease,
    now: i64,
    for_ms: i64,
) -> Result<Result<Lease, LeaseLost>, Failure> {
    let expires_at = now + for_ms;
    let sql = format!(
        "UPDATE thread SET expires_at = $3 WHERE id = $1 AND fence = $2 AND holder IS NOT NULL RETURNING {CANCEL}"
    );
    let params = (lease.thread_id.as_str(), lease.fence.0.cast_signed());
    let Some(row) = tx.first(&sql, &[&params.0, &params.1, &expires_at]).await? else {
        return Ok(Err(LeaseLost::Lost(lease.thread_id.clone())));
    };
    Ok(Ok(Lease { expires_at, cancel_requested: row.try_get(0)?, ..lease.clone() }))
}

pub(super) async fn release(tx: &Transaction, lease: &Lease) -> Result<(), Failure> {
    tx.execute(
        "UPDATE thread SET holder = NULL, expires_at = NULL WHERE id = $1 AND fence = $2",
        &[&lease.thread_id.as_str(), &lease.fence.0.cast_signed()],
    )
    .await?;
    Ok(())
}
