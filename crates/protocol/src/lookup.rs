//! A map for streams: consecutive events mostly speak of the same thing, so the last answer is tried first.

use std::{
    cell::Cell,
    collections::HashMap,
    hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState},
    ops::Deref,
};

/// Entries in order of arrival, found by key; the entry found last is found again without hashing.
///
/// The index knows hashes only, so that it grows and goes without a look at the keys, which are all over the memory.
#[derive(Clone, Debug)]
pub(crate) struct Lookup<K, V> {
    entries: Vec<Entry<K, V>>,
    index: HashMap<u64, usize, BuildHasherDefault<Ready>>,
    hasher: RandomState,
    last: Cell<usize>,
}

#[derive(Clone, Debug)]
struct Entry<K, V> {
    key: K,
    value: V,
    /// An older entry with the same hash, as good as never.
    older: Option<usize>,
}

/// Takes a hash for what it is.
#[derive(Clone, Debug, Default)]
struct Ready(u64);

impl Hasher for Ready {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("the keys of the index are hashes, which are whole numbers");
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

impl<K, V> Default for Lookup<K, V> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            index: HashMap::default(),
            hasher: RandomState::new(),
            last: Cell::new(0),
        }
    }
}

impl<K: Clone + Deref<Target = str>, V> Lookup<K, V> {
    fn position(&self, key: &str) -> Option<usize> {
        if self.is_last(key) {
            return Some(self.last.get());
        }
        self.position_of(self.hasher.hash_one(key), key)
    }

    fn is_last(&self, key: &str) -> bool {
        self.entries.get(self.last.get()).is_some_and(|entry| *entry.key == *key)
    }

    fn position_of(&self, hash: u64, key: &str) -> Option<usize> {
        let mut found = self.index.get(&hash).copied()?;
        while *self.entries[found].key != *key {
            found = self.entries[found].older?;
        }
        self.last.set(found);
        Some(found)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&V> {
        self.position(key).map(|at| &self.entries[at].value)
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        self.position(key).map(|at| &mut self.entries[at].value)
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
        if self.is_last(key) {
            update(&mut self.entries[self.last.get()].value, value);
            return false;
        }
        let hash = self.hasher.hash_one(&**key);
        match self.position_of(hash, key) {
            Some(at) => update(&mut self.entries[at].value, value),
            None => {
                self.add(hash, key, value);
                return true;
            }
        }
        false
    }

    fn add(&mut self, hash: u64, key: &K, value: V) {
        let at = self.entries.len();
        let older = self.index.insert(hash, at);
        self.entries.push(Entry { key: key.clone(), value, older });
        self.last.set(at);
    }

    /// The entries in order of arrival.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.entries.iter().map(|entry| (&entry.key, &entry.value))
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.index.clear();
        self.last.set(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::MessageId;

    #[test]
    fn keys_with_one_hash_stay_apart() {
        let mut lookup = Lookup::default();
        for (value, key) in ["a", "b", "c"].into_iter().enumerate() {
            lookup.add(7, &MessageId::from(key), value);
        }
        for (at, key) in ["a", "b", "c"].into_iter().enumerate() {
            assert_eq!(lookup.position_of(7, key), Some(at));
        }
        assert_eq!(lookup.position_of(7, "d"), None);
        assert_eq!(lookup.position_of(8, "a"), None);
    }

    #[test]
    fn entries_keep_their_place_and_are_found_again() {
        let mut lookup = Lookup::default();
        let ids: Vec<MessageId> = (0..100).map(|number| MessageId::from(number.to_string())).collect();
        for (value, id) in ids.iter().enumerate() {
            assert!(lookup.keep_or_insert(id, value));
        }
        for id in ids.iter().rev() {
            assert!(!lookup.update_or_insert(id, 1000, |held, new| *held += new));
        }
        let found: Vec<_> = lookup.iter().map(|(id, value)| (id.clone(), *value)).collect();
        let expected: Vec<_> = ids.into_iter().zip(1000..).collect();
        assert_eq!(found, expected);
        assert_eq!(lookup.get("99"), Some(&1099));
        assert_eq!(lookup.get("100"), None);
        lookup.clear();
        assert_eq!(lookup.get("99"), None);
    }
}
