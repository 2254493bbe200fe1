//! Interrupts: asking, and finding what was asked.

use bytes::Bytes;
use forestage_protocol::id::{InterruptId, RunId, ThreadId};
use rusqlite::{Connection, Params, Row, ToSql, params};

use crate::{Decision, InterruptQuery, InterruptRecord, NewInterrupt, Viewer, Vote};

const SELECT: &str = "SELECT interrupt.id, thread.id, run, interrupt.owner, json, opened_at,
    interrupt.expires_at, status, answer, decided_by, decided_at, decided_run, role, needs, private,
    (SELECT run.agent FROM run WHERE run.thread = interrupt.thread AND run.id = interrupt.run), key
    FROM interrupt JOIN thread ON key = interrupt.thread";

/// What is pending counts while its run is the head of its thread.
const PENDING: &str = "status IS NULL AND run = head";

/// Records and their votes are two statements, so they are read in one transaction.
fn select(db: &Connection, rest: &str, params: impl Params) -> rusqlite::Result<Vec<InterruptRecord>> {
    let mut select = db.prepare_cached(&format!("{SELECT} WHERE {rest}"))?;
    let records = select.query_map(params, |row| record(db, row))?;
    records.collect()
}

fn record(db: &Connection, row: &Row<'_>) -> rusqlite::Result<InterruptRecord> {
    let id: InterruptId = row.get_ref(0)?.as_str()?.into();
    Ok(InterruptRecord {
        votes: votes(db, row.get(16)?, &id)?,
        id,
        thread_id: row.get_ref(1)?.as_str()?.into(),
        run_id: row.get_ref(2)?.as_str()?.into(),
        agent: row.get::<_, Option<String>>(15)?.unwrap_or_default(),
        owner: row.get(3)?,
        role: row.get(12)?,
        needs: row.get(13)?,
        json: bytes(row, 4)?,
        private: bytes(row, 14)?,
        opened_at: row.get(5)?,
        expires_at: row.get(6)?,
        decision: decision(row)?,
    })
}

fn decision(row: &Row<'_>) -> rusqlite::Result<Option<Decision>> {
    let Some(status) = row.get(7)? else { return Ok(None) };
    Ok(Some(Decision {
        status,
        json: bytes(row, 8)?,
        by: row.get(9)?,
        at: row.get(10)?,
        run_id: row.get_ref(11)?.as_str_or_null()?.map(Into::into),
    }))
}

fn votes(db: &Connection, thread: i64, id: &InterruptId) -> rusqlite::Result<Vec<Vote>> {
    db.prepare_cached("SELECT made_by, at, json FROM vote WHERE thread = ?1 AND interrupt = ?2 ORDER BY key")?
        .query_map(params![thread, id.as_str()], |row| {
            Ok(Vote { by: row.get(0)?, at: row.get(1)?, json: bytes(row, 2)? })
        })?
        .collect()
}

fn bytes(row: &Row<'_>, column: usize) -> rusqlite::Result<Bytes> {
    row.get::<_, Vec<u8>>(column).map(Into::into)
}

/// What a viewer may see, as SQL. The user is the first parameter, and the roles come from the second on.
fn visible(viewer: &Viewer) -> String {
    match roles(viewer) {
        None => "interrupt.owner = ?1".to_owned(),
        Some(roles) => format!("(interrupt.owner = ?1 OR role IN ({roles}))"),
    }
}

/// The same where nothing else narrows it down. The two indexes are asked one after the other, since SQLite answers
/// an `OR` here by reading what waits for everybody.
fn visible_anywhere(viewer: &Viewer, which: &str) -> String {
    match roles(viewer) {
        None => format!("interrupt.owner = ?1 AND {which}"),
        Some(roles) => format!(
            "interrupt.rowid IN (SELECT rowid FROM interrupt WHERE owner = ?1 AND {which}
             UNION ALL SELECT rowid FROM interrupt WHERE role IN ({roles}) AND {which})"
        ),
    }
}

fn roles(viewer: &Viewer) -> Option<String> {
    let roles: Vec<_> = (2..viewer.roles.len() + 2).map(|at| format!("?{at}")).collect();
    (!roles.is_empty()).then(|| roles.join(", "))
}

/// The parameters that every question of a viewer has.
fn of(viewer: &Viewer) -> Vec<&dyn ToSql> {
    let user: &dyn ToSql = &viewer.user;
    std::iter::once(user).chain(viewer.roles.iter().map(|role| role as &dyn ToSql)).collect()
}

