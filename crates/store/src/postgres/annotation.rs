//! Annotations.

use bytes::Bytes;
use forestage_protocol::id::ThreadId;
use tokio_postgres::Row;

use super::{failure::Failure, index, pool::Db, transaction::Transaction};
use crate::Annotation;

pub(super) async fn put(tx: &Transaction, annotation: &Annotation) -> Result<bool, Failure> {
    let Some(thread) = index::hold(tx, &annotation.thread_id).await? else { return Ok(false) };
    tx.execute(
        "INSERT INTO annotation (thread, id, run, message, kind, json, made_by, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (thread, id) DO UPDATE SET run = excluded.run, message = excluded.message,
             kind = excluded.kind, json = excluded.json, made_by = excluded.made_by, at = excluded.at",
        &[
            &thread,
            &annotation.id,
            &annotation.run_id.as_deref(),
            &annotation.message_id.as_deref(),
            &annotation.kind,
            &&annotation.json[..],
            &annotation.by,
            &annotation.at,
        ],
    )
    .await?;
    Ok(true)
}

pub(super) async fn list(db: &Db, thread_id: &ThreadId) -> Result<Vec<Annotation>, Failure> {
    let rows = db
        .query(
            "SELECT annotation.id, run, message, kind, json, made_by, at FROM annotation
             JOIN thread ON key = annotation.thread WHERE thread.id = $1 ORDER BY at, annotation.id",
            &[&thread_id.as_str()],
        )
        .await?;
    rows.iter().map(|row| record(row, thread_id)).collect()
}

fn record(row: &Row, thread_id: &ThreadId) -> Result<Annotation, Failure> {
    Ok(Annotation {
        id: row.try_get(0)?,
        thread_id: thread_id.clone(),
        run_id: row.try_get::<_, Option<&str>>(1)?.map(Into::into),
        message_id: row.try_get::<_, Option<&str>>(2)?.map(Into::into),
        kind: row.try_get(3)?,
        json: Bytes::from(row.try_get::<_, Vec<u8>>(4)?),
        by: row.try_get(5)?,
        at: row.try_get(6)?,
    })
}

pub(super) async fn delete(tx: &Transaction, thread_id: &ThreadId, id: &str) -> Result<bool, Failure> {
    let deleted = tx
        .execute(
            "DELETE FROM annotation WHERE thread = (SELECT key FROM thread WHERE thread.id = $1) AND id = $2",
            &[&thread_id.as_str(), &id],
        )
        .await?;
    Ok(deleted == 1)
}
