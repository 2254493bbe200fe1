//! What an event changed.

use super::order::Slot;
use crate::notice::Warning;

/// The change an event made, and what there is to say about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Applied {
    /// What changed.
    pub change: Change,
    /// Why the event, or a part of it, had no effect.
    pub warning: Option<Box<Warning>>,
}

/// What changed in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// Nothing.
    Nothing,
    /// One message.
    Message {
        /// Which one: see [`ThreadView::message_at`](super::ThreadView::message_at).
        at: Slot,
        /// What happened to it.
        what: MessageChange,
    },
    /// Several messages, or their order.
    Messages,
    /// The state.
    State,
    /// How the run stands.
    Run,
}

/// What happened to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageChange {
    /// It is new.
    Added,
    /// Text was appended.
    Text,
    /// A tool call was added.
    ToolCallAdded {
        /// Which of its calls.
        call: usize,
    },
    /// Arguments of a tool call were appended.
    Arguments {
        /// Which of its calls.
        call: usize,
    },
    /// Something else in it changed: content, metadata, a sealed value.
    Updated,
    /// It is complete for now.
    Completed,
}

impl Applied {
    pub(super) fn nothing() -> Self {
        Change::Nothing.into()
    }

    pub(super) fn message(at: Slot, what: MessageChange) -> Self {
        Change::Message { at, what }.into()
    }

    pub(super) fn ignored(code: &'static str, message: impl Into<String>) -> Self {
        Self::nothing().warn(code, message)
    }

    pub(super) fn warn(self, code: &'static str, message: impl Into<String>) -> Self {
        Self { warning: Some(Box::new(Warning::new(code, message))), ..self }
    }
}

impl From<Change> for Applied {
    fn from(change: Change) -> Self {
        Self { change, warning: None }
    }
}
