//! Threads that could not go on with their answers yet, and when they are tried again.
//!
//! What is in the way may be gone in a moment, or stay for days: an agent that was taken away. So it is tried again after
//! pauses that grow, it is told once, and at once when there are other agents.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use forestage_protocol::id::ThreadId;
use tokio::{sync::Notify, time::Instant};

use crate::error::Refusal;

/// The first pause.
const SHORTEST: Duration = Duration::from_secs(1);

/// The longest one.
const LONGEST: Duration = Duration::from_secs(60);

/// Who waits, and for how long.
#[derive(Debug, Default)]
pub(crate) struct Patience {
    held: Mutex<HashMap<ThreadId, Held>>,
    hurry: Notify,
}

#[derive(Debug)]
struct Held {
    pause: Duration,
    next: Instant,
    /// What was told already.
    told: Option<&'static str>,
}

impl Patience {
    /// Notes that a thread could not go on. A second time in a row is told, once: most of what is in the way is gone by
    /// then.
    pub(crate) fn note(&self, thread_id: &ThreadId, refusal: &Refusal) {
        let mut held = self.lock();
        let now = Instant::now();
        let Some(known) = held.get_mut(thread_id) else {
            held.insert(thread_id.clone(), Held { pause: SHORTEST, next: now + SHORTEST, told: None });
            return;
        };
        known.pause = (known.pause * 2).min(LONGEST);
        known.next = now + known.pause;
        if known.told != Some(refusal.code) {
            known.told = Some(refusal.code);
            tracing::warn!(thread = %thread_id, code = refusal.code, %refusal, "a thread cannot go on with its answers yet");
        }
    }

    /// It goes on, or has no reason to any more.
    pub(crate) fn forget(&self, thread_id: &ThreadId) {
        self.lock().remove(thread_id);
    }

    /// Whether a thread waits to be tried again.
    pub(crate) fn holds(&self, thread_id: &ThreadId) -> bool {
        self.lock().contains_key(thread_id)
    }

    /// How many do.
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    /// Those whose pause is over.
    pub(super) fn due(&self) -> Vec<ThreadId> {
        let now = Instant::now();
        let held = self.lock();
        held.iter().filter(|(_, held)| held.next <= now).map(|(thread_id, _)| thread_id.clone()).collect()
    }

    /// Whether nothing was in the way since its pause was over.
    pub(super) fn is_due(&self, thread_id: &ThreadId) -> bool {
        self.lock().get(thread_id).is_some_and(|held| held.next <= Instant::now())
    }

    /// What was in the way may be gone: all are tried at once.
    pub(crate) fn try_all(&self) {
        for held in self.lock().values_mut() {
            (held.pause, held.next) = (SHORTEST, Instant::now());
        }
        self.hurry.notify_one();
    }

    /// Waits until all are to be tried at once.
    pub(super) async fn hurried(&self) {
        self.hurry.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ThreadId, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn pauses_grow_until_something_changes() {
        let (patience, thread) = (Patience::default(), ThreadId::from("t"));
        let refusal = Refusal::not_found("unknown_agent", "there is no agent");
        let mut pauses = Vec::new();
        for _ in 0..8 {
            patience.note(&thread, &refusal);
            let begin = Instant::now();
            while !patience.is_due(&thread) {
                tokio::time::advance(Duration::from_secs(1)).await;
            }
            pauses.push(begin.elapsed().as_secs());
        }
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 60, 60]);
        patience.note(&thread, &refusal);
        assert_eq!(patience.due(), []);
        patience.try_all();
        assert_eq!(patience.due(), std::slice::from_ref(&thread));
        patience.forget(&thread);
        assert!(!patience.holds(&thread));
    }
}
