//! Messages: one protobuf message for all seven roles.

use super::{Fields, Proto, ProtoError, content, put_nested, put_text, required, take_text};
use crate::message::{
    ActivityMessage, AssistantMessage, DeveloperMessage, Message, ReasoningMessage, SystemMessage,
    ToolMessage, UserMessage,
};

const ID: u32 = 1;
const ROLE: u32 = 2;
const CONTENT: u32 = 3;
const NAME: u32 = 4;
const TOOL_CALLS: u32 = 5;
const TOOL_CALL_ID: u32 = 6;
const ERROR: u32 = 7;
const CONTENT_PARTS: u32 = 8;
const METADATA: u32 = 9;
const SUBAGENT_RUN_ID: u32 = 10;
const ENCRYPTED_VALUE: u32 = 11;
const ACTIVITY_TYPE: u32 = 12;
const ACTIVITY_CONTENT: u32 = 13;
const ENCRYPTED_VALUE_TYPE: u32 = 14;

impl Proto for Message {
    fn put(&self, number: u32, out: &mut Vec<u8>) {
        put_nested(number, out, |out| {
            self.id().put(ID, out);
            put_text(self.role(), ROLE, out);
            write_own(self, out);
            put_some(self.metadata(), METADATA, out);
            put_some(self.subagent_run_id(), SUBAGENT_RUN_ID, out);
        });
    }

    fn take(fields: &mut Fields<'_>, number: u32) -> Result<Option<Self>, ProtoError> {
        let notes = fields.notes();
        match fields.message(number)? {
            Some(bytes) => Fields::read(&bytes, notes, read_known),
            None => Ok(None),
        }
    }
}

fn put_some<T: Proto>(value: Option<&T>, number: u32, out: &mut Vec<u8>) {
    if let Some(value) = value {
        value.put(number, out);
    }
}

/// Writes what the roles do not share.
fn write_own(message: &Message, out: &mut Vec<u8>) {
    macro_rules! sealed {
        ($message:ident) => {{
            put_some($message.encrypted_value.as_ref(), ENCRYPTED_VALUE, out);
            put_some($message.encrypted_value_type.as_ref(), ENCRYPTED_VALUE_TYPE, out);
        }};
    }
    macro_rules! named {
        ($message:ident) => {{
            put_some($message.name.as_ref(), NAME, out);
            sealed!($message);
        }};
    }
    match message {
        Message::Developer(message) => {
            message.content.put(CONTENT, out);
            named!(message);
        }
        Message::System(message) => {
            message.content.put(CONTENT, out);
            named!(message);
        }
        Message::Assistant(message) => {
            put_some(message.content.as_ref(), CONTENT, out);
            put_some(message.tool_calls.as_ref(), TOOL_CALLS, out);
            named!(message);
        }
        Message::User(message) => {
            content::put_content(&message.content, CONTENT, CONTENT_PARTS, out);
            named!(message);
        }
        Message::Tool(message) => {
            content::put_content(&message.content, CONTENT, CONTENT_PARTS, out);
            message.tool_call_id.put(TOOL_CALL_ID, out);
            put_some(message.error.as_ref(), ERROR, out);
            sealed!(message);
        }
        Message::Activity(message) => {
            message.activity_type.put(ACTIVITY_TYPE, out);
            message.content.put(ACTIVITY_CONTENT, out);
        }
        Message::Reasoning(message) => {
            message.content.put(CONTENT, out);
            sealed!(message);
        }
    }
}

/// Reads a message; one of a role that AG-UI does not know is nothing, with a note.
pub(super) fn read_known(fields: &mut Fields<'_>) -> Result<Option<Message>, ProtoError> {
    let role = take_text(fields, ROLE)?.unwrap_or_default();
    check_forms(fields, role)?;
    Ok(Some(match role {
        "developer" => read_developer(fields)?.into(),
        "system" => read_system(fields)?.into(),
        "assistant" => read_assistant(fields)?.into(),
        "user" => read_user(fields)?.into(),
        "tool" => read_tool(fields)?.into(),
        "activity" => read_activity(fields)?.into(),
        "reasoning" => read_reasoning(fields)?.into(),
        role => {
            fields.notes().add(format!("dropped a message with the unknown role `{role}`"));
            return Ok(None);
        }
    }))
}

/// Content comes in one form, and in one that the role has.
fn check_forms(fields: &Fields<'_>, role: &str) -> Result<(), ProtoError> {
    let forms = [CONTENT, CONTENT_PARTS, ACTIVITY_CONTENT].map(|form| fields.has(form));
    if forms.iter().filter(|given| **given).count() > 1 {
        return Err(ProtoError::Ambiguous("the content of a message"));
    }
    let [text, parts, activity] = forms;
    let fits = match role {
        "activity" => !text && !parts,
        "user" | "tool" => !activity,
        "developer" | "system" | "assistant" | "reasoning" => !parts && !activity,
        _ => true,
    };
    if fits {
        return Ok(());
    }
    Err(ProtoError::Invalid(format!("a message of role `{role}` has content in a form of other roles")))
}