pub(super) fn list(db: &Connection, query: &InterruptQuery) -> rusqlite::Result<Vec<InterruptRecord>> {
    let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
    let after = query.after.as_ref().map(|(at, thread, id)| (at, thread.as_str(), id.as_str()));
    let thread = query.thread_id.as_deref();
    let mut params = of(&query.viewer);
    let which = if query.decided { "TRUE" } else { "status IS NULL" };
    let seen = match thread {
        Some(_) => format!("{} AND {which}", visible(&query.viewer)),
        None => visible_anywhere(&query.viewer, which),
    };
    let mut rest = format!("{seen} AND (status IS NOT NULL OR {PENDING})");
    let mut bind = |value| {
        params.push(value);
        format!("?{}", params.len())
    };
    if let Some(thread) = &thread {
        rest += &format!(" AND thread.id = {}", bind(thread));
    }
    if let Some((at, thread, id)) = &after {
        let place = [bind(at), bind(thread), bind(id)].join(", ");
        rest += &format!(" AND (opened_at, thread.id, interrupt.id) > ({place})");
    }
    rest += &format!(" ORDER BY opened_at, thread.id, interrupt.id LIMIT {}", bind(&limit));
    select(&*db.unchecked_transaction()?, &rest, &params[..])
}

pub(super) fn newest(
    db: &Connection,
    id: &InterruptId,
    viewer: &Viewer,
) -> rusqlite::Result<Option<InterruptRecord>> {
    let (mut params, id) = (of(viewer), id.as_str());
    params.push(&id);
    let rest = format!(
        "{} AND interrupt.id = ?{} ORDER BY opened_at DESC, thread.id DESC LIMIT 1",
        visible(viewer),
        params.len()
    );
    Ok(select(&*db.unchecked_transaction()?, &rest, &params[..])?.pop())
}

/// One interrupt of a thread, in a transaction.
pub(super) fn find(
    db: &Connection,
    thread_id: &ThreadId,
    id: &InterruptId,
) -> rusqlite::Result<Option<InterruptRecord>> {
    Ok(select(db, "thread.id = ?1 AND interrupt.id = ?2", [thread_id.as_str(), id.as_str()])?.pop())
}

pub(super) fn due(db: &Connection, now: i64, limit: usize) -> rusqlite::Result<Vec<InterruptRecord>> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let rest = format!(
        "{PENDING} AND interrupt.expires_at <= ?1
         ORDER BY interrupt.expires_at, opened_at, thread.id, interrupt.id LIMIT ?2"
    );
    select(&*db.unchecked_transaction()?, &rest, [now, limit])
}

pub(super) fn resumable(db: &Connection, limit: usize) -> rusqlite::Result<Vec<ThreadId>> {
    db.prepare_cached(
        "SELECT thread.id FROM interrupt JOIN thread ON key = interrupt.thread
         JOIN run ON run.thread = key AND run.id = head
         WHERE status IS NOT NULL AND decided_run IS NULL AND interrupt.run = head AND ended = 'interrupt'
           AND NOT EXISTS (SELECT 1 FROM interrupt AS other WHERE other.thread = key AND other.run = head
                           AND (other.status IS NULL OR other.decided_run IS NOT NULL))
         GROUP BY key ORDER BY max(decided_at), thread.id LIMIT ?1",
    )?
    .query_map([i64::try_from(limit).unwrap_or(i64::MAX)], |row| Ok(row.get_ref(0)?.as_str()?.into()))?
    .collect()
}

pub(super) fn ask(
    db: &Connection,
    thread: i64,
    new: &NewInterrupt,
    at: i64,
    run_id: &RunId,
) -> rusqlite::Result<()> {
    db.prepare_cached("DELETE FROM vote WHERE thread = ?1 AND interrupt = ?2")?
        .execute(params![thread, new.id.as_str()])?;
    db.prepare_cached(
        "INSERT OR REPLACE INTO interrupt (thread, id, owner, run, json, opened_at, expires_at, role, needs, private)
         SELECT key, ?2, owner, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM thread WHERE key = ?1",
    )?
    .execute(params![
        thread,
        new.id.as_str(),
        run_id.as_str(),
        &new.json[..],
        at,
        new.expires_at,
        new.role,
        new.needs,
        &new.private[..]
    ])?;
    Ok(())
}
