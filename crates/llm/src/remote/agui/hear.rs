//! What an agent elsewhere says, said on the stage.

use std::collections::HashSet;

use forestage_protocol::{
    event::{
        ActivityDelta, ActivitySnapshot, EncryptedValueSubtype, Event, ReasoningEncryptedValue,
        SubagentStarted, TextMessageStart, TextRole,
    },
    id::{MessageId, SubagentRunId},
    interrupt::SubagentOutcome,
    message::Message,
};
use forestage_runtime::{AgentError, RunContext, StateError};
use serde_json::{Value, json};

use super::{
    ask::LEGACY,
    calls::{Calls, made_before},
    known::Known,
    names::{Kind, Names},
};
use crate::remote::refused::Corrections;

/// The name of the custom event that says that something of an agent's was not taken as it came.
pub(super) const WARNING: &str = "forestage.remote_warning";

/// So many warnings of a run are on the log; what more there is stands in the operator's.
const MAX_WARNINGS: usize = 20;

/// What names of events begin with that only the stage may use.
const OURS: &str = "forestage.";

/// The member of the state that names who speaks, after somebody was handed over to.
const CURRENT: &str = "currentAgent";

/// The part of an agent elsewhere in one run.
pub(super) struct Hearing<'c> {
    pub(super) ctx: &'c RunContext,
    pub(super) known: Known,
    pub(super) names: Names,
    pub(super) calls: Calls,
    /// What of the agent's earlier answers in this run was not shown.
    pub(super) corrections: Corrections,
    /// What was said since the agent was called, by its ids.
    pub(super) said: Vec<Said>,
    /// What the agent asks as those of before 1.0 did.
    pub(super) asked: Vec<Value>,
    /// Messages that are not let through, by the agent's ids.
    pub(super) muted: HashSet<MessageId>,
    raw: bool,
    warnings: usize,
}

/// A message that was said since the agent was called.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) theirs: String,
    pub(super) text: String,
}

impl<'c> Hearing<'c> {
    pub(super) fn new(ctx: &'c RunContext, raw: bool) -> Self {
        Self {
            ctx,
            known: Known::default(),
            names: Names::default(),
            calls: Calls::default(),
            corrections: Corrections::default(),
            said: Vec::new(),
            asked: Vec::new(),
            muted: HashSet::new(),
            raw,
            warnings: 0,
        }
    }

    /// The agent is called with this conversation.
    pub(super) fn begin(&mut self, conversation: &[Message]) {
        self.known = Known::new(conversation);
        self.names.begin(self.known.ids());
        self.calls = Calls::default();
        self.said.clear();
        self.asked.clear();
        self.muted.clear();
    }

