//! What a client believes was said, held against the log.
//!
//! A client may send the whole history or only what is new. Messages we know must be as we know them, except
//! that a person may have changed what they said: that begins a branch. Messages we do not know are new, and
//! only a person, or a tool of the client's that was asked, can have new things to say.

use forestage_protocol::{
    apply::ThreadView,
    id::{InterruptId, MessageId, RunId},
    interrupt::ResumeEntry,
    message::{AssistantMessage, Message, ToolMessage},
    tool::ToolCall,
};
use serde_json::{Map, Value, json};

use super::{Folded, calls::Calls};
use crate::{
    error::Refusal,
    tool::{Checks, Tools, sentence},
};

/// How a run joins the conversation.
#[derive(Debug, PartialEq)]
pub(crate) enum Plan {
    /// It follows the present end.
    Continue {
        /// What the client adds.
        new: Vec<Message>,
    },
    /// It goes another way from before the run that brought in this message.
    Branch {
        /// The run that brought in the message that is said again, or said differently.
        instead_of: RunId,
        /// What the client says there.
        new: Vec<Message>,
    },
}

/// Holds the messages of a client against the conversation.
pub(crate) fn reconcile(
    folded: &Folded,
    messages: &[Message],
    tools: &Tools,
    checks: &Checks,
    is_action: bool,
) -> Result<Plan, Refusal> {
    let view = &folded.view;
    let mut new: Vec<Message> = Vec::new();
    // Most requests answer no call, and threads can be long.
    let mut calls = None;
    for (at, message) in messages.iter().enumerate() {
        match view.message(message.id()) {
            Some(_) if !new.is_empty() => return Err(out_of_order(at, &messages[at])),
            Some(known) if is_same(known, message) => {}
            Some(known) => return edited(folded, known, messages, at),
            None => {
                let message = match message {
                    Message::Tool(answer) => {
                        let calls = calls.get_or_insert_with(|| Calls::of(view));
                        calls.refuse_our_results(view, answer, at, tools)?;
                        let found = judge(calls.answer(answer, at)?, answer, at, checks)?;
                        noted(message.clone(), found)
                    }
                    _ => checked(message, at)?,
                };
                new.push(message);
            }
        }
    }
    match messages.last() {
        // Who does something on a surface says nothing, and does not ask to hear anything again.
        Some(Message::User(last)) if !is_action && new.is_empty() && !is_last(view, &last.id) => {
            again(folded, messages)
        }
        _ => Ok(Plan::Continue { new }),
    }
}

/// Holds answers against the place where a branch begins: what is asked now may not have been asked there.
pub(crate) fn check_answers(
    now: &ThreadView,
    there: &ThreadView,
    answers: &[ResumeEntry],
) -> Result<(), Refusal> {
    let waits =
        |view: &ThreadView, id: &InterruptId| view.pending_interrupts().iter().any(|asked| asked.id == *id);
    let is_later =
        |entry: &ResumeEntry| waits(now, &entry.interrupt_id) && !waits(there, &entry.interrupt_id);
    let Some(at) = answers.iter().position(is_later) else { return Ok(()) };
    let id = &answers[at].interrupt_id;
    let text = format!(
        "question `{id}` was asked after the last of these messages, so they begin a branch without it"
    );
    Err(Refusal::invalid("resume_on_branch", text).at(format!("resume[{at}].interruptId")).hint(
        "to answer, send the history up to the question, or no messages; to ask again, leave out `resume`",
    ))
}

/// A new message that answers no call, if somebody can have said it.
fn checked(message: &Message, at: usize) -> Result<Message, Refusal> {
    if matches!(message, Message::User(_) | Message::System(_) | Message::Developer(_)) {
        return Ok(message.clone());
    }
    let (id, role) = (message.id(), message.role());
    let text = format!("message `{id}` with role `{role}` was never said on this thread");
    Err(Refusal::invalid("forged_message", text)
        .at(format!("messages[{at}]"))
        .hint("send the history as the server gave it, or only the new messages"))
}

/// Holds an answer against the call that it answers, as it was shown. Gives what was found out about it.
pub(super) fn judge(
    call: &ToolCall,
    answer: &ToolMessage,
    at: usize,
    checks: &Checks,
) -> Result<Option<Value>, Refusal> {
    let (tool, arguments) = (&call.function.name, &call.function.arguments);
    let text = answer.content.text();
    // Who could not do it says why, and has no answer.
    if answer.error.is_some() && serde_json::from_str::<Map<String, Value>>(&text).is_err() {
        return Ok(None);
    }
    let root = format!("messages[{at}].content");
    checks.check_answer(tool, arguments, &text, &root).map_err(|faults| {
        let text = format!("the answer does not fit `{tool}` as it was shown: {}", sentence(&faults));
        let path = faults.first().map_or_else(|| root.clone(), |fault| fault.path.clone());
        Refusal::invalid("invalid_answer", text).at(path).hint("the call is still open").faults(faults)
    })
}

/// What is found out about an answer is kept with it. Nobody else has a say in that.
fn noted(mut message: Message, found: Option<Value>) -> Message {
    let metadata = message.metadata_mut();
    if let Some(metadata) = metadata {
        metadata.remove("forestage");
    }
    if let Some(found) = found {
        metadata.get_or_insert_default().insert("forestage".to_owned(), json!({ "check": found }));
    }
    message
}

