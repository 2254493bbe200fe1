//! The thread that writes: whatever waits is committed together.

use std::{
    sync::mpsc::{self, Receiver, Sender},
    thread,
};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::oneshot;

use super::{checkpoint::Checkpoints, database};
use crate::{BoxFuture, Durability, StoreError};

/// So many jobs share a commit at most, so that nobody waits for ever longer ones.
const MAX_GROUP: usize = 1024;

/// Does its part within a transaction and returns what to say once the commit is through, or not.
type Job = Box<dyn FnOnce(&mut Transaction<'_>) -> Answer + Send>;
type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

/// Hands jobs to the thread that writes. The thread ends when this is dropped.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: Sender<(Durability, Job)>,
}

impl Writer {
    pub(super) fn start(connection: Connection, checkpoints: Checkpoints) -> Self {
        let (jobs, queue) = mpsc::channel();
        thread::Builder::new()
            .name("forestage-writer".to_owned())
            .spawn(move || write(connection, &queue, &checkpoints))
            .expect("the system has room for a thread");
        Self { jobs }
    }

    /// Runs a job and waits until its commit is as durable as asked. A job that fails leaves nothing behind and
    /// does not harm the others of its group.
    pub(super) fn run<T: Send + 'static>(
        &self,
        durability: Durability,
        job: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, StoreError>> {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move |transaction| {
            let result = within_savepoint(transaction, job);
            Box::new(move |committed: Result<(), StoreError>| {
                // Whoever asked may have gone; the work is done all the same.
                let _ = sender.send(committed.and(result.map_err(database)));
            })
        });
        let _ = self.jobs.send((durability, job));
        Box::pin(async move { receiver.await.unwrap_or(Err(StoreError::Closed)) })
    }
}

fn within_savepoint<T>(
    transaction: &mut Transaction<'_>,
    job: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    let savepoint = transaction.savepoint()?;
    let result = job(&savepoint)?;
    savepoint.commit()?;
    Ok(result)
}

fn write(mut connection: Connection, queue: &Receiver<(Durability, Job)>, checkpoints: &Checkpoints) {
    let mut synced = Durability::Process;
    while let Ok(first) = queue.recv() {
        let group: Vec<_> = std::iter::once(first).chain(queue.try_iter().take(MAX_GROUP - 1)).collect();
        let wanted = group.iter().map(|(durability, _)| *durability).max().unwrap_or_default();
        if wanted != synced {
            let mode = if wanted == Durability::Disk { "FULL" } else { "NORMAL" };
            // The pragma only fails inside a transaction, and there is none.
            let _ = connection.pragma_update(None, "synchronous", mode);
            synced = wanted;
        }
        commit(&mut connection, group.into_iter().map(|(_, job)| job));
        checkpoints.after_commit();
    }
}

fn commit(connection: &mut Connection, jobs: impl Iterator<Item = Job>) {
    let mut answers = Vec::new();
    let result =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).and_then(|mut transaction| {
            answers.extend(jobs.map(|job| job(&mut transaction)));
            transaction.commit()
        });
    let failure = result.err().map(|error| error.to_string());
    for answer in answers {
        answer(failure.as_ref().map_or(Ok(()), |text| Err(StoreError::Database(text.clone().into()))));
    }
}
