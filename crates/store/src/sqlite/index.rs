//! Threads and runs.

use forestage_protocol::id::{RunId, ThreadId};
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};

use crate::{CreateError, NewThread, Page, RunRecord, Seq, Thread, ThreadChange, ThreadQuery};

const COLUMNS: &str = "id, owner, agent, title, archived, created_at, updated_at, tail";

fn thread(row: &Row<'_>) -> rusqlite::Result<Thread> {
    Ok(Thread {
        id: row.get_ref(0)?.as_str()?.into(),
        owner: row.get(1)?,
        agent: row.get(2)?,
        title: row.get(3)?,
        archived: row.get(4)?,
        created_at: row.get(5)?,
        updated_at: row.get(6)?,
        tail: Seq(row.get::<_, i64>(7)?.cast_unsigned()),
    })
}

pub(super) fn create(db: &Connection, new: NewThread) -> rusqlite::Result<Result<Thread, CreateError>> {
    let added = db
        .prepare_cached(
            "INSERT OR IGNORE INTO thread (id, owner, agent, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4)",
        )?
        .execute(params![new.id.as_str(), new.owner, new.agent, new.now])?;
    match (added, get(db, &new.id)?) {
        (1, Some(thread)) => Ok(Ok(thread)),
        _ => Ok(Err(CreateError::Exists(new.id))),
    }
}

pub(super) fn get(db: &Connection, id: &ThreadId) -> rusqlite::Result<Option<Thread>> {
    db.prepare_cached(&format!("SELECT {COLUMNS} FROM thread WHERE id = ?1"))?
        .query_row([id.as_str()], thread)
        .optional()
}

pub(super) fn list(db: &Connection, query: &ThreadQuery) -> rusqlite::Result<Page<Thread>> {
    let mut select = db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM thread
         WHERE owner = :owner AND archived <= :archived
           AND (:search IS NULL OR title LIKE :search ESCAPE '\\' OR id LIKE :search ESCAPE '\\')
           AND (:at IS NULL OR (updated_at, id) < (:at, :id))
         ORDER BY updated_at DESC, id DESC LIMIT :limit"
    ))?;
    let limit = i64::try_from(query.limit).unwrap_or(i64::MAX - 1);
    let rows = select.query_map(
        named_params! {
            ":owner": query.owner,
            ":archived": query.archived,
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
        "UPDATE thread SET title = iif(?2, ?3, title), archived = ifnull(?4, archived), updated_at = ?5 WHERE id = ?1",
    )?
    .execute(params![
        id.as_str(),
        change.title.is_some(),
        change.title.as_ref().and_then(Option::as_deref),
        change.archived,
        change.now
    ])?;
    get(db, id)
}

pub(super) fn delete(db: &Connection, id: &ThreadId) -> rusqlite::Result<bool> {
    Ok(db.prepare_cached("DELETE FROM thread WHERE id = ?1")?.execute([id.as_str()])? == 1)
}

const RUN_COLUMNS: &str = "thread.id, run.id, request_hash, first, last, ended";

fn record(row: &Row<'_>) -> rusqlite::Result<RunRecord> {
    Ok(RunRecord {
        thread_id: row.get_ref(0)?.as_str()?.into(),
        run_id: row.get_ref(1)?.as_str()?.into(),
        request_hash: row.get::<_, i64>(2)?.cast_unsigned(),
        first: Seq(row.get::<_, i64>(3)?.cast_unsigned()),
        last: Seq(row.get::<_, i64>(4)?.cast_unsigned()),
        end: row.get(5)?,
    })
}

pub(super) fn run(
    db: &Connection,
    thread_id: &ThreadId,
    run_id: &RunId,
) -> rusqlite::Result<Option<RunRecord>> {
    db.prepare_cached(&format!(
        "SELECT {RUN_COLUMNS} FROM run JOIN thread ON thread.key = run.thread WHERE thread.id = ?1 AND run.id = ?2"
    ))?
    .query_row([thread_id.as_str(), run_id.as_str()], record)
    .optional()
}

pub(super) fn runs(db: &Connection, thread_id: &ThreadId) -> rusqlite::Result<Vec<RunRecord>> {
    db.prepare_cached(&format!(
        "SELECT {RUN_COLUMNS} FROM run JOIN thread ON thread.key = run.thread WHERE thread.id = ?1 ORDER BY first"
    ))?
    .query_map([thread_id.as_str()], record)?
    .collect()
}

pub(super) fn abandoned(db: &Connection, now: i64) -> rusqlite::Result<Vec<RunRecord>> {
    db.prepare_cached(&format!(
        "SELECT {RUN_COLUMNS} FROM run JOIN thread ON thread.key = run.thread
         WHERE ended IS NULL AND ifnull(expires_at, 0) <= ?1"
    ))?
    .query_map([now], record)?
    .collect()
}
