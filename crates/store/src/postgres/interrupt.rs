//! Interrupts: asking, and finding what was asked.

use bytes::Bytes;
use forestage_protocol::id::{InterruptId, RunId, ThreadId};
use tokio_postgres::{Row, types::ToSql};

use super::{
    failure::Failure,
    pool::{Db, Params},
    transaction::Transaction,
};
use crate::{Decision, InterruptQuery, InterruptRecord, NewInterrupt, Viewer, Vote};

/// Records come with their votes, so that both are of one moment.
const SELECT: &str = "SELECT interrupt.id, thread.id, interrupt.run, interrupt.owner, json, opened_at,
    interrupt.expires_at, status, answer, decided_by, decided_at, decided_run, role, needs, private,
    (SELECT run.agent FROM run WHERE run.thread = interrupt.thread AND run.id = interrupt.run),
    ARRAY(SELECT vote.made_by FROM vote
          WHERE vote.thread = interrupt.thread AND vote.interrupt = interrupt.id ORDER BY vote.key),
    ARRAY(SELECT vote.at FROM vote
          WHERE vote.thread = interrupt.thread AND vote.interrupt = interrupt.id ORDER BY vote.key),
    ARRAY(SELECT vote.json FROM vote
          WHERE vote.thread = interrupt.thread AND vote.interrupt = interrupt.id ORDER BY vote.key)
    FROM interrupt JOIN thread ON key = interrupt.thread";

/// What is pending counts while its run is the head of its thread.
const PENDING: &str = "status IS NULL AND interrupt.run = head";

/// What a viewer may see; the user is the first parameter, and the roles are the second.
const VISIBLE: &str = "(interrupt.owner = $1 OR role = ANY($2))";

async fn select(db: &Db, rest: &str, params: Params<'_>) -> Result<Vec<InterruptRecord>, Failure> {
    db.query(&format!("{SELECT} WHERE {rest}"), params).await?.iter().map(record).collect()
}

fn record(row: &Row) -> Result<InterruptRecord, Failure> {
    Ok(InterruptRecord {
        id: row.try_get::<_, &str>(0)?.into(),
        thread_id: row.try_get::<_, &str>(1)?.into(),
        run_id: row.try_get::<_, &str>(2)?.into(),
        agent: row.try_get::<_, Option<String>>(15)?.unwrap_or_default(),
        owner: row.try_get(3)?,
        role: row.try_get(12)?,
        needs: u32::try_from(row.try_get::<_, i64>(13)?).unwrap_or(u32::MAX),
        json: bytes(row, 4)?,
        private: bytes(row, 14)?,
        opened_at: row.try_get(5)?,
        expires_at: row.try_get(6)?,
        votes: votes(row)?,
        decision: decision(row)?,
    })
}

fn decision(row: &Row) -> Result<Option<Decision>, Failure> {
    let Some(status) = row.try_get(7)? else { return Ok(None) };
    Ok(Some(Decision {
        status,
        json: bytes(row, 8)?,
        by: row.try_get(9)?,
        at: row.try_get(10)?,
        run_id: row.try_get::<_, Option<&str>>(11)?.map(Into::into),
    }))
}

fn votes(row: &Row) -> Result<Vec<Vote>, Failure> {
    let (made_by, at): (Vec<String>, Vec<i64>) = (row.try_get(16)?, row.try_get(17)?);
    let json: Vec<Vec<u8>> = row.try_get(18)?;
    let votes = made_by.into_iter().zip(at).zip(json);
    Ok(votes.map(|((by, at), json)| Vote { by, at, json: json.into() }).collect())
}

fn bytes(row: &Row, column: usize) -> Result<Bytes, Failure> {
    Ok(row.try_get::<_, Vec<u8>>(column)?.into())
}

