//! A JSON document read once into a flat list of nodes that borrow its text.
//!
//! Checking looks at every byte of what a model wrote and keeps none of it, so it needs no tree of owned values. A fault
//! names a node; its JSON Pointer is worked out only when somebody is told.

mod item;
mod lookup;
mod read;

pub(crate) use self::{item::Item, lookup::Lookup};

/// So deep values may lie in each other.
pub const MAX_NESTING: usize = 128;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Flag,
    Number,
    /// A text that stands for itself.
    Text,
    /// A text with escapes.
    Escaped,
    List,
    Object,
}

/// A value or a key. Members of an object are pairs of nodes, key first.
#[derive(Clone, Copy, Debug)]
struct Node {
    kind: Kind,
    /// Where it stands in the text; texts are without their quotes.
    start: u32,
    end: u32,
    /// The node behind this one and everything in it.
    next: u32,
}

/// A document that was read.
#[derive(Debug)]
pub(crate) struct Tape<'a> {
    text: &'a str,
    nodes: Vec<Node>,
}

/// Why a text is no JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    /// The byte at which it stops being JSON.
    pub(crate) at: usize,
    /// What was expected there.
    pub(crate) wanted: &'static str,
}

impl<'a> Tape<'a> {
    /// Reads a document.
    pub(crate) fn read(text: &'a str) -> Result<Self, Broken> {
        read::read(text).map(|nodes| Self { text, nodes })
    }

    /// The whole document.
    pub(crate) fn root(&self) -> Item<'_> {
        Item::new(self, 0)
    }
}
