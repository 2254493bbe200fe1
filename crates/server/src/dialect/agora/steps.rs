//! The steps that a client sees: those of the agent, and where it has none, those of the contract.
//!
//! | what happens outside of the agent's own steps | the step that it is in |
//! |---|---|
//! | the run says or does its first thing | `routing` comes and goes before |
//! | text, reasoning | `thinking` |
//! | a call, a request for approval, a result | `executing_tools`; after the last result `thinking` again |
//! | the run fails before it has had a step | `thinking`, which stays open |
//!
//! One step is open at a time. The end of a step is sent with what comes behind it: if that is an error or a request for
//! approval, the step was cut off and is not over. Nothing here depends on the time, so a client that comes back sees the
//! same steps.

use std::collections::HashSet;

use forestage_protocol::{
    event::{StepFinished, StepStarted},
    id::ToolCallId,
    number::Timestamp,
};
use serde_json::{Value, json};

use super::payload::stamped;

const ROUTING: &str = "routing";
const THINKING: &str = "thinking";
const WORKING: &str = "executing_tools";

type At = Option<Timestamp>;

/// The steps of one run, as a client sees them.
#[derive(Debug, Default)]
pub(super) struct Steps {
    open: Option<String>,
    /// When the agent has ended the open step, if nothing has come since.
    ended: Option<At>,
    /// The agent's steps that are open in the log.
    own: Vec<String>,
    /// Whether there has been a step.
    begun: bool,
    /// Calls that have no result.
    calls: HashSet<ToolCallId>,
}

impl Steps {
    /// The agent begins a step.
    pub(super) fn start(&mut self, event: &StepStarted, out: &mut Vec<Value>) {
        self.own.push(event.step_name.clone());
        self.settle(out);
        self.switch(&event.step_name, event.base.timestamp, out);
    }

    /// The agent ends a step.
    pub(super) fn finish(&mut self, event: &StepFinished) {
        if let Some(at) = self.own.iter().rposition(|name| *name == event.step_name) {
            self.own.remove(at);
        }
        if self.open.as_ref() == Some(&event.step_name) {
            self.ended = Some(event.base.timestamp);
        }
    }

    /// Something comes that belongs to no step: one that the agent has ended is over.
    pub(super) fn settle(&mut self, out: &mut Vec<Value>) {
        if let Some(at) = self.ended.take() {
            self.close(at, out);
        }
    }

    /// The agent says something.
    pub(super) fn think(&mut self, at: At, out: &mut Vec<Value>) {
        match self.own.is_empty() {
            true => self.be_in(THINKING, at, out),
            false => self.settle(out),
        }
    }

    /// Something happens that may happen in any step.
    pub(super) fn take_part(&mut self, at: At, out: &mut Vec<Value>) {
        if self.open.is_none() || self.ended.is_some() {
            self.think(at, out);
        }
    }

    /// A call begins, or has a result.
    pub(super) fn work(&mut self, call: &ToolCallId, at: At, out: &mut Vec<Value>) {
        self.calls.insert(call.clone());
        match self.own.is_empty() {
            true => self.be_in(WORKING, at, out),
            false => self.settle(out),
        }
    }

    /// A call has had its result.
    pub(super) fn have_worked(&mut self, call: &ToolCallId, at: At, out: &mut Vec<Value>) {
        self.calls.remove(call);
        if self.own.is_empty() && self.calls.is_empty() {
            self.be_in(THINKING, at, out);
        }
    }

    /// The run waits for a person who has to agree to a call. What it was doing goes on afterwards.
    pub(super) fn wait(&mut self, at: At, out: &mut Vec<Value>) {
        if self.ended.take().is_none() {
            self.be_in(WORKING, at, out);
        }
        self.own.clear();
    }

    /// The run goes on after an answer, in the step in which it was asked.
    pub(super) fn go_on(&mut self) {
        self.own.clear();
    }

    /// The run is over.
    pub(super) fn end(&mut self, at: At, out: &mut Vec<Value>) {
        self.settle(out);
        self.close(at, out);
        *self = Self::default();
    }

    /// The run fails. A step that it cuts off is not called finished.
    pub(super) fn fail(&mut self, at: At, out: &mut Vec<Value>) {
        if !self.begun {
            self.switch(THINKING, at, out);
        }
        self.forget();
    }

    /// Nothing of the run is said any more.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Supplies a step, after those that come before it in every run.
    fn be_in(&mut self, name: &str, at: At, out: &mut Vec<Value>) {
        if self.open.as_deref() == Some(name) {
            self.ended = None;
            return;
        }
        self.settle(out);
        if !self.begun {
            self.switch(ROUTING, at, out);
            self.switch(THINKING, at, out);
        }
        if self.open.as_deref() != Some(name) {
            self.switch(name, at, out);
        }
    }

    fn switch(&mut self, name: &str, at: At, out: &mut Vec<Value>) {
        self.close(at, out);
        out.push(stamped(json!({ "type": "STEP_STARTED", "stepName": name }), at));
        self.open = Some(name.to_owned());
        self.begun = true;
    }

    fn close(&mut self, at: At, out: &mut Vec<Value>) {
        if let Some(name) = self.open.take() {
            out.push(stamped(json!({ "type": "STEP_FINISHED", "stepName": name }), at));
        }
    }
}