pub(super) async fn list(db: &Db, query: &InterruptQuery) -> Result<Vec<InterruptRecord>, Failure> {
    let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
    let after = query.after.as_ref().map(|(at, thread, id)| (at, thread.as_str(), id.as_str()));
    let thread = query.thread_id.as_deref();
    let which = if query.decided { "TRUE" } else { "status IS NULL" };
    let mut rest = format!("{VISIBLE} AND {which} AND (status IS NOT NULL OR {PENDING})");
    let mut params: Vec<&(dyn ToSql + Sync)> = vec![&query.viewer.user, &query.viewer.roles];
    let mut bind = |value| {
        params.push(value);
        format!("${}", params.len())
    };
    if let Some(thread) = &thread {
        rest += &format!(" AND thread.id = {}", bind(thread));
    }
    if let Some((at, thread, id)) = &after {
        let place = [bind(at), bind(thread), bind(id)].join(", ");
        rest += &format!(" AND (opened_at, thread.id, interrupt.id) > ({place})");
    }
    rest += &format!(" ORDER BY opened_at, thread.id, interrupt.id LIMIT {}", bind(&limit));
    select(db, &rest, &params).await
}

pub(super) async fn newest(
    db: &Db,
    id: &InterruptId,
    viewer: &Viewer,
) -> Result<Option<InterruptRecord>, Failure> {
    let rest = format!("{VISIBLE} AND interrupt.id = $3 ORDER BY opened_at DESC, thread.id DESC LIMIT 1");
    Ok(select(db, &rest, &[&viewer.user, &viewer.roles, &id.as_str()]).await?.pop())
}

/// One interrupt of a thread, which the caller has locked.
pub(super) async fn find(
    tx: &Transaction,
    thread_id: &ThreadId,
    id: &InterruptId,
) -> Result<Option<InterruptRecord>, Failure> {
    let rest = "thread.id = $1 AND interrupt.id = $2";
    Ok(select(tx, rest, &[&thread_id.as_str(), &id.as_str()]).await?.pop())
}

pub(super) async fn due(db: &Db, now: i64, limit: usize) -> Result<Vec<InterruptRecord>, Failure> {
    let rest = format!(
        "{PENDING} AND interrupt.expires_at <= $1
         ORDER BY interrupt.expires_at, opened_at, thread.id, interrupt.id LIMIT $2"
    );
    select(db, &rest, &[&now, &i64::try_from(limit).unwrap_or(i64::MAX)]).await
}

pub(super) async fn resumable(db: &Db, limit: usize) -> Result<Vec<ThreadId>, Failure> {
    let rows = db
        .query(
            "SELECT thread.id FROM interrupt JOIN thread ON key = interrupt.thread
             JOIN run ON run.thread = key AND run.id = head
             WHERE status IS NOT NULL AND decided_run IS NULL AND interrupt.run = head AND ended = 'interrupt'
               AND NOT EXISTS (SELECT 1 FROM interrupt AS other WHERE other.thread = key AND other.run = head
                               AND (other.status IS NULL OR other.decided_run IS NOT NULL))
             GROUP BY key, thread.id ORDER BY max(decided_at), thread.id LIMIT $1",
            &[&i64::try_from(limit).unwrap_or(i64::MAX)],
        )
        .await?;
    rows.iter().map(|row| Ok(row.try_get::<_, &str>(0)?.into())).collect()
}

pub(super) async fn ask(
    tx: &Transaction,
    thread: i64,
    new: &NewInterrupt,
    at: i64,
    run_id: &RunId,
) -> Result<(), Failure> {
    for (table, column) in [("vote", "interrupt"), ("interrupt", "id")] {
        let sql = format!("DELETE FROM {table} WHERE thread = $1 AND {column} = $2");
        tx.execute(&sql, &[&thread, &new.id.as_str()]).await?;
    }
    tx.execute(
        "INSERT INTO interrupt (thread, id, owner, run, json, opened_at, expires_at, role, needs, private)
         SELECT key, $2, owner, $3, $4, $5, $6, $7, $8, $9 FROM thread WHERE key = $1",
        &[
            &thread,
            &new.id.as_str(),
            &run_id.as_str(),
            &&new.json[..],
            &at,
            &new.expires_at,
            &new.role,
            &i64::from(new.needs),
            &&new.private[..],
        ],
    )
    .await?;
    Ok(())
}