    /// Says an event that is no boundary of the run.
    pub(super) async fn take(&mut self, mut event: Event) -> Result<(), AgentError> {
        self.sign(&mut event);
        match event {
            Event::TextMessageStart(start) => self.start_text(start).await,
            Event::TextMessageContent(mut piece) => {
                if self.muted.contains(&piece.message_id) {
                    return Ok(());
                }
                self.hear(&piece.message_id, &piece.delta);
                piece.message_id = self.name(Kind::Message, &piece.message_id).into();
                self.emit(piece).await
            }
            Event::TextMessageEnd(mut end) => {
                if self.muted.remove(&end.message_id) {
                    return Ok(());
                }
                end.message_id = self.name(Kind::Message, &end.message_id).into();
                self.emit(end).await
            }
            Event::ReasoningMessageStart(mut event) => {
                event.message_id = self.name(Kind::Reasoning, &event.message_id).into();
                self.emit(event).await
            }
            Event::ReasoningMessageContent(mut event) => {
                event.message_id = self.name(Kind::Reasoning, &event.message_id).into();
                self.emit(event).await
            }
            Event::ReasoningMessageEnd(mut event) => {
                event.message_id = self.name(Kind::Reasoning, &event.message_id).into();
                self.emit(event).await
            }
            Event::ReasoningEncryptedValue(event) => self.seal(event).await,
            Event::ToolCallStart(start) => self.start_call(start).await,
            Event::ToolCallArgs(piece) => self.continue_call(piece).await,
            Event::ToolCallEnd(end) => self.end_call(end).await,
            Event::ToolCallResult(result) => self.answer_call(result).await,
            Event::StateSnapshot(event) => {
                let ctx = self.ctx.speaking_as(event.subagent_run_id);
                let state = self.with_current(event.snapshot.to_value()?);
                Ok(ctx.send_state(&state).await?)
            }
            Event::StateDelta(event) => {
                let ctx = self.ctx.speaking_as(event.subagent_run_id);
                match ctx.patch_state(event.delta).await {
                    Err(StateError::Patch(error)) => {
                        self.warn("state_patch", format!("a change of the state does not fit: {error}")).await
                    }
                    other => Ok(other?),
                }
            }
            Event::MessagesSnapshot(snapshot) => self.take_snapshot(snapshot).await,
            Event::ActivitySnapshot(event) => self.show(event).await,
            Event::ActivityDelta(event) => self.change(event).await,
            Event::SubagentStarted(event) => self.start_subagent(event).await,
            Event::SubagentFinished(mut event) => {
                event.subagent_run_id = self.name(Kind::Subagent, &event.subagent_run_id).into();
                // Its questions have other ids here, which they get when the run ends.
                if let Some(SubagentOutcome::Suspended(outcome)) = &mut event.outcome {
                    outcome.interrupt_ids = None;
                }
                self.emit(event).await
            }
            Event::SubagentError(mut event) => {
                event.subagent_run_id = self.name(Kind::Subagent, &event.subagent_run_id).into();
                self.emit(event).await
            }
            Event::Custom(event) if event.name == LEGACY => {
                self.asked.push(event.value.to_value()?);
                Ok(())
            }
            // A stage behind this one has names of its own, which mean nothing here.
            Event::Custom(event) if event.name.starts_with(OURS) => {
                tracing::debug!(name = event.name, "an event of a remote agent has a name of the stage's");
                Ok(())
            }
            Event::Raw(event) if !self.raw => {
                tracing::debug!(source = ?event.source, "a raw event of a remote agent is left out");
                Ok(())
            }
            other => self.emit(other).await,
        }
    }

    /// The tool and the arguments of a call, of now or from before.
    pub(super) fn call(&self, theirs: &str) -> Option<(String, Value)> {
        self.calls.made(theirs).or_else(|| self.known.call(theirs).map(made_before))
    }

    /// Tells everybody that something was not taken as it came.
    pub(super) async fn warn(&mut self, code: &str, message: String) -> Result<(), AgentError> {
        self.warnings += 1;
        tracing::warn!(run = %self.ctx.run_id(), code, message, "a remote agent was not taken at its word");
        if self.warnings > MAX_WARNINGS {
            return Ok(());
        }
        Ok(self.ctx.custom(WARNING, json!({ "code": code, "message": message })).await?)
    }

    pub(super) fn name(&mut self, kind: Kind, theirs: &str) -> String {
        self.names.name(self.ctx, kind, theirs)
    }

    pub(super) async fn emit(&self, event: impl Into<Event>) -> Result<(), AgentError> {
        Ok(self.ctx.emit(event).await?)
    }

    /// Makes an event one of this stage: said now, by whoever says it here, without notes that only we make.
    fn sign(&mut self, event: &mut Event) {
        let speaker = match event.attribution().cloned() {
            Some(theirs) => Some(SubagentRunId::from(self.name(Kind::Subagent, &theirs))),
            None if goes_on(event) => None,
            None => self.ctx.subagent_run_id().cloned(),
        };
        event.attribute(speaker);
        let base = event.base_mut();
        base.timestamp = None;
        if !self.raw {
            base.raw_event = None;
        }
        if let Some(metadata) = &mut base.metadata {
            metadata.remove("forestage");
        }
        base.metadata = base.metadata.take().filter(|metadata| !metadata.is_empty());
    }

