//! Starting a run: who may, and when the thread is free.

use std::{sync::Arc, time::Duration};

use forestage_protocol::{
    id::{RunId, ThreadId},
    input::RunAgentInput,
};
use forestage_store::{ClaimError, Lease, NewThread, Seq, Thread};
use sha2::{Digest, Sha256};

use super::active::{Active, Entered, StopReason};
use crate::{Stage, clock, error::Refusal, log::Cursor};

/// How often a thread that another process has is asked for.
const RETRY: Duration = Duration::from_millis(50);

/// A request to run an agent.
#[derive(Clone, Debug)]
pub struct StartRun {
    /// Which.
    pub agent: String,
    /// The input.
    pub input: RunAgentInput,
    /// Who asks; a new thread will be theirs.
    pub owner: String,
    /// What to do if the thread has a run under way.
    pub on_busy: OnBusy,
}

impl StartRun {
    /// A request that is refused if the thread is busy.
    #[must_use]
    pub fn new(agent: &str, input: RunAgentInput, owner: &str) -> Self {
        let (agent, owner) = (agent.to_owned(), owner.to_owned());
        Self { agent, input, owner, on_busy: OnBusy::default() }
    }

    /// Tells a repeated request from another one under the same id.
    fn hash(&self) -> u64 {
        let mut hasher = Sha256::new();
        hasher.update(self.agent.as_bytes());
        hasher.update([0]);
        hasher.update(serde_json::to_vec(&self.input).unwrap_or_default());
        let digest = hasher.finalize();
        u64::from_le_bytes(digest[..8].try_into().expect("a digest has 32 bytes"))
    }
}

/// What to do if the thread has a run under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnBusy {
    /// Refuse.
    #[default]
    Reject,
    /// Wait for its end.
    Queue,
    /// Cancel it.
    Replace,
}

/// A run that is in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// The thread.
    pub thread_id: ThreadId,
    /// The run.
    pub run_id: RunId,
    /// The place before its first entry.
    pub before: Cursor,
    /// Whether it had been started before, by the same request.
    pub attached: bool,
}

impl Stage {
    /// Starts a run, or attaches to it if the same request has started it already. When this returns, its
    /// beginning is in the log.
    pub async fn start(self: &Arc<Self>, request: StartRun) -> Result<Started, Refusal> {
        if self.is_closing() {
            return Err(Refusal::shutting_down());
        }
        let agent = self.agent(&request.agent)?;
        let hash = request.hash();
        loop {
            if let Some(started) = self.attach(&request, hash).await? {
                return Ok(started);
            }
            let entered = match self.enter(&request).await? {
                Entry::Entered(entered) => entered,
                Entry::SameRun(active) => {
                    active.begun().await;
                    continue;
                }
            };
            // Dropping this future must not leave the thread taken, so the rest is a task.
            let stage = self.clone();
            let begun = self.tasks.spawn(async move {
                let thread_id = request.input.thread_id.clone();
                let result = stage.take(&request, &entered.active).await;
                let (thread, lease) = match result {
                    Ok(Some(taken)) => taken,
                    Ok(None) => {
                        stage.actives.leave(&thread_id, entered);
                        return Ok(None);
                    }
                    Err(refusal) => {
                        stage.actives.leave(&thread_id, entered);
                        return Err(refusal);
                    }
                };
                entered.active.set_lease(lease.clone());
                super::begin::begin(&stage, agent, request, hash, thread, lease, entered).await.map(Some)
            });
            return match begun.await {
                Ok(Ok(Some(started))) => Ok(started),
                Ok(Ok(None)) => Err(Refusal::conflict("run_conflict", "the same run was started meanwhile")),
                Ok(Err(refusal)) => Err(refusal),
                Err(_) => Err(Refusal::shutting_down()),
            };
        }
    }

    /// The run, if it is in the log already.
    async fn attach(&self, request: &StartRun, hash: u64) -> Result<Option<Started>, Refusal> {
        let (thread_id, run_id) = (&request.input.thread_id, &request.input.run_id);
        let Some(thread) = self.store.thread(thread_id.clone()).await? else {
            return Ok(None);
        };
        if thread.owner != request.owner {
            return Err(Refusal::no_thread(thread_id));
        }
        let Some(record) = self.store.run(thread_id.clone(), run_id.clone()).await? else {
            return Ok(None);
        };
        if record.request_hash != hash {
            let text = format!("run `{run_id}` was started with another request");
            return Err(Refusal::conflict("run_conflict", text).at("runId").hint("use a new runId"));
        }
        Ok(Some(started(&thread, run_id, record.first, true)))
    }

