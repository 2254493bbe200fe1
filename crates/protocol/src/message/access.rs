//! What can be asked of any message, whatever its role.

use super::Message;
use crate::{
    content::Content,
    event::TextRole,
    id::{MessageId, SubagentRunId},
    json::Metadata,
    message::{AssistantMessage, DeveloperMessage, SystemMessage, UserMessage},
    tool::ToolCall,
    wire::Tagged,
};

/// One expression for the member that all roles have.
macro_rules! each {
    ($message:expr, $inner:ident => $body:expr) => {
        match $message {
            Message::Developer($inner) => $body,
            Message::System($inner) => $body,
            Message::Assistant($inner) => $body,
            Message::User($inner) => $body,
            Message::Tool($inner) => $body,
            Message::Activity($inner) => $body,
            Message::Reasoning($inner) => $body,
        }
    };
}

impl Message {
    /// An empty text message, as a `TEXT_MESSAGE_START` opens it.
    #[must_use]
    pub fn open(role: TextRole, id: &MessageId) -> Self {
        match role {
            TextRole::Developer => DeveloperMessage::new(id, "").into(),
            TextRole::System => SystemMessage::new(id, "").into(),
            TextRole::User => UserMessage::new(id, "").into(),
            TextRole::Assistant => {
                AssistantMessage { content: Some(String::new()), ..AssistantMessage::new(id) }.into()
            }
        }
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &MessageId {
        each!(self, message => &message.id)
    }

    /// Its role, as on the wire.
    #[must_use]
    pub fn role(&self) -> &'static str {
        fn tag<T: Tagged>(_message: &T) -> &'static str {
            T::TAG
        }
        each!(self, message => tag(message))
    }

    /// The subagent it is from, if not the parent agent.
    #[must_use]
    pub fn subagent_run_id(&self) -> Option<&SubagentRunId> {
        each!(self, message => message.subagent_run_id.as_ref())
    }

    /// Makes it one of a subagent's, or of the parent agent's.
    pub fn set_subagent_run_id(&mut self, id: Option<SubagentRunId>) {
        each!(self, message => message.subagent_run_id = id);
    }

    /// Facts about it.
    #[must_use]
    pub fn metadata(&self) -> Option<&Metadata> {
        each!(self, message => message.metadata.as_ref())
    }

    /// Facts about it, to be changed.
    pub fn metadata_mut(&mut self) -> &mut Option<Metadata> {
        each!(self, message => &mut message.metadata)
    }

    /// The tool calls it carries.
    #[must_use]
    pub fn tool_calls(&self) -> &[ToolCall] {
        match self {
            Self::Assistant(message) => message.tool_calls.as_deref().unwrap_or_default(),
            _ => &[],
        }
    }

    /// Appends text. Content in parts gives way to the text, and an activity has no text to append to.
    pub(crate) fn push_text(&mut self, delta: &str) -> bool {
        match self {
            Self::Developer(message) => message.content.push_str(delta),
            Self::System(message) => message.content.push_str(delta),
            Self::Reasoning(message) => message.content.push_str(delta),
            Self::Assistant(message) => message.content.get_or_insert_default().push_str(delta),
            Self::User(message) => push_content(&mut message.content, delta),
            Self::Tool(message) => push_content(&mut message.content, delta),
            Self::Activity(_) => return false,
        }
        true
    }

    pub(crate) fn name_mut(&mut self) -> Option<&mut Option<String>> {
        match self {
            Self::Developer(message) => Some(&mut message.name),
            Self::System(message) => Some(&mut message.name),
            Self::Assistant(message) => Some(&mut message.name),
            Self::User(message) => Some(&mut message.name),
            Self::Tool(_) | Self::Activity(_) | Self::Reasoning(_) => None,
        }
    }

    /// Where a sealed value and its kind are kept; activities have none.
    pub(crate) fn encrypted_mut(&mut self) -> Option<(&mut Option<String>, &mut Option<String>)> {
        macro_rules! both {
            ($message:ident) => {
                Some((&mut $message.encrypted_value, &mut $message.encrypted_value_type))
            };
        }
        match self {
            Self::Developer(message) => both!(message),
            Self::System(message) => both!(message),
            Self::Assistant(message) => both!(message),
            Self::User(message) => both!(message),
            Self::Tool(message) => both!(message),
            Self::Reasoning(message) => both!(message),
            Self::Activity(_) => None,
        }
    }
}

fn push_content(content: &mut Content, delta: &str) {
    match content {
        Content::Text(text) => text.push_str(delta),
        Content::Parts(_) => *content = Content::from(delta),
    }
}
