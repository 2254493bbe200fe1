//! The tables, and how older schemas get them. The step to each format is a file of SQL beside this one.

use super::{
    address::Address,
    failure::{Failure, in_time},
    pool::{Db, PATIENCE},
};
use crate::OpenError;

/// One step per format. Steps are never changed, only added.
const STEPS: [&str; 3] = [include_str!("1.sql"), include_str!("2.sql"), include_str!("3.sql")];

/// The tables that a schema has, with the format that brought them.
const TABLES: [(i64, &str); 14] = [
    (1, "thread"),
    (1, "block"),
    (1, "run"),
    (1, "snapshot"),
    (1, "interrupt"),
    (1, "vote"),
    (1, "audit"),
    (1, "rule"),
    (1, "annotation"),
    (1, "note"),
    (1, "share"),
    (2, "incarnation"),
    (2, "alive"),
    (3, "utterance"),
];

/// The format this version writes.
const FORMAT: i64 = STEPS.len() as i64;

/// Makes or migrates the tables where needed. A schema that is not ours is not touched.
pub(super) async fn open(address: &Address) -> Result<(), OpenError> {
    let db = Db::connect(address).await.map_err(store)?;
    let opened = async {
        if format(&db, &address.schema).await? == Some(FORMAT) {
            return Ok(());
        }
        migrate(&db, &address.schema).await
    };
    match tokio::time::timeout(PATIENCE, opened).await {
        Ok(opened) => opened,
        Err(_) => Err(store(Failure::Late { what: "preparing the tables", after: PATIENCE })),
    }
}

fn store(failure: Failure) -> OpenError {
    OpenError::Store(failure.into())
}

/// The format of the schema; none if there is nothing in it. What cannot be opened is an error.
async fn format(db: &Db, schema: &str) -> Result<Option<i64>, OpenError> {
    let sql = "SELECT tablename::text FROM pg_tables WHERE schemaname = $1";
    let tables = db.query(sql, &[&schema]).await.map_err(store)?;
    let has =
        |name: &str| tables.iter().any(|row| row.try_get::<_, &str>(0).is_ok_and(|table| table == name));
    if tables.is_empty() {
        return Ok(None);
    }
    if !has("format") {
        return Err(OpenError::Foreign(path(db, schema).await?));
    }
    let version = db.first("SELECT version FROM format", &[]).await.map_err(store)?;
    let found: i64 = version.map_or(Ok(0), |row| row.try_get(0)).map_err(|error| store(error.into()))?;
    if found > FORMAT {
        return Err(OpenError::TooNew { path: path(db, schema).await?, found, known: FORMAT });
    }
    match TABLES.iter().find(|(since, table)| *since <= found && !has(table)) {
        Some((_, table)) => {
            Err(OpenError::Incomplete { path: path(db, schema).await?, format: found, table })
        }
        None => Ok(Some(found)),
    }
}

/// What to call a schema.
async fn path(db: &Db, schema: &str) -> Result<String, OpenError> {
    let row = db.first("SELECT current_database()::text", &[]).await.map_err(store)?;
    let database = row.and_then(|row| row.try_get::<_, String>(0).ok()).unwrap_or_default();
    Ok(format!("{database}.{schema}"))
}

/// One process migrates, and others that start at the same time wait for it.
async fn migrate(db: &Db, schema: &str) -> Result<(), OpenError> {
    let lock = format!("forestage schema {schema}");
    db.batch("BEGIN").await.map_err(store)?;
    db.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", &[&lock]).await.map_err(store)?;
    // Another process may have done it while we waited.
    let found = format(db, schema).await?;
    if found.is_none() {
        make(db, schema).await.map_err(store)?;
    }
    let done = usize::try_from(found.unwrap_or_default()).unwrap_or_default();
    for step in STEPS.iter().skip(done) {
        db.batch(step).await.map_err(store)?;
    }
    db.execute("UPDATE format SET version = $1", &[&FORMAT]).await.map_err(store)?;
    in_time("a commit", PATIENCE, db.batch("COMMIT")).await.map_err(store)
}

/// A schema that somebody has made for us is taken as it is, since making one is not allowed to everybody.
async fn make(db: &Db, schema: &str) -> Result<(), Failure> {
    let there = db.first("SELECT 1 FROM pg_namespace WHERE nspname = $1", &[&schema]).await?;
    if there.is_none() {
        db.batch(&format!("CREATE SCHEMA \"{schema}\"")).await?;
    }
    db.batch(
        "CREATE TABLE format (version bigint NOT NULL);
         COMMENT ON TABLE format IS 'which tables of forestage are here';
         INSERT INTO format VALUES (0)",
    )
    .await
}
