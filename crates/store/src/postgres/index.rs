//! Threads.

use forestage_protocol::id::ThreadId;
use tokio_postgres::Row;

use super::{failure::Failure, pool::Db, transaction::Transaction, wake::News};
use crate::{
    CreateError, Fence, Lease, NewThread, Page, Seq, Thread, ThreadChange, ThreadQuery, ThreadStatus,
};

/// What a thread is doing, from its runs and interrupts. It waits for decisions, for the run that continues with them, and
/// for results of tools that the client runs.
const STATUS: &str = "CASE
    WHEN EXISTS (SELECT 1 FROM run WHERE run.thread = key AND run.ended IS NULL) THEN 'running'
    WHEN EXISTS (SELECT 1 FROM interrupt
                 WHERE interrupt.thread = key AND interrupt.decided_run IS NULL AND interrupt.run = head) THEN 'waiting'
    ELSE CASE (SELECT run.ended FROM run WHERE run.thread = key AND run.id = head)
        WHEN 'tool_calls' THEN 'waiting' WHEN 'error' THEN 'failed' ELSE 'idle' END
    END";

const COLUMNS: &str =
    "id, owner, agent, title, archived, review, created_at, updated_at, head, runs, messages,
    (SELECT count(*) FROM interrupt
     WHERE interrupt.thread = key AND interrupt.status IS NULL AND interrupt.run = head),
    (SELECT substr(text, 1, 200) FROM utterance WHERE utterance.thread = key AND by_person ORDER BY number LIMIT 1), tail";

fn thread(row: &Row) -> Result<Thread, Failure> {
    Ok(Thread {
        id: row.try_get::<_, &str>(0)?.into(),
        owner: row.try_get(1)?,
        agent: row.try_get(2)?,
        title: row.try_get(3)?,
        archived: row.try_get(4)?,
        review: row.try_get(5)?,
        created_at: row.try_get(6)?,
        updated_at: row.try_get(7)?,
        head: row.try_get::<_, Option<&str>>(8)?.map(Into::into),
        runs: row.try_get::<_, i64>(9)?.cast_unsigned(),
        messages: row.try_get::<_, i64>(10)?.cast_unsigned(),
        pending: row.try_get::<_, i64>(11)?.cast_unsigned(),
        opening: row.try_get(12)?,
        tail: Seq(row.try_get::<_, i64>(13)?.cast_unsigned()),
        status: ThreadStatus::from_name(row.try_get(14)?).unwrap_or_default(),
    })
}

/// A thread that nobody else can change until the transaction ends.
pub(super) struct Locked {
    pub(super) key: i64,
    pub(super) fence: Fence,
    pub(super) tail: Seq,
}

/// Locks a thread against all others who write to it, and returns it as it is then.
pub(super) async fn lock(tx: &Transaction, id: &ThreadId) -> Result<Option<Locked>, Failure> {
    let row = tx
        .first("SELECT key, fence, tail FROM thread WHERE id = $1 FOR NO KEY UPDATE", &[&id.as_str()])
        .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(Locked {
        key: row.try_get(0)?,
        fence: Fence(row.try_get::<_, i64>(1)?.cast_unsigned()),
        tail: Seq(row.try_get::<_, i64>(2)?.cast_unsigned()),
    }))
}