    /// An agent speaks for itself: nobody puts words into a person's mouth.
    async fn start_text(&mut self, mut start: TextMessageStart) -> Result<(), AgentError> {
        if start.role == Some(TextRole::User) {
            let text = format!("message `{}` claims to be the person's and is left out", start.message_id);
            self.muted.insert(start.message_id);
            return self.warn("spoke_as_user", text).await;
        }
        let theirs = start.message_id.to_string();
        start.message_id = self.name(Kind::Message, &theirs).into();
        if !self.said.iter().any(|said| said.theirs == theirs) {
            self.said.push(Said { theirs, text: String::new() });
        }
        self.emit(start).await
    }

    fn hear(&mut self, theirs: &str, delta: &str) {
        if let Some(said) = self.said.iter_mut().rfind(|said| said.theirs == theirs) {
            said.text.push_str(delta);
        }
    }

    /// A sealed value belongs to something that was said since the agent was called.
    async fn seal(&mut self, mut event: ReasoningEncryptedValue) -> Result<(), AgentError> {
        if self.muted.contains(event.entity_id.as_str()) || self.calls.is_refused(&event.entity_id) {
            return Ok(());
        }
        let kinds: &[Kind] = match event.subtype {
            EncryptedValueSubtype::ToolCall => &[Kind::Call],
            _ => &[Kind::Reasoning, Kind::Message, Kind::Result],
        };
        let found = kinds.iter().find_map(|kind| self.names.find(*kind, &event.entity_id));
        match found.map(str::to_owned) {
            Some(ours) => {
                event.entity_id = ours;
                self.emit(event).await
            }
            None => {
                let text = format!("a sealed value is for `{}`, which was not said now", event.entity_id);
                self.warn("history", text).await
            }
        }
    }

    /// What is shown already may change; what was said does not turn into a picture.
    async fn show(&mut self, mut event: ActivitySnapshot) -> Result<(), AgentError> {
        if !self.known.is_activity(&event.message_id) {
            event.message_id = self.name(Kind::Activity, &event.message_id).into();
        }
        self.emit(event).await
    }

    async fn change(&mut self, mut event: ActivityDelta) -> Result<(), AgentError> {
        if !self.known.is_activity(&event.message_id) {
            event.message_id = self.name(Kind::Activity, &event.message_id).into();
        }
        self.emit(event).await
    }

    async fn start_subagent(&mut self, mut event: SubagentStarted) -> Result<(), AgentError> {
        event.subagent_run_id = self.name(Kind::Subagent, &event.subagent_run_id).into();
        event.parent_subagent_run_id = match event.parent_subagent_run_id {
            Some(parent) => Some(self.name(Kind::Subagent, &parent).into()),
            None => self.ctx.subagent_run_id().cloned(),
        };
        event.parent_tool_call_id = event.parent_tool_call_id.map(|call| self.calls.ours(&call));
        event.parent_message_id =
            event.parent_message_id.map(|id| self.names.find(Kind::Message, &id).unwrap_or(&id).into());
        self.emit(event).await
    }

    /// A state that an agent replaces keeps the name of whoever speaks: that is the stage's to say.
    fn with_current(&self, mut state: Value) -> Value {
        let current = self.ctx.state().get(CURRENT).cloned();
        if let (Some(current), Value::Object(state)) = (current, &mut state) {
            state.entry(CURRENT).or_insert(current);
        }
        state
    }
}

/// Whether an event goes on with something that has its speaker already.
fn goes_on(event: &Event) -> bool {
    matches!(
        event,
        Event::TextMessageContent(_)
            | Event::TextMessageEnd(_)
            | Event::ToolCallArgs(_)
            | Event::ToolCallEnd(_)
            | Event::ReasoningMessageContent(_)
            | Event::ReasoningMessageEnd(_)
            | Event::ReasoningEnd(_)
            | Event::ReasoningEncryptedValue(_)
            | Event::ActivityDelta(_)
    )
}
