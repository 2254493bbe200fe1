//! Wake-ups inside one process.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use forestage_protocol::id::ThreadId;
use tokio::sync::watch;

use crate::log::Seq;

/// Tells that a log may have grown, or that the inbox may have changed.
#[derive(Clone, Debug)]
pub struct Watch {
    news: watch::Receiver<News>,
    /// How many nudges were noticed.
    nudges: u64,
}

/// What there is to know of a log.
#[derive(Clone, Copy, Debug, Default)]
struct News {
    tail: Seq,
    nudges: u64,
}

impl Watch {
    fn new(news: watch::Receiver<News>) -> Self {
        let nudges = news.borrow().nudges;
        Self { news, nudges }
    }

    /// Waits until the log may have grown since the last call; at once if it has meanwhile. `false` means that
    /// the store is gone and nothing will come any more.
    pub async fn changed(&mut self) -> bool {
        self.news.changed().await.is_ok()
    }

    /// The same for somebody who has read up to a place, and need not be woken for what lies before it.
    pub async fn changed_behind(&mut self, place: Seq) -> bool {
        while self.changed().await {
            let News { tail, nudges } = *self.news.borrow();
            if tail > place || nudges != self.nudges {
                self.nudges = nudges;
                return true;
            }
        }
        false
    }

    /// The last end of the log that was announced.
    #[must_use]
    pub fn tail(&self) -> Seq {
        self.news.borrow().tail
    }
}

/// The announced ends of logs, by thread, and the changes of the inbox. Entries nobody watches are removed as they
/// are met.
#[derive(Debug, Default)]
pub struct Tails {
    threads: Mutex<HashMap<ThreadId, watch::Sender<News>>>,
    inbox: watch::Sender<News>,
}

impl Tails {
    /// Watches a thread.
    pub fn watch(&self, thread_id: &ThreadId) -> Watch {
        let mut tails = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = tails.entry(thread_id.clone()).or_default();
        Watch::new(sender.subscribe())
    }

    /// Watches the inbox.
    pub fn watch_inbox(&self) -> Watch {
        Watch::new(self.inbox.subscribe())
    }

    /// Wakes the watchers of the inbox.
    pub fn nudge_inbox(&self) {
        self.inbox.send_modify(|news| news.nudges += 1);
    }

    /// Announces a new end.
    pub fn announce(&self, thread_id: &ThreadId, tail: Seq) {
        let mut tails = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(sender) = tails.get(thread_id) else { return };
        sender.send_modify(|news| news.tail = news.tail.max(tail));
        if sender.receiver_count() == 0 {
            tails.remove(thread_id);
        }
    }

    /// Wakes the watchers of a thread without news of its end.
    pub fn nudge(&self, thread_id: &ThreadId) {
        let tails = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = tails.get(thread_id) {
            sender.send_modify(|news| news.nudges += 1);
        }
    }

    /// Wakes everybody.
    pub fn nudge_all(&self) {
        let tails = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        tails.values().for_each(|sender| sender.send_modify(|news| news.nudges += 1));
        self.nudge_inbox();
    }

    /// Forgets threads that nobody watches any more.
    pub fn forget_unwatched(&self) {
        let mut tails = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        tails.retain(|_, sender| sender.receiver_count() > 0);
    }

    /// Whether anybody watches anything, or did when this was last cleared up.
    pub fn has_watchers(&self) -> bool {
        self.inbox.receiver_count() > 0
            || !self.threads.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}
