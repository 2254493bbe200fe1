//! Threads.

use std::collections::HashMap;

use forestage_protocol::id::ThreadId;

use super::{MemoryStore, Record};
use crate::{
    CreateError, Lease, NewThread, Page, RunRecord, Seq, Thread, ThreadChange, ThreadQuery, ThreadStatus,
};

impl MemoryStore {
    pub(super) fn create(&self, new: NewThread) -> Result<Thread, CreateError> {
        let mut threads = self.threads();
        if threads.contains_key(&new.id) {
            return Err(CreateError::Exists(new.id));
        }
        let record = Record::new(new);
        let thread = record.thread();
        threads.insert(thread.id.clone(), record);
        Ok(thread)
    }

    pub(super) fn create_held(
        &self,
        new: NewThread,
        holder: String,
        now: i64,
        for_ms: i64,
    ) -> Option<(Thread, Lease)> {
        let mut threads = self.threads();
        if threads.contains_key(&new.id) {
            return None;
        }
        let mut record = Record::new(new);
        let lease = record.lend(holder, now + for_ms);
        let thread = record.thread();
        threads.insert(thread.id.clone(), record);
        Some((thread, lease))
    }

    pub(super) fn get(&self, id: &ThreadId) -> Option<Thread> {
        self.threads().get(id).map(Record::thread)
    }

    pub(super) fn list(&self, query: &ThreadQuery) -> Page<Thread> {
        let threads = self.threads();
        let mut found: Vec<Thread> =
            threads.values().map(Record::thread).filter(|thread| matches(thread, query)).collect();
        found.sort_by(|left, right| order(right).cmp(&order(left)));
        let more = found.len() > query.limit;
        found.truncate(query.limit);
        let next = found.last().filter(|_| more).map(|thread| (thread.updated_at, thread.id.clone()));
        Page { items: found, next }
    }

    pub(super) fn update(&self, id: &ThreadId, change: ThreadChange) -> Option<Thread> {
        let mut threads = self.threads();
        let record = threads.get_mut(id)?;
        let thread = &mut record.thread;
        let moved = change.head.is_some();
        if let Some(title) = change.title {
            thread.title = title;
        }
        if let Some(archived) = change.archived {
            thread.archived = archived;
        }
        if let Some(review) = change.review {
            thread.review = review;
        }
        if let Some(head) = change.head {
            thread.head = head;
        }
        thread.updated_at = change.now;
        if moved {
            self.tails.nudge_inbox();
        }
        Some(record.thread())
    }

    pub(super) fn delete(&self, id: &ThreadId) -> bool {
        let mut threads = self.threads();
        let removed = threads.remove(id);
        self.books().forget_thread(id);
        drop(threads);
        self.tails.nudge(id);
        self.tails.nudge_inbox();
        removed.is_some()
    }
}

impl Record {
    pub(super) fn new(new: NewThread) -> Self {
        let thread = Thread {
            id: new.id,
            owner: new.owner,
            agent: new.agent,
            title: None,
            opening: None,
            archived: false,
            review: false,
            created_at: new.now,
            updated_at: new.now,
            tail: Seq::START,
            head: None,
            status: ThreadStatus::Idle,
            runs: 0,
            messages: 0,
            pending: 0,
        };
        Self {
            thread,
            entries: Vec::new(),
            runs: Vec::new(),
            interrupts: Vec::new(),
            annotations: Vec::new(),
            shares: Vec::new(),
            utterances: Vec::new(),
            snapshots: HashMap::new(),
            fence: 0,
            lease: None,
        }
    }

    /// The entry as listed, with what follows from runs and interrupts.
    pub(super) fn thread(&self) -> Thread {
        let pending = self.pending().count();
        Thread {
            pending: pending as u64,
            status: self.status(pending),
            opening: self.opening(),
            ..self.thread.clone()
        }
    }

    fn status(&self, pending: usize) -> ThreadStatus {
        let head = self.runs.iter().find(|run| Some(&run.run_id) == self.thread.head.as_ref());
        let has_ended = |end| head.is_some_and(|run| run.end.as_deref() == Some(end));
        if self.runs.iter().any(|run| run.end.is_none()) {
            ThreadStatus::Running
        } else if pending > 0 || self.is_uncarried() || has_ended(RunRecord::TOOL_CALLS) {
            ThreadStatus::Waiting
        } else if has_ended("error") {
            ThreadStatus::Failed
        } else {
            ThreadStatus::Idle
        }
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
        && query.status.is_none_or(|status| thread.status == status)
        && query.agent.as_ref().is_none_or(|agent| thread.agent == *agent)
        && query.search.as_ref().is_none_or(found)
        && query.after.as_ref().is_none_or(|(at, id)| order(thread) < (*at, id))
}
