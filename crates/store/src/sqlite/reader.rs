//! Connections for reading, kept for the next reader.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
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

    fn with<T>(&self, job: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = idle.map_or_else(|| schema::connect(&self.path), Ok)?;
        let result = job(&connection);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        result
    }
}
