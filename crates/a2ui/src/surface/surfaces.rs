//! All surfaces of a conversation.

use super::Surface;
use crate::Version;

/// Surfaces, in the order in which they came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surfaces(Vec<Surface>);

impl Surfaces {
    /// No surface.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A surface by its name.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Surface> {
        self.0.iter().find(|surface| surface.id == id)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Surface> {
        self.0.iter()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts a surface in the place of the one with its name, or behind all others.
    pub fn put(&mut self, surface: Surface) {
        match self.get_mut(&surface.id) {
            Some(place) => *place = surface,
            None => self.0.push(surface),
        }
    }

    /// Takes a surface away.
    pub fn remove(&mut self, id: &str) -> Option<Surface> {
        let place = self.0.iter().position(|surface| surface.id == id)?;
        Some(self.0.remove(place))
    }

    /// A surface that may be changed.
    pub fn get_mut(&mut self, id: &str) -> Option<&mut Surface> {
        self.0.iter_mut().find(|surface| surface.id == id)
    }

    /// A surface of 0.8, which begins when something is first said about it.
    pub(super) fn start(&mut self, id: &str) -> &mut Surface {
        let place = self.0.iter().position(|surface| surface.id == id).unwrap_or_else(|| {
            self.0.push(Surface::new(id, Version::V0_8));
            self.0.len() - 1
        });
        &mut self.0[place]
    }
}
