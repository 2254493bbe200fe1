//! The conversation as it stood when an agent was called: what it says is held against it.

use std::collections::{HashMap, HashSet};

use forestage_protocol::{
    id::{MessageId, ToolCallId},
    message::Message,
    tool::ToolCall,
};

use super::withdrawn::is_withdrawal;

/// What was known before an agent spoke.
#[derive(Debug, Default)]
pub(super) struct Known {
    messages: HashMap<MessageId, Message>,
    answered: HashSet<ToolCallId>,
}

impl Known {
    pub(super) fn new(messages: &[Message]) -> Self {
        let answered = messages.iter().filter_map(|message| match message {
            Message::Tool(result) => Some(result.tool_call_id.clone()),
            _ => None,
        });
        let answered = answered.collect();
        let messages = messages.iter().map(|message| (message.id().clone(), message.clone())).collect();
        Self { messages, answered }
    }

    pub(super) fn message(&self, id: &str) -> Option<&Message> {
        self.messages.get(id)
    }

    pub(super) fn messages(&self) -> impl Iterator<Item = &Message> {
        self.messages.values()
    }

    pub(super) fn is_activity(&self, id: &str) -> bool {
        matches!(self.message(id), Some(Message::Activity(_)))
    }

    pub(super) fn call(&self, id: &str) -> Option<&ToolCall> {
        self.messages.values().flat_map(Message::tool_calls).find(|call| call.id.as_str() == id)
    }

    /// A call that waits for its result.
    pub(super) fn open_call(&self, id: &str) -> Option<&ToolCall> {
        self.call(id).filter(|call| !self.answered.contains(&call.id))
    }

    /// The result of a call, as text.
    pub(super) fn result(&self, call: &str) -> Option<String> {
        self.messages.values().find_map(|message| match message {
            Message::Tool(result) if result.tool_call_id.as_str() == call => {
                Some(result.content.text().into_owned())
            }
            _ => None,
        })
    }

    /// Whether the stage has answered a call, because nobody decides about it any more.
    pub(super) fn is_withdrawn(&self, call: &str) -> bool {
        let mut results = self.messages.values().filter(|message| is_withdrawal(message));
        results.any(|message| matches!(message, Message::Tool(it) if it.tool_call_id.as_str() == call))
    }

    /// Every id that is taken.
    pub(super) fn ids(&self) -> impl Iterator<Item = String> + '_ {
        let calls = self.messages.values().flat_map(Message::tool_calls).map(|call| call.id.to_string());
        self.messages.keys().map(ToString::to_string).chain(calls)
    }
}
