//! Calls that nobody has agreed to yet.
//!
//! AGORA asks before it shows a call, and AG-UI shows the call that it asks about. So the events of a call wait here:
//!
//! | what the log says | what becomes of the call |
//! |---|---|
//! | its tool starts, an agent is asked because of it, or it has a result | it is shown |
//! | the run ends with a question about it, or about another call | it waits for the answer |
//! | the answer is yes | it is shown when its tool starts |
//! | the answer is no, or there is none any more | neither it nor its result is ever shown |
//! | the run ends in order, and nobody is asked about it | it is shown: the client has to answer it |
//! | the run fails or is stopped before | it is not shown, since it was never made |
//!
//! All of this is read from the log, so everybody who looks at a run sees the same, whenever they come. The log names the
//! tools that the client has offered with the run: calls of them are the client's own and do not wait.

use std::collections::HashSet;

use forestage_protocol::{
    event::{Event, RunStarted, ToolCallArgs, ToolCallStart},
    id::{InterruptId, ToolCallId},
    interrupt::{Interrupt, ResumeEntry, ResumeStatus},
    number::Timestamp,
};
use serde_json::Value;

/// The calls of a run, and of those that go on after approvals.
#[derive(Debug, Default)]
pub(super) struct CallGate {
    /// The tools that the client executes.
    offered: HashSet<String>,
    /// In the order in which they were made.
    calls: Vec<GatedCall>,
}

#[derive(Debug)]
struct GatedCall {
    id: ToolCallId,
    /// Its start, its arguments and its end, as far as they came.
    events: Vec<Event>,
    state: State,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    /// Nobody knows whether somebody has to agree.
    Proposed,
    /// Somebody is asked.
    Asked(InterruptId),
    /// Somebody has agreed, and its tool has not started.
    Approved,
    /// Nobody agrees.
    Refused,
    Shown,
}

impl CallGate {
    /// A run begins: with answers, or without any because nobody waits for them.
    pub(super) fn begin(&mut self, run: &RunStarted) {
        let Some(input) = &run.input else { return };
        self.offered = input.tools.iter().flatten().map(|tool| tool.name.clone()).collect();
        let answers = input.resume.as_deref().unwrap_or_default();
        for call in &mut self.calls {
            let State::Asked(id) = &call.state else { continue };
            let answer = answers.iter().find(|answer| answer.interrupt_id == *id);
            call.state = if answer.is_some_and(is_yes) { State::Approved } else { State::Refused };
        }
    }

    /// Takes the start of a call. Returns whether the client sees it now.
    pub(super) fn start(&mut self, start: &ToolCallStart) -> bool {
        let is_shown = self.offered.contains(&start.tool_call_name);
        let state = if is_shown { State::Shown } else { State::Proposed };
        self.calls.retain(|call| call.id != start.tool_call_id);
        let events = vec![start.clone().into()];
        self.calls.push(GatedCall { id: start.tool_call_id.clone(), events, state });
        is_shown
    }

    /// Takes a piece or the end of the arguments of a call. Returns whether the client sees it now.
    pub(super) fn go_on(&mut self, id: &ToolCallId, event: &Event) -> bool {
        let Some(call) = self.find(id) else { return true };
        call.events.push(event.clone());
        call.state == State::Shown
    }

    /// Takes what somebody has decided about a call: it may have other arguments now.
    pub(super) fn decide(&mut self, decision: &Value) {
        let Some(call) = decision["toolCallId"].as_str().and_then(|id| self.find(&id.into())) else { return };
        if call.state == State::Shown {
            return;
        }
        if decision["approved"] == false {
            call.state = State::Refused;
        } else if let Some(edited) = decision.get("editedArgs") {
            call.set_arguments(&edited.to_string());
        }
    }

    /// Lets a call pass. Returns what is to be shown of it, with the time at which it is.
    pub(super) fn release(&mut self, id: &ToolCallId, at: Option<Timestamp>) -> Vec<Event> {
        self.find(id).map(|call| call.show(at)).unwrap_or_default()
    }

    /// Takes the result of a call. Returns what is to be shown before it; nothing if the client never hears of the call.
    pub(super) fn answer(&mut self, id: &ToolCallId, at: Option<Timestamp>) -> Option<Vec<Event>> {
        let Some(index) = self.calls.iter().position(|call| call.id == *id) else { return Some(Vec::new()) };
        if self.calls[index].state == State::Refused {
            return None;
        }
        Some(self.calls.remove(index).show(at))
    }

    /// The run waits for answers to these questions.
    pub(super) fn ask(&mut self, questions: &[Interrupt]) {
        for question in questions {
            let call = question.tool_call_id.as_ref().and_then(|id| self.find(id));
            if let Some(call) = call.filter(|call| call.state == State::Proposed) {
                call.state = State::Asked(question.id.clone());
            }
        }
    }

    /// Lets every call pass about which nobody is asked.
    pub(super) fn release_rest(&mut self, at: Option<Timestamp>) -> Vec<Event> {
        let rest = self.calls.iter_mut().filter(|call| call.state == State::Proposed);
        rest.flat_map(|call| call.show(at)).collect()
    }

    /// Shows everything that has no result once more, to somebody who has not seen the run so far.
    pub(super) fn forget_shown(&mut self) {
        for call in self.calls.iter_mut().filter(|call| call.state == State::Shown) {
            call.state = State::Approved;
        }
    }

    fn find(&mut self, id: &ToolCallId) -> Option<&mut GatedCall> {
        self.calls.iter_mut().find(|call| call.id == *id)
    }
}

impl GatedCall {
    fn show(&mut self, at: Option<Timestamp>) -> Vec<Event> {
        if matches!(self.state, State::Shown | State::Refused) {
            return Vec::new();
        }
        self.state = State::Shown;
        self.events.iter().map(|event| stamped(event, at)).collect()
    }

    /// Nobody has seen the call, so it is shown as it is executed.
    fn set_arguments(&mut self, arguments: &str) {
        let is_piece = |event: &Event| matches!(event, Event::ToolCallArgs(_));
        self.events.retain(|event| !is_piece(event));
        let piece = ToolCallArgs::new(&self.id, arguments);
        self.events.insert(self.events.len().min(1), piece.into());
    }
}

/// Whether an answer lets a tool be called. Only an answer that says no, or that is none, does not.
pub(super) fn is_yes(answer: &ResumeEntry) -> bool {
    let payload = answer.payload.as_ref().and_then(|payload| payload.to_value().ok()).unwrap_or_default();
    answer.status == ResumeStatus::Resolved && payload.get("approved") != Some(&Value::Bool(false))
}

/// An event of a call with the time at which it is shown.
fn stamped(event: &Event, at: Option<Timestamp>) -> Event {
    let mut event = event.clone();
    let base = match &mut event {
        Event::ToolCallStart(event) => &mut event.base,
        Event::ToolCallArgs(event) => &mut event.base,
        Event::ToolCallEnd(event) => &mut event.base,
        _ => return event,
    };
    base.timestamp = at.or(base.timestamp);
    event
}
