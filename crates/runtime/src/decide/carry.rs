//! Going on with a thread whose questions are all decided.

use std::sync::Arc;

use forestage_protocol::{
    id::{RunId, ThreadId},
    input::RunAgentInput,
    interrupt::ResumeEntry,
};
use forestage_store::{InterruptQuery, InterruptRecord, Thread};

use super::{Decider, Effect, Ruling};
use crate::{
    Stage,
    error::Refusal,
    run::{StartRun, Started},
};

impl Stage {
    /// Begins the run that goes on with the answers of a thread, if all its questions are decided and nobody has begun
    /// it. What is in the way is tried again by upkeep.
    pub(crate) async fn carry(self: &Arc<Self>, thread_id: &ThreadId) -> Option<Started> {
        let started = match self.answered(thread_id).await {
            Ok(Some(request)) => self.start(request).await.map(Some),
            other => other.map(|_| None),
        };
        started.unwrap_or_else(|refusal| {
            tracing::warn!(thread = %thread_id, %refusal, "a thread did not go on with its answers yet");
            None
        })
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
        let run_id = RunId::from(format!("{head}-answered"));
        let input =
            RunAgentInput { resume: Some(entries), ..RunAgentInput::new(&thread.id, &run_id, Vec::new()) };
        Ok(Some(StartRun::new(&first.agent, input, &thread.owner)))
    }

    /// The run whose questions count: the head, or the one before it if the head was to go on and was lost.
    async fn asking(&self, thread: &Thread, head: &RunId) -> Result<RunId, Refusal> {
        let record = self.store.run(thread.id.clone(), head.clone()).await?;
        let failed = record.filter(|record| record.end.as_deref() == Some("error"));
        Ok(failed.and_then(|record| record.parent).unwrap_or_else(|| head.clone()))
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
        let run_id = RunId::from(format!("{}-answered", record.run_id));
        let input =
            RunAgentInput { resume: Some(entries), ..RunAgentInput::new(&thread.id, &run_id, Vec::new()) };
        let decider = Some(who.clone());
        let request = StartRun { decider, ..StartRun::new(&record.agent, input, &thread.owner) };
        let run = self.start(request).await?;
        let now = self.store.interrupt(record.id.clone(), who.viewer()).await?;
        Ok(Ruling { record: now.unwrap_or(record), effect: Effect::Decided, run: Some(run) })
    }
}

/// The answer that was recorded; nothing if there is none yet.
fn recorded(record: &InterruptRecord) -> Option<ResumeEntry> {
    serde_json::from_slice(&record.decision.as_ref()?.json).ok()
}
