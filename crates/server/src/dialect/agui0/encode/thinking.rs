//! Reasoning as `THINKING_*`, for lines before `REASONING_*`.
//!
//! The old events have no ids, so there is one span with one message at a time. While one agent reasons, what another
//! one reasons at the same time waits until the first has finished.

use std::collections::VecDeque;

use forestage_protocol::{event::Event, id::SubagentRunId};
use serde_json::{Value, json};

/// What is open, and what waits.
#[derive(Debug, Default)]
pub(super) struct Thinking {
    open: Option<Span>,
    waiting: VecDeque<Event>,
}

/// A span that is open.
#[derive(Debug)]
struct Span {
    owner: Option<SubagentRunId>,
    /// How many spans of 1.0 it stands for; none if a message came without one.
    depth: usize,
    in_message: bool,
}

impl Thinking {
    pub(super) fn holds(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// What an event of reasoning is.
    pub(super) fn take(&mut self, event: &Event) -> Vec<Value> {
        let mut out = Vec::new();
        self.step(event, &mut out);
        while self.open.is_none() && !self.waiting.is_empty() {
            self.go_on(&mut out);
        }
        out
    }

    /// Ends everything, for the run is over.
    pub(super) fn close(&mut self) -> Vec<Value> {
        let mut out = Vec::new();
        self.end(&mut out);
        while !self.waiting.is_empty() {
            self.go_on(&mut out);
            self.end(&mut out);
        }
        out
    }

    /// Lets what waits have its turn: all of the agent that has waited longest, and of others what fits behind it.
    fn go_on(&mut self, out: &mut Vec<Value>) {
        for event in std::mem::take(&mut self.waiting) {
            self.step(&event, out);
        }
    }

    fn step(&mut self, event: &Event, out: &mut Vec<Value>) {
        let owner = event.attribution();
        let is_taken = self.open.as_ref().is_some_and(|span| span.owner.as_ref() != owner);
        // What waits of an agent comes before what it thinks later.
        if is_taken || self.waiting.iter().any(|event| event.attribution() == owner) {
            self.waiting.push_back(event.clone());
            return;
        }
        match event {
            Event::ReasoningStart(_) => self.enter(owner, out).depth += 1,
            Event::ReasoningMessageStart(_) => {
                let span = self.enter(owner, out);
                if std::mem::replace(&mut span.in_message, true) {
                    out.push(json!({ "type": "THINKING_TEXT_MESSAGE_END" }));
                }
                out.push(json!({ "type": "THINKING_TEXT_MESSAGE_START" }));
            }
            Event::ReasoningMessageContent(content) => {
                out.push(json!({ "type": "THINKING_TEXT_MESSAGE_CONTENT", "delta": content.delta }));
            }
            Event::ReasoningMessageEnd(_) => self.end_message(out),
            Event::ReasoningEnd(_) => self.leave(out),
            _ => {}
        }
    }

    /// The open span; one is opened if there is none.
    fn enter(&mut self, owner: Option<&SubagentRunId>, out: &mut Vec<Value>) -> &mut Span {
        self.open.get_or_insert_with(|| {
            out.push(json!({ "type": "THINKING_START" }));
            Span { owner: owner.cloned(), depth: 0, in_message: false }
        })
    }

    fn end_message(&mut self, out: &mut Vec<Value>) {
        out.push(json!({ "type": "THINKING_TEXT_MESSAGE_END" }));
        let Some(span) = &mut self.open else { return };
        span.in_message = false;
        if span.depth == 0 {
            self.end(out);
        }
    }

    fn leave(&mut self, out: &mut Vec<Value>) {
        match &mut self.open {
            Some(span) if span.depth > 1 => span.depth -= 1,
            Some(_) => self.end(out),
            // The client came back in the middle of it.
            None => out.push(json!({ "type": "THINKING_END" })),
        }
    }

    fn end(&mut self, out: &mut Vec<Value>) {
        let Some(span) = self.open.take() else { return };
        if span.in_message {
            out.push(json!({ "type": "THINKING_TEXT_MESSAGE_END" }));
        }
        out.push(json!({ "type": "THINKING_END" }));
    }
}
