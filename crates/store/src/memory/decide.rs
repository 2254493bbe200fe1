//! Decisions: recorded on their own, or carried in by a run.

use forestage_protocol::id::RunId;

use super::{MemoryStore, Record};
use crate::{Answer, AppendError, Decide, Decided, Decision};

impl MemoryStore {
    pub(super) fn record(&self, decide: Decide) -> Decided {
        let mut threads = self.threads();
        let record = threads.get_mut(&decide.thread_id);
        let known = record.and_then(|record| {
            record.interrupts.iter_mut().find(|interrupt| interrupt.id == decide.interrupt_id)
        });
        let Some(interrupt) = known else { return Decided::Unknown };
        let decided = interrupt.clone().decided(&decide);
        if let Decided::Decided(changed) | Decided::Counted(changed) = &decided {
            *interrupt = changed.clone();
            self.note_books(&threads, decide.audit, decide.rules);
            self.tails.nudge_inbox();
        }
        decided
    }
}

impl Record {
    /// Whether every answer is to a pending interrupt or is the decision that waits to be carried, each to another.
    pub(super) fn check_answers(&self, answers: &[Answer]) -> Result<(), AppendError> {
        for (index, answer) in answers.iter().enumerate() {
            let known = self.interrupts.iter().find(|interrupt| interrupt.id == answer.interrupt_id);
            let earlier = answers[..index].iter().find(|other| other.interrupt_id == answer.interrupt_id);
            let decision = known.and_then(|interrupt| interrupt.decision.as_ref());
            let fits = known.is_some() && decision.is_none_or(|decision| decision.waits_for(answer));
            if !fits || earlier.is_some() {
                let by = decision.map(|decision| &decision.by).or(earlier.map(|other| &other.by));
                let interrupt_id = answer.interrupt_id.clone();
                return Err(AppendError::NotPending { interrupt_id, decided_by: by.cloned() });
            }
        }
        Ok(())
    }

    /// Notes the run that carries an answer in, which decides what was pending.
    pub(super) fn carry(&mut self, answer: &Answer, at: i64, run_id: &RunId) {
        let known = self.interrupts.iter_mut().find(|interrupt| interrupt.id == answer.interrupt_id);
        let Some(interrupt) = known else { return };
        let decision = interrupt.decision.get_or_insert_with(|| Decision {
            status: answer.status.clone(),
            json: answer.json.clone(),
            by: answer.by.clone(),
            at,
            run_id: None,
        });
        decision.run_id = Some(run_id.clone());
    }
}
