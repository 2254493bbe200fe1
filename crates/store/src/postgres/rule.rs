//! Rules.

use tokio_postgres::Row;

use super::{failure::Failure, index, pool::Db, transaction::Transaction};
use crate::{NewAudit, Rule};

pub(super) async fn put(tx: &Transaction, rule: &Rule) -> Result<bool, Failure> {
    let mut thread = None;
    if let Some(id) = &rule.thread_id {
        thread = index::hold(tx, id).await?;
        if thread.is_none() {
            return Ok(false);
        }
    }
    tx.execute(
        "INSERT INTO rule (owner, id, agent, tool, thread, made_by, at, risk) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (owner, id) DO UPDATE SET agent = excluded.agent, tool = excluded.tool,
             thread = excluded.thread, made_by = excluded.made_by, at = excluded.at, risk = excluded.risk",
        &[&rule.owner, &rule.id, &rule.agent, &rule.tool, &thread, &rule.by, &rule.at, &rule.risk],
    )
    .await?;
    Ok(true)
}

pub(super) async fn put_all(tx: &Transaction, rules: &[Rule]) -> Result<(), Failure> {
    for rule in rules {
        put(tx, rule).await?;
    }
    Ok(())
}

pub(super) async fn list(db: &Db, owner: &str) -> Result<Vec<Rule>, Failure> {
    let rows = db
        .query(
            "SELECT rule.id, rule.owner, rule.agent, tool, thread.id, made_by, at, risk
             FROM rule LEFT JOIN thread ON key = rule.thread WHERE rule.owner = $1 ORDER BY at, rule.id",
            &[&owner],
        )
        .await?;
    rows.iter().map(record).collect()
}

fn record(row: &Row) -> Result<Rule, Failure> {
    Ok(Rule {
        id: row.try_get(0)?,
        owner: row.try_get(1)?,
        agent: row.try_get(2)?,
        tool: row.try_get(3)?,
        thread_id: row.try_get::<_, Option<&str>>(4)?.map(Into::into),
        by: row.try_get(5)?,
        at: row.try_get(6)?,
        risk: row.try_get(7)?,
    })
}

pub(super) async fn delete(
    tx: &Transaction,
    owner: &str,
    id: &str,
    on_record: &NewAudit,
) -> Result<bool, Failure> {
    let deleted = tx.execute("DELETE FROM rule WHERE owner = $1 AND id = $2", &[&owner, &id]).await?;
    if deleted == 1 {
        tx.seal(on_record);
    }
    Ok(deleted == 1)
}
