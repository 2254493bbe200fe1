//! A snapshot of the conversation, where what is said is looked at before it is shown.
//!
//! A snapshot could say in one event what would otherwise be held, moderated or drawn. So under such rules it counts as
//! the events that its new messages are made of, which go the way of everything else. What is in the log already stands
//! as it is: a reviewer may have changed it.

use std::collections::HashSet;

use forestage_protocol::{
    event::{
        ActivitySnapshot, Event, MessagesSnapshot, ReasoningMessageContent, ReasoningMessageEnd,
        ReasoningMessageStart, ReasoningRole, TextMessageContent, TextMessageEnd, TextMessageStart, TextRole,
        ToolCallArgs, ToolCallEnd, ToolCallResult, ToolCallStart,
    },
    id::{MessageId, SubagentRunId, ToolCallId},
    message::{ActivityMessage, AssistantMessage, Message, ReasoningMessage, ToolMessage},
    tool::ToolCall,
};

/// What was said in a run so far, shown or held.
#[derive(Debug, Default)]
pub(crate) struct Said {
    messages: HashSet<MessageId>,
    calls: HashSet<ToolCallId>,
}

impl Said {
    /// Remembers what an event begins.
    pub(crate) fn note(&mut self, event: &Event) {
        match event {
            Event::TextMessageStart(event) => self.messages.insert(event.message_id.clone()),
            Event::ReasoningMessageStart(event) => self.messages.insert(event.message_id.clone()),
            Event::ActivitySnapshot(event) => self.messages.insert(event.message_id.clone()),
            Event::ToolCallResult(event) => self.messages.insert(event.message_id.clone()),
            Event::ToolCallStart(event) => self.calls.insert(event.tool_call_id.clone()),
            _ => false,
        };
    }

    /// The events that say what is new in a snapshot.
    pub(super) fn new_in(&self, snapshot: MessagesSnapshot, known: &[Message]) -> Vec<Event> {
        let calls: HashSet<_> = known.iter().flat_map(Message::tool_calls).map(|call| &call.id).collect();
        let messages: HashSet<_> = known.iter().map(Message::id).collect();
        let mut events = Vec::new();
        for message in snapshot.messages {
            let is_known = messages.contains(message.id()) || self.messages.contains(message.id());
            let is_known_call = |call: &ToolCallId| calls.contains(call) || self.calls.contains(call);
            match message {
                Message::Assistant(message) => events.extend(spoken(message, is_known, is_known_call)),
                _ if is_known => {}
                other => events.extend(told(other)),
            }
        }
        events
    }
}

/// The events that say a message, for whoever has it as a whole.
#[must_use]
pub fn events_of(message: Message) -> Vec<Event> {
    match message {
        Message::Assistant(message) => spoken(message, false, |_| false),
        other => told(other),
    }
}

/// What an agent's message is made of: its text, and the calls that were not made before.
fn spoken(
    message: AssistantMessage,
    is_known: bool,
    is_known_call: impl Fn(&ToolCallId) -> bool,
) -> Vec<Event> {
    let AssistantMessage { id, content, tool_calls, subagent_run_id: tag, .. } = message;
    let content = content.filter(|content| !is_known && !content.is_empty());
    let mut events = content.map_or_else(Vec::new, |content| text(&id, None, content, tag.clone()));
    for call in tool_calls.into_iter().flatten().filter(|call| !is_known_call(&call.id)) {
        events.extend(called(call, &id, tag.clone()));
    }
    events
}

fn told(message: Message) -> Vec<Event> {
    let (id, tag) = (message.id().clone(), message.subagent_run_id().cloned());
    match message {
        Message::Developer(message) => text(&id, Some(TextRole::Developer), message.content, tag),
        Message::System(message) => text(&id, Some(TextRole::System), message.content, tag),
        Message::User(message) => text(&id, Some(TextRole::User), message.content.text().into_owned(), tag),
        Message::Reasoning(message) => thought(message),
        Message::Activity(message) => vec![drawn(message)],
        Message::Tool(message) => vec![answered(message)],
        _ => Vec::new(),
    }
}

fn text(
    id: &MessageId,
    role: Option<TextRole>,
    text: String,
    subagent_run_id: Option<SubagentRunId>,
) -> Vec<Event> {
    let tag = || subagent_run_id.clone();
    let start = TextMessageStart { role, subagent_run_id: tag(), ..TextMessageStart::new(id) };
    let content = TextMessageContent { subagent_run_id: tag(), ..TextMessageContent::new(id, text) };
    let end = TextMessageEnd { subagent_run_id: tag(), ..TextMessageEnd::new(id) };
    let content = Some(content).filter(|content| !content.delta.is_empty());
    [Some(start.into()), content.map(Event::from), Some(end.into())].into_iter().flatten().collect()
}

fn called(call: ToolCall, parent: &MessageId, subagent_run_id: Option<SubagentRunId>) -> Vec<Event> {
    let tag = || subagent_run_id.clone();
    let start = ToolCallStart::new(&call.id, call.function.name);
    let start = ToolCallStart { parent_message_id: Some(parent.clone()), subagent_run_id: tag(), ..start };
    let args =
        ToolCallArgs { subagent_run_id: tag(), ..ToolCallArgs::new(&call.id, call.function.arguments) };
    let end = ToolCallEnd { subagent_run_id: tag(), ..ToolCallEnd::new(&call.id) };
    vec![start.into(), args.into(), end.into()]
}

fn thought(message: ReasoningMessage) -> Vec<Event> {
    let ReasoningMessage { id, content, subagent_run_id, .. } = message;
    let tag = || subagent_run_id.clone();
    let start = ReasoningMessageStart {
        subagent_run_id: tag(),
        ..ReasoningMessageStart::new(&id, ReasoningRole::Reasoning)
    };
    let content =
        ReasoningMessageContent { subagent_run_id: tag(), ..ReasoningMessageContent::new(&id, content) };
    let end = ReasoningMessageEnd { subagent_run_id: tag(), ..ReasoningMessageEnd::new(&id) };
    vec![start.into(), content.into(), end.into()]
}

fn drawn(message: ActivityMessage) -> Event {
    let ActivityMessage { id, activity_type, content, subagent_run_id, .. } = message;
    ActivitySnapshot { subagent_run_id, ..ActivitySnapshot::new(id, activity_type, content) }.into()
}

fn answered(message: ToolMessage) -> Event {
    let ToolMessage { id, content, tool_call_id, subagent_run_id, .. } = message;
    ToolCallResult { subagent_run_id, ..ToolCallResult::new(id, tool_call_id, content) }.into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_snapshot_of_what_the_run_has_said_says_nothing_new() {
        let call =
            json!({ "id": "c", "type": "function", "function": { "name": "search", "arguments": "{}" } });
        for message in [
            json!({ "role": "user", "id": "m", "content": "hello" }),
            json!({ "role": "assistant", "id": "m", "content": "hello", "toolCalls": [call] }),
            json!({ "role": "reasoning", "id": "m", "content": "hm" }),
            json!({ "role": "activity", "id": "m", "activityType": "PLAN", "content": {} }),
            json!({ "role": "tool", "id": "m", "content": "found", "toolCallId": "c" }),
        ] {
            let message: Message = serde_json::from_value(message).expect("a message");
            let snapshot = || MessagesSnapshot::new(vec![message.clone()]);
            let mut said = Said::default();
            assert_eq!(said.new_in(snapshot(), &[]), events_of(message.clone()), "all of it is new at first");
            for event in events_of(message.clone()) {
                said.note(&event);
            }
            assert_eq!(said.new_in(snapshot(), &[]), [], "{message:?}");
        }
    }
}
