//! The audit trail. Triggers see to it that rows only come, one behind the other.

use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};

use crate::{AuditEntry, AuditQuery, NewAudit};

/// Adds an entry behind the last one. The transaction keeps other processes out, so there is one row of them.
pub(super) fn add(db: &Connection, new: &NewAudit) -> rusqlite::Result<AuditEntry> {
    let last = db
        .prepare_cached("SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1")?
        .query_row([], |row| Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get::<_, [u8; 32]>(1)?)))
        .optional()?;
    let (seq, previous) = last.unwrap_or((0, AuditEntry::BEFORE_FIRST));
    let sealed = AuditEntry::seal(seq + 1, &previous, new.clone());
    insert(db, &sealed)?;
    Ok(sealed)
}

pub(super) fn add_all(db: &Connection, new: &[NewAudit]) -> rusqlite::Result<()> {
    new.iter().try_for_each(|new| add(db, new).map(drop))
}

fn insert(db: &Connection, AuditEntry { seq, entry, hash }: &AuditEntry) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO audit (seq, at, kind, actor, origin, owner, thread, interrupt, json, hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        seq.cast_signed(),
        entry.at,
        entry.kind,
        entry.actor,
        entry.origin,
        entry.owner,
        entry.thread_id.as_deref(),
        entry.interrupt_id.as_deref(),
        &entry.json[..],
        hash
    ])?;
    Ok(())
}

pub(super) fn trail(db: &Connection, query: &AuditQuery) -> rusqlite::Result<Vec<AuditEntry>> {
    let after = i64::try_from(query.after).unwrap_or(i64::MAX);
    let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
    let (thread, interrupt) = (query.thread_id.as_deref(), query.interrupt_id.as_deref());
    // The conditions that are asked for only, so that each has its index.
    let mut conditions = "seq > ?1".to_owned();
    let mut params: Vec<&dyn ToSql> = vec![&after, &limit];
    let wanted: [(&str, Option<&dyn ToSql>); 3] = [
        ("owner", query.owner.as_ref().map(|owner| owner as _)),
        ("thread", thread.as_ref().map(|thread| thread as _)),
        ("interrupt", interrupt.as_ref().map(|interrupt| interrupt as _)),
    ];
    for (column, value) in wanted {
        if let Some(value) = value {
            params.push(value);
            conditions += &format!(" AND {column} = ?{}", params.len());
        }
    }
    db.prepare_cached(&format!(
        "SELECT seq, at, kind, actor, origin, owner, thread, interrupt, json, hash FROM audit
         WHERE {conditions} ORDER BY seq LIMIT ?2"
    ))?
    .query_map(&params[..], entry)?
    .collect()
}

fn entry(row: &Row<'_>) -> rusqlite::Result<AuditEntry> {
    let entry = NewAudit {
        at: row.get(1)?,
        kind: row.get(2)?,
        actor: row.get(3)?,
        origin: row.get(4)?,
        owner: row.get(5)?,
        thread_id: row.get_ref(6)?.as_str_or_null()?.map(Into::into),
        interrupt_id: row.get_ref(7)?.as_str_or_null()?.map(Into::into),
        json: row.get::<_, Vec<u8>>(8)?.into(),
    };
    Ok(AuditEntry { seq: row.get::<_, i64>(0)?.cast_unsigned(), entry, hash: row.get(9)? })
}
