//! A map for streams: consecutive events mostly speak of the same thing, so the last answer is tried first.

use std::{borrow::Borrow, cell::Cell, collections::HashMap, hash::Hash, ops::Deref};

/// Entries in order of arrival, found by key; the entry found last is found again without hashing.
#[derive(Clone, Debug)]
pub(crate) struct Lookup<K, V> {
    entries: Vec<(K, V)>,
    index: HashMap<K, usize>,
    last: Cell<usize>,
}

impl<K, V> Default for Lookup<K, V> {
    fn default() -> Self {
        Self { entries: Vec::new(), index: HashMap::new(), last: Cell::new(0) }
    }
}

impl<K: Clone + Eq + Hash + Borrow<str> + Deref<Target = str>, V> Lookup<K, V> {
    fn position(&self, key: &str) -> Option<usize> {
        let last = self.last.get();
        if self.entries.get(last).is_some_and(|(found, _)| **found == *key) {
            return Some(last);
        }
        let found = self.index.get(key).copied()?;
        self.last.set(found);
        Some(found)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&V> {
        self.position(key).map(|at| &self.entries[at].1)
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        self.position(key).map(|at| &mut self.entries[at].1)
    }

    /// Sets an entry, keeping the place of one that exists.
    pub(crate) fn insert(&mut self, key: &K, value: V) {
        self.update_or_insert(key, value, |held, value| *held = value);
    }

    /// Adds an entry where there is none, and says whether it did.
    pub(crate) fn keep_or_insert(&mut self, key: &K, value: V) -> bool {
        self.update_or_insert(key, value, |_, _| {})
    }

    /// Adds an entry and says so, or changes the one that exists. The key is hashed once at most.
    pub(crate) fn update_or_insert(&mut self, key: &K, value: V, update: impl FnOnce(&mut V, V)) -> bool {
        let added = self.entries.len();
        let at = match self.entries.get(self.last.get()) {
            Some((last, _)) if **last == **key => self.last.get(),
            _ => *self.index.entry(key.clone()).or_insert(added),
        };
        self.last.set(at);
        match self.entries.get_mut(at) {
            Some((_, held)) => update(held, value),
            None => self.entries.push((key.clone(), value)),
        }
        at == added
    }

    /// The entries in order of arrival.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.index.clear();
        self.last.set(0);
    }
}
