//! Rules.

use rusqlite::{Connection, Row, params};

use super::{audit, index};
use crate::{NewAudit, Rule};

pub(super) fn put(db: &Connection, rule: &Rule) -> rusqlite::Result<bool> {
    let thread = rule.thread_id.as_ref().map(|id| index::key(db, id)).transpose()?;
    if thread == Some(None) {
        return Ok(false);
    }
    db.prepare_cached(
        "INSERT OR REPLACE INTO rule (owner, id, agent, tool, thread, made_by, at, risk)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        rule.owner,
        rule.id,
        rule.agent,
        rule.tool,
        thread.flatten(),
        rule.by,
        rule.at,
        rule.risk
    ])?;
    Ok(true)
}

pub(super) fn put_all(db: &Connection, rules: &[Rule]) -> rusqlite::Result<()> {
    rules.iter().try_for_each(|rule| put(db, rule).map(drop))
}

pub(super) fn list(db: &Connection, owner: &str) -> rusqlite::Result<Vec<Rule>> {
    db.prepare_cached(
        "SELECT rule.id, rule.owner, rule.agent, tool, thread.id, made_by, at, risk
         FROM rule LEFT JOIN thread ON key = rule.thread WHERE rule.owner = ?1 ORDER BY at, rule.id",
    )?
    .query_map([owner], record)?
    .collect()
}

fn record(row: &Row<'_>) -> rusqlite::Result<Rule> {
    Ok(Rule {
        id: row.get(0)?,
        owner: row.get(1)?,
        agent: row.get(2)?,
        tool: row.get(3)?,
        thread_id: row.get_ref(4)?.as_str_or_null()?.map(Into::into),
        by: row.get(5)?,
        at: row.get(6)?,
        risk: row.get(7)?,
    })
}

pub(super) fn delete(db: &Connection, owner: &str, id: &str, on_record: &NewAudit) -> rusqlite::Result<bool> {
    let deleted = db.prepare_cached("DELETE FROM rule WHERE owner = ?1 AND id = ?2")?.execute([owner, id])?;
    if deleted == 1 {
        audit::add(db, on_record)?;
    }
    Ok(deleted == 1)
}
