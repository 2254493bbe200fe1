//! Ids that two kinds of message share.

use std::collections::{HashMap, HashSet};

use crate::{event::Event, id::MessageId};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Text,
    Reasoning,
    Activity,
    Answer,
}

/// The message ids that more than one kind of event writes to. Nothing of theirs is folded: what one kind does
/// to such a message depends on what the other did before.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedIds(HashSet<MessageId>);

impl SharedIds {
    pub(super) fn of(events: &[Event]) -> Self {
        let mut families: HashMap<&MessageId, Family> = HashMap::new();
        let mut shared = HashSet::new();
        for (id, family) in events.iter().filter_map(family) {
            if *families.entry(id).or_insert(family) != family {
                shared.insert(id.clone());
            }
        }
        Self(shared)
    }

    pub(super) fn contains(&self, id: &str) -> bool {
        !self.0.is_empty() && self.0.contains(id)
    }
}

fn family(event: &Event) -> Option<(&MessageId, Family)> {
    match event {
        Event::TextMessageStart(event) => Some((&event.message_id, Family::Text)),
        Event::TextMessageContent(event) => Some((&event.message_id, Family::Text)),
        Event::TextMessageEnd(event) => Some((&event.message_id, Family::Text)),
        Event::ReasoningMessageStart(event) => Some((&event.message_id, Family::Reasoning)),
        Event::ReasoningMessageContent(event) => Some((&event.message_id, Family::Reasoning)),
        Event::ReasoningMessageEnd(event) => Some((&event.message_id, Family::Reasoning)),
        Event::ActivitySnapshot(event) => Some((&event.message_id, Family::Activity)),
        Event::ActivityDelta(event) => Some((&event.message_id, Family::Activity)),
        Event::ToolCallResult(event) => Some((&event.message_id, Family::Answer)),
        _ => None,
    }
}
