//! What a run has begun and not ended yet.
//!
//! A run that is cancelled, or whose process died, leaves things open; [`OpenItems::closing`] ends them in
//! order. A viewer who joins in the middle has the conversation as snapshots and needs what is under way
//! opened again: [`OpenItems::reopening`].
//!
//! ```
//! use forestage_protocol::{event::{StepStarted, TextMessageStart}, open::OpenItems};
//!
//! let mut open = OpenItems::default();
//! open.note(&StepStarted::new("answer").into());
//! open.note(&TextMessageStart::new("m1").into());
//! let closing: Vec<_> = open.closing().iter().map(|event| event.event_type().as_str()).collect();
//! assert_eq!(closing, ["TEXT_MESSAGE_END", "STEP_FINISHED"]);
//! ```

use crate::event::{
    Event, ReasoningEnd, ReasoningMessageEnd, ReasoningMessageStart, ReasoningStart, StepFinished,
    StepStarted, SubagentError, SubagentStarted, TextMessageEnd, TextMessageStart, ToolCallEnd,
    ToolCallStart,
};

/// The items that are open, the one opened first first. Takes events whose order was verified.
#[derive(Clone, Debug, Default)]
pub struct OpenItems(Vec<Open>);

#[derive(Clone, Debug)]
enum Open {
    Text(TextMessageStart),
    Call(ToolCallStart),
    Span(ReasoningStart),
    Reasoning(ReasoningMessageStart),
    Step(StepStarted),
    Subagent(SubagentStarted),
}

impl OpenItems {
    /// Takes the next event of the stream.
    pub fn note(&mut self, event: &Event) {
        match event {
            Event::RunStarted(_) | Event::RunFinished(_) | Event::RunError(_) => self.0.clear(),
            Event::TextMessageStart(event) => self.0.push(Open::Text(event.clone())),
            Event::ToolCallStart(event) => self.0.push(Open::Call(event.clone())),
            Event::ReasoningStart(event) => self.0.push(Open::Span(event.clone())),
            Event::ReasoningMessageStart(event) => self.0.push(Open::Reasoning(event.clone())),
            Event::StepStarted(event) => self.0.push(Open::Step(event.clone())),
            Event::SubagentStarted(event) => self.0.push(Open::Subagent(event.clone())),
            Event::TextMessageEnd(_)
            | Event::ToolCallEnd(_)
            | Event::ReasoningEnd(_)
            | Event::ReasoningMessageEnd(_)
            | Event::StepFinished(_)
            | Event::SubagentFinished(_)
            | Event::SubagentError(_) => self.close(event),
            _ => {}
        }
    }

    /// Whether nothing is open.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The events that end everything, the one opened last first.
    #[must_use]
    pub fn closing(&self) -> Vec<Event> {
        self.0.iter().rev().map(Open::end).collect()
    }

    /// The events that open everything again, in the order in which it was opened.
    #[must_use]
    pub fn reopening(&self) -> Vec<Event> {
        self.0.iter().map(Open::start).collect()
    }

    /// The latest item that this event ends is the one meant.
    fn close(&mut self, ending: &Event) {
        let ended = self.0.iter().rposition(|item| item.is_ended_by(ending));
        if let Some(at) = ended {
            self.0.remove(at);
        }
    }
}

impl Open {
    fn is_ended_by(&self, event: &Event) -> bool {
        match (self, event) {
            (Self::Text(start), Event::TextMessageEnd(end)) => start.message_id == end.message_id,
            (Self::Call(start), Event::ToolCallEnd(end)) => start.tool_call_id == end.tool_call_id,
            (Self::Span(start), Event::ReasoningEnd(end)) => start.message_id == end.message_id,
            (Self::Reasoning(start), Event::ReasoningMessageEnd(end)) => start.message_id == end.message_id,
            (Self::Step(start), Event::StepFinished(end)) => {
                start.step_name == end.step_name && start.subagent_run_id == end.subagent_run_id
            }
            (Self::Subagent(start), Event::SubagentFinished(end)) => {
                start.subagent_run_id == end.subagent_run_id
            }
            (Self::Subagent(start), Event::SubagentError(end)) => {
                start.subagent_run_id == end.subagent_run_id
            }
            _ => false,
        }
    }

    fn start(&self) -> Event {
        match self {
            Self::Text(start) => start.clone().into(),
            Self::Call(start) => start.clone().into(),
            Self::Span(start) => start.clone().into(),
            Self::Reasoning(start) => start.clone().into(),
            Self::Step(start) => start.clone().into(),
            Self::Subagent(start) => start.clone().into(),
        }
    }

    fn end(&self) -> Event {
        match self {
            Self::Text(start) => TextMessageEnd {
                subagent_run_id: start.subagent_run_id.clone(),
                ..TextMessageEnd::new(&start.message_id)
            }
            .into(),
            Self::Call(start) => ToolCallEnd {
                subagent_run_id: start.subagent_run_id.clone(),
                ..ToolCallEnd::new(&start.tool_call_id)
            }
            .into(),
            Self::Span(start) => ReasoningEnd {
                subagent_run_id: start.subagent_run_id.clone(),
                ..ReasoningEnd::new(&start.message_id)
            }
            .into(),
            Self::Reasoning(start) => ReasoningMessageEnd {
                subagent_run_id: start.subagent_run_id.clone(),
                ..ReasoningMessageEnd::new(&start.message_id)
            }
            .into(),
            Self::Step(start) => StepFinished {
                subagent_run_id: start.subagent_run_id.clone(),
                ..StepFinished::new(start.step_name.as_str())
            }
            .into(),
            Self::Subagent(start) => {
                SubagentError::new(&start.subagent_run_id, "the run ended before the subagent did").into()
            }
        }
    }
}
