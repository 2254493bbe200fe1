//! Threads.

use forestage_protocol::id::{RunId, ThreadId};
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};

use super::{place, place::TAIL};
use crate::{CreateError, Lease, NewThread, Page, Seq, Thread, ThreadChange, ThreadQuery, ThreadStatus};

/// What a thread is doing, from its runs and interrupts. It waits for decisions, for the run that continues with them, and
/// for results of tools that the client runs.
const STATUS: &str = "CASE
    WHEN EXISTS (SELECT 1 FROM run WHERE run.thread = key AND ended IS NULL) THEN 'running'
    WHEN EXISTS (SELECT 1 FROM interrupt WHERE interrupt.thread = key AND decided_run IS NULL AND run = head)
        THEN 'waiting'
    ELSE CASE (SELECT ended FROM run WHERE run.thread = key AND run.id = head)
        WHEN 'tool_calls' THEN 'waiting' WHEN 'error' THEN 'failed' ELSE 'idle' END
    END";

const COLUMNS: &str =
    "id, owner, agent, title, archived, review, created_at, updated_at, head, runs, messages,
    (SELECT count(*) FROM interrupt WHERE interrupt.thread = key AND status IS NULL AND run = head),
    (SELECT substr(text, 1, 200) FROM utterance WHERE utterance.thread = key AND by_person ORDER BY number LIMIT 1)";

fn thread(row: &Row<'_>) -> rusqlite::Result<Thread> {
    Ok(Thread {
        id: row.get_ref(0)?.as_str()?.into(),
        owner: row.get(1)?,
        agent: row.get(2)?,
        title: row.get(3)?,
        archived: row.get(4)?,
        review: row.get(5)?,
        created_at: row.get(6)?,
        updated_at: row.get(7)?,
        head: row.get_ref(8)?.as_str_or_null()?.map(Into::into),
        runs: row.get::<_, i64>(9)?.cast_unsigned(),
        messages: row.get::<_, i64>(10)?.cast_unsigned(),
        pending: row.get::<_, i64>(11)?.cast_unsigned(),
        opening: row.get(12)?,
        tail: Seq(row.get::<_, i64>(13)?.cast_unsigned()),
        status: ThreadStatus::from_name(row.get_ref(14)?.as_str()?).unwrap_or_default(),
    })
}

/// The key of a thread, under which all it has is kept.
pub(super) fn key(db: &Connection, id: &ThreadId) -> rusqlite::Result<Option<i64>> {
    db.prepare_cached("SELECT key FROM thread WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()
}

pub(super) fn create(db: &Connection, new: &NewThread) -> rusqlite::Result<Result<Thread, CreateError>> {
    let added = db
        .prepare_cached(
            "INSERT OR IGNORE INTO thread (id, owner, agent, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4)",
        )?
        .execute(params![new.id.as_str(), new.owner, new.agent, new.now])?;
    Ok(match added {
        1 => Ok(new.thread()),
        _ => Err(CreateError::Exists(new.id.clone())),
    })
}

/// Adds a thread that somebody holds from the beginning, perhaps with its first run. `false` if there is one.
pub(super) fn create_held(
    db: &Connection,
    new: &NewThread,
    lease: &Lease,
    first: Option<(&RunId, i64)>,
) -> rusqlite::Result<bool> {
    let added = db
        .prepare_cached(
            "INSERT OR IGNORE INTO thread
             (id, owner, agent, created_at, fence, holder, expires_at, updated_at, head, runs)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9 IS NOT NULL)",
        )?
        .execute(params![
            new.id.as_str(),
            new.owner,
            new.agent,
            new.now,
            lease.fence.0.cast_signed(),
            lease.holder,
            lease.expires_at,
            first.map_or(new.now, |(_, at)| at),
            first.map(|(run_id, _)| run_id.as_str())
        ])?;
    Ok(added == 1)
}

pub(super) fn get(db: &Connection, id: &ThreadId) -> rusqlite::Result<Option<Thread>> {
    db.prepare_cached(&format!("SELECT {COLUMNS}, {TAIL}, {STATUS} FROM thread WHERE id = ?1"))?
        .query_row([id.as_str()], thread)
        .optional()
}

pub(super) fn list(db: &Connection, query: &ThreadQuery) -> rusqlite::Result<Page<Thread>> {
    let mut select = db.prepare_cached(&format!(
        "SELECT {COLUMNS}, {TAIL}, {STATUS} FROM thread
         WHERE owner = :owner AND archived <= :archived
           AND (:agent IS NULL OR agent = :agent)
           AND (:status IS NULL OR {STATUS} = :status)
           AND (:search IS NULL OR title LIKE :search ESCAPE '\\' OR id LIKE :search ESCAPE '\\')
           AND (:at IS NULL OR (updated_at, id) < (:at, :id))
         ORDER BY updated_at DESC, id DESC LIMIT :limit"
    ))?;
    let limit = i64::try_from(query.limit).unwrap_or(i64::MAX - 1);
    let rows = select.query_map(
        named_params! {
            ":owner": query.owner,
            ":archived": query.archived,
            ":agent": query.agent,
            ":status": query.status.map(ThreadStatus::as_str),
            ":search": query.search.as_deref().map(pattern),
            ":at": query.after.as_ref().map(|(at, _)| at),
            ":id": query.after.as_ref().map(|(_, id)| id.as_str()),
            ":limit": limit + 1,
        },
        thread,
    )?;
    let mut items = rows.collect::<rusqlite::Result<Vec<_>>>()?;
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

pub(super) fn update(
    db: &Connection,
    id: &ThreadId,
    change: &ThreadChange,
) -> rusqlite::Result<Option<Thread>> {
    db.prepare_cached(
        "UPDATE thread SET title = iif(?2, ?3, title), archived = ifnull(?4, archived),
                           head = iif(?5, ?6, head), updated_at = ?7, review = ifnull(?8, review) WHERE id = ?1",
    )?
    .execute(params![
        id.as_str(),
        change.title.is_some(),
        change.title.as_ref().and_then(Option::as_deref),
        change.archived,
        change.head.is_some(),
        change.head.as_ref().and_then(Option::as_deref),
        change.now,
        change.review
    ])?;
    get(db, id)
}

pub(super) fn delete(db: &Connection, id: &ThreadId) -> rusqlite::Result<bool> {
    let Some(key) = key(db, id)? else { return Ok(false) };
    place::settle(db, key)?;
    place::remove(db, key, 0, i64::MAX)?;
    for table in ["run", "snapshot", "interrupt", "vote", "rule", "annotation", "share", "utterance"] {
        db.prepare_cached(&format!("DELETE FROM {table} WHERE thread = ?1"))?.execute([key])?;
    }
    db.prepare_cached("DELETE FROM thread WHERE key = ?1")?.execute([key])?;
    Ok(true)
}
