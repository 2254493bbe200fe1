//! Leases.

use forestage_protocol::id::ThreadId;

use super::{MemoryStore, Record};
use crate::{ClaimError, Fence, Lease, LeaseLost};

impl MemoryStore {
    pub(super) fn take_lease(
        &self,
        thread_id: ThreadId,
        holder: String,
        now: i64,
        for_ms: i64,
    ) -> Result<Lease, ClaimError> {
        let mut threads = self.threads();
        let Some(record) = threads.get_mut(&thread_id) else {
            return Err(ClaimError::NoThread(thread_id));
        };
        if let Some(held) = record.lease.as_ref().filter(|lease| lease.expires_at > now) {
            return Err(ClaimError::Held { holder: held.holder.clone(), expires_at: held.expires_at });
        }
        Ok(record.lend(holder, now + for_ms))
    }

    pub(super) fn prolong(&self, lease: Lease, now: i64, for_ms: i64) -> Result<Lease, LeaseLost> {
        let mut threads = self.threads();
        let record = threads.get_mut(&lease.thread_id);
        let held =
            record.filter(|record| record.lease.as_ref().is_some_and(|held| held.fence == lease.fence));
        let Some(record) = held else { return Err(LeaseLost::Lost(lease.thread_id)) };
        let renewed =
            Lease { expires_at: now + for_ms, cancel_requested: record.cancel_requested(), ..lease };
        record.lease = Some(renewed.clone());
        Ok(renewed)
    }

    pub(super) fn give_back(&self, lease: &Lease) {
        if let Some(record) = self.threads().get_mut(&lease.thread_id) {
            record.lease.take_if(|held| held.fence == lease.fence);
        }
    }
}

impl Record {
    /// Gives the thread to a holder, with a new fence.
    pub(super) fn lend(&mut self, holder: String, expires_at: i64) -> Lease {
        self.fence += 1;
        let lease = Lease {
            thread_id: self.thread.id.clone(),
            holder,
            fence: Fence(self.fence),
            expires_at,
            cancel_requested: self.cancel_requested(),
        };
        self.lease = Some(lease.clone());
        lease
    }

    fn cancel_requested(&self) -> bool {
        self.runs.iter().any(|run| run.end.is_none() && run.cancel_requested)
    }
}
