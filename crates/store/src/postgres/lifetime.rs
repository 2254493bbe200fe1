//! Noticing that the server has crashed.
//!
//! A commit that does not wait for the disk is lost if the server crashes before it is written, and the numbers of its events
//! are used again. An unlogged table tells: it survives a server that is stopped in order, and is empty after a crash and at a
//! standby that takes over. A crash ends all connections, so it is enough to look whenever one is made.

use std::sync::atomic::{AtomicI64, Ordering};

use super::{failure::Failure, pool::Db};

/// The incarnation of the server that the connections of this process have met.
#[derive(Debug, Default)]
pub(super) struct Lifetime(AtomicI64);

impl Lifetime {
    pub(super) fn incarnation(&self) -> i64 {
        self.0.load(Ordering::Acquire)
    }

    /// Looks into which incarnation a new connection leads, before anything is read or written on it.
    pub(super) async fn note(&self, db: &Db, schema: &str) -> Result<(), Failure> {
        let number = match read(db).await? {
            Some(number) => number,
            None => begin(db, schema).await?,
        };
        self.0.fetch_max(number, Ordering::AcqRel);
        Ok(())
    }
}

async fn read(db: &Db) -> Result<Option<i64>, Failure> {
    let row = db.first("SELECT incarnation FROM alive", &[]).await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

/// Begins a new incarnation. Others who noticed the same wait for it.
async fn begin(db: &Db, schema: &str) -> Result<i64, Failure> {
    let lock = format!("forestage incarnation {schema}");
    db.batch("BEGIN").await?;
    db.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", &[&lock]).await?;
    let number = match read(db).await? {
        Some(number) => number,
        None => {
            let row = db.first("UPDATE incarnation SET number = number + 1 RETURNING number", &[]).await?;
            let number: i64 = row.map_or(Ok(0), |row| row.try_get(0))?;
            db.execute("INSERT INTO alive VALUES ($1)", &[&number]).await?;
            number
        }
    };
    // What is emptied by a crash is not worth waiting for, but the number is, so that it is never used again.
    db.batch("COMMIT").await?;
    Ok(number)
}
