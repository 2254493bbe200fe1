//! What was written, for search.

use super::{MemoryStore, Record};
use crate::{Found, Search, Utterance};

impl MemoryStore {
    pub(super) fn find(&self, search: &Search) -> Vec<Found> {
        if search.words.is_empty() {
            return Vec::new();
        }
        let threads = self.threads();
        let mut records: Vec<_> = threads.values().filter(|record| record.is_searched(search)).collect();
        records.sort_by_key(|record| std::cmp::Reverse(record.thread.updated_at));
        let found = records.into_iter().flat_map(|record| record.find(search));
        found.take(search.limit).collect()
    }
}

impl Record {
    pub(super) fn keep_utterances(&mut self, utterances: &[Utterance]) {
        for new in utterances {
            match self.utterances.iter_mut().find(|known| known.message_id == new.message_id) {
                Some(known) => known.text.clone_from(&new.text),
                None => self.utterances.push(new.clone()),
            }
        }
    }

    /// What the person wrote first.
    pub(super) fn opening(&self) -> Option<String> {
        self.utterances.iter().find(|one| one.by_person).map(|one| one.text.chars().take(200).collect())
    }

    fn is_searched(&self, search: &Search) -> bool {
        self.thread.owner == search.owner && (search.archived || !self.thread.archived)
    }

    fn find<'r>(&'r self, search: &'r Search) -> impl Iterator<Item = Found> + 'r {
        let fits = |utterance: &&Utterance| {
            let folded = utterance.folded();
            search.words.iter().all(|word| folded.contains(word.as_str()))
        };
        let found = self.utterances.iter().rev().filter(fits);
        found.map(|one| Found { thread_id: self.thread.id.clone(), utterance: one.clone() })
    }
}
