//! Interrupts.

use forestage_protocol::id::{InterruptId, RunId, ThreadId};

use super::{MemoryStore, Record};
use crate::{InterruptQuery, InterruptRecord, NewInterrupt, Viewer};

impl MemoryStore {
    pub(super) fn waiting(&self, query: &InterruptQuery) -> Vec<InterruptRecord> {
        let threads = self.threads();
        let listed = threads.values().flat_map(Record::counting);
        let mut found: Vec<_> = listed.filter(|interrupt| matches(interrupt, query)).cloned().collect();
        found.sort_by(|left, right| order(left).cmp(&order(right)));
        found.truncate(query.limit);
        found
    }

    pub(super) fn newest(&self, id: &InterruptId, viewer: &Viewer) -> Option<InterruptRecord> {
        let threads = self.threads();
        let all = threads.values().flat_map(|record| &record.interrupts);
        let found = all.filter(|interrupt| interrupt.id == *id && interrupt.may_see(viewer));
        found.max_by(|left, right| order(left).cmp(&order(right))).cloned()
    }

    pub(super) fn due(&self, now: i64, limit: usize) -> Vec<InterruptRecord> {
        let threads = self.threads();
        let pending = threads.values().flat_map(Record::pending);
        let over = pending.filter(|interrupt| interrupt.expires_at.is_some_and(|at| at <= now));
        let mut found: Vec<_> = over.cloned().collect();
        found.sort_by(|left, right| (left.expires_at, order(left)).cmp(&(right.expires_at, order(right))));
        found.truncate(limit);
        found
    }

    pub(super) fn decided_heads(&self, limit: usize) -> Vec<ThreadId> {
        let threads = self.threads();
        let can_go_on = |record: &Record| record.decided_at().map(|at| (at, record.thread.id.clone()));
        let mut found: Vec<_> = threads.values().filter_map(can_go_on).collect();
        found.sort();
        found.into_iter().take(limit).map(|(_, id)| id).collect()
    }
}

impl Record {
    pub(super) fn ask(&mut self, new: &NewInterrupt, at: i64, run_id: &RunId) {
        let run = self.runs.iter().find(|run| run.run_id == *run_id);
        let agent = run.map(|run| run.agent.clone()).unwrap_or_default();
        self.interrupts.retain(|interrupt| interrupt.id != new.id);
        self.interrupts.push(InterruptRecord {
            id: new.id.clone(),
            thread_id: self.thread.id.clone(),
            run_id: run_id.clone(),
            agent,
            owner: self.thread.owner.clone(),
            role: new.role.clone(),
            needs: new.needs,
            json: new.json.clone(),
            private: new.private.clone(),
            opened_at: at,
            expires_at: new.expires_at,
            votes: Vec::new(),
            decision: None,
        });
    }

    /// What is decided, and what is pending and not on a branch that was left.
    fn counting(&self) -> impl Iterator<Item = &InterruptRecord> {
        let head = self.thread.head.as_ref();
        self.interrupts
            .iter()
            .filter(move |interrupt| interrupt.decision.is_some() || Some(&interrupt.run_id) == head)
    }

    /// What waits for a decision.
    pub(super) fn pending(&self) -> impl Iterator<Item = &InterruptRecord> {
        self.counting().filter(|interrupt| interrupt.decision.is_none())
    }

    /// Whether a decision waits for the run that goes on with it.
    pub(super) fn is_uncarried(&self) -> bool {
        let head = self.thread.head.as_ref();
        let asked = self.interrupts.iter().filter(|interrupt| Some(&interrupt.run_id) == head);
        asked.filter_map(|interrupt| interrupt.decision.as_ref()).any(|decision| decision.run_id.is_none())
    }

    /// When the last question of the head was decided, if all are and none has been carried.
    fn decided_at(&self) -> Option<i64> {
        let head = self.runs.iter().find(|run| Some(&run.run_id) == self.thread.head.as_ref())?;
        if head.end.as_deref() != Some("interrupt") {
            return None;
        }
        let asked = self.interrupts.iter().filter(|interrupt| interrupt.run_id == head.run_id);
        let waiting = asked.map(|interrupt| {
            let decision = interrupt.decision.as_ref().filter(|decision| decision.run_id.is_none());
            decision.map(|decision| decision.at)
        });
        waiting.collect::<Option<Vec<_>>>()?.into_iter().max()
    }
}

fn matches(interrupt: &InterruptRecord, query: &InterruptQuery) -> bool {
    interrupt.may_see(&query.viewer)
        && (query.decided || interrupt.decision.is_none())
        && query.thread_id.as_ref().is_none_or(|id| interrupt.thread_id == *id)
        && query.after.as_ref().is_none_or(|(at, thread, id)| order(interrupt) > (*at, thread, id))
}

/// Oldest first; the ids decide between equals.
fn order(interrupt: &InterruptRecord) -> (i64, &str, &str) {
    (interrupt.opened_at, &interrupt.thread_id, &interrupt.id)
}
