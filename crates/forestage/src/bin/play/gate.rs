//! Lets agents go on when a test says so: `go THREAD COUNT` on the process's input opens the gate of a thread so
//! many times.

use std::{
    collections::HashMap,
    io::BufRead,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::{Semaphore, oneshot};

/// The gates of all threads.
#[derive(Clone, Default)]
pub(crate) struct Gate(Arc<Mutex<HashMap<String, Arc<Semaphore>>>>);

impl Gate {
    /// Gates that the process's input opens, and the end of that input.
    pub(crate) fn open() -> (Self, oneshot::Receiver<()>) {
        let (ended, end) = oneshot::channel();
        let gate = Self::default();
        let opened = gate.clone();
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().lines().map_while(Result::ok) {
                opened.obey(&line);
            }
            let _ = ended.send(());
        });
        (gate, end)
    }

    /// Waits until this thread may go on.
    pub(crate) async fn pass(&self, thread: &str) {
        let gate = self.of(thread);
        gate.acquire().await.expect("gates are never closed").forget();
    }

    fn obey(&self, line: &str) {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["go", thread, count] => self.of(thread).add_permits(count.parse().unwrap_or(1)),
            _ => eprintln!("not understood: {line}"),
        }
    }

    fn of(&self, thread: &str) -> Arc<Semaphore> {
        let mut gates = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        gates.entry(thread.to_owned()).or_insert_with(|| Arc::new(Semaphore::new(0))).clone()
    }
}
