//! Branches: what owners do with their threads beside talking.

use forestage_protocol::id::{MessageId, RunId, ThreadId};
use forestage_store::{RunRecord, Thread, ThreadChange};

use super::{Chain, Folded, fold_run};
use crate::{
    clock,
    error::Refusal,
    stage::{Conversation, Stage},
};

/// Where a conversation goes another way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BranchPoint {
    /// Behind a run: the next one follows it.
    After(RunId),
    /// Where a message stands: before the run that brought it in if a person said it, else behind the run in which
    /// it was said.
    At(MessageId),
}

impl Stage {
    /// Makes the next run follow another than the last one. Nothing is lost: the way it went until now stays a
    /// branch.
    pub async fn branch(
        &self,
        owner: &str,
        thread_id: &ThreadId,
        point: BranchPoint,
    ) -> Result<Conversation, Refusal> {
        let thread = self.thread(owner, thread_id).await?;
        if self.actives.get(thread_id).is_some_and(|active| !active.is_ended()) {
            let text = "a run is under way on this thread";
            return Err(Refusal::conflict("thread_busy", text).hint("wait for it, or cancel it"));
        }
        let head = self.run_before(&thread, point).await?;
        let change = ThreadChange { head: Some(head), now: clock::now(), ..ThreadChange::default() };
        let thread = self.store.update_thread(thread_id.clone(), change).await?;
        let thread = thread.ok_or_else(|| Refusal::no_thread(thread_id))?;
        self.conversation(&thread, None).await
    }

    async fn run_before(&self, thread: &Thread, point: BranchPoint) -> Result<Option<RunId>, Refusal> {
        let runs = self.store.runs(thread.id.clone()).await?;
        match point {
            BranchPoint::After(run_id) => match runs.iter().any(|run| run.run_id == run_id) {
                true => Ok(Some(run_id)),
                false => Err(Refusal::no_run(&run_id)),
            },
            BranchPoint::At(message_id) => {
                // The present branch first; then the others, newest first.
                let tips = runs.iter().rev().filter(|run| is_tip(run, &runs)).map(|run| &run.run_id);
                for head in thread.head.iter().chain(tips) {
                    let origin = |folded: &Folded| {
                        folded.view.message(&message_id).map(|_| folded.origin(&message_id).cloned())
                    };
                    match self.look_at(thread, Some(head), origin).await? {
                        None => {}
                        Some(Some(origin)) => {
                            let origin = runs.iter().find(|run| run.run_id == origin);
                            return Ok(origin.and_then(|run| run.parent.clone()));
                        }
                        Some(None) => return self.run_that_said(head, &runs, &message_id).await.map(Some),
                    }
                }
                Err(unknown_message(&message_id).at("messageId"))
            }
        }
    }

    /// The first run on the way to `head` after which a message stands.
    async fn run_that_said(
        &self,
        head: &RunId,
        runs: &[RunRecord],
        message_id: &MessageId,
    ) -> Result<RunId, Refusal> {
        let chain = Chain::to(head, runs).unwrap_or_default();
        let mut folded = Folded::default();
        for run in &chain.0 {
            fold_run(&*self.store, run, &mut folded).await?;
            if folded.view.message(message_id).is_some() {
                return Ok(run.run_id.clone());
            }
        }
        Err(unknown_message(message_id))
    }
}

/// Whether no run follows it.
fn is_tip(run: &RunRecord, runs: &[RunRecord]) -> bool {
    runs.iter().all(|other| other.parent.as_ref() != Some(&run.run_id))
}

fn unknown_message(id: &MessageId) -> Refusal {
    Refusal::not_found("unknown_message", format!("there is no message `{id}` on this thread"))
}
