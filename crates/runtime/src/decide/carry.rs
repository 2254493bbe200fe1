//! Going on with a thread whose questions are all decided.

use std::sync::Arc;

use forestage_protocol::{
    event::Event,
    id::{RunId, ThreadId},
    input::RunAgentInput,
    interrupt::ResumeEntry,
};
use forestage_store::{InterruptQuery, InterruptRecord, RunRecord, StoreError, Thread};

use super::{Decider, Effect, Ruling, is_cut, question};
use crate::{
    Stage,
    error::Refusal,
    run::{StartRun, Started, is_no_fault, is_resumed},
    thread::{event_of, read_run},
};

/// What the run that goes on with the answers is called.
const ANSWERED: &str = "-answered";

/// So often a run that the server begins itself is begun, if its process dies each time. A tool that takes the process
/// with it must not do so for ever.
const MAX_ATTEMPTS: usize = 3;

impl Stage {
    /// Begins the run that goes on with the answers of a thread, if all its questions are decided and nobody has begun
    /// it. If something is in the way, it is tried again later.
    pub(crate) async fn carry(self: &Arc<Self>, thread_id: &ThreadId) -> Option<Started> {
        let started = match self.answered(thread_id).await {
            Ok(Some(request)) => self.start(request).await.map(Some),
            other => other.map(|_| None),
        };
        match started {
            Ok(started) => {
                self.patience.forget(thread_id);
                started
            }
            Err(refusal) => {
                self.patience.note(thread_id, &refusal);
                None
            }
        }
    }

    /// Tries again what was in the way of a thread.
    pub(super) async fn carry_again(self: &Arc<Self>, thread_id: &ThreadId) -> Result<(), StoreError> {
        let thread = self.store.thread(thread_id.clone()).await?;
        let head = match thread.and_then(|thread| thread.head) {
            Some(head) => self.store.run(thread_id.clone(), head).await?,
            None => None,
        };
        match head {
            Some(head) if head.end.as_deref() == Some("interrupt") => drop(self.carry(thread_id).await),
            Some(head) => self.carry_stopped(&head).await?,
            None => {}
        }
        if self.patience.is_due(thread_id) {
            self.patience.forget(thread_id);
        }
        Ok(())
    }

    /// The run that goes on, if it is due. Its id follows from the run that is at the head, so that two processes that
    /// come to it at once begin the same one.
    async fn answered(&self, thread_id: &ThreadId) -> Result<Option<StartRun>, Refusal> {
        let Some(thread) = self.store.thread(thread_id.clone()).await? else { return Ok(None) };
        let Some(head) = thread.head.clone() else { return Ok(None) };
        let asking = self.asking(&thread, &head).await?;
        let records: Vec<_> =
            self.questions(&thread).await?.into_iter().filter(|record| record.run_id == asking).collect();
        let entries: Option<Vec<ResumeEntry>> = records.iter().map(recorded).collect();
        let (Some(entries), Some(first)) = (entries.filter(|entries| !entries.is_empty()), records.first())
        else {
            return Ok(None);
        };
        let run_id = answered_id(&head);
        let input =
            RunAgentInput { resume: Some(entries), ..RunAgentInput::new(&thread.id, &run_id, Vec::new()) };
        let decider = Some(Decider::server("server"));
        Ok(Some(StartRun { decider, ..StartRun::new(&first.agent, input, &thread.owner) }))
    }

    /// The run whose questions count: the head, or the one before those that were to go on with the answers and failed.
    async fn asking(&self, thread: &Thread, head: &RunId) -> Result<RunId, Refusal> {
        let mut asking = head.clone();
        while let Some(run) = self.store.run(thread.id.clone(), asking.clone()).await?
            && run.end.as_deref() == Some("error")
            && let Some(parent) = run.parent.clone()
            && self.has_answers(&run).await?
        {
            asking = parent;
        }
        Ok(asking)
    }

    /// Whether a run began with answers.
    async fn has_answers(&self, run: &RunRecord) -> Result<bool, Refusal> {
        let first = read_run(&*self.store, run).await?.first().and_then(event_of);
        Ok(matches!(first, Some(Event::RunStarted(event)) if is_resumed(event.input.as_deref())))
    }

    /// Goes on once more with answers whose run was lost with its process. A run that a client began is the client's to
    /// begin again: it has been told. One that we began ourselves would be missed by nobody.
    pub(crate) async fn carry_lost(self: &Arc<Self>, lost: &RunRecord) -> Result<(), StoreError> {
        let thread = self.store.thread(lost.thread_id.clone()).await?;
        let is_head = thread.is_some_and(|thread| thread.head.as_ref() == Some(&lost.run_id));
        if is_head && is_ours(lost) && attempts(&lost.run_id) < MAX_ATTEMPTS {
            self.carry(&lost.thread_id).await;
        }
        Ok(())
    }

