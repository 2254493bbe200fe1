//! Deltas of an open item, folded into its first.

use std::collections::HashMap;

use super::{Position, families::SharedIds, push};
use crate::{
    event::{Base, Event, ReasoningMessageContent, TextMessageContent, ToolCallArgs},
    id::{MessageId, SubagentRunId, ToolCallId},
};

/// An open item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Item {
    Text(MessageId),
    ToolCall(ToolCallId),
    Reasoning(MessageId),
}

/// Where the present row of deltas of each open item began.
#[derive(Debug)]
pub(super) struct Contents {
    rows: HashMap<Item, Position>,
    shared: SharedIds,
}

impl Contents {
    pub(super) fn new(shared: SharedIds) -> Self {
        Self { rows: HashMap::new(), shared }
    }

    pub(super) fn settle(&mut self) {
        self.rows.clear();
    }

    pub(super) fn take(&mut self, event: Event, effective: bool, out: &mut Vec<Option<Event>>) {
        match item_of(&event) {
            (Some(item), true) if effective => self.content(item, event, out),
            // A delta that had no effect, since its message is gone, has none to add to either.
            (item, _) => {
                if let Some(item) = item {
                    self.rows.remove(&item);
                }
                out.push(Some(event));
            }
        }
    }

    /// A delta with the provider's event is kept as it is, and ends the row: what follows starts another.
    fn content(&mut self, item: Item, event: Event, out: &mut Vec<Option<Event>>) {
        if event.base().raw_event.is_some() || self.is_shared(&item) {
            self.rows.remove(&item);
            out.push(Some(event));
            return;
        }
        match self.rows.get(&item).and_then(|at| out[*at].as_mut()) {
            Some(first) => join(first, event),
            None => {
                self.rows.insert(item, push(out, event));
            }
        }
    }

    fn is_shared(&self, item: &Item) -> bool {
        match item {
            Item::Text(id) | Item::Reasoning(id) => self.shared.contains(id),
            Item::ToolCall(_) => false,
        }
    }
}

/// The item an event speaks of, and whether the event is a delta of it.
fn item_of(event: &Event) -> (Option<Item>, bool) {
    match event {
        Event::TextMessageStart(event) => (Some(Item::Text(event.message_id.clone())), false),
        Event::TextMessageContent(event) => (Some(Item::Text(event.message_id.clone())), true),
        Event::TextMessageEnd(event) => (Some(Item::Text(event.message_id.clone())), false),
        Event::ToolCallStart(event) => (Some(Item::ToolCall(event.tool_call_id.clone())), false),
        Event::ToolCallArgs(event) => (Some(Item::ToolCall(event.tool_call_id.clone())), true),
        Event::ToolCallEnd(event) => (Some(Item::ToolCall(event.tool_call_id.clone())), false),
        Event::ReasoningMessageStart(event) => (Some(Item::Reasoning(event.message_id.clone())), false),
        Event::ReasoningMessageContent(event) => (Some(Item::Reasoning(event.message_id.clone())), true),
        Event::ReasoningMessageEnd(event) => (Some(Item::Reasoning(event.message_id.clone())), false),
        _ => (None, false),
    }
}

fn join(first: &mut Event, next: Event) {
    match (first, next) {
        (Event::TextMessageContent(first), Event::TextMessageContent(next)) => {
            let TextMessageContent { delta, subagent_run_id, base, .. } = next;
            add(&mut first.delta, &mut first.subagent_run_id, &mut first.base, delta, subagent_run_id, base);
        }
        (Event::ToolCallArgs(first), Event::ToolCallArgs(next)) => {
            let ToolCallArgs { delta, subagent_run_id, base, .. } = next;
            add(&mut first.delta, &mut first.subagent_run_id, &mut first.base, delta, subagent_run_id, base);
        }
        (Event::ReasoningMessageContent(first), Event::ReasoningMessageContent(next)) => {
            let ReasoningMessageContent { delta, subagent_run_id, base, .. } = next;
            add(&mut first.delta, &mut first.subagent_run_id, &mut first.base, delta, subagent_run_id, base);
        }
        _ => unreachable!("a row holds deltas of one item"),
    }
}

/// A delta may leave the tag out, so a row has it if any of its deltas had it.
fn add(
    text: &mut String,
    owner: &mut Option<SubagentRunId>,
    base: &mut Base,
    delta: String,
    tag: Option<SubagentRunId>,
    next: Base,
) {
    text.push_str(&delta);
    if owner.is_none() {
        *owner = tag;
    }
    merge_metadata(base, next);
}

/// Later keys win, as they do when events are applied one by one.
pub(super) fn merge_metadata(base: &mut Base, next: Base) {
    match (&mut base.metadata, next.metadata) {
        (Some(held), Some(next)) => held.overwrite(&next),
        (held @ None, Some(next)) => *held = Some(next),
        (_, None) => {}
    }
}
