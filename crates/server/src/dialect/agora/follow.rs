//! A client that comes back: the rest of the run that it saw, or the conversation and the run that is under way.

use forestage_protocol::{
    event::{Event, MessagesSnapshot},
    id::RunId,
};
use forestage_runtime::Cursor;
use forestage_store::{RunRecord, Seq, Thread, ThreadStatus};

use super::{
    decode::Follow,
    desk::{Desk, beginning},
    encode::Encoder,
    history::without_calls,
};
use crate::{
    dialect::{
        Encode,
        door::{before, marked_events},
    },
    error::ApiError,
};

impl Desk {
    /// Shows a thread to somebody who was here before.
    pub(super) async fn follow(&self, follow: Follow) -> Result<(), ApiError> {
        let thread = self.app.stage.thread(&self.caller.user, &follow.thread_id).await?;
        let after: Option<Cursor> = follow.after.as_deref().map(str::parse).transpose()?;
        let runs = self.app.stage.store().runs(thread.id.clone()).await?;
        // A cursor of another thread that once had this id says nothing about this one.
        match after.filter(|cursor| self.app.stage.has_place(&thread, *cursor)) {
            Some(cursor) => self.show_rest(&thread, &runs, cursor.seq).await,
            None => self.show_anew(&thread, &runs).await,
        }
    }

    /// What comes behind a place, in the run that the place is in.
    async fn show_rest(&self, thread: &Thread, runs: &[RunRecord], after: Seq) -> Result<(), ApiError> {
        let Some(seen) = runs.iter().rfind(|run| run.first <= after) else {
            return self.show_anew(thread, runs).await;
        };
        let encoder = self.encoder_at(thread, runs, seen, after).await?;
        match encoder.is_over() {
            true => Ok(()),
            false => self.show_with(encoder, thread, after, Seq::START).await,
        }
    }

    /// The conversation, and from its beginning the run that is under way or waits for an answer.
    async fn show_anew(&self, thread: &Thread, runs: &[RunRecord]) -> Result<(), ApiError> {
        let is_open = matches!(thread.status, ThreadStatus::Running | ThreadStatus::Waiting);
        let Some(open) = beginning(runs, thread.head.as_ref()).filter(|_| is_open) else {
            return self.show_conversation(thread, thread.head.as_ref()).await;
        };
        self.show_conversation(thread, open.parent.as_ref()).await?;
        self.show(thread, open, thread.tail).await
    }

    /// An encoder that knows what a client was shown of a run up to a place.
    async fn encoder_at(
        &self,
        thread: &Thread,
        runs: &[RunRecord],
        run: &RunRecord,
        place: Seq,
    ) -> Result<Encoder, ApiError> {
        let first = beginning(runs, Some(&run.run_id)).unwrap_or(run);
        let mut encoder = self.encoder(thread, first).await?;
        let mut known = self.app.stage.read(&Thread { tail: place, ..thread.clone() }, before(first));
        while let Some(batch) = known.next().await? {
            for (event, cursor) in marked_events(&batch) {
                if encoder.is_over() {
                    let next = runs.iter().find(|run| run.first == cursor.seq).unwrap_or(run);
                    encoder = self.encoder(thread, next).await?;
                }
                encoder.encode(&[event]);
            }
        }
        Ok(encoder)
    }

    /// An encoder for a run that is shown as one of its own. If it goes on with answers, it knows what was asked.
    pub(super) async fn encoder_for(&self, thread: &Thread, run: &RunRecord) -> Result<Encoder, ApiError> {
        let runs = self.app.stage.store().runs(thread.id.clone()).await?;
        match beginning(&runs, Some(&run.run_id)) {
            Some(first) if first.run_id != run.run_id => {
                let mut encoder = self.encoder_at(thread, &runs, run, before(run)).await?;
                encoder.forget_run();
                Ok(encoder)
            }
            _ => self.encoder(thread, run).await,
        }
    }

    async fn show_conversation(&self, thread: &Thread, at: Option<&RunId>) -> Result<(), ApiError> {
        let messages = match at {
            Some(run) => self.app.stage.conversation(thread, Some(run)).await?.messages,
            None => Vec::new(),
        };
        let messages = without_calls(messages, &self.refused_calls(thread).await?);
        let snapshot = Event::from(MessagesSnapshot::new(messages));
        let mut frame = serde_json::to_value(&snapshot).unwrap_or_default();
        frame["threadId"] = thread.id.as_str().into();
        self.send(frame).await;
        Ok(())
    }
}
