//! Annotations.

use forestage_protocol::id::ThreadId;

use super::MemoryStore;
use crate::Annotation;

impl MemoryStore {
    pub(super) fn remark(&self, annotation: Annotation) -> bool {
        let mut threads = self.threads();
        let Some(record) = threads.get_mut(&annotation.thread_id) else { return false };
        record.annotations.retain(|held| held.id != annotation.id);
        record.annotations.push(annotation);
        record.annotations.sort_by(|left, right| order(left).cmp(&order(right)));
        true
    }

    pub(super) fn remarks(&self, thread_id: &ThreadId) -> Vec<Annotation> {
        self.threads().get(thread_id).map(|record| record.annotations.clone()).unwrap_or_default()
    }

    pub(super) fn unremark(&self, thread_id: &ThreadId, id: &str) -> bool {
        let mut threads = self.threads();
        let Some(record) = threads.get_mut(thread_id) else { return false };
        let before = record.annotations.len();
        record.annotations.retain(|held| held.id != id);
        record.annotations.len() < before
    }
}

fn order(annotation: &Annotation) -> (i64, &str) {
    (annotation.at, &annotation.id)
}
