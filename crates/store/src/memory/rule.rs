//! Rules.

use std::collections::HashMap;

use forestage_protocol::id::ThreadId;

use super::{Books, MemoryStore, Record};
use crate::Rule;

impl MemoryStore {
    pub(super) fn rules_of(&self, owner: &str) -> Vec<Rule> {
        let books = self.books();
        let mut found: Vec<_> = books.rules.iter().filter(|rule| rule.owner == owner).cloned().collect();
        found.sort_by(|left, right| (left.at, &left.id).cmp(&(right.at, &right.id)));
        found
    }
}

impl Books {
    /// Keeps a rule, unless its thread does not exist.
    pub(super) fn allow(&mut self, threads: &HashMap<ThreadId, Record>, rule: Rule) -> bool {
        let known = rule.thread_id.as_ref().is_none_or(|id| threads.contains_key(id));
        if known {
            self.forbid(&rule.owner, &rule.id);
            self.rules.push(rule);
        }
        known
    }

    pub(super) fn forbid(&mut self, owner: &str, id: &str) -> bool {
        let before = self.rules.len();
        self.rules.retain(|rule| rule.owner != owner || rule.id != id);
        self.rules.len() < before
    }

    /// Removes the rules that hold on one thread only.
    pub(super) fn forget_thread(&mut self, id: &ThreadId) {
        self.rules.retain(|rule| rule.thread_id.as_ref() != Some(id));
    }
}
