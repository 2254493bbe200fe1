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

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::sqlite::known::Known;

    struct Asks(Sender<Result<(), StoreError>>);

    impl Job for Asks {
        fn run(&mut self, _: &Connection, _: &mut Known) -> rusqlite::Result<()> {
            Ok(())
        }

        fn tokens(&self) -> usize {
            0
        }

        fn answer(self: Box<Self>, committed: Result<(), StoreError>) {
            self.0.send(committed).expect("somebody listens");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn after_a_failed_sync_nothing_is_called_durable() {
        // A pipe cannot be synced.
        let (_reader, pipe) = std::io::pipe().expect("a pipe");
        let syncer = Syncer::start(File::from(std::os::fd::OwnedFd::from(pipe)));
        for _ in 0..2 {
            let (sender, answers) = mpsc::channel();
            syncer.settle(Box::new(Asks(sender)));
            let answer = answers.recv().expect("an answer");
            assert!(matches!(&answer, Err(error) if error.to_string().contains("sync")), "{answer:?}");
        }
    }
}
