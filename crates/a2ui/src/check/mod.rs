//! Is this payload one that a client can draw? What is wrong is told all at once, each with its place and a sentence that a
//! model can act on.
//!
//! A check is one pass over the text and one over what refers to what, with hardly anything copied.

mod binding;
mod call;
mod component;
mod drawn;
mod graph;
mod hash;
mod hint;
mod members;
mod message;
mod notes;
mod payload;
mod value;

use forestage_protocol::{Fault, Warning};
use serde::Serialize;

use crate::{
    Version,
    catalog::Catalogs,
    surface::{Data0_8, Surfaces},
};

/// So many bytes a payload may have.
pub const MAX_BYTES: usize = 16 << 20;

/// So many components a surface may have.
pub const MAX_COMPONENTS: usize = 50_000;

/// So deep components may lie in each other.
pub const MAX_DEPTH: usize = 50;

/// So deep functions may be called within each other.
pub const MAX_CALLS: usize = 5;

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// How the payload is written, where that can be told.
    pub version: Option<Version>,
    /// How many messages it has.
    pub messages: usize,
    /// How many components are in them.
    pub components: usize,
    /// Why it cannot be drawn as it is.
    pub faults: Vec<Fault>,
    /// What is repaired, or looks like a mistake.
    pub warnings: Vec<Warning>,
}

impl Report {
    /// Whether it can be drawn.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.faults.is_empty()
    }
}

/// Checks payloads.
#[derive(Clone, Copy, Debug)]
pub struct Checker<'c> {
    catalogs: &'c Catalogs,
    surfaces: Option<&'c Surfaces>,
    data_0_8: Data0_8,
}

impl<'c> Checker<'c> {
    /// A checker for clients with these catalogs. It takes surfaces that a payload only updates for complete.
    #[must_use]
    pub fn new(catalogs: &'c Catalogs) -> Self {
        Self { catalogs, surfaces: None, data_0_8: Data0_8::default() }
    }

    /// A checker that knows what is on the screen already, and takes data of 0.8 as it was taken there.
    #[must_use]
    pub fn with_surfaces(self, surfaces: &'c Surfaces) -> Self {
        Self { surfaces: Some(surfaces), data_0_8: surfaces.data_0_8(), ..self }
    }

    /// A checker with another rule for data of 0.8.
    #[must_use]
    pub fn with_data_0_8(self, data_0_8: Data0_8) -> Self {
        Self { data_0_8, ..self }
    }

    /// Checks a payload: one message, a list of messages, an object around such a list, or any of these as a JSON string.
    #[must_use]
    pub fn check(&self, text: &str) -> Report {
        payload::check(self, text)
    }
}
