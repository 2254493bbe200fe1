//! Shares.

use forestage_protocol::id::ThreadId;
use tokio_postgres::Row;

use super::{failure::Failure, index, pool::Db, transaction::Transaction};
use crate::{NewAudit, Share};

const COLUMNS: &str = "share.id, thread.id, hash, made_by, at, share.expires_at";

pub(super) async fn put(tx: &Transaction, share: &Share, on_record: &NewAudit) -> Result<bool, Failure> {
    let Some(thread) = index::hold(tx, &share.thread_id).await? else { return Ok(false) };
    // What opens it opens nothing else any more.
    tx.execute(
        "DELETE FROM share WHERE hash = $1 AND (thread, id) <> ($2, $3)",
        &[&&share.hash[..], &thread, &share.id],
    )
    .await?;
    tx.execute(
        "INSERT INTO share (thread, id, hash, made_by, at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (thread, id) DO UPDATE SET hash = excluded.hash, made_by = excluded.made_by,
             at = excluded.at, expires_at = excluded.expires_at",
        &[&thread, &share.id, &&share.hash[..], &share.by, &share.at, &share.expires_at],
    )
    .await?;
    tx.seal(on_record);
    Ok(true)
}

pub(super) async fn list(db: &Db, thread_id: &ThreadId) -> Result<Vec<Share>, Failure> {
    let sql = format!(
        "SELECT {COLUMNS} FROM share JOIN thread ON key = share.thread WHERE thread.id = $1 ORDER BY at, share.id"
    );
    db.query(&sql, &[&thread_id.as_str()]).await?.iter().map(record).collect()
}

pub(super) async fn with_hash(db: &Db, hash: &[u8; 32]) -> Result<Option<Share>, Failure> {
    let sql = format!("SELECT {COLUMNS} FROM share JOIN thread ON key = share.thread WHERE hash = $1");
    db.first(&sql, &[&&hash[..]]).await?.as_ref().map(record).transpose()
}

fn record(row: &Row) -> Result<Share, Failure> {
    Ok(Share {
        id: row.try_get(0)?,
        thread_id: row.try_get::<_, &str>(1)?.into(),
        hash: row.try_get::<_, &[u8]>(2)?.try_into().map_err(|_| Failure::Damaged)?,
        by: row.try_get(3)?,
        at: row.try_get(4)?,
        expires_at: row.try_get(5)?,
    })
}

pub(super) async fn delete(
    tx: &Transaction,
    thread_id: &ThreadId,
    id: &str,
    on_record: &NewAudit,
) -> Result<bool, Failure> {
    let deleted = tx
        .execute(
            "DELETE FROM share WHERE thread = (SELECT key FROM thread WHERE thread.id = $1) AND id = $2",
            &[&thread_id.as_str(), &id],
        )
        .await?;
    if deleted == 1 {
        tx.seal(on_record);
    }
    Ok(deleted == 1)
}
