//! The thread that syncs: it makes commits survive the machine while the writer goes on.
//!
//! SQLite commits to the write-ahead log without waiting for the disk. Syncing that file afterwards makes
//! everything durable that was committed before, in order, since the file is written from front to back; what a
//! checkpoint has moved meanwhile was synced by the checkpoint. So a run boundary waits for the disk, and the
//! tokens of other runs do not wait for the boundary.

use std::{
    fs::File,
    sync::mpsc::{self, Receiver, Sender},
    thread,
};

use super::writer::Job;
use crate::StoreError;

/// Takes jobs that are committed and not yet synced. The thread ends when this is dropped.
pub(super) struct Syncer(Sender<Box<dyn Job>>);

impl Syncer {
    pub(super) fn start(log: File) -> Self {
        let (jobs, queue) = mpsc::channel();
        thread::Builder::new()
            .name("forestage-sync".to_owned())
            .spawn(move || work(&log, &queue))
            .expect("the system has room for a thread");
        Self(jobs)
    }

    /// Answers a job once the disk has it.
    pub(super) fn settle(&self, job: Box<dyn Job>) {
        // The thread only ends after us.
        let _ = self.0.send(job);
    }
}

fn work(log: &File, queue: &Receiver<Box<dyn Job>>) {
    // A system that failed to sync once may forget that it did, so nothing after it can be trusted.
    let mut failure: Option<String> = None;
    while let Ok(first) = queue.recv() {
        let group: Vec<_> = std::iter::once(first).chain(queue.try_iter()).collect();
        if failure.is_none() {
            failure = log.sync_data().err().map(|error| format!("a sync failed: {error}"));
        }
        for job in group {
            job.answer(failure.clone().map_or(Ok(()), |text| Err(StoreError::Database(text.into()))));
        }
    }
}