/// The key of a thread, under which all it has is kept. It is not deleted until the transaction ends, and who appends to it
/// need not wait.
pub(super) async fn hold(tx: &Transaction, id: &ThreadId) -> Result<Option<i64>, Failure> {
    let row = tx.first("SELECT key FROM thread WHERE id = $1 FOR KEY SHARE", &[&id.as_str()]).await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

pub(super) async fn create(
    tx: &Transaction,
    new: &NewThread,
) -> Result<Result<Thread, CreateError>, Failure> {
    let added = tx
        .execute(
            "INSERT INTO thread (id, owner, agent, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
             ON CONFLICT (id) DO NOTHING",
            &[&new.id.as_str(), &new.owner, &new.agent, &new.now],
        )
        .await?;
    Ok(match added {
        1 => Ok(new.thread()),
        _ => Err(CreateError::Exists(new.id.clone())),
    })
}

/// Adds a thread that somebody holds from the beginning, and returns its key. None if there is one.
pub(super) async fn create_held(
    tx: &Transaction,
    new: &NewThread,
    lease: &Lease,
) -> Result<Option<i64>, Failure> {
    let row = tx
        .first(
            "INSERT INTO thread (id, owner, agent, created_at, updated_at, fence, holder, expires_at)
             VALUES ($1, $2, $3, $4, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING RETURNING key",
            &[
                &new.id.as_str(),
                &new.owner,
                &new.agent,
                &new.now,
                &lease.fence.0.cast_signed(),
                &lease.holder,
                &lease.expires_at,
            ],
        )
        .await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

pub(super) async fn get(db: &Db, id: &ThreadId) -> Result<Option<Thread>, Failure> {
    let sql = format!("SELECT {COLUMNS}, {STATUS} FROM thread WHERE id = $1");
    db.first(&sql, &[&id.as_str()]).await?.as_ref().map(thread).transpose()
}

pub(super) async fn list(db: &Db, query: &ThreadQuery) -> Result<Page<Thread>, Failure> {
    let sql = format!(
        "SELECT {COLUMNS}, {STATUS} FROM thread
         WHERE owner = $1 AND archived <= $2
           AND ($3::text IS NULL OR agent = $3)
           AND ($4::text IS NULL OR {STATUS} = $4)
           AND ($5::text IS NULL OR title ILIKE $5 OR id ILIKE $5)
           AND ($6::bigint IS NULL OR (updated_at, id) < ($6, $7::text))
         ORDER BY updated_at DESC, id DESC LIMIT $8"
    );
    let rows = db
        .query(
            &sql,
            &[
                &query.owner,
                &query.archived,
                &query.agent,
                &query.status.map(ThreadStatus::as_str),
                &query.search.as_deref().map(pattern),
                &query.after.as_ref().map(|(at, _)| *at),
                &query.after.as_ref().map(|(_, id)| id.as_str()),
                &(i64::try_from(query.limit).unwrap_or(i64::MAX - 1) + 1),
            ],
        )
        .await?;
    let mut items = rows.iter().map(thread).collect::<Result<Vec<_>, _>>()?;
    let more = items.len() > query.limit;
    items.truncate(query.limit);
    let next = items.last().filter(|_| more).map(|thread| (thread.updated_at, thread.id.clone()));
    Ok(Page { items, next })
}

/// A pattern for text that may contain the signs of patterns.
fn pattern(search: &str) -> String {
    let escaped = search.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

pub(super) async fn update(
    tx: &Transaction,
    id: &ThreadId,
    change: &ThreadChange,
) -> Result<Option<Thread>, Failure> {
    tx.execute(
        "UPDATE thread SET title = CASE WHEN $2 THEN $3 ELSE title END, archived = coalesce($4, archived),
                           head = CASE WHEN $5 THEN $6 ELSE head END, updated_at = $7,
                           review = coalesce($8, review) WHERE id = $1",
        &[
            &id.as_str(),
            &change.title.is_some(),
            &change.title.as_ref().and_then(Option::as_deref),
            &change.archived,
            &change.head.is_some(),
            &change.head.as_ref().and_then(Option::as_deref),
            &change.now,
            &change.review,
        ],
    )
    .await?;
    if change.head.is_some() {
        tx.tell(News::Inbox);
    }
    get(tx, id).await
}

pub(super) async fn delete(tx: &Transaction, id: &ThreadId) -> Result<bool, Failure> {
    let row = tx.first("DELETE FROM thread WHERE id = $1 RETURNING key", &[&id.as_str()]).await?;
    let Some(row) = row else { return Ok(false) };
    let key: i64 = row.try_get(0)?;
    for table in ["block", "run", "snapshot", "interrupt", "vote", "rule", "annotation", "share", "utterance"]
    {
        tx.execute(&format!("DELETE FROM {table} WHERE thread = $1"), &[&key]).await?;
    }
    tx.tell(News::Nudge(id.clone()));
    tx.tell(News::Inbox);
    Ok(true)
}
