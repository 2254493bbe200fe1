//! Things that are opened, continued and closed: text messages, tool calls, reasoning.

use std::{borrow::Borrow, hash::Hash, ops::Deref};

use super::{
    Rule, Violation,
    owner::{self, Owner},
};
use crate::{id::SubagentRunId, lookup::Lookup};

/// What one kind of item is called, and which rules it has.
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) opened_by: &'static str,
    pub(super) already_open: Rule,
    pub(super) not_open: Rule,
}

/// The items of one kind in the present run. An owner stays on record after the close, because sealed values
/// may still arrive and a closed item may be opened again.
#[derive(Clone, Debug)]
pub(super) struct Items<K> {
    entries: Lookup<K, Item>,
    open: usize,
}

#[derive(Clone, Debug)]
struct Item {
    open: bool,
    owner: Owner,
}

impl<K> Default for Items<K> {
    fn default() -> Self {
        Self { entries: Lookup::default(), open: 0 }
    }
}

impl<K: Clone + Eq + Hash + Borrow<str> + Deref<Target = str>> Items<K> {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.open = 0;
    }

    pub(super) fn owner(&self, id: &str) -> Option<&Owner> {
        self.entries.get(id).map(|item| &item.owner)
    }

    /// Puts an owner on record for an id that somebody else wrote into the conversation.
    pub(super) fn set_owner(&mut self, id: &K, owner: Owner) {
        self.entries.update_or_insert(id, Item { open: false, owner }, |item, new| item.owner = new.owner);
    }

    /// The same, where nobody is on record yet.
    pub(super) fn seed_owner(&mut self, id: &K, owner: Owner) {
        self.entries.keep_or_insert(id, Item { open: false, owner });
    }

    /// The owner on record of an item that is to be opened; fails if it is open.
    pub(super) fn refuse_open(
        &self,
        kind: &Kind,
        event: &str,
        id: &str,
    ) -> Result<Option<&Owner>, Violation> {
        match self.entries.get(id) {
            Some(item) if item.open => {
                let message = format!("{event}: {} `{id}` is already open", kind.name);
                Err(Violation::new(kind.already_open, message))
            }
            item => Ok(item.map(|item| &item.owner)),
        }
    }

    /// Opens an item. The first opener's tag stays on record when the id is opened again.
    pub(super) fn open(&mut self, id: &K, owner: Owner) {
        self.open += 1;
        self.entries.update_or_insert(id, Item { open: true, owner }, |item, _| item.open = true);
    }

    /// Continues or, with `close`, closes an item.
    pub(super) fn go_on(
        &mut self,
        kind: &Kind,
        event: &str,
        id: &str,
        tag: Option<&SubagentRunId>,
        close: bool,
    ) -> Result<(), Violation> {
        let Some(item) = self.entries.get_mut(id).filter(|item| item.open) else {
            let message = format!("{event}: no {} `{id}` is open; {} comes first", kind.name, kind.opened_by);
            return Err(Violation::new(kind.not_open, message));
        };
        owner::check(event, tag, Some(&item.owner), kind.name, id)?;
        if close {
            item.open = false;
            self.open -= 1;
        }
        Ok(())
    }

    /// Fails if anything is open, naming it.
    pub(super) fn all_closed(&self, kind: &Kind) -> Result<(), Violation> {
        if self.open == 0 {
            return Ok(());
        }
        let open = self.entries.iter().filter(|(_, item)| item.open).map(|(id, _)| &**id);
        Err(still_open(kind.name, open))
    }
}

pub(super) fn still_open<'a>(kind: &str, ids: impl Iterator<Item = &'a str>) -> Violation {
    let ids = ids.map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
    Violation::new(Rule::OpenAtFinish, format!("RUN_FINISHED while a {kind} is still open: {ids}"))
}
