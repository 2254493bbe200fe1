//! Showing a turn: all its runs, from gate to gate, as one.

use std::collections::HashMap;

use forestage_protocol::{
    event::Event,
    id::{RunId, ThreadId},
    interrupt::RunOutcome,
};
use forestage_runtime::is_no_fault;
use forestage_store::{RunRecord, Seq, Thread};

use super::{
    encode::{Drafts, Encoder},
    gate::Draft,
    session::Desk,
    turns::Turns,
};
use crate::{
    dialect::door::{before, events, find},
    error::ApiError,
    transport::broken::thread_deleted,
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

    /// Shows a thread to a client that comes back, until the socket is closed: the turn that is under way, waits or was
    /// lost with a process, then whatever happens there. A thread that is not there yet is waited for.
    pub(super) async fn follow(&self, thread_id: &ThreadId) {
        if let Err(refused) = self.show_thread(thread_id).await {
            self.home.leave();
            self.refuse(&refused, Some(thread_id), None).await;
        }
    }

    async fn show_thread(&self, thread_id: &ThreadId) -> Result<(), ApiError> {
        let mut news = self.app.stage.store().watch(thread_id);
        let mut known = find(&self.app, &self.caller, thread_id).await?;
        let mut after = match &known {
            Some(thread) => self.where_to_begin(thread).await?,
            None => Seq::START,
        };
        loop {
            self.home.begin(after);
            if let Some(thread) = known {
                self.show_all(&thread, after).await?;
            }
            if !news.changed().await {
                return Ok(());
            }
            (known, after) = (find(&self.app, &self.caller, thread_id).await?, Seq::START);
        }
    }

    /// The beginning of the turn at the head, if there is something that a client cannot have seen; else the end.
    async fn where_to_begin(&self, thread: &Thread) -> Result<Seq, ApiError> {
        let turn = self.turn(thread).await?;
        let mut is_wanted = turn.last().is_some_and(is_open);
        for run in turn.iter().filter(|run| run.end.as_deref() == Some("error")) {
            is_wanted |= self.was_lost(thread, run).await?;
        }
        Ok(turn.first().filter(|_| is_wanted).map_or(thread.tail, before))
    }

    /// Whether a run ended with its process.
    async fn was_lost(&self, thread: &Thread, run: &RunRecord) -> Result<bool, ApiError> {
        let end = Thread { tail: run.last, ..thread.clone() };
        let mut follower = self.app.stage.read(&end, Seq(run.last.0.saturating_sub(1)));
        let batch = follower.next().await?;
        let last = batch.and_then(|batch| events(&batch).pop());
        Ok(matches!(last, Some(Event::RunError(error)) if is_no_fault(error.code.as_deref())))
    }

    /// Shows turn after turn, until the thread is deleted.
    async fn show_all(&self, thread: &Thread, after: Seq) -> Result<(), ApiError> {
        let mut turns = Turns::new(self.encoder()?);
        let mut follower = self.app.stage.follow(thread, after);
        self.shown.enter(&thread.id).await;
        let shown = async {
            while let Some(batch) = follower.next().await? {
                let events = events(&batch);
                let drafts = self.drafts_for(&events, &thread.id).await?;
                for frame in events.iter().flat_map(|event| turns.encode(event, &drafts)) {
                    self.send(frame).await;
                }
                self.home.has_shown(follower.after());
            }
            self.refuse(&thread_deleted(&follower), Some(&thread.id), None).await;
            Ok(())
        };
        let shown = shown.await;
        self.shown.leave(&thread.id).await;
        shown
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
            let Some(batch) = follower.next().await? else { return Err(thread_deleted(&follower)) };
            let events = events(&batch);
            let drafts = self.drafts_for(&events, &thread.id).await?;
            for frame in encoder.encode(&events, &drafts) {
                self.send(frame).await;
            }
        }
        Ok(())
    }

    async fn drafts_for(&self, events: &[Event], thread_id: &ThreadId) -> Result<Drafts, ApiError> {
        match events.iter().any(waits) {
            true => self.drafts(thread_id).await,
            false => Ok(Drafts::new()),
        }
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
    pub(super) async fn turn(&self, thread: &Thread) -> Result<Vec<RunRecord>, ApiError> {
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

/// Whether a run is under way, or waits.
pub(super) fn is_open(run: &RunRecord) -> bool {
    matches!(run.end.as_deref(), None | Some("interrupt"))
}

fn waits(event: &Event) -> bool {
    matches!(event, Event::RunFinished(event) if matches!(event.outcome, Some(RunOutcome::Interrupt(_))))
}
