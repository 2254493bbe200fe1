//! Where we are in a value, without building a string until somebody asks.

use std::fmt;

/// A place in a JSON value.
pub(super) enum Place<'a> {
    Root,
    Member(&'a Place<'a>, &'a str),
    Item(&'a Place<'a>, usize),
}

impl<'a> Place<'a> {
    pub(super) const ROOT: Place<'static> = Place::Root;

    pub(super) fn member(&'a self, name: &'a str) -> Self {
        Place::Member(self, name)
    }

    pub(super) fn item(&'a self, index: usize) -> Self {
        Place::Item(self, index)
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Root => Ok(()),
            Place::Member(parent, name) => {
                write!(out, "{parent}/{}", name.replace('~', "~0").replace('/', "~1"))
            }
            Place::Item(parent, index) => write!(out, "{parent}/{index}"),
        }
    }
}
