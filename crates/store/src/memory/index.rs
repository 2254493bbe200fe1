//! Threads and runs.

use forestage_protocol::id::ThreadId;

use super::{MemoryStore, Record};
use crate::{CreateError, NewThread, Page, RunRecord, Seq, Thread, ThreadChange, ThreadQuery};

impl MemoryStore {
    pub(super) fn create(&self, new: NewThread) -> Result<Thread, CreateError> {
        let mut threads = self.threads();
        if threads.contains_key(&new.id) {
            return Err(CreateError::Exists(new.id));
        }
        let thread = Thread {
            id: new.id.clone(),
            owner: new.owner,
            agent: new.agent,
            title: None,
            archived: false,
            created_at: new.now,
            updated_at: new.now,
            tail: Seq::START,
        };
        let record =
            Record { thread: thread.clone(), entries: Vec::new(), runs: Vec::new(), fence: 0, lease: None };
        threads.insert(new.id, record);
        Ok(thread)
    }

    pub(super) fn list(&self, query: &ThreadQuery) -> Page<Thread> {
        let threads = self.threads();
        let mut found: Vec<&Thread> =
            threads.values().map(|record| &record.thread).filter(|thread| matches(thread, query)).collect();
        found.sort_by(|left, right| order(right).cmp(&order(left)));
        let more = found.len() > query.limit;
        found.truncate(query.limit);
        let last = found.last().filter(|_| more);
        let next = last.map(|thread| (thread.updated_at, thread.id.clone()));
        Page { items: found.into_iter().cloned().collect(), next }
    }

    pub(super) fn update(&self, id: &ThreadId, change: ThreadChange) -> Option<Thread> {
        let mut threads = self.threads();
        let thread = &mut threads.get_mut(id)?.thread;
        if let Some(title) = change.title {
            thread.title = title;
        }
        if let Some(archived) = change.archived {
            thread.archived = archived;
        }
        thread.updated_at = change.now;
        Some(thread.clone())
    }

    pub(super) fn runs_of(&self, id: &ThreadId) -> Vec<RunRecord> {
        self.threads().get(id).map(|record| record.runs.clone()).unwrap_or_default()
    }

    pub(super) fn abandoned(&self, now: i64) -> Vec<RunRecord> {
        let threads = self.threads();
        let unheld = |record: &&Record| record.lease.as_ref().is_none_or(|lease| lease.expires_at <= now);
        let runs = threads.values().filter(unheld).flat_map(|record| &record.runs);
        runs.filter(|run| run.end.is_none()).cloned().collect()
    }
}

/// Newest first; the id decides between equals, so that pages do not overlap.
fn order(thread: &Thread) -> (i64, &ThreadId) {
    (thread.updated_at, &thread.id)
}

fn matches(thread: &Thread, query: &ThreadQuery) -> bool {
    let found = |needle: &String| {
        let needle = needle.to_lowercase();
        let title = thread.title.as_deref().unwrap_or_default();
        title.to_lowercase().contains(&needle) || thread.id.to_lowercase().contains(&needle)
    };
    thread.owner == query.owner
        && (query.archived || !thread.archived)
        && query.search.as_ref().is_none_or(found)
        && query.after.as_ref().is_none_or(|(at, id)| order(thread) < (*at, id))
}
