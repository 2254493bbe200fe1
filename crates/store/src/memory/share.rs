//! Shares.

use forestage_protocol::id::ThreadId;

use super::MemoryStore;
use crate::{NewAudit, Share};

impl MemoryStore {
    pub(super) fn share_out(&self, share: Share, on_record: NewAudit) -> bool {
        let mut threads = self.threads();
        let Some(record) = threads.get_mut(&share.thread_id) else { return false };
        record.shares.retain(|held| held.id != share.id);
        record.shares.push(share);
        record.shares.sort_by(|left, right| (left.at, &left.id).cmp(&(right.at, &right.id)));
        self.books().enter(on_record);
        true
    }

    pub(super) fn shares_of(&self, thread_id: &ThreadId) -> Vec<Share> {
        self.threads().get(thread_id).map(|record| record.shares.clone()).unwrap_or_default()
    }

    pub(super) fn share_with(&self, hash: &[u8; 32]) -> Option<Share> {
        let threads = self.threads();
        threads.values().flat_map(|record| &record.shares).find(|share| share.hash == *hash).cloned()
    }

    pub(super) fn take_back(&self, thread_id: &ThreadId, id: &str, on_record: NewAudit) -> bool {
        let mut threads = self.threads();
        let Some(record) = threads.get_mut(thread_id) else { return false };
        let before = record.shares.len();
        record.shares.retain(|held| held.id != id);
        let removed = record.shares.len() < before;
        if removed {
            self.books().enter(on_record);
        }
        removed
    }
}
