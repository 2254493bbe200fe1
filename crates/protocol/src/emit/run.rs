//! A run under way.

use std::sync::{Mutex, PoisonError};

use super::{Sink, Speaker};
use crate::{
    event::{Event, RunError, RunFinished, RunStarted},
    id::{RunId, SubagentRunId, ThreadId},
    interrupt::{CancelledOutcome, Interrupt, InterruptOutcome, OneOrMore, RunOutcome, SuccessOutcome},
    json::Json,
    pipeline::PROTOCOL_VERSION,
    verify::{Verifier, Violation},
};

/// A run under way. Dropped without an end, it ends with an error: a run never just stops.
pub struct Run<'s, S: Sink + ?Sized> {
    sink: &'s S,
    verifier: Mutex<Verifier>,
    thread_id: ThreadId,
    run_id: RunId,
    ended: bool,
}

impl<'s, S: Sink + ?Sized> Run<'s, S> {
    /// Starts a run.
    pub fn start(sink: &'s S, thread_id: impl Into<ThreadId>, run_id: impl Into<RunId>) -> Self {
        Self::start_with(sink, RunStarted::new(thread_id.into(), run_id.into()))
    }

    /// Starts a run with an event that says more, such as the input. The version is always ours.
    pub fn start_with(sink: &'s S, event: RunStarted) -> Self {
        let event = RunStarted { protocol_version: Some(PROTOCOL_VERSION.to_owned()), ..event };
        let (thread_id, run_id) = (event.thread_id.clone(), event.run_id.clone());
        let run = Self { sink, verifier: Mutex::default(), thread_id, run_id, ended: false };
        run.send(event).expect("a run may always start a stream");
        run
    }

    /// Ends the run with success.
    pub fn finish(self) {
        self.end(None, None);
    }

    /// Ends the run with a result.
    pub fn finish_with(self, result: impl Into<Json>) {
        let result = Some(result.into()).filter(|result| result.get() != "null");
        self.end(result, None);
    }

    /// Ends the run with success while calls of client tools wait for their answers.
    pub fn wait_for(self, pending: Vec<crate::id::ToolCallId>) {
        self.end(None, Some(SuccessOutcome { pending_tool_call_ids: Some(pending) }.into()));
    }

    /// Ends the run on questions. Each has to have an id of its own.
    pub fn interrupt(mut self, interrupts: OneOrMore<Interrupt>) -> Result<(), Violation> {
        let outcome = InterruptOutcome { interrupts };
        let event = RunFinished { outcome: Some(outcome.into()), ..self.finished() };
        self.send(event)?;
        self.ended = true;
        Ok(())
    }

    /// Ends the run as stopped on purpose.
    pub fn cancel(self) {
        self.end(None, Some(CancelledOutcome::new().into()));
    }

    /// Ends the run with an error.
    pub fn fail(mut self, code: &str, message: impl Into<String>) {
        self.ended = true;
        self.abort(code, message.into());
    }

    /// Emits any event that the rules allow now.
    pub fn send(&self, event: impl Into<Event>) -> Result<(), Violation> {
        let event = event.into();
        // Held while emitting, so that the sink sees events in the order in which they were verified.
        let mut verifier = self.verifier.lock().unwrap_or_else(PoisonError::into_inner);
        verifier.check(&event)?;
        self.sink.emit(event);
        Ok(())
    }

    fn finished(&self) -> RunFinished {
        RunFinished::new(&self.thread_id, &self.run_id)
    }

    fn end(mut self, result: Option<Json>, outcome: Option<RunOutcome>) {
        self.ended = true;
        let event = RunFinished { result, outcome, ..self.finished() };
        if let Err(violation) = self.send(event) {
            // Only a guard that was leaked on purpose leaves something open.
            self.abort(violation.rule.code(), violation.message);
        }
    }

    fn abort(&self, code: &str, message: String) {
        let event = RunError { code: Some(code.to_owned()), ..RunError::new(message) };
        // Fails only if the run has ended already, and then there is nothing to add.
        let _ = self.send(event);
    }
}

impl<S: Sink + ?Sized> Drop for Run<'_, S> {
    fn drop(&mut self) {
        if !self.ended {
            self.abort("run_abandoned", "the run stopped without saying how".to_owned());
        }
    }
}

impl<S: Sink + ?Sized> Speaker for Run<'_, S> {
    type Sink = S;

    fn run(&self) -> &Run<'_, S> {
        self
    }

    fn tag(&self) -> Option<&SubagentRunId> {
        None
    }
}

impl<S: Sink + ?Sized> std::fmt::Debug for Run<'_, S> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Run").field("thread_id", &self.thread_id).field("run_id", &self.run_id).finish()
    }
}
