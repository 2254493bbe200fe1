//! Joining in the middle of a run: open items are sent from their beginning.
//!
//! In 1.0 the snapshot of a prelude has what was said so far, and what is open is opened again behind it. Clients up to
//! 0.0.43 make two messages of that, and up to 0.0.57 two calls. So what is open is left out of the snapshot, and comes
//! whole behind its beginning.

use std::collections::HashMap;

use forestage_protocol::{
    event::{Event, MessagesSnapshot, ReasoningMessageContent, TextMessageContent, ToolCallArgs},
    message::{AssistantMessage, Message},
};

/// The content so far of each open item, by the id of the text, call or reasoning message.
type Said = HashMap<String, String>;

/// Rewrites a prelude for clients that cannot open an item twice.
pub(super) fn restarted(events: &[Event]) -> Vec<Event> {
    let mut said: Said = events.iter().filter_map(opened).map(|id| (id, String::new())).collect();
    let mut out = Vec::with_capacity(events.len());
    for event in events {
        match event {
            Event::MessagesSnapshot(snapshot) if !said.is_empty() => {
                let messages = snapshot.messages.iter().filter_map(|message| settled(message, &mut said));
                out.push(MessagesSnapshot { messages: messages.collect(), ..snapshot.clone() }.into());
            }
            event => {
                out.push(event.clone());
                out.extend(so_far(event, &said));
            }
        }
    }
    out
}

/// Returns the id of the item that an event opens.
fn opened(event: &Event) -> Option<String> {
    match event {
        Event::TextMessageStart(start) => Some(start.message_id.to_string()),
        Event::ToolCallStart(start) => Some(start.tool_call_id.to_string()),
        Event::ReasoningMessageStart(start) => Some(start.message_id.to_string()),
        _ => None,
    }
}

/// Moves the open parts of a message to `said`. Returns `None` if nothing else is in it.
fn settled(message: &Message, said: &mut Said) -> Option<Message> {
    match message {
        Message::Assistant(message) => {
            let mut message = message.clone();
            take_calls(&mut message, said);
            if let Some(text) = said.get_mut(message.id.as_str()) {
                *text = message.content.take().unwrap_or_default();
            }
            let is_whole = message.content.is_some() || message.tool_calls.is_some();
            is_whole.then_some(Message::Assistant(message))
        }
        Message::Reasoning(reasoning) => match said.get_mut(reasoning.id.as_str()) {
            Some(text) => {
                text.clone_from(&reasoning.content);
                None
            }
            None => Some(message.clone()),
        },
        _ => Some(message.clone()),
    }
}

fn take_calls(message: &mut AssistantMessage, said: &mut Said) {
    let Some(calls) = &mut message.tool_calls else { return };
    calls.retain(|call| match said.get_mut(call.id.as_str()) {
        Some(arguments) => {
            arguments.clone_from(&call.function.arguments);
            false
        }
        None => true,
    });
    if calls.is_empty() {
        message.tool_calls = None;
    }
}

/// Returns the event that carries the content so far of the item that `event` opens.
fn so_far(event: &Event, said: &Said) -> Option<Event> {
    let text = said.get(&opened(event)?).filter(|text| !text.is_empty())?;
    let subagent_run_id = event.attribution().cloned();
    Some(match event {
        Event::TextMessageStart(start) => TextMessageContent {
            subagent_run_id,
            ..TextMessageContent::new(&start.message_id, text.as_str())
        }
        .into(),
        Event::ToolCallStart(start) => {
            ToolCallArgs { subagent_run_id, ..ToolCallArgs::new(&start.tool_call_id, text.as_str()) }.into()
        }
        Event::ReasoningMessageStart(start) => {
            let content = ReasoningMessageContent::new(&start.message_id, text.as_str());
            ReasoningMessageContent { subagent_run_id, ..content }.into()
        }
        _ => return None,
    })
}
