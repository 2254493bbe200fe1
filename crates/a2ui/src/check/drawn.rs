//! A surface as a payload draws it.

use std::{borrow::Cow, ops::Range};

use super::hash::IdMap;
use crate::{Version, catalog::Catalog, tape::Item};

/// What a payload says about one surface.
pub(super) struct Drawn<'t, 'c> {
    pub(super) version: Version,
    pub(super) catalog: Option<&'c Catalog>,
    /// The message that creates it, or that begins to render it.
    pub(super) created: Option<Item<'t>>,
    /// What 0.8 names as its root.
    pub(super) root: Option<(Cow<'t, str>, Item<'t>)>,
    /// Which message of the payload is read.
    pub(super) message: usize,
    pub(super) parts: Vec<Part<'t>>,
    /// The latest part with an id.
    pub(super) ids: IdMap<Cow<'t, str>, u32>,
    pub(super) edges: Vec<Edge<'t>>,
    /// Paths from the root that something shows.
    pub(super) bindings: Vec<(Cow<'t, str>, Item<'t>)>,
    /// Paths that have a value.
    pub(super) writes: Vec<Write<'t>>,
    /// Paths below which only what came later has a value.
    pub(super) replaced: Vec<String>,
    /// Whether the payload says what is in the data model.
    pub(super) has_data: bool,
    /// A message of 0.8 that came too early or too late.
    pub(super) unordered: Option<Item<'t>>,
}

/// A component.
pub(super) struct Part<'t> {
    pub(super) id: Cow<'t, str>,
    pub(super) kind: Cow<'t, str>,
    pub(super) item: Item<'t>,
    pub(super) message: usize,
    /// What it refers to.
    pub(super) edges: Range<u32>,
}

/// A reference to a component.
pub(super) struct Edge<'t> {
    pub(super) child: Cow<'t, str>,
    pub(super) item: Item<'t>,
}

/// A path that has a value: this one, or one that nobody knows yet.
pub(super) struct Write<'t> {
    pub(super) path: Cow<'t, str>,
    pub(super) value: Option<Item<'t>>,
    /// Whether it is a person who writes there.
    pub(super) is_entered: bool,
}

impl<'t, 'c> Drawn<'t, 'c> {
    pub(super) fn new(version: Version, catalog: Option<&'c Catalog>) -> Self {
        Self {
            version,
            catalog,
            created: None,
            root: None,
            message: 0,
            parts: Vec::new(),
            ids: IdMap::default(),
            edges: Vec::new(),
            bindings: Vec::new(),
            writes: Vec::new(),
            replaced: Vec::new(),
            has_data: false,
            unordered: None,
        }
    }

    /// Everything at a path is replaced by what follows.
    pub(super) fn replace(&mut self, path: &str) {
        self.writes.retain(|write| write.is_entered || !lies_below(path, &write.path));
        self.replaced.push(path.to_owned());
    }

    /// Whether what was at a path before this payload is still there.
    pub(super) fn is_kept(&self, path: &str) -> bool {
        !self.replaced.iter().any(|replaced| lies_below(replaced, path))
    }

    /// The latest component with this id.
    pub(super) fn part(&self, id: &str) -> Option<&Part<'t>> {
        self.ids.get(id).map(|&index| &self.parts[index as usize])
    }

    pub(super) fn edges_of(&self, part: &Part<'t>) -> &[Edge<'t>] {
        &self.edges[part.edges.start as usize..part.edges.end as usize]
    }

    /// The id of the root, if it has been said.
    pub(super) fn root_id(&self) -> Option<&str> {
        match self.version {
            Version::V0_8 => self.root.as_ref().map(|(id, _)| id.as_ref()),
            _ => Some("root"),
        }
    }
}

/// Whether a path is another one, or leads into what stands there.
fn lies_below(outer: &str, path: &str) -> bool {
    let (outer, path) = (outer.trim_matches('/'), path.trim_start_matches('/'));
    outer.is_empty() || path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
