//! Deleting a thread, whatever happens on it.
//!
//! What runs is cancelled and what waits for its turn is refused; the thread is held until it is gone, here and among all
//! processes on the same store, so nothing begins on it in between. Whoever comes later begins a new thread.

use std::{sync::Arc, time::Duration};

use forestage_protocol::id::{RunId, ThreadId};
use forestage_store::{ClaimError, Lease, StoreError};
use tokio::time::Instant;

use crate::{
    error::Refusal,
    run::{Entered, StopReason},
    stage::Stage,
};

/// How often a thread that somebody else has is asked for.
const RETRY: Duration = Duration::from_millis(50);

impl Stage {
    /// Deletes a thread with everything on it. A run under way is cancelled first, at whatever process on the same store, and
    /// so are runs that wait. It is carried out even if nobody waits for the answer; several at once are one.
    pub async fn delete(self: &Arc<Self>, owner: &str, thread_id: &ThreadId) -> Result<(), Refusal> {
        self.thread(owner, thread_id).await?;
        let (stage, thread_id) = (self.clone(), thread_id.clone());
        // A caller who hangs up must not leave it half done.
        let deleted = self.tasks.spawn(async move {
            let entered = stage.clear(&thread_id).await;
            let deleted = stage.delete_held(&thread_id).await;
            stage.actives.leave(&thread_id, entered);
            deleted
        });
        match deleted.await {
            Ok(deleted) => Ok(deleted?),
            Err(_) => Err(Refusal::shutting_down()),
        }
    }

    /// Takes the thread within this process, after everybody who runs on it or waits for it has been sent away.
    async fn clear(&self, thread_id: &ThreadId) -> Entered {
        // No run has an empty id, so nobody takes this for a run of theirs.
        let nobody = RunId::from("");
        let mut entering = std::pin::pin!(self.actives.enter(thread_id, &nobody));
        loop {
            self.queue.stop_all(thread_id);
            if let Some(active) = self.actives.get(thread_id).filter(|active| !active.is_ended()) {
                active.stop(StopReason::Cancel);
            }
            tokio::select! {
                entered = &mut entering => {
                    // Whoever comes now waits for its turn instead of being refused.
                    entered.active.has_ended();
                    return entered;
                }
                // Somebody may have come to the queue, or from it, since it was looked at.
                () = tokio::time::sleep(RETRY) => {}
            }
        }
    }

    async fn delete_held(&self, thread_id: &ThreadId) -> Result<(), StoreError> {
        let lease = self.claim_from_others(thread_id).await?;
        if let Err(error) = self.store.delete_thread(thread_id.clone()).await {
            if let Some(lease) = lease {
                // The lease ends by itself where this fails, too.
                let _ = self.store.release(lease).await;
            }
            return Err(error);
        }
        self.lives.forget(thread_id);
        self.at_hand.forget(thread_id);
        Ok(())
    }

    /// Has other processes stop their runs, and takes the thread when they have: whoever follows there sees the end. One that
    /// does not answer is waited for no longer than a lease lasts. `None` if the thread could not be taken.
    async fn claim_from_others(&self, thread_id: &ThreadId) -> Result<Option<Lease>, StoreError> {
        let mut watch = self.store.watch(thread_id);
        let deadline = Instant::now() + self.limits.lease;
        loop {
            match self.claim(thread_id).await {
                Ok(lease) => return Ok(Some(lease)),
                Err(ClaimError::NoThread(_)) => return Ok(None),
                Err(ClaimError::Store(error)) => return Err(error),
                Err(ClaimError::Held { .. }) if Instant::now() >= deadline => return Ok(None),
                Err(ClaimError::Held { .. }) => self.cancel_open(thread_id).await?,
            }
            // A lease that is given back wakes nobody.
            let _ = tokio::time::timeout(RETRY, watch.changed()).await;
        }
    }

    async fn cancel_open(&self, thread_id: &ThreadId) -> Result<(), StoreError> {
        let runs = self.store.runs(thread_id.clone()).await?;
        if let Some(open) = runs.into_iter().rev().find(|run| run.end.is_none()) {
            self.store.request_cancel(thread_id.clone(), open.run_id).await?;
        }
        Ok(())
    }
}
