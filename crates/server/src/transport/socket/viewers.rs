//! Who follows what on a socket.

use std::collections::HashMap;

use tokio::task::AbortHandle;

/// The viewers of one socket, by what they follow.
#[derive(Default)]
pub(super) struct Viewers(HashMap<String, AbortHandle>);

impl Viewers {
    pub(super) fn add(&mut self, key: String, task: AbortHandle) {
        self.0.retain(|_, task| !task.is_finished());
        if let Some(earlier) = self.0.insert(key, task) {
            earlier.abort();
        }
    }

    pub(super) fn stop(&mut self, key: &str) {
        if let Some(task) = self.0.remove(key) {
            task.abort();
        }
    }

    pub(super) fn stop_all(&mut self) {
        self.0.drain().for_each(|(_, task)| task.abort());
    }
}
