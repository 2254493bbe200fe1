//! Which threads a socket shows.

use std::collections::HashMap;

use forestage_protocol::id::ThreadId;
use tokio::sync::Mutex;

/// The threads that a socket shows, with how many viewers each has there.
#[derive(Debug, Default)]
pub(super) struct Shown(Mutex<HashMap<ThreadId, usize>>);

impl Shown {
    /// A viewer begins.
    pub(super) async fn enter(&self, thread_id: &ThreadId) {
        *self.0.lock().await.entry(thread_id.clone()).or_default() += 1;
    }

    /// A viewer has seen enough.
    pub(super) async fn leave(&self, thread_id: &ThreadId) {
        let mut threads = self.0.lock().await;
        if let Some(viewers) = threads.get_mut(thread_id) {
            *viewers -= 1;
        }
        threads.retain(|_, viewers| *viewers > 0);
    }

    /// Whether a thread is shown.
    pub(super) async fn holds(&self, thread_id: &ThreadId) -> bool {
        self.0.lock().await.contains_key(thread_id)
    }
}
