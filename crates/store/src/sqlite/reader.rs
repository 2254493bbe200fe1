//! Connections for reading, kept for the next reader.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

use rusqlite::Connection;
use tokio::sync::Semaphore;

use super::{database, schema};
use crate::StoreError;

#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
    /// More readers than processors would only wait for each other, and each would have to open a connection, which
    /// costs a hundred times what it costs to read.
    room: Arc<Semaphore>,
}

impl Readers {
    pub(super) fn new(path: PathBuf) -> Self {
        let processors = thread::available_parallelism().map_or(4, usize::from);
        Self { path, idle: Mutex::default(), room: Arc::new(Semaphore::new(processors.clamp(4, 16))) }
    }

    /// Runs a job on a thread that may block, when it is its turn.
    pub(super) async fn run<T: Send + 'static>(
        self: Arc<Self>,
        job: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let turn = self.room.clone().acquire_owned().await.map_err(|_| StoreError::Closed)?;
        let done = tokio::task::spawn_blocking(move || {
            let result = self.with(job);
            drop(turn);
            result
        });
        done.await.map_err(|_| StoreError::Closed)?.map_err(database)
    }

    /// Runs a job that looks at a row or two where it stands, if a connection is at hand: changing to another thread and
    /// back would take longer, and readers never wait for the writer.
    pub(super) async fn glance<T: Send + 'static>(
        self: Arc<Self>,
        job: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let idle = self.idle().pop();
        match idle {
            Some(connection) => self.lend(connection, job).map_err(database),
            None => self.run(job).await,
        }
    }

    fn lend<T>(
        &self,
        connection: Connection,
        job: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        let result = job(&connection);
        self.idle().push(connection);
        result
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, job: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
        let idle = self.idle().pop();
        let connection = idle.map_or_else(|| schema::connect(&self.path), Ok)?;
        self.lend(connection, job)
    }
}
