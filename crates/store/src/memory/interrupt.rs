//! Interrupts.

use forestage_protocol::id::{InterruptId, RunId};

use super::{MemoryStore, Record};
use crate::{Answer, AppendError, Decision, InterruptQuery, InterruptRecord, NewInterrupt};

impl MemoryStore {
    pub(super) fn waiting(&self, query: &InterruptQuery) -> Vec<InterruptRecord> {
        let threads = self.threads();
        let all = threads.values().flat_map(|record| &record.interrupts);
        let mut found: Vec<_> = all.filter(|interrupt| matches(interrupt, query)).cloned().collect();
        found.sort_by(|left, right| order(left).cmp(&order(right)));
        found.truncate(query.limit);
        found
    }

    pub(super) fn newest(&self, id: &InterruptId, owner: &str) -> Option<InterruptRecord> {
        let threads = self.threads();
        let all = threads.values().flat_map(|record| &record.interrupts);
        let found = all.filter(|interrupt| interrupt.id == *id && interrupt.owner == owner);
        found.max_by(|left, right| order(left).cmp(&order(right))).cloned()
    }
}

impl Record {
    /// Whether every answer is to a pending interrupt, and to another one.
    pub(super) fn check_answers(&self, answers: &[Answer]) -> Result<(), AppendError> {
        for (index, answer) in answers.iter().enumerate() {
            let known = self.interrupts.iter().find(|interrupt| interrupt.id == answer.interrupt_id);
            let earlier = answers[..index].iter().find(|other| other.interrupt_id == answer.interrupt_id);
            let decided =
                known.and_then(|interrupt| interrupt.decision.as_ref()).map(|decision| &decision.by);
            let decided_by = decided.or(earlier.map(|other| &other.by)).cloned();
            if known.is_none() || decided_by.is_some() {
                let interrupt_id = answer.interrupt_id.clone();
                return Err(AppendError::NotPending { interrupt_id, decided_by });
            }
        }
        Ok(())
    }

    pub(super) fn decide(&mut self, answer: &Answer, at: i64, run_id: &RunId) {
        let known = self.interrupts.iter_mut().find(|interrupt| interrupt.id == answer.interrupt_id);
        let Some(interrupt) = known else { return };
        interrupt.decision = Some(Decision {
            status: answer.status.clone(),
            json: answer.json.clone(),
            by: answer.by.clone(),
            at,
            run_id: run_id.clone(),
        });
    }

    pub(super) fn ask(&mut self, new: &NewInterrupt, at: i64, run_id: &RunId) {
        self.interrupts.retain(|interrupt| interrupt.id != new.id);
        self.interrupts.push(InterruptRecord {
            id: new.id.clone(),
            thread_id: self.thread.id.clone(),
            run_id: run_id.clone(),
            owner: self.thread.owner.clone(),
            json: new.json.clone(),
            opened_at: at,
            expires_at: new.expires_at,
            decision: None,
        });
    }
}

fn matches(interrupt: &InterruptRecord, query: &InterruptQuery) -> bool {
    interrupt.owner == query.owner
        && (query.decided || interrupt.decision.is_none())
        && query.thread_id.as_ref().is_none_or(|id| interrupt.thread_id == *id)
}

/// Oldest first; the ids decide between equals.
fn order(interrupt: &InterruptRecord) -> (i64, &str, &str) {
    (interrupt.opened_at, &interrupt.thread_id, &interrupt.id)
}
