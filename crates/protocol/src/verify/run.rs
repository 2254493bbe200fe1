//! Runs: when one may begin, what may come after it, and how it has to end.

use std::collections::HashSet;

use super::{Rule, Seed, Verifier, Violation, text, tool};
use crate::{
    event::{Event, EventType, RunFinished, RunStarted},
    id::{RunId, ThreadId},
    interrupt::RunOutcome,
};

/// Where the stream stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Before,
    Active,
    Finished,
    Errored,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    phase: Phase,
    thread_id: Option<ThreadId>,
    run_id: Option<RunId>,
}

impl Run {
    pub(super) fn on_thread(thread_id: ThreadId) -> Self {
        Self { thread_id: Some(thread_id), ..Self::default() }
    }

    /// Whether an event of this type may come now at all.
    pub(super) fn admit(&self, event: &Event) -> Result<(), Violation> {
        // The usual case first: nearly all events come inside a run.
        if self.phase == Phase::Active && !matches!(event, Event::RunStarted(_)) {
            return Ok(());
        }
        let event = event.event_type();
        match (self.phase, event) {
            (Phase::Before | Phase::Finished, EventType::RunStarted | EventType::RunError)
            | (Phase::Errored, EventType::RunStarted) => Ok(()),
            (Phase::Before, _) => {
                let message = format!("{event} before RUN_STARTED: a stream begins with a run");
                Err(Violation::new(Rule::FirstEvent, message))
            }
            (Phase::Active, _) => {
                let message = "RUN_STARTED while a run is still active";
                Err(Violation::new(Rule::RunActive, message))
            }
            (Phase::Finished, _) => {
                let message = format!("{event} after RUN_FINISHED: only RUN_ERROR or a new run may follow");
                Err(Violation::new(Rule::RunFinished, message))
            }
            (Phase::Errored, _) => {
                let message = format!("{event} after RUN_ERROR: only a new run may follow");
                Err(Violation::new(Rule::RunErrored, message))
            }
        }
    }

    pub(super) fn fail(&mut self) {
        self.phase = Phase::Errored;
    }

    pub(super) fn is_active(&self) -> bool {
        self.phase == Phase::Active
    }

    pub(super) fn ended(&self) -> Result<(), Violation> {
        let message = match self.phase {
            Phase::Finished | Phase::Errored => return Ok(()),
            Phase::Active => "the stream was truncated: it ended without a terminal event of its run",
            Phase::Before => "the stream was truncated: it ended before a run started",
        };
        Err(Violation::new(Rule::StreamTruncated, message))
    }

    fn check_thread(&mut self, event: &str, thread_id: &ThreadId) -> Result<(), Violation> {
        let expected = self.thread_id.get_or_insert_with(|| thread_id.clone());
        if expected == thread_id {
            return Ok(());
        }
        let message = format!("{event} carries threadId `{thread_id}`, the stream is on `{expected}`");
        Err(Violation::new(Rule::ThreadIdMismatch, message))
    }
}

impl Verifier {
    pub(super) fn start_run(&mut self, event: &RunStarted) -> Result<(), Violation> {
        self.run.check_thread("RUN_STARTED", &event.thread_id)?;
        self.run.phase = Phase::Active;
        self.run.run_id = Some(event.run_id.clone());
        self.reset();
        for message in event.input.iter().flat_map(|input| &input.messages) {
            self.seed(message, Seed::Add);
        }
        Ok(())
    }

    pub(super) fn finish_run(&mut self, event: &RunFinished) -> Result<(), Violation> {
        self.steps.all_closed()?;
        self.messages.all_closed(&text::KIND)?;
        self.reasoning.all_closed()?;
        self.tool_calls.all_closed(&tool::KIND)?;
        self.subagents.all_closed()?;
        self.run.check_thread("RUN_FINISHED", &event.thread_id)?;
        check_run_id(self.run.run_id.as_ref(), &event.run_id)?;
        check_interrupts(event)?;
        self.run.phase = Phase::Finished;
        Ok(())
    }
}

fn check_run_id(started: Option<&RunId>, finished: &RunId) -> Result<(), Violation> {
    match started {
        Some(started) if started != finished => {
            let message = format!("RUN_FINISHED carries runId `{finished}`, RUN_STARTED carried `{started}`");
            Err(Violation::new(Rule::RunIdMismatch, message))
        }
        _ => Ok(()),
    }
}

/// An answer names its question by id, so two questions with one id would share an answer.
fn check_interrupts(event: &RunFinished) -> Result<(), Violation> {
    let Some(RunOutcome::Interrupt(outcome)) = &event.outcome else {
        return Ok(());
    };
    let mut seen = HashSet::new();
    match outcome.interrupts.as_slice().iter().find(|interrupt| !seen.insert(&interrupt.id)) {
        Some(interrupt) => {
            let message = format!("RUN_FINISHED carries two interrupts with the id `{}`", interrupt.id);
            Err(Violation::new(Rule::InterruptIdDuplicate, message))
        }
        None => Ok(()),
    }
}