    /// Goes on with all that was stopped with an earlier process. They are not shortened before this, so they are found.
    pub(crate) async fn carry_all_stopped(self: &Arc<Self>) -> Result<(), StoreError> {
        for run in self.store.uncompacted_runs(usize::MAX).await? {
            self.carry_stopped(&run).await?;
        }
        Ok(())
    }

    /// Whether an ended run is one to go on after, and cannot be gone on after yet. Then it stays as it is, so that the
    /// next process finds it, too.
    pub(crate) async fn is_to_be_carried(self: &Arc<Self>, run: &RunRecord) -> Result<bool, StoreError> {
        if !is_ours(run) || run.end.as_deref() != Some("error") {
            return Ok(false);
        }
        if !self.patience.holds(&run.thread_id) {
            self.carry_stopped(run).await?;
        }
        Ok(self.patience.holds(&run.thread_id))
    }

    /// The same for a run that has ended, if it ended because its process did.
    pub(crate) async fn carry_stopped(self: &Arc<Self>, run: &RunRecord) -> Result<(), StoreError> {
        if run.end.as_deref() != Some("error") || !is_ours(run) {
            return Ok(());
        }
        match read_run(&*self.store, run).await?.last().and_then(event_of) {
            Some(Event::RunError(error)) if is_no_fault(error.code.as_deref()) => self.carry_lost(run).await,
            _ => Ok(()),
        }
    }

    pub(crate) async fn questions(&self, thread: &Thread) -> Result<Vec<InterruptRecord>, Refusal> {
        let query = InterruptQuery {
            thread_id: Some(thread.id.clone()),
            decided: true,
            limit: i32::MAX as usize,
            ..InterruptQuery::of(thread.owner.as_str())
        };
        Ok(self.store.interrupts(query).await?)
    }

    /// An answer that nobody may keep goes straight to the run that needs it. So it has to be the last one.
    pub(super) async fn hand_over(
        self: &Arc<Self>,
        who: &Decider,
        record: InterruptRecord,
        entry: ResumeEntry,
    ) -> Result<Ruling, Refusal> {
        let thread = self.store.thread(record.thread_id.clone()).await?;
        let thread = thread.ok_or_else(|| Refusal::no_thread(&record.thread_id))?;
        let others: Vec<_> = self.questions(&thread).await?;
        let others = others.iter().filter(|other| other.run_id == record.run_id && other.id != record.id);
        let decided: Option<Vec<ResumeEntry>> = others.map(recorded).collect();
        let Some(mut entries) = decided else {
            let text =
                "the answer may not be kept, so it has to come last, or with all others in one `resume`";
            return Err(Refusal::conflict("answer_together", text));
        };
        entries.push(entry);
        let run_id = answered_id(&record.run_id);
        let input =
            RunAgentInput { resume: Some(entries), ..RunAgentInput::new(&thread.id, &run_id, Vec::new()) };
        let decider = Some(who.clone());
        let request = StartRun { decider, ..StartRun::new(&record.agent, input, &thread.owner) };
        let run = self.start(request).await?;
        let now = self.store.interrupt(record.id.clone(), who.viewer()).await?;
        Ok(Ruling { record: now.unwrap_or(record), effect: Effect::Decided, run: Some(run) })
    }
}

/// The answer that was recorded; nothing if there is none yet, or if it could not be kept as a whole.
pub(super) fn recorded(record: &InterruptRecord) -> Option<ResumeEntry> {
    let entry = serde_json::from_slice(&record.decision.as_ref()?.json).ok()?;
    let question = question(record).ok()?;
    Some(entry).filter(|entry| !is_cut(&question, entry))
}

/// The run that goes on after another.
fn answered_id(head: &RunId) -> RunId {
    RunId::from(format!("{head}{ANSWERED}"))
}

/// Whether a run was begun by us.
fn is_ours(run: &RunRecord) -> bool {
    run.parent.as_ref().map(answered_id).as_ref() == Some(&run.run_id)
}

/// How often it was begun, this time included: each one follows the one before it.
fn attempts(run_id: &RunId) -> usize {
    let mut rest = run_id.as_str();
    let mut attempts = 0;
    while let Some(shorter) = rest.strip_suffix(ANSWERED) {
        (rest, attempts) = (shorter, attempts + 1);
    }
    attempts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_attempt_is_counted_by_the_id_of_its_run() {
        for (run_id, expected) in
            [("r", 0), ("r-answered", 1), ("r-answered-answered-answered", 3), ("-answeredr", 0)]
        {
            assert_eq!(attempts(&run_id.into()), expected, "{run_id}");
        }
        assert_eq!(attempts(&answered_id(&answered_id(&"r".into()))), 2);
    }
}
