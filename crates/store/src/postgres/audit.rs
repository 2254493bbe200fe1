//! The audit trail. Triggers see to it that rows only come, one behind the other.

use tokio_postgres::{Row, types::ToSql};

use super::{failure::Failure, pool::Db};
use crate::{AuditEntry, AuditQuery, NewAudit};

/// Keeps all others out of the trail until the transaction ends, in whatever process, and returns its end. It is looked up
/// by a statement of its own, which sees what was committed while we waited.
pub(super) async fn lock(db: &Db, name: &str) -> Result<(u64, [u8; 32]), Failure> {
    db.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", &[&name]).await?;
    let last = db.first("SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1", &[]).await?;
    let Some(row) = last else { return Ok((0, AuditEntry::BEFORE_FIRST)) };
    Ok((row.try_get::<_, i64>(0)?.cast_unsigned(), hash(&row, 1)?))
}

/// Writes entries that follow on each other.
pub(super) async fn insert(db: &Db, sealed: &[AuditEntry]) -> Result<(), Failure> {
    fn column<'a, T>(sealed: &'a [AuditEntry], of: impl Fn(&'a AuditEntry) -> T) -> Vec<T> {
        sealed.iter().map(of).collect()
    }
    db.execute(
        "INSERT INTO audit (seq, at, kind, actor, origin, owner, thread, interrupt, json, hash)
         SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[],
                              $7::text[], $8::text[], $9::bytea[], $10::bytea[])",
        &[
            &column(sealed, |entry| entry.seq.cast_signed()),
            &column(sealed, |entry| entry.entry.at),
            &column(sealed, |entry| entry.entry.kind.as_str()),
            &column(sealed, |entry| entry.entry.actor.as_str()),
            &column(sealed, |entry| entry.entry.origin.as_str()),
            &column(sealed, |entry| entry.entry.owner.as_str()),
            &column(sealed, |entry| entry.entry.thread_id.as_deref()),
            &column(sealed, |entry| entry.entry.interrupt_id.as_deref()),
            &column(sealed, |entry| &entry.entry.json[..]),
            &column(sealed, |entry| &entry.hash[..]),
        ],
    )
    .await?;
    Ok(())
}

pub(super) async fn trail(db: &Db, query: &AuditQuery) -> Result<Vec<AuditEntry>, Failure> {
    let after = i64::try_from(query.after).unwrap_or(i64::MAX);
    let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
    let (owner, thread, interrupt) =
        (query.owner.as_deref(), query.thread_id.as_deref(), query.interrupt_id.as_deref());
    // The conditions that are asked for only, so that each has its index.
    let mut conditions = "seq > $1".to_owned();
    let mut params: Vec<&(dyn ToSql + Sync)> = vec![&after, &limit];
    for (column, value) in [("owner", &owner), ("thread", &thread), ("interrupt", &interrupt)] {
        if let Some(value) = value {
            params.push(value);
            conditions += &format!(" AND {column} = ${}", params.len());
        }
    }
    let sql = format!(
        "SELECT seq, at, kind, actor, origin, owner, thread, interrupt, json, hash FROM audit
         WHERE {conditions} ORDER BY seq LIMIT $2"
    );
    db.query(&sql, &params).await?.iter().map(entry).collect()
}

fn entry(row: &Row) -> Result<AuditEntry, Failure> {
    let entry = NewAudit {
        at: row.try_get(1)?,
        kind: row.try_get(2)?,
        actor: row.try_get(3)?,
        origin: row.try_get(4)?,
        owner: row.try_get(5)?,
        thread_id: row.try_get::<_, Option<&str>>(6)?.map(Into::into),
        interrupt_id: row.try_get::<_, Option<&str>>(7)?.map(Into::into),
        json: row.try_get::<_, Vec<u8>>(8)?.into(),
    };
    Ok(AuditEntry { seq: row.try_get::<_, i64>(0)?.cast_unsigned(), entry, hash: hash(row, 9)? })
}

fn hash(row: &Row, column: usize) -> Result<[u8; 32], Failure> {
    row.try_get::<_, &[u8]>(column)?.try_into().map_err(|_| Failure::Damaged)
}