    /// Takes the thread within this process.
    async fn enter(&self, request: &StartRun) -> Result<Entry, Refusal> {
        let (thread_id, run_id) = (&request.input.thread_id, &request.input.run_id);
        let busy = match self.actives.try_enter(thread_id, run_id) {
            Ok(entered) => return Ok(Entry::Entered(entered)),
            Err(busy) => busy,
        };
        match (busy, request.on_busy) {
            (Some(active), _) if active.run_id == *run_id => return Ok(Entry::SameRun(active)),
            (Some(active), OnBusy::Reject) if active.is_ended() => {}
            (busy, OnBusy::Reject) => return Err(is_busy(busy.map(|active| active.run_id.clone()).as_ref())),
            (Some(active), OnBusy::Replace) => active.stop(StopReason::Cancel),
            _ => {}
        }
        Ok(Entry::Entered(self.actives.enter(thread_id, run_id).await))
    }

    /// Takes the thread among all processes. Nothing if the run has meanwhile begun elsewhere.
    async fn take(&self, request: &StartRun, active: &Active) -> Result<Option<(Thread, Lease)>, Refusal> {
        let (id, holder) = (&request.input.thread_id, self.holder.clone());
        let for_ms = self.lease_ms();
        loop {
            if active.stop.is_cancelled() {
                return Err(Refusal::conflict("run_cancelled", "the run was cancelled before it began"));
            }
            let Some(thread) = self.store.thread(id.clone()).await? else {
                let now = clock::now();
                let new = NewThread::new(id, &request.owner, &request.agent, now);
                match self.store.create_and_claim(new, holder.clone(), now, for_ms).await? {
                    Some(taken) => return Ok(Some(taken)),
                    None => continue,
                }
            };
            if thread.owner != request.owner {
                return Err(Refusal::no_thread(id));
            }
            match self.store.claim(id.clone(), holder.clone(), clock::now(), for_ms).await {
                // The thread may have moved on between the look and the claim.
                Ok(lease) => {
                    return match self.store.thread(id.clone()).await? {
                        Some(thread) => Ok(Some((thread, lease))),
                        None => Err(Refusal::no_thread(id)),
                    };
                }
                Err(ClaimError::NoThread(_)) => {}
                Err(ClaimError::Held { .. }) => self.wait_for_other_process(request).await?,
                Err(ClaimError::Store(error)) => return Err(error.into()),
            }
        }
    }

    async fn wait_for_other_process(&self, request: &StartRun) -> Result<(), Refusal> {
        let thread_id = &request.input.thread_id;
        let runs = self.store.runs(thread_id.clone()).await?;
        let open = runs.into_iter().find(|run| run.end.is_none()).map(|run| run.run_id);
        match (request.on_busy, open) {
            (OnBusy::Reject, Some(open)) => return Err(is_busy(Some(&open))),
            (OnBusy::Replace, Some(open)) => {
                self.store.request_cancel(thread_id.clone(), open).await?;
            }
            _ => {}
        }
        // Without an open run the thread is about to be given back, or its run is about to begin.
        tokio::time::sleep(RETRY).await;
        Ok(())
    }
}

enum Entry {
    Entered(Entered),
    SameRun(Arc<Active>),
}

pub(super) fn started(thread: &Thread, run_id: &RunId, first: Seq, attached: bool) -> Started {
    let before = Cursor { epoch: thread.created_at, seq: Seq(first.0.saturating_sub(1)) };
    Started { thread_id: thread.id.clone(), run_id: run_id.clone(), before, attached }
}

fn is_busy(run_id: Option<&RunId>) -> Refusal {
    let text = match run_id {
        Some(run_id) => format!("run `{run_id}` is under way on this thread"),
        None => "a run is under way on this thread".to_owned(),
    };
    Refusal::conflict("thread_busy", text).hint("wait for it, cancel it, or ask to queue or to replace it")
}