fn read_developer(fields: &mut Fields<'_>) -> Result<DeveloperMessage, ProtoError> {
    Ok(DeveloperMessage {
        id: required(fields, ID, "id")?,
        content: required(fields, CONTENT, "content")?,
        name: Proto::take(fields, NAME)?,
        encrypted_value: Proto::take(fields, ENCRYPTED_VALUE)?,
        encrypted_value_type: Proto::take(fields, ENCRYPTED_VALUE_TYPE)?,
        metadata: Proto::take(fields, METADATA)?,
        subagent_run_id: Proto::take(fields, SUBAGENT_RUN_ID)?,
    })
}

fn read_system(fields: &mut Fields<'_>) -> Result<SystemMessage, ProtoError> {
    let DeveloperMessage {
        id,
        content,
        name,
        encrypted_value,
        encrypted_value_type,
        metadata,
        subagent_run_id,
    } = read_developer(fields)?;
    Ok(SystemMessage { id, content, name, encrypted_value, encrypted_value_type, metadata, subagent_run_id })
}

fn read_assistant(fields: &mut Fields<'_>) -> Result<AssistantMessage, ProtoError> {
    Ok(AssistantMessage {
        id: required(fields, ID, "id")?,
        content: Proto::take(fields, CONTENT)?,
        tool_calls: Proto::take(fields, TOOL_CALLS)?,
        name: Proto::take(fields, NAME)?,
        encrypted_value: Proto::take(fields, ENCRYPTED_VALUE)?,
        encrypted_value_type: Proto::take(fields, ENCRYPTED_VALUE_TYPE)?,
        metadata: Proto::take(fields, METADATA)?,
        subagent_run_id: Proto::take(fields, SUBAGENT_RUN_ID)?,
    })
}

fn read_user(fields: &mut Fields<'_>) -> Result<UserMessage, ProtoError> {
    Ok(UserMessage {
        id: required(fields, ID, "id")?,
        content: content::take_content(fields, CONTENT, CONTENT_PARTS)?.unwrap_or_else(|| Vec::new().into()),
        name: Proto::take(fields, NAME)?,
        encrypted_value: Proto::take(fields, ENCRYPTED_VALUE)?,
        encrypted_value_type: Proto::take(fields, ENCRYPTED_VALUE_TYPE)?,
        metadata: Proto::take(fields, METADATA)?,
        subagent_run_id: Proto::take(fields, SUBAGENT_RUN_ID)?,
    })
}

fn read_tool(fields: &mut Fields<'_>) -> Result<ToolMessage, ProtoError> {
    Ok(ToolMessage {
        id: required(fields, ID, "id")?,
        content: content::take_content(fields, CONTENT, CONTENT_PARTS)?.unwrap_or_else(|| Vec::new().into()),
        tool_call_id: required(fields, TOOL_CALL_ID, "toolCallId")?,
        error: Proto::take(fields, ERROR)?,
        encrypted_value: Proto::take(fields, ENCRYPTED_VALUE)?,
        encrypted_value_type: Proto::take(fields, ENCRYPTED_VALUE_TYPE)?,
        metadata: Proto::take(fields, METADATA)?,
        subagent_run_id: Proto::take(fields, SUBAGENT_RUN_ID)?,
    })
}

fn read_activity(fields: &mut Fields<'_>) -> Result<ActivityMessage, ProtoError> {
    Ok(ActivityMessage {
        id: required(fields, ID, "id")?,
        activity_type: required(fields, ACTIVITY_TYPE, "activityType")?,
        content: required(fields, ACTIVITY_CONTENT, "content")?,
        metadata: Proto::take(fields, METADATA)?,
        subagent_run_id: Proto::take(fields, SUBAGENT_RUN_ID)?,
    })
}

fn read_reasoning(fields: &mut Fields<'_>) -> Result<ReasoningMessage, ProtoError> {
    Ok(ReasoningMessage {
        id: required(fields, ID, "id")?,
        content: required(fields, CONTENT, "content")?,
        encrypted_value: Proto::take(fields, ENCRYPTED_VALUE)?,
        encrypted_value_type: Proto::take(fields, ENCRYPTED_VALUE_TYPE)?,
        metadata: Proto::take(fields, METADATA)?,
        subagent_run_id: Proto::take(fields, SUBAGENT_RUN_ID)?,
    })
}
