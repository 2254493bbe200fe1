//! Finding many paths in one document.

use std::{borrow::Cow, collections::HashMap};

use super::{Item, Kind};

/// So many members are looked through without remembering where they are.
const FEW: usize = 8;

/// Remembers where the members of large objects and lists are, so that finding each of them takes the same time.
#[derive(Debug, Default)]
pub(crate) struct Lookup<'t> {
    objects: HashMap<u32, HashMap<Cow<'t, str>, Item<'t>>>,
    lists: HashMap<u32, Vec<Item<'t>>>,
}

impl<'t> Lookup<'t> {
    /// What a step of a path leads to.
    pub(crate) fn step(&mut self, item: Item<'t>, segment: &str) -> Option<Item<'t>> {
        if item.is_small(FEW) {
            return item.step(segment);
        }
        match item.kind() {
            Kind::Object => {
                let members =
                    || item.members().filter_map(|(key, value)| Some((key.text()?, value))).collect();
                self.objects.entry(item.at).or_insert_with(members).get(segment).copied()
            }
            Kind::List => {
                let items = self.lists.entry(item.at).or_insert_with(|| item.items().collect());
                items.get(segment.parse::<usize>().ok()?).copied()
            }
            _ => None,
        }
    }
}
