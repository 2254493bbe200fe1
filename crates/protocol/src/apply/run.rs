//! Runs: their history in, their end out.

use super::{Applied, Change, RunEnd, ThreadView};
use crate::{
    event::{RunError, RunFinished, RunStarted},
    id::ToolCallId,
    interrupt::RunOutcome,
    lookup::Lookup,
};

/// The calls of the present run, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally(Lookup<ToolCallId, Call>);

#[derive(Clone, Copy, Debug, Default)]
struct Call {
    started: bool,
    answered: bool,
}

impl Tally {
    pub(super) fn start(&mut self, id: &ToolCallId) {
        self.call(id).started = true;
    }

    pub(super) fn answer(&mut self, id: &ToolCallId) {
        self.call(id).answered = true;
    }

    fn call(&mut self, id: &ToolCallId) -> &mut Call {
        self.0.keep_or_insert(id, Call::default());
        self.0.get_mut(id).expect("it was put there just now")
    }

    fn unanswered(&self) -> Vec<ToolCallId> {
        let waiting = self.0.iter().filter(|(_, call)| call.started && !call.answered);
        waiting.map(|(id, _)| id.clone()).collect()
    }
}

impl ThreadView {
    /// A run starts. Messages of its input that we do not hold yet are history that we missed.
    pub(super) fn start_run(&mut self, event: &RunStarted) -> Applied {
        self.tally = Tally::default();
        self.end = None;
        let mut change = Change::Run;
        for message in event.input.iter().flat_map(|input| &input.messages) {
            if self.messages.find(message.id()).is_none() {
                let slot = self.messages.push(message.clone());
                self.index_calls_of(slot);
                change = Change::Messages;
            }
        }
        change.into()
    }

    pub(super) fn finish_run(&mut self, event: &RunFinished) -> Applied {
        self.pending_interrupts.clear();
        self.end = Some(match &event.outcome {
            Some(RunOutcome::Interrupt(outcome)) => {
                self.pending_interrupts.extend_from_slice(outcome.interrupts.as_slice());
                RunEnd::Interrupt { interrupts: self.pending_interrupts.clone() }
            }
            Some(RunOutcome::Cancelled(_)) => RunEnd::Cancelled,
            outcome => RunEnd::Success {
                result: event.result.clone(),
                pending_tool_call_ids: self.pending(outcome.as_ref()),
            },
        });
        Change::Run.into()
    }

    fn pending(&self, outcome: Option<&RunOutcome>) -> Vec<ToolCallId> {
        let named = match outcome {
            Some(RunOutcome::Success(outcome)) => outcome.pending_tool_call_ids.as_deref(),
            _ => None,
        };
        match named {
            Some(named) if !named.is_empty() => named.to_vec(),
            _ => self.tally.unanswered(),
        }
    }

    pub(super) fn fail_run(&mut self, event: &RunError) -> Applied {
        self.end = Some(RunEnd::Error { message: event.message.clone(), code: event.code.clone() });
        Change::Run.into()
    }
}
