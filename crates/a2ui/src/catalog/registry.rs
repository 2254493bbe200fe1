//! The catalogs that a client has.

use std::sync::{Arc, LazyLock};

use super::{Catalog, same_catalog};
use crate::Version;

static BASIC: LazyLock<[Arc<Catalog>; 4]> = LazyLock::new(|| {
    [Catalog::basic_0_9(), Catalog::basic_0_8(), Catalog::minimal_0_9(), Catalog::basic_1_0()].map(Arc::new)
});

/// Catalogs, the preferred one first.
#[derive(Clone, Debug)]
pub struct Catalogs(Vec<Arc<Catalog>>);

impl Default for Catalogs {
    fn default() -> Self {
        Self::basic()
    }
}

impl Catalogs {
    /// The basic catalogs of all versions, and the minimal one.
    #[must_use]
    pub fn basic() -> Self {
        Self(BASIC.to_vec())
    }

    /// No catalog at all.
    #[must_use]
    pub fn none() -> Self {
        Self(Vec::new())
    }

    /// Puts a catalog before the others. One with the same name goes.
    #[must_use]
    pub fn with(mut self, catalog: Catalog) -> Self {
        self.0.retain(|other| other.id != catalog.id);
        self.0.insert(0, Arc::new(catalog));
        self
    }

    /// A catalog by any of its names.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&Arc<Catalog>> {
        let exact = self.0.iter().find(|catalog| catalog.id == id);
        exact.or_else(|| self.0.iter().find(|catalog| same_catalog(&catalog.id, id)))
    }

    /// The catalog of a version where none is named.
    #[must_use]
    pub fn preferred(&self, version: Version) -> Option<&Arc<Catalog>> {
        let is_08 = |version| version == Version::V0_8;
        self.0.iter().find(|catalog| is_08(catalog.version) == is_08(version))
    }

    /// Their names.
    #[must_use]
    pub fn ids(&self) -> Vec<&str> {
        self.0.iter().map(|catalog| catalog.id.as_str()).collect()
    }
}
