//! A run that is under way, as its caller holds it.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use forestage_protocol::{
    Warning,
    apply::ThreadView,
    id::{RunId, ThreadId},
    interrupt::ResumeEntry,
};
use futures_util::{Stream, StreamExt};

use crate::{
    agent::AgentClient, cursor::Cursor, error::ClientError, folded::Folded, outcome::Outcome, pump::Delivered,
};

/// A run under way: a stream of events, and the conversation they add up to.
///
/// Nothing is read ahead of who polls. Dropping it closes the connection, which ends the run on servers that
/// take it so; a Forestage server goes on, and [`Run::cancel`] is what stops it there.
#[must_use = "a run that nobody reads makes no progress"]
pub struct Run {
    agent: AgentClient,
    thread_id: ThreadId,
    run_id: RunId,
    folded: Folded,
}

impl Run {
    pub(crate) fn new(agent: AgentClient, thread_id: ThreadId, run_id: RunId, folded: Folded) -> Self {
        Self { agent, thread_id, run_id, folded }
    }

    /// The conversation it is part of.
    #[must_use]
    pub fn thread_id(&self) -> &ThreadId {
        &self.thread_id
    }

    /// The run, as it was asked for.
    #[must_use]
    pub fn run_id(&self) -> &RunId {
        &self.run_id
    }

    /// The next event. Nothing after the end of the run, or after an error. May be dropped before it is ready
    /// without losing anything.
    pub async fn next(&mut self) -> Option<Result<Delivered, ClientError>> {
        StreamExt::next(self).await
    }

    /// Reads to the end and says how the run ended. A run that failed has an outcome; a stream that broke is an
    /// error.
    pub async fn finish(&mut self) -> Result<Outcome, ClientError> {
        while let Some(delivered) = self.next().await {
            delivered?;
        }
        let end = self.folded.view.end().cloned();
        end.map(Outcome::from).ok_or_else(|| ClientError::Truncated {
            events: 0,
            reason: "the stream had failed before".to_owned(),
        })
    }

    /// The conversation, folded from what was delivered so far.
    #[must_use]
    pub fn view(&self) -> &ThreadView {
        &self.folded.view
    }

    /// The place behind what was delivered so far, where the server has such places.
    #[must_use]
    pub fn cursor(&self) -> Option<&Cursor> {
        self.folded.cursor.as_ref()
    }

    /// What there was to say about the stream so far; each warning is handed out once.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.folded.warnings)
    }

    /// Asks the server to stop the run. The stream then ends with [`Outcome::Cancelled`], unless the run was
    /// faster.
    pub async fn cancel(&self) -> Result<(), ClientError> {
        let client = self.agent.client().ok_or(ClientError::Unsupported("cancel a run"))?;
        client.thread(self.thread_id.clone()).cancel(&self.run_id).await.map(drop)
    }

    /// Answers the questions that this run ended on, all of them, with a new run.
    pub async fn answer(&self, answers: Vec<ResumeEntry>) -> Result<Run, ClientError> {
        let input = self.agent.answers(&self.thread_id, &self.folded.view, answers)?;
        self.agent.run_onto(input, self.folded.view.clone()).await
    }

    pub(crate) fn take_view(&mut self) -> ThreadView {
        std::mem::take(&mut self.folded.view)
    }
}

impl Stream for Run {
    type Item = Result<Delivered, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.folded.poll_next_unpin(context)
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = out.debug_struct("Run");
        out.field("thread_id", &self.thread_id)
            .field("run_id", &self.run_id)
            .field("cursor", &self.folded.cursor);
        out.finish_non_exhaustive()
    }
}
