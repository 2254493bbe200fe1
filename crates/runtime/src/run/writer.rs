//! Writes what an agent says to the log, and shows it when it is there.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use forestage_protocol::{
    event::{Event, RunFinished},
    id::{RunId, ThreadId},
    interrupt::{Interrupt, RunOutcome, SuccessOutcome},
};
use forestage_store::{
    Append, AppendError, Boundary, Creation, Durability, Fence, NewAudit, NewInterrupt, Rule, RunRecord, Seq,
    Store, Utterance,
};
use tokio::sync::{mpsc, oneshot};

use super::{
    active::{Active, StopReason},
    outbox::{Outbox, Pen, Private, Taken},
    title,
};
use crate::{
    clock,
    decide::{self, Terms},
    log::{Batch, Cursor, Prelude, live::Live},
    thread::{Folded, utterance},
};

/// How often a store that fails is asked again before the run is given up.
const ATTEMPTS: u32 = 5;

/// A snapshot that is larger is left out: it would be written again with every question.
const MAX_SNAPSHOT: usize = 256 << 10;

/// What the first commit of a run says beside its events.
#[derive(Default)]
pub(super) struct Opening {
    pub(super) started: Option<Boundary>,
    pub(super) creation: Option<Creation>,
    pub(super) audit: Vec<NewAudit>,
    pub(super) rules: Vec<Rule>,
    pub(super) utterances: Vec<Utterance>,
}

/// The one who writes the log of a run.
pub(super) struct Writer {
    pub(super) store: Arc<dyn Store>,
    pub(super) thread_id: ThreadId,
    pub(super) run_id: RunId,
    pub(super) owner: String,
    pub(super) agent: String,
    pub(super) epoch: i64,
    pub(super) tail: Seq,
    pub(super) fence: Fence,
    pub(super) outbox: Arc<Outbox>,
    pub(super) active: Arc<Active>,
    pub(super) live: Arc<Live>,
    pub(super) folded: Folded,
    pub(super) preludes: mpsc::UnboundedReceiver<oneshot::Sender<Prelude>>,
}

impl Writer {
    /// Writes the first commit, with which the run begins.
    pub(super) async fn begin(&mut self, opening: Opening) -> Result<(), AppendError> {
        let taken = self.outbox.take().await;
        self.write(taken, Some(opening)).await
    }

    /// Writes until the run has ended, and returns the conversation that it ended with. Nothing if it cannot go on.
    pub(super) async fn run(mut self) -> Option<Folded> {
        let outbox = self.outbox.clone();
        loop {
            tokio::select! {
                biased;
                Some(asked) = self.preludes.recv() => { let _ = asked.send(self.prelude()); }
                taken = outbox.take() => {
                    let ends = taken.ends;
                    if taken.json.is_empty() {
                        return None;
                    }
                    if let Err(error) = self.write(taken, None).await {
                        tracing::warn!(thread = %self.thread_id, run = %self.run_id, %error, "the run is lost");
                        if let AppendError::Store(error) = error {
                            self.live.fail(error.to_string(), self.active.lease());
                        }
                        self.outbox.abandon();
                        self.active.stop(StopReason::Lost);
                        return None;
                    }
                    if ends {
                        return Some(self.folded);
                    }
                }
            }
        }
    }

    async fn write(&mut self, taken: Taken, opening: Option<Opening>) -> Result<(), AppendError> {
        let Taken { events, mut json, for_the_disk, ends, private } = taken;
        let taken = json.len();
        self.fold(&events, &mut json);
        let Opening { started, creation, mut audit, rules, mut utterances } = opening.unwrap_or_default();
        let last = events.last().filter(|_| ends);
        let ended = last.map(|last| ended(last, &self.folded, clock::now(), &private));
        if ended.is_some() {
            utterances.extend(utterance::of_turn(&self.folded));
        }
        audit.extend(last.into_iter().flat_map(|last| self.asked(last)));
        let title = title::offered(&events);
        drop(events);
        let append = self.append(json, for_the_disk, started.into_iter().chain(ended).collect());
        let said = append.events.clone();
        let tail =
            commit(&self.store, Append { creation, audit, rules, utterances, release: ends, ..append })
                .await?;
        let first = self.tail.forward(1);
        self.tail = tail;
        self.outbox.has_written(taken);
        if ends {
            // Before anybody can see the end, and ask for the next run.
            self.active.has_ended();
        }
        if let Some(title) = title
            && let Err(error) = title::give(&self.store, &self.thread_id, title).await
        {
            // The conversation is whole without it.
            tracing::warn!(thread = %self.thread_id, %error, "a title was not kept");
        }
        self.live.publish(Batch::said(self.epoch, &self.run_id, first, said), ends);
        Ok(())
    }

