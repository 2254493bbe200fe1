//! The reducer: a conversation and an event make the next conversation.
//!
//! [`ThreadView`] holds what a person sees: messages, state, how the last run ended. [`ThreadView::apply`]
//! takes one event (chunks expanded, order verified) and says what [`Change`] it made, so that nobody has to
//! compare. The cost of an event does not grow with the history.
//!
//! ```
//! use forestage_protocol::{apply::ThreadView, event::{TextMessageContent, TextMessageStart}};
//!
//! let mut view = ThreadView::default();
//! view.apply(&TextMessageStart::new("m1").into());
//! view.apply(&TextMessageContent::new("m1", "Hello").into());
//! assert_eq!(view.messages().count(), 1);
//! ```

mod activity;
mod change;
mod end;
mod order;
mod reasoning;
mod run;
mod snapshot;
mod state;
mod text;
mod tool;

use std::collections::HashMap;

use serde_json::{Map, Value};

pub(crate) use self::activity::patch_object;
pub use self::{
    change::{Applied, Change, MessageChange},
    end::RunEnd,
    order::Slot,
};
use self::{order::Order, run::Tally};
use crate::{
    event::{Base, Event},
    id::ToolCallId,
    interrupt::Interrupt,
    json::Metadata,
    lookup::Lookup,
    message::Message,
};

/// A conversation as it stands.
#[derive(Clone, Debug)]
pub struct ThreadView {
    messages: Order,
    state: Value,
    end: Option<RunEnd>,
    pending_interrupts: Vec<Interrupt>,
    calls: Lookup<ToolCallId, Place>,
    answers: HashMap<Slot, Slot>,
    tally: Tally,
}

/// Where a tool call is: which message, and which of its calls.
#[derive(Clone, Copy, Debug)]
struct Place {
    slot: Slot,
    call: usize,
}

impl Default for ThreadView {
    /// An empty conversation: no messages, and the state `{}`.
    fn default() -> Self {
        Self::new(Vec::new(), Value::Object(Map::new()))
    }
}

impl ThreadView {
    /// A conversation with these messages and this state.
    #[must_use]
    pub fn new(messages: Vec<Message>, state: Value) -> Self {
        let mut view = Self {
            messages: messages.into_iter().collect(),
            state,
            end: None,
            pending_interrupts: Vec::new(),
            calls: Lookup::default(),
            answers: HashMap::new(),
            tally: Tally::default(),
        };
        view.index_calls();
        view
    }

    /// The messages in order.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        self.messages.iter()
    }

    /// The message with this id.
    #[must_use]
    pub fn message(&self, id: &str) -> Option<&Message> {
        self.messages.find(id).map(|slot| self.messages.get(slot))
    }

    /// The message that a [`Change`] speaks of.
    #[must_use]
    pub fn message_at(&self, at: Slot) -> Option<&Message> {
        self.messages.try_get(at)
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> &Value {
        &self.state
    }

    /// How the last run ended; nothing while one is open.
    #[must_use]
    pub fn end(&self) -> Option<&RunEnd> {
        self.end.as_ref()
    }

    /// The questions that wait for answers: those of the last run that finished. A run that starts, or fails,
    /// has not answered them yet.
    #[must_use]
    pub fn pending_interrupts(&self) -> &[Interrupt] {
        &self.pending_interrupts
    }

    /// Takes the next event and says what it changed.
    pub fn apply(&mut self, event: &Event) -> Applied {
        match event {
            Event::TextMessageStart(event) => self.start_text(event),
            Event::TextMessageContent(event) => {
                self.continue_text("TEXT_MESSAGE_CONTENT", &event.message_id, &event.delta, &event.base)
            }
            Event::TextMessageEnd(event) => self.end_text("TEXT_MESSAGE_END", &event.message_id, &event.base),
            Event::ReasoningMessageStart(event) => self.start_reasoning(event),
            Event::ReasoningMessageContent(event) => {
                self.continue_text("REASONING_MESSAGE_CONTENT", &event.message_id, &event.delta, &event.base)
            }
            Event::ReasoningMessageEnd(event) => {
                self.end_text("REASONING_MESSAGE_END", &event.message_id, &event.base)
            }
            Event::ReasoningEncryptedValue(event) => self.seal(event),
            Event::ToolCallStart(event) => self.start_tool_call(event),
            Event::ToolCallArgs(event) => self.continue_tool_call(event),
            Event::ToolCallEnd(event) => self.end_tool_call(event),
            Event::ToolCallResult(event) => self.answer_tool_call(event),
            Event::StateSnapshot(event) => self.replace_state(event),
            Event::StateDelta(event) => self.patch_state(event),
            Event::MessagesSnapshot(event) => self.reconcile(event),
            Event::ActivitySnapshot(event) => self.set_activity(event),
            Event::ActivityDelta(event) => self.patch_activity(event),
            Event::RunStarted(event) => self.start_run(event),
            Event::RunFinished(event) => self.finish_run(event),
            Event::RunError(event) => self.fail_run(event),
            Event::StepStarted(_)
            | Event::StepFinished(_)
            | Event::ReasoningStart(_)
            | Event::ReasoningEnd(_)
            | Event::SubagentStarted(_)
            | Event::SubagentFinished(_)
            | Event::SubagentError(_)
            | Event::Raw(_)
            | Event::Custom(_) => Applied::nothing(),
            Event::TextMessageChunk(_) | Event::ToolCallChunk(_) | Event::ReasoningMessageChunk(_) => {
                Applied::ignored("chunk_not_expanded", "a chunk has to be expanded before it is applied")
            }
        }
    }

    /// Notes where every call is, after messages came in bulk. The first holder of a call keeps it.
    fn index_calls(&mut self) {
        self.calls.clear();
        self.answers.clear();
        let slots: Vec<Slot> = self.messages.slots().collect();
        for slot in slots {
            self.index_calls_of(slot);
        }
    }

    fn index_calls_of(&mut self, slot: Slot) {
        for (call, tool_call) in self.messages.get(slot).tool_calls().iter().enumerate() {
            if self.calls.get(&tool_call.id).is_none() {
                self.calls.insert(&tool_call.id, Place { slot, call });
            }
        }
    }
}

/// Merges an event's metadata into whatever it builds: key by key, the last write wins.
fn merge(target: &mut Option<Metadata>, base: &Base) -> bool {
    let Some(metadata) = &base.metadata else {
        return false;
    };
    match target {
        Some(target) => target.overwrite(metadata),
        None => *target = Some(metadata.clone()),
    }
    true
}
