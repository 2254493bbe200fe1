//! A SQLite file of an application's own.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use rusqlite::Connection;

/// A database. Copies share it.
#[derive(Clone, Debug)]
pub struct Db(Arc<Mutex<Connection>>);

/// Why something was not read or written.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// SQLite says why.
    #[error("the database said no: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The work broke off.
    #[error("the work on the database broke off: {0}")]
    Broken(#[from] tokio::task::JoinError),
}

impl Db {
    /// Opens a file and makes the tables that are missing. What was committed survives a crash of the process.
    pub fn open(file: &Path, tables: &str) -> Result<Self, DbError> {
        let connection = Connection::open(file)?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.execute_batch(tables)?;
        Ok(Self(Arc::new(Mutex::new(connection))))
    }

    /// Works on it in a transaction, at once. For getting ready.
    pub fn now<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, DbError> {
        Ok(transact(&self.0, work)?)
    }

    /// Works on it in a transaction, off the threads that answer people.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, DbError> {
        let db = self.0.clone();
        Ok(tokio::task::spawn_blocking(move || transact(&db, work)).await??)
    }
}

fn transact<T>(
    db: &Mutex<Connection>,
    work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    let mut connection = db.lock().unwrap_or_else(PoisonError::into_inner);
    let transaction = connection.transaction()?;
    let result = work(&transaction)?;
    transaction.commit()?;
    Ok(result)
}
