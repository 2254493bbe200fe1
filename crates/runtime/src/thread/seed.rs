//! What a client says of a thread that we do not know. It cannot be checked, so it is marked; but it has to hang together.

use std::collections::{HashMap, HashSet};

use forestage_protocol::{
    id::ToolCallId,
    message::{Message, ToolMessage},
    tool::ToolCall,
};
use serde_json::{Value, json};

use super::{
    Folded,
    history::{is_same, judge},
};
use crate::{error::Refusal, tool::Checks};

/// The messages with which a thread begins, as they are kept. An answer of a tool is one to a call before it, the only
/// one, and is held against it.
pub(crate) fn seeded(messages: &[Message], checks: &Checks) -> Result<Vec<Message>, Refusal> {
    let (mut calls, mut answered) = (HashMap::new(), HashSet::new());
    let mut seeded = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let found = match message {
            Message::Tool(answer) => {
                let call = answered_call(answer, at, &calls, &mut answered)?;
                judge(call, answer, at, checks)?
            }
            _ => None,
        };
        calls.extend(message.tool_calls().iter().map(|call| (&call.id, call)));
        seeded.push(unverified(message.clone(), found));
    }
    Ok(seeded)
}

/// The messages of a client that owns the history, as they are kept: all of them, and what was not said here is marked.
pub(crate) fn claimed(messages: &[Message], known: &Folded) -> Vec<Message> {
    let claimed = messages.iter().map(|message| match known.view.message(message.id()) {
        // One that was marked before stays marked.
        Some(known) if is_same(known, message) => known.clone(),
        _ => unverified(message.clone(), None),
    });
    claimed.collect()
}

fn answered_call<'m>(
    answer: &'m ToolMessage,
    at: usize,
    calls: &HashMap<&ToolCallId, &'m ToolCall>,
    answered: &mut HashSet<&'m ToolCallId>,
) -> Result<&'m ToolCall, Refusal> {
    let id = &answer.tool_call_id;
    let refused = |code, text: String| Refusal::invalid(code, text).at(format!("messages[{at}].toolCallId"));
    match calls.get(id) {
        None => Err(refused("forged_message", format!("there is no tool call `{id}` on this thread"))
            .hint("send the message with the call, too, and before the answer")),
        Some(_) if !answered.insert(id) => {
            Err(refused("already_answered", format!("tool call `{id}` has been answered already")))
        }
        Some(call) => Ok(call),
    }
}

/// A person may have said anything; what an agent or a tool said is only claimed.
fn unverified(mut message: Message, found: Option<Value>) -> Message {
    if matches!(message, Message::User(_) | Message::System(_) | Message::Developer(_)) {
        return message;
    }
    let mut noted = json!({ "unverified": true });
    if let Some(found) = found {
        noted["check"] = found;
    }
    message.metadata_mut().get_or_insert_default().insert("forestage".to_owned(), noted);
    message
}

/// Whether somebody claims that this was said, and it was not said here.
pub(crate) fn is_unverified(message: &Message) -> bool {
    let noted = message.metadata().and_then(|metadata| metadata.get("forestage"));
    noted.is_some_and(|noted| noted["unverified"] == Value::Bool(true))
}
