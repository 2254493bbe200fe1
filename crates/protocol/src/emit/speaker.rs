//! Whoever can speak in a run: the parent agent, or a subagent.

use super::{
    Run, Sink,
    guards::{Reasoning, Step, Subagent, Text, ToolCall},
};
use crate::{
    content::Content,
    event::{
        Custom, Event, ReasoningMessageStart, ReasoningRole, StateDelta, StateSnapshot, StepStarted,
        SubagentStarted, TextMessageStart, ToolCallResult, ToolCallStart,
    },
    id::{MessageId, SubagentRunId, ToolCallId},
    json::Json,
    patch::Patch,
    verify::Violation,
};

/// Speaks in a run, under its own name.
pub trait Speaker: Sized {
    /// Where the run's events go.
    type Sink: Sink + ?Sized;

    /// The run.
    fn run(&self) -> &Run<'_, Self::Sink>;

    /// Whose events these are; nothing for the parent agent.
    fn tag(&self) -> Option<&SubagentRunId>;

    /// Opens an assistant message. Fails if it is open already, or belongs to somebody else.
    fn text(&self, id: impl Into<MessageId>) -> Result<Text<'_, Self>, Violation> {
        let message_id = id.into();
        let subagent_run_id = self.tag().cloned();
        self.run().send(TextMessageStart { subagent_run_id, ..TextMessageStart::new(&message_id) })?;
        Ok(Text::new(self, message_id))
    }

    /// Opens a tool call.
    fn tool_call(&self, id: impl Into<ToolCallId>, name: &str) -> Result<ToolCall<'_, Self>, Violation> {
        self.tool_call_with(ToolCallStart::new(id.into(), name))
    }

    /// Opens a tool call with an event that says more, such as the message that carries it.
    fn tool_call_with(&self, event: ToolCallStart) -> Result<ToolCall<'_, Self>, Violation> {
        let id = event.tool_call_id.clone();
        self.run().send(ToolCallStart { subagent_run_id: self.tag().cloned(), ..event })?;
        Ok(ToolCall::new(self, id))
    }

    /// Answers a tool call.
    fn tool_result(
        &self,
        message_id: impl Into<MessageId>,
        tool_call_id: impl Into<ToolCallId>,
        content: impl Into<Content>,
    ) {
        let event = ToolCallResult::new(message_id.into(), tool_call_id.into(), content.into());
        self.say(ToolCallResult { subagent_run_id: self.tag().cloned(), ..event });
    }

    /// Opens a reasoning message.
    fn reasoning(&self, id: impl Into<MessageId>) -> Result<Reasoning<'_, Self>, Violation> {
        let message_id = id.into();
        let event = ReasoningMessageStart::new(&message_id, ReasoningRole::Reasoning);
        self.run().send(ReasoningMessageStart { subagent_run_id: self.tag().cloned(), ..event })?;
        Ok(Reasoning::new(self, message_id))
    }

    /// Opens a step. A step of the same name and owner that is still open swallows this one.
    fn step(&self, name: impl Into<String>) -> Step<'_, Self> {
        let step_name = name.into();
        let event =
            StepStarted { subagent_run_id: self.tag().cloned(), ..StepStarted::new(step_name.as_str()) };
        let opened = self.run().send(event).is_ok();
        Step::new(self, step_name, opened)
    }

    /// Invokes a subagent. The id names this one invocation.
    fn subagent(&self, id: impl Into<SubagentRunId>, name: &str) -> Result<Subagent<'_, Self>, Violation> {
        let id = id.into();
        let event = SubagentStarted {
            parent_subagent_run_id: self.tag().cloned(),
            ..SubagentStarted::new(&id, name)
        };
        self.run().send(event)?;
        Ok(Subagent::new(self, id))
    }

    /// Replaces the state.
    fn state(&self, snapshot: impl Into<Json>) {
        self.say(StateSnapshot { subagent_run_id: self.tag().cloned(), ..StateSnapshot::new(snapshot) });
    }

    /// Changes the state.
    fn state_delta(&self, delta: Patch) {
        self.say(StateDelta { subagent_run_id: self.tag().cloned(), ..StateDelta::new(delta) });
    }

    /// Sends an event of the application's own.
    fn custom(&self, name: &str, value: impl Into<Json>) {
        self.say(Custom { subagent_run_id: self.tag().cloned(), ..Custom::new(name, value) });
    }

    /// Emits an event that no rule can refuse while the run is open.
    #[doc(hidden)]
    fn say(&self, event: impl Into<Event>) {
        let result = self.run().send(event);
        debug_assert!(result.is_ok(), "{result:?}");
    }
}
