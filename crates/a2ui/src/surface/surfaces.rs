//! All surfaces of a conversation.

use super::Surface;
use crate::Version;

/// Surfaces, in the order in which they came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surfaces {
    all: Vec<Surface>,
    data_0_8: Data0_8,
}

/// What a `dataModelUpdate` of 0.8 does with data that it does not name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Data0_8 {
    /// Keeps it, unless the message names the root: agents send only what has changed.
    #[default]
    Merge,
    /// Drops it, as the specification of 0.8 says: what stands at the path is replaced, and without a path everything.
    Replace,
}

impl Surfaces {
    /// No surface.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// These surfaces, with another rule for data of 0.8.
    #[must_use]
    pub fn with_data_0_8(self, data_0_8: Data0_8) -> Self {
        Self { data_0_8, ..self }
    }

    /// What becomes of data of 0.8 that a message does not name.
    #[must_use]
    pub fn data_0_8(&self) -> Data0_8 {
        self.data_0_8
    }

    /// A surface by its name.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Surface> {
        self.all.iter().find(|surface| surface.id == id)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Surface> {
        self.all.iter()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Puts a surface in the place of the one with its name, or behind all others.
    pub fn put(&mut self, surface: Surface) {
        match self.get_mut(&surface.id) {
            Some(place) => *place = surface,
            None => self.all.push(surface),
        }
    }

    /// Takes a surface away.
    pub fn remove(&mut self, id: &str) -> Option<Surface> {
        let place = self.all.iter().position(|surface| surface.id == id)?;
        Some(self.all.remove(place))
    }

    /// A surface that may be changed.
    pub fn get_mut(&mut self, id: &str) -> Option<&mut Surface> {
        self.all.iter_mut().find(|surface| surface.id == id)
    }

    /// A surface of 0.8, which begins when something is first said about it.
    pub(super) fn start(&mut self, id: &str) -> &mut Surface {
        let place = self.all.iter().position(|surface| surface.id == id).unwrap_or_else(|| {
            self.all.push(Surface::new(id, Version::V0_8));
            self.all.len() - 1
        });
        &mut self.all[place]
    }
}
