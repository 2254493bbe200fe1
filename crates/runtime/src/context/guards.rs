//! Things that are open while a guard lives: messages, reasoning, tool calls, steps.
//!
//! A guard that is dropped, by `?` or because the run was stopped, ends what it opened.

use forestage_protocol::{
    event::{
        ReasoningEnd, ReasoningMessageContent, ReasoningMessageEnd, ReasoningMessageStart, ReasoningRole,
        ReasoningStart, StepFinished, StepStarted, TextMessageContent, TextMessageEnd, TextMessageStart,
        TextRole, ToolCallArgs, ToolCallEnd, ToolCallStart,
    },
    id::{MessageId, ToolCallId},
};

use super::{RunContext, lock};
use crate::{error::Stop, tool::ToolError};

/// An open message of the agent.
#[derive(Debug)]
pub struct Text {
    ctx: RunContext,
    id: MessageId,
}

impl Text {
    pub(super) fn open(ctx: &RunContext, id: MessageId) -> Result<Self, Stop> {
        Self::open_as(ctx, id, None)
    }

    pub(super) fn open_as(ctx: &RunContext, id: MessageId, role: Option<TextRole>) -> Result<Self, Stop> {
        let subagent_run_id = ctx.tag.clone();
        ctx.send(TextMessageStart { role, subagent_run_id, ..TextMessageStart::new(&id) })?;
        Ok(Self { ctx: ctx.clone(), id })
    }

    /// The message.
    #[must_use]
    pub fn id(&self) -> &MessageId {
        &self.id
    }

    /// Says a piece. An empty one says nothing.
    pub async fn push(&self, delta: impl AsRef<str> + Into<String>) -> Result<(), Stop> {
        if delta.as_ref().is_empty() {
            return Ok(());
        }
        if !self.ctx.say_more(&self.id, delta.as_ref())? {
            let subagent_run_id = self.ctx.tag.clone();
            self.ctx.send(TextMessageContent {
                subagent_run_id,
                ..TextMessageContent::new(&self.id, delta.into())
            })?;
        }
        self.ctx.core.outbox.room().await;
        Ok(())
    }

    /// Ends the message.
    pub fn end(self) -> MessageId {
        self.id.clone()
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        let subagent_run_id = self.ctx.tag.clone();
        // Fails only when the run is over, and then the message was ended with it.
        let _ = self.ctx.send(TextMessageEnd { subagent_run_id, ..TextMessageEnd::new(&self.id) });
    }
}

/// An open piece of reasoning.
#[derive(Debug)]
pub struct Reasoning {
    ctx: RunContext,
    id: MessageId,
}

impl Reasoning {
    pub(super) fn open(ctx: &RunContext, id: MessageId) -> Result<Self, Stop> {
        let tag = || ctx.tag.clone();
        ctx.send(ReasoningStart { subagent_run_id: tag(), ..ReasoningStart::new(&id) })?;
        let start = ReasoningMessageStart::new(&id, ReasoningRole::Reasoning);
        ctx.send(ReasoningMessageStart { subagent_run_id: tag(), ..start })?;
        Ok(Self { ctx: ctx.clone(), id })
    }

    /// Thinks a piece.
    pub async fn push(&self, delta: impl Into<String>) -> Result<(), Stop> {
        let delta = delta.into();
        if delta.is_empty() {
            return Ok(());
        }
        let event = ReasoningMessageContent::new(&self.id, delta);
        self.ctx.emit(ReasoningMessageContent { subagent_run_id: self.ctx.tag.clone(), ..event }).await
    }

    /// Ends it.
    pub fn end(self) -> MessageId {
        self.id.clone()
    }
}

impl Drop for Reasoning {
    fn drop(&mut self) {
        let tag = || self.ctx.tag.clone();
        // Both fail only when the run is over.
        let end = ReasoningMessageEnd { subagent_run_id: tag(), ..ReasoningMessageEnd::new(&self.id) };
        let _ = self.ctx.send(end);
        let _ = self.ctx.send(ReasoningEnd { subagent_run_id: tag(), ..ReasoningEnd::new(&self.id) });
    }
}

/// An open tool call: its arguments are written piece by piece.
///
/// A call of a tool that is [checked](crate::tool::Check) is shown when it is complete. One that cannot be shown ends the
/// run with an error, unless it was ended by [`finish`](Self::finish), which tells.
#[derive(Debug)]
pub struct ToolCall {
    ctx: RunContext,
    id: ToolCallId,
    is_open: bool,
}

impl ToolCall {
    pub(super) fn open(ctx: &RunContext, id: ToolCallId, name: &str) -> Result<Self, Stop> {
        Self::open_in(ctx, None, id, name)
    }

    pub(super) fn open_in(
        ctx: &RunContext,
        parent_message_id: Option<MessageId>,
        id: ToolCallId,
        name: &str,
    ) -> Result<Self, Stop> {
        let subagent_run_id = ctx.tag.clone();
        ctx.send(ToolCallStart { parent_message_id, subagent_run_id, ..ToolCallStart::new(&id, name) })?;
        Ok(Self { ctx: ctx.clone(), id, is_open: true })
    }

    /// The call.
    #[must_use]
    pub fn id(&self) -> &ToolCallId {
        &self.id
    }

    /// Writes a piece of the arguments.
    pub async fn push(&self, delta: impl Into<String>) -> Result<(), Stop> {
        let delta = delta.into();
        if delta.is_empty() {
            return Ok(());
        }
        let subagent_run_id = self.ctx.tag.clone();
        self.ctx.emit(ToolCallArgs { subagent_run_id, ..ToolCallArgs::new(&self.id, delta) }).await
    }

    /// The arguments are complete.
    pub fn end(self) -> ToolCallId {
        self.id.clone()
    }

    /// The arguments are complete; says what is wrong with them if they cannot be shown.
    pub fn finish(mut self) -> Result<Result<ToolCallId, ToolError>, Stop> {
        match self.close() {
            Ok(()) => Ok(Ok(self.id.clone())),
            Err(Stop::InvalidCall(error)) => Ok(Err(error)),
            Err(stop) => Err(stop),
        }
    }

    fn close(&mut self) -> Result<(), Stop> {
        if !std::mem::take(&mut self.is_open) {
            return Ok(());
        }
        let subagent_run_id = self.ctx.tag.clone();
        self.ctx.send(ToolCallEnd { subagent_run_id, ..ToolCallEnd::new(&self.id) })
    }
}

impl Drop for ToolCall {
    fn drop(&mut self) {
        // Otherwise it fails only when the run is over, and then the call was ended with it.
        if let Err(Stop::InvalidCall(error)) = self.close() {
            lock(&self.ctx.core.held).keep(error);
        }
    }
}

/// An open step.
#[derive(Debug)]
pub struct Step {
    ctx: RunContext,
    name: String,
}

impl Step {
    pub(super) fn open(ctx: &RunContext, name: &str) -> Result<Self, Stop> {
        ctx.send(StepStarted { subagent_run_id: ctx.tag.clone(), ..StepStarted::new(name) })?;
        Ok(Self { ctx: ctx.clone(), name: name.to_owned() })
    }

    /// Ends the step.
    pub fn end(self) {}
}

impl Drop for Step {
    fn drop(&mut self) {
        let subagent_run_id = self.ctx.tag.clone();
        let _ = self.ctx.send(StepFinished { subagent_run_id, ..StepFinished::new(self.name.as_str()) });
    }
}