/// A message of ours that the client tells differently. A person may change what they said; nobody may change
/// what the agent or a tool said.
fn edited(folded: &Folded, known: &Message, messages: &[Message], at: usize) -> Result<Plan, Refusal> {
    let (Message::User(_), Message::User(_), Some(origin)) =
        (known, &messages[at], folded.origin(known.id()))
    else {
        let (id, role) = (known.id(), known.role());
        let text = format!("message `{id}` with role `{role}` is not what was said on this thread");
        return Err(Refusal::invalid("forged_message", text)
            .at(format!("messages[{at}]"))
            .hint("only messages of the user can be changed, which begins a branch"));
    };
    let new = &messages[at..];
    match new.iter().skip(1).position(|message| !matches!(message, Message::User(_))) {
        Some(offset) => Err(out_of_order(at + 1 + offset, &new[1 + offset])),
        None => Ok(Plan::Branch { instead_of: origin.clone(), new: new.to_vec() }),
    }
}

/// The history ends with an older message of the person: the answer to it is wanted again.
fn again(folded: &Folded, messages: &[Message]) -> Result<Plan, Refusal> {
    let Some(last) = messages.last() else {
        return Ok(Plan::Continue { new: Vec::new() });
    };
    let Some(origin) = folded.origin(last.id()) else {
        return Ok(Plan::Continue { new: Vec::new() });
    };
    // Everything that the same run brought in is said again with it.
    let origins = folded.origins_by_message();
    let with_it = |message: &&Message| origins.get(message.id()).copied() == Some(origin);
    let known = messages.iter().filter(with_it).filter_map(|message| folded.view.message(message.id()));
    Ok(Plan::Branch { instead_of: origin.clone(), new: known.cloned().collect() })
}

fn is_last(view: &ThreadView, id: &MessageId) -> bool {
    view.messages().last().is_some_and(|last| last.id() == id)
}

fn out_of_order(at: usize, message: &Message) -> Refusal {
    let text = format!("message `{}` cannot stand behind a message that is new", message.id());
    Refusal::invalid("history_out_of_order", text)
        .at(format!("messages[{at}]"))
        .hint("new messages come last")
}

/// The same words. What is said about a message beside them, such as its metadata, is the server's to know.
pub(super) fn is_same(known: &Message, given: &Message) -> bool {
    match (known, given) {
        (Message::Assistant(known), Message::Assistant(given)) => is_same_answer(known, given),
        (Message::User(known), Message::User(given)) => known.content == given.content,
        (Message::System(known), Message::System(given)) => known.content == given.content,
        (Message::Developer(known), Message::Developer(given)) => known.content == given.content,
        (Message::Tool(known), Message::Tool(given)) => {
            known.content == given.content && known.tool_call_id == given.tool_call_id
        }
        (Message::Reasoning(known), Message::Reasoning(given)) => known.content == given.content,
        (Message::Activity(known), Message::Activity(given)) => {
            known.activity_type == given.activity_type && known.content == given.content
        }
        _ => false,
    }
}

fn is_same_answer(known: &AssistantMessage, given: &AssistantMessage) -> bool {
    let text = |message: &AssistantMessage| message.content.clone().unwrap_or_default();
    let calls = |message: &AssistantMessage| {
        let calls = message.tool_calls.iter().flatten();
        calls
            .map(|call| (call.id.clone(), call.function.name.clone(), arguments(&call.function.arguments)))
            .collect()
    };
    let (known_calls, given_calls): (Vec<_>, Vec<_>) = (calls(known), calls(given));
    text(known) == text(given) && known_calls == given_calls
}

/// Arguments are JSON more often than not, and clients that parse them write them differently.
fn arguments(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_message_is_the_same_only_if_all_that_was_said_is() {
        let call = json!([{ "id": "c", "type": "function", "function": { "name": "n", "arguments": "{}" } }]);
        for (known, change) in [
            (json!({ "role": "user", "id": "m", "content": "a" }), ("content", json!("b"))),
            (json!({ "role": "system", "id": "m", "content": "a" }), ("content", json!("b"))),
            (json!({ "role": "developer", "id": "m", "content": "a" }), ("content", json!("b"))),
            (json!({ "role": "assistant", "id": "m", "content": "a" }), ("content", json!("b"))),
            (json!({ "role": "assistant", "id": "m", "toolCalls": call }), ("toolCalls", json!([]))),
            (
                json!({ "role": "tool", "id": "m", "content": "a", "toolCallId": "c" }),
                ("content", json!("b")),
            ),
            (
                json!({ "role": "tool", "id": "m", "content": "a", "toolCallId": "c" }),
                ("toolCallId", json!("d")),
            ),
            (json!({ "role": "reasoning", "id": "m", "content": "a" }), ("content", json!("b"))),
            (
                json!({ "role": "activity", "id": "m", "activityType": "A", "content": { "a": 1 } }),
                ("content", json!({ "a": 2 })),
            ),
            (
                json!({ "role": "activity", "id": "m", "activityType": "A", "content": { "a": 1 } }),
                ("activityType", json!("B")),
            ),
        ] {
            let message = |value| serde_json::from_value::<Message>(value).expect("a message");
            let mut changed = known.clone();
            changed[change.0] = change.1;
            assert!(is_same(&message(known.clone()), &message(known.clone())), "{known}");
            assert!(!is_same(&message(known.clone()), &message(changed.clone())), "{known} {changed}");
        }
    }
}
