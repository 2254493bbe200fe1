//! Messages in order, with stable places.
//!
//! Tool results are inserted in the middle and snapshots remove from the middle. A list of links over slots
//! makes both cost the same whatever the length of the history, and keeps the index by id valid.

use crate::{id::MessageId, lookup::Lookup, message::Message};

/// The place of a message in a view. It stays the same while other messages come and go, until a snapshot
/// restates the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot(usize);

#[derive(Clone, Debug)]
struct Node {
    message: Message,
    next: Option<Slot>,
}

/// The messages of a conversation.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    nodes: Vec<Node>,
    first: Option<Slot>,
    last: Option<Slot>,
    by_id: Lookup<MessageId, Slot>,
}

impl Order {
    pub(super) fn find(&self, id: &str) -> Option<Slot> {
        self.by_id.get(id).copied()
    }

    pub(super) fn get(&self, slot: Slot) -> &Message {
        &self.nodes[slot.0].message
    }

    pub(super) fn try_get(&self, slot: Slot) -> Option<&Message> {
        self.nodes.get(slot.0).map(|node| &node.message)
    }

    pub(super) fn get_mut(&mut self, slot: Slot) -> &mut Message {
        &mut self.nodes[slot.0].message
    }

    pub(super) fn next(&self, slot: Slot) -> Option<Slot> {
        self.nodes[slot.0].next
    }

    pub(super) fn push(&mut self, message: Message) -> Slot {
        match self.last {
            Some(last) => self.insert_after(last, message),
            None => {
                let (slot, _) = self.add(message, None);
                (self.first, self.last) = (Some(slot), Some(slot));
                slot
            }
        }
    }

    pub(super) fn insert_after(&mut self, before: Slot, message: Message) -> Slot {
        let (slot, is_new) = self.add(message, self.nodes[before.0].next);
        self.nodes[before.0].next = Some(slot);
        if self.last == Some(before) {
            self.last = Some(slot);
        }
        if !is_new {
            self.prefer_first(slot);
        }
        slot
    }

    /// Of two messages with one id, the first in order is the one found by it, as it would be if the list were
    /// read anew.
    fn prefer_first(&mut self, slot: Slot) {
        let id = self.get(slot).id().clone();
        let Some(held) = self.find(&id).filter(|held| *held != slot) else { return };
        let mut later = std::iter::successors(Some(slot), |slot| self.nodes[slot.0].next);
        if later.any(|slot| slot == held) {
            self.by_id.insert(&id, slot);
        }
    }

    /// Adds a message, and says whether its id is new.
    fn add(&mut self, message: Message, next: Option<Slot>) -> (Slot, bool) {
        let slot = Slot(self.nodes.len());
        let is_new = self.by_id.keep_or_insert(message.id(), slot);
        self.nodes.push(Node { message, next });
        (slot, is_new)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Message> {
        self.slots().map(|slot| self.get(slot))
    }

    pub(super) fn slots(&self) -> impl Iterator<Item = Slot> {
        std::iter::successors(self.first, |slot| self.nodes[slot.0].next)
    }

    /// All messages, and nothing left.
    pub(super) fn drain(&mut self) -> Vec<Message> {
        let slots: Vec<Slot> = self.slots().collect();
        let mut nodes: Vec<Option<Node>> = std::mem::take(self).nodes.into_iter().map(Some).collect();
        slots.into_iter().filter_map(|slot| nodes[slot.0].take()).map(|node| node.message).collect()
    }
}

impl FromIterator<Message> for Order {
    fn from_iter<I: IntoIterator<Item = Message>>(messages: I) -> Self {
        let mut order = Self::default();
        for message in messages {
            order.push(message);
        }
        order
    }
}
