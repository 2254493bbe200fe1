//! Leases.

use forestage_protocol::id::ThreadId;

use super::MemoryStore;
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
        record.fence += 1;
        let lease = Lease { thread_id, holder, fence: Fence(record.fence), expires_at: now + for_ms };
        record.lease = Some(lease.clone());
        Ok(lease)
    }

    pub(super) fn prolong(&self, lease: Lease, now: i64, for_ms: i64) -> Result<Lease, LeaseLost> {
        let mut threads = self.threads();
        let held = threads.get_mut(&lease.thread_id).and_then(|record| record.lease.as_mut());
        match held.filter(|held| held.fence == lease.fence) {
            Some(held) => {
                held.expires_at = now + for_ms;
                Ok(held.clone())
            }
            None => Err(LeaseLost::Lost(lease.thread_id)),
        }
    }

    pub(super) fn give_back(&self, lease: &Lease) {
        if let Some(record) = self.threads().get_mut(&lease.thread_id) {
            record.lease.take_if(|held| held.fence == lease.fence);
        }
    }
}