    /// Folds what was said. Before a run ends with questions, everything stands there once more as it is, so that whoever
    /// has to decide sees what there is to see, whenever they come.
    fn fold(&mut self, events: &[Event], json: &mut Vec<Bytes>) {
        let asks = events.last().filter(|last| !questions(last).is_empty());
        let before = events.len() - usize::from(asks.is_some());
        events[..before].iter().for_each(|event| self.folded.apply(event));
        if let Some(last) = asks {
            let mut pen = Pen::default();
            for mut event in self.folded.snapshots() {
                pen.write(&mut event);
            }
            let snapshots = pen.take().into_iter().filter(|snapshot| snapshot.len() <= MAX_SNAPSHOT);
            // Deltas may have been joined, but the last one is the last one.
            let at = json.len() - 1;
            json.splice(at..at, snapshots);
            self.folded.apply(last);
        }
    }

    fn append(&self, events: Vec<Bytes>, for_the_disk: bool, boundaries: Vec<Boundary>) -> Append {
        let append = Append::new(&self.thread_id, &self.run_id, self.fence, self.tail, events);
        let durability = match for_the_disk || !boundaries.is_empty() {
            true => Durability::Disk,
            false => Durability::Process,
        };
        Append { durability, boundaries, ..append }
    }

    /// What people are asked, for the audit trail.
    fn asked(&self, terminal: &Event) -> Vec<NewAudit> {
        let asked = questions(terminal).iter();
        asked.map(|question| decide::asked(&self.owner, &self.agent, &self.thread_id, question)).collect()
    }

    fn prelude(&self) -> Prelude {
        let cursor = Cursor { epoch: self.epoch, seq: self.tail };
        let Folded { view, open, terminal, .. } = &self.folded;
        Prelude::new(&self.thread_id, &self.run_id, view, open, terminal.as_ref(), cursor)
    }
}

/// Appends are idempotent, so one that may or may not have arrived is simply made again.
async fn commit(store: &Arc<dyn Store>, append: Append) -> Result<Seq, AppendError> {
    let mut pause = Duration::from_millis(20);
    for _ in 1..ATTEMPTS {
        match store.append(append.clone()).await {
            Err(AppendError::Store(error)) if error.is_retryable() => {
                tracing::warn!(%error, "an append failed and is made again");
                tokio::time::sleep(pause).await;
                pause *= 4;
            }
            answer => return answer,
        }
    }
    store.append(append).await
}

/// The questions that a run ends with.
fn questions(terminal: &Event) -> &[Interrupt] {
    match terminal {
        Event::RunFinished(RunFinished { outcome: Some(RunOutcome::Interrupt(outcome)), .. }) => {
            outcome.interrupts.as_slice()
        }
        _ => &[],
    }
}

/// What the index has to know of the end of a run.
pub(crate) fn ended(terminal: &Event, folded: &Folded, at: i64, private: &Private) -> Boundary {
    let end = match terminal {
        Event::RunFinished(event) => match &event.outcome {
            Some(RunOutcome::Interrupt(_)) => "interrupt",
            Some(RunOutcome::Cancelled(_)) => "cancelled",
            Some(RunOutcome::Success(outcome)) if waits_for_client(outcome) => RunRecord::TOOL_CALLS,
            _ => "success",
        },
        _ => "error",
    };
    let interrupts = questions(terminal).iter();
    let interrupts = interrupts.map(|question| new_interrupt(with_call(question, folded), private)).collect();
    Boundary::Ended { end: end.to_owned(), at, messages: folded.view.messages().count() as u64, interrupts }
}

/// Whether a run that ends so has called tools whose results the client sends.
fn waits_for_client(outcome: &SuccessOutcome) -> bool {
    outcome.pending_tool_call_ids.as_ref().is_some_and(|ids| !ids.is_empty())
}

/// Adds the tool and its arguments to a question about a call that does not name them: whoever decides sees what is decided
/// without looking it up elsewhere.
fn with_call(question: &Interrupt, folded: &Folded) -> Interrupt {
    let mut question = question.clone();
    let Some(id) = &question.tool_call_id else { return question };
    let mut calls = folded.view.messages().flat_map(|message| message.tool_calls());
    let Some(call) = calls.find(|call| call.id == *id) else { return question };
    let (tool, arguments) = (&call.function.name, &call.function.arguments);
    let metadata = question.metadata.get_or_insert_default();
    if !metadata.contains_key("tool") && !metadata.contains_key("arguments") {
        let arguments = serde_json::from_str(arguments).unwrap_or_else(|_| arguments.as_str().into());
        metadata.insert("tool".to_owned(), tool.as_str().into());
        metadata.insert("arguments".to_owned(), arguments);
    }
    question
}

fn new_interrupt(interrupt: Interrupt, private: &Private) -> NewInterrupt {
    let terms = Terms::of(&interrupt);
    NewInterrupt {
        expires_at: interrupt.expires_at.as_deref().and_then(clock::from_iso),
        needs: terms.needs(),
        role: terms.role,
        private: private.get(&interrupt.id).cloned().unwrap_or_default(),
        ..NewInterrupt::new(interrupt.id.clone(), serde_json::to_vec(&interrupt).unwrap_or_default())
    }
}
