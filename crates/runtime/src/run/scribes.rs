//! Those who write the logs: a few tasks for all runs.
//!
//! The store answers everybody whose events were in a commit at the same moment. If each run had a task of its own, each
//! answer would wake one from outside of the runtime; a scribe is woken once for all of its runs.

use std::{
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use futures_util::{FutureExt, StreamExt, stream::FuturesUnordered};
use tokio::sync::mpsc;

type Writing = Pin<Box<dyn Future<Output = ()> + Send>>;

/// As many as there are processors.
#[derive(Debug)]
pub(crate) struct Scribes {
    desks: Vec<mpsc::UnboundedSender<Writing>>,
    next: AtomicUsize,
}

impl Scribes {
    /// Begins to work. They end when this is dropped and what they write has come to its end.
    pub(crate) fn start() -> Self {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let desks = (0..processors).map(|_| {
            let (desk, work) = mpsc::unbounded_channel();
            tokio::spawn(write(work));
            desk
        });
        Self { desks: desks.collect(), next: AtomicUsize::new(0) }
    }

    /// Hands one of them a log to write.
    pub(crate) fn give(&self, writing: impl Future<Output = ()> + Send + 'static) {
        let at = self.next.fetch_add(1, Ordering::Relaxed) % self.desks.len();
        // A panic is the end of one log, and of no other.
        let writing = AssertUnwindSafe(writing).catch_unwind().map(|ended| {
            if ended.is_err() {
                tracing::error!("the writer of a run crashed");
            }
        });
        // The scribe only ends after us.
        let _ = self.desks[at].send(Box::pin(writing));
    }
}

async fn write(mut work: mpsc::UnboundedReceiver<Writing>) {
    let mut logs = FuturesUnordered::new();
    loop {
        tokio::select! {
            given = work.recv() => match given {
                Some(writing) => logs.push(writing),
                None => break,
            },
            Some(()) = logs.next() => {}
        }
    }
    while logs.next().await.is_some() {}
}
