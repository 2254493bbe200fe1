//! Showing a turn: all its runs, from gate to gate, as one.

use std::collections::HashMap;

use forestage_protocol::{
    event::Event,
    id::{RunId, ThreadId},
    interrupt::RunOutcome,
};
use forestage_store::{RunRecord, Seq, Thread};

use super::{
    encode::{Drafts, Encoder},
    gate::Draft,
    session::Desk,
};
use crate::{
    dialect::door::{before, events},
    error::ApiError,
};

impl Desk {
    /// Shows what comes behind a place at which a turn begins.
    pub(super) async fn show(&self, thread: &Thread, after: Seq) -> Result<(), ApiError> {
        let encoder = self.encoder()?;
        self.show_with(encoder, thread, after).await
    }

    /// Shows what comes behind a place in the middle of a turn.
    pub(super) async fn show_rest(&self, thread: &Thread, after: Seq) -> Result<(), ApiError> {
        let Some(begin) = self.turn(thread).await?.first().map(before) else { return Ok(()) };
        let mut encoder = self.encoder()?;
        let mut known = self.app.stage.read(&Thread { tail: after, ..thread.clone() }, begin);
        while let Some(batch) = known.next().await? {
            encoder.encode(&events(&batch), &Drafts::new());
        }
        self.show_with(encoder, thread, after).await
    }

    /// Shows a turn that is under way, or waits, to a client that comes back.
    pub(super) async fn come_back(&self, thread_id: &ThreadId) {
        if let Err(refused) = self.show_open_turn(thread_id).await {
            self.refuse(&refused, Some(thread_id), None).await;
        }
    }

    async fn show_open_turn(&self, thread_id: &ThreadId) -> Result<(), ApiError> {
        let thread = self.app.stage.thread(&self.caller.user, thread_id).await?;
        let turn = self.turn(&thread).await?;
        let is_open = turn.last().is_some_and(|run| matches!(run.end.as_deref(), None | Some("interrupt")));
        match turn.first().filter(|_| is_open) {
            Some(first) => self.show(&thread, before(first)).await,
            None => Ok(()),
        }
    }

    async fn show_with(&self, encoder: Encoder, thread: &Thread, after: Seq) -> Result<(), ApiError> {
        self.shown.enter(&thread.id).await;
        let shown = self.show_until_over(encoder, thread, after).await;
        self.shown.leave(&thread.id).await;
        shown
    }

    async fn show_until_over(
        &self,
        mut encoder: Encoder,
        thread: &Thread,
        after: Seq,
    ) -> Result<(), ApiError> {
        let mut follower = self.app.stage.follow(thread, after);
        while !encoder.is_over() {
            let Some(batch) = follower.next().await? else { return Ok(()) };
            let events = events(&batch);
            let drafts = match events.iter().any(waits) {
                true => self.drafts(&thread.id).await?,
                false => Drafts::new(),
            };
            for frame in encoder.encode(&events, &drafts) {
                self.send(frame).await;
            }
        }
        Ok(())
    }

    /// What waits for a reviewer, for those who may be one.
    async fn drafts(&self, thread_id: &ThreadId) -> Result<Drafts, ApiError> {
        let viewer = self.caller.viewer();
        let records = self.questions(thread_id, true).await?;
        let shown = |record: &forestage_store::InterruptRecord| {
            record.may_decide(&viewer).then(|| Draft::read(&record.private).unwrap_or_default())
        };
        Ok(records.iter().map(|record| (record.id.clone(), shown(record))).collect())
    }

    /// Whether a client may call the run that asks by this name: its own, or that of the run that began the turn.
    pub(super) async fn is_of_turn(
        &self,
        thread_id: &ThreadId,
        asking: &RunId,
        named: &RunId,
    ) -> Result<bool, ApiError> {
        if asking == named {
            return Ok(true);
        }
        let thread = self.app.stage.thread(&self.caller.user, thread_id).await?;
        let turn = self.turn(&thread).await?;
        Ok(turn.iter().any(|run| run.run_id == *named) && turn.iter().any(|run| run.run_id == *asking))
    }

    /// The runs of the turn at the head of a thread, first first: each goes on with answers to the one before it.
    async fn turn(&self, thread: &Thread) -> Result<Vec<RunRecord>, ApiError> {
        let runs = self.app.stage.store().runs(thread.id.clone()).await?;
        let mut by_id: HashMap<_, _> = runs.into_iter().map(|run| (run.run_id.clone(), run)).collect();
        let mut turn = Vec::new();
        let mut next = thread.head.clone();
        while let Some(run) = next.take().and_then(|id| by_id.remove(&id)) {
            if self.goes_on(thread, &run).await? {
                next = run.parent.clone();
            }
            turn.push(run);
        }
        turn.reverse();
        Ok(turn)
    }

    /// Whether a run began with answers.
    async fn goes_on(&self, thread: &Thread, run: &RunRecord) -> Result<bool, ApiError> {
        let mut follower = self.app.stage.read(&Thread { tail: run.first, ..thread.clone() }, before(run));
        let batch = follower.next().await?;
        let first = batch.and_then(|batch| events(&batch).into_iter().next());
        Ok(match first {
            Some(Event::RunStarted(event)) => event.input.is_some_and(|input| input.resume.is_some()),
            _ => false,
        })
    }
}

fn waits(event: &Event) -> bool {
    matches!(event, Event::RunFinished(event) if matches!(event.outcome, Some(RunOutcome::Interrupt(_))))
}
