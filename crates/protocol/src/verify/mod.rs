//! Is this stream legal?
//!
//! A [`Verifier`] takes events one by one, after chunks have been expanded, and refuses the first that breaks
//! a [`Rule`]. It checks everything the official client checks, and what the specification demands beside
//! that: agreement of run and thread ids, unique interrupt ids, and a terminal event at the end.
//!
//! ```
//! use forestage_protocol::{event::{RunStarted, TextMessageContent}, verify::{Rule, Verifier}};
//!
//! let mut verifier = Verifier::default();
//! verifier.check(&RunStarted::new("t1", "r1").into())?;
//! let violation = verifier.check(&TextMessageContent::new("m1", "Hi").into()).unwrap_err();
//! assert_eq!(violation.rule, Rule::TextMessageNotOpen);
//! # Ok::<(), forestage_protocol::verify::Violation>(())
//! ```

mod items;
mod owner;
mod reasoning;
mod rule;
mod run;
mod step;
mod subagent;
mod text;
mod tool;

pub use self::rule::{Rule, Violation};

use self::{items::Items, owner::Owner, reasoning::Reasoning, run::Run, step::Steps, subagent::Subagents};
use crate::{
    event::Event,
    id::{MessageId, SubagentRunId, ThreadId, ToolCallId},
    lookup::Lookup,
    message::Message,
};

/// Checks the order of a stream, event by event. The cost of an event does not grow with the stream.
#[derive(Clone, Debug, Default)]
pub struct Verifier {
    run: Run,
    messages: Items<MessageId>,
    tool_calls: Items<ToolCallId>,
    reasoning: Reasoning,
    activities: Lookup<MessageId, Owner>,
    steps: Steps,
    subagents: Subagents,
}

impl Verifier {
    /// A verifier for a stream that answers an input on this thread.
    #[must_use]
    pub fn for_thread(thread_id: ThreadId) -> Self {
        Self { run: Run::on_thread(thread_id), ..Self::default() }
    }

    /// Takes the next event, or says which rule it breaks. After a violation the stream is over.
    pub fn check(&mut self, event: &Event) -> Result<(), Violation> {
        self.run.admit(event)?;
        match event {
            Event::RunStarted(event) => self.start_run(event),
            Event::RunFinished(event) => self.finish_run(event),
            Event::RunError(_) => {
                self.run.fail();
                Ok(())
            }
            Event::StepStarted(event) => self.steps.start(event),
            Event::StepFinished(event) => self.steps.finish(event),
            Event::TextMessageStart(event) => self.start_text(event),
            Event::TextMessageContent(event) => self.continue_text(
                "TEXT_MESSAGE_CONTENT",
                &event.message_id,
                event.subagent_run_id.as_ref(),
                false,
            ),
            Event::TextMessageEnd(event) => self.continue_text(
                "TEXT_MESSAGE_END",
                &event.message_id,
                event.subagent_run_id.as_ref(),
                true,
            ),
            Event::ToolCallStart(event) => self.start_tool_call(event),
            Event::ToolCallArgs(event) => self.continue_tool_call(
                "TOOL_CALL_ARGS",
                &event.tool_call_id,
                event.subagent_run_id.as_ref(),
                false,
            ),
            Event::ToolCallEnd(event) => self.continue_tool_call(
                "TOOL_CALL_END",
                &event.tool_call_id,
                event.subagent_run_id.as_ref(),
                true,
            ),
            Event::ToolCallResult(event) => {
                self.messages.set_owner(&event.message_id, event.subagent_run_id.clone());
                Ok(())
            }
            Event::MessagesSnapshot(event) => {
                event.messages.iter().for_each(|message| self.seed(message, Seed::Replace));
                Ok(())
            }
            Event::ActivitySnapshot(event) => {
                let known = self.activities.get(&event.message_id).is_some();
                if !known || event.replace != Some(false) {
                    self.activities.insert(&event.message_id, event.subagent_run_id.clone());
                }
                Ok(())
            }
            Event::ActivityDelta(event) => owner::check(
                "ACTIVITY_DELTA",
                event.subagent_run_id.as_ref(),
                self.activities.get(&event.message_id),
                "activity",
                &event.message_id,
            ),
            Event::ReasoningStart(event) => self.reasoning.start_span(event),
            Event::ReasoningEnd(event) => self.reasoning.end_span(event),
            Event::ReasoningMessageStart(event) => self.reasoning.start_message(event),
            Event::ReasoningMessageContent(event) => self.reasoning.continue_message(event),
            Event::ReasoningMessageEnd(event) => self.reasoning.end_message(event),
            Event::ReasoningEncryptedValue(event) => self.check_encrypted_value(event),
            Event::SubagentStarted(event) => self.subagents.start(event),
            Event::SubagentFinished(event) => self.subagents.end("SUBAGENT_FINISHED", &event.subagent_run_id),
            Event::SubagentError(event) => self.subagents.end("SUBAGENT_ERROR", &event.subagent_run_id),
            Event::StateSnapshot(_) | Event::StateDelta(_) | Event::Raw(_) | Event::Custom(_) => Ok(()),
            // Chunks are expanded before they come here; one that was not has nothing to be checked against.
            Event::TextMessageChunk(_) | Event::ToolCallChunk(_) | Event::ReasoningMessageChunk(_) => Ok(()),
        }
    }

    /// No more events come: fails if a run is still open, or if there was none.
    pub fn finish(&self) -> Result<(), Violation> {
        self.run.ended()
    }

    /// Whether a run is open.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.run.is_active()
    }

    fn reset(&mut self) {
        self.messages.clear();
        self.tool_calls.clear();
        self.reasoning.clear();
        self.activities.clear();
        self.steps.clear();
        self.subagents.clear();
    }

    /// Puts the owner of a message, and of the calls it carries, on record.
    fn seed(&mut self, message: &Message, how: Seed) {
        let (id, owner) = (message.id(), message.subagent_run_id().cloned());
        match message {
            Message::Reasoning(_) => how.apply(self.reasoning.owners_mut(), id, owner.clone()),
            Message::Activity(_) if how == Seed::Replace || self.activities.get(id).is_none() => {
                self.activities.insert(id, owner.clone());
            }
            Message::Activity(_) => {}
            _ => how.apply(&mut self.messages, id, owner.clone()),
        }
        for call in message.tool_calls() {
            how.apply(&mut self.tool_calls, &call.id, owner.clone());
        }
    }
}

/// How messages that the stream restates change what is on record: a snapshot replaces, history only adds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seed {
    Replace,
    Add,
}

impl Seed {
    fn apply<K>(self, items: &mut Items<K>, id: &K, owner: Option<SubagentRunId>)
    where
        K: Clone + Eq + std::hash::Hash + std::borrow::Borrow<str> + std::ops::Deref<Target = str>,
    {
        match self {
            Self::Replace => items.set_owner(id, owner),
            Self::Add => items.seed_owner(id, owner),
        }
    }
}
