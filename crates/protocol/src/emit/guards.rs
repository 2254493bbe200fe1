//! Guards: what is opened is closed.

use super::{Run, Speaker};
use crate::{
    event::{
        ReasoningMessageContent, ReasoningMessageEnd, StepFinished, SubagentError, SubagentFinished,
        TextMessageContent, TextMessageEnd, ToolCallArgs, ToolCallEnd,
    },
    id::{MessageId, SubagentRunId, ToolCallId},
    json::Json,
};

/// An open text message; ends when dropped.
#[derive(Debug)]
#[must_use = "the message ends when this is dropped"]
pub struct Text<'a, P: Speaker> {
    speaker: &'a P,
    id: MessageId,
}

impl<'a, P: Speaker> Text<'a, P> {
    pub(super) fn new(speaker: &'a P, id: MessageId) -> Self {
        Self { speaker, id }
    }

    /// Appends text.
    pub fn push(&self, delta: impl Into<String>) {
        let event = TextMessageContent::new(&self.id, delta);
        self.speaker.say(TextMessageContent { subagent_run_id: self.speaker.tag().cloned(), ..event });
    }

    /// Ends the message here rather than at the end of the scope.
    pub fn end(self) {}
}

impl<P: Speaker> Drop for Text<'_, P> {
    fn drop(&mut self) {
        let event = TextMessageEnd::new(&self.id);
        self.speaker.say(TextMessageEnd { subagent_run_id: self.speaker.tag().cloned(), ..event });
    }
}

/// An open tool call; its arguments are complete when it is dropped.
#[derive(Debug)]
#[must_use = "the call ends when this is dropped"]
pub struct ToolCall<'a, P: Speaker> {
    speaker: &'a P,
    id: ToolCallId,
}

impl<'a, P: Speaker> ToolCall<'a, P> {
    pub(super) fn new(speaker: &'a P, id: ToolCallId) -> Self {
        Self { speaker, id }
    }

    /// Appends to the arguments.
    pub fn push(&self, delta: impl Into<String>) {
        let event = ToolCallArgs::new(&self.id, delta);
        self.speaker.say(ToolCallArgs { subagent_run_id: self.speaker.tag().cloned(), ..event });
    }

    /// Ends the arguments here rather than at the end of the scope.
    pub fn end(self) {}
}

impl<P: Speaker> Drop for ToolCall<'_, P> {
    fn drop(&mut self) {
        let event = ToolCallEnd::new(&self.id);
        self.speaker.say(ToolCallEnd { subagent_run_id: self.speaker.tag().cloned(), ..event });
    }
}

/// An open reasoning message; ends when dropped.
#[derive(Debug)]
#[must_use = "the message ends when this is dropped"]
pub struct Reasoning<'a, P: Speaker> {
    speaker: &'a P,
    id: MessageId,
}

impl<'a, P: Speaker> Reasoning<'a, P> {
    pub(super) fn new(speaker: &'a P, id: MessageId) -> Self {
        Self { speaker, id }
    }

    /// Appends text.
    pub fn push(&self, delta: impl Into<String>) {
        let event = ReasoningMessageContent::new(&self.id, delta);
        self.speaker.say(ReasoningMessageContent { subagent_run_id: self.speaker.tag().cloned(), ..event });
    }

    /// Ends the message here rather than at the end of the scope.
    pub fn end(self) {}
}

impl<P: Speaker> Drop for Reasoning<'_, P> {
    fn drop(&mut self) {
        let event = ReasoningMessageEnd::new(&self.id);
        self.speaker.say(ReasoningMessageEnd { subagent_run_id: self.speaker.tag().cloned(), ..event });
    }
}

/// An open step; finishes when dropped.
#[derive(Debug)]
#[must_use = "the step finishes when this is dropped"]
pub struct Step<'a, P: Speaker> {
    speaker: &'a P,
    name: String,
    opened: bool,
}

impl<'a, P: Speaker> Step<'a, P> {
    pub(super) fn new(speaker: &'a P, name: String, opened: bool) -> Self {
        Self { speaker, name, opened }
    }

    /// Finishes the step here rather than at the end of the scope.
    pub fn end(self) {}
}

impl<P: Speaker> Drop for Step<'_, P> {
    fn drop(&mut self) {
        if self.opened {
            let event = StepFinished::new(self.name.as_str());
            self.speaker.say(StepFinished { subagent_run_id: self.speaker.tag().cloned(), ..event });
        }
    }
}

/// A subagent at work: it speaks like a run does, under its own name. Finishes when dropped.
#[derive(Debug)]
#[must_use = "the subagent finishes when this is dropped"]
pub struct Subagent<'a, P: Speaker> {
    parent: &'a P,
    id: SubagentRunId,
    ended: bool,
}

impl<'a, P: Speaker> Subagent<'a, P> {
    pub(super) fn new(parent: &'a P, id: SubagentRunId) -> Self {
        Self { parent, id, ended: false }
    }

    /// Finishes with a result.
    pub fn finish_with(mut self, result: impl Into<Json>) {
        let result = Some(result.into()).filter(|result| result.get() != "null");
        self.ended = true;
        self.say(SubagentFinished { result, ..SubagentFinished::new(&self.id) });
    }

    /// Ends with an error; the run goes on.
    pub fn fail(mut self, message: impl Into<String>) {
        self.ended = true;
        self.say(SubagentError::new(&self.id, message));
    }
}

impl<P: Speaker> Drop for Subagent<'_, P> {
    fn drop(&mut self) {
        if !self.ended {
            self.say(SubagentFinished::new(&self.id));
        }
    }
}

impl<P: Speaker> Speaker for Subagent<'_, P> {
    type Sink = P::Sink;

    fn run(&self) -> &Run<'_, P::Sink> {
        self.parent.run()
    }

    fn tag(&self) -> Option<&SubagentRunId> {
        Some(&self.id)
    }
}
