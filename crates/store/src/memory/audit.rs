//! The audit trail.

use super::{Books, MemoryStore};
use crate::{AuditEntry, AuditQuery, NewAudit};

impl MemoryStore {
    pub(super) fn trail(&self, query: &AuditQuery) -> Vec<AuditEntry> {
        let books = self.books();
        let wanted = books.trail.iter().filter(|entry| query.wants(entry));
        wanted.take(query.limit).cloned().collect()
    }
}

impl Books {
    /// Adds an entry behind the last one.
    pub(super) fn enter(&mut self, new: NewAudit) -> AuditEntry {
        let last = self.trail.last();
        let (seq, previous) = last.map_or((0, AuditEntry::BEFORE_FIRST), |last| (last.seq, last.hash));
        let entry = AuditEntry::seal(seq + 1, &previous, new);
        self.trail.push(entry.clone());
        entry
    }
}
