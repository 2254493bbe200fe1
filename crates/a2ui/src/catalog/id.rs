//! The names of the catalogs that everybody knows.
//!
//! The same basic catalog goes by several names, and clients look for exactly the one that they registered. So we take
//! all of them, and answer with what the client registered.

/// What 0.8 means where no catalog is named.
pub const BASIC_0_8: &str = "https://a2ui.org/specification/v0_8/standard_catalog_definition.json";

/// The basic catalog of 0.9, as the specification, Lit, React and Python name it.
pub const BASIC_0_9: &str = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json";

/// The same, as CopilotKit and the AG-UI middleware name it.
pub const BASIC_0_9_COPILOTKIT: &str = "https://a2ui.org/specification/v0_9/basic_catalog.json";

/// The minimal catalog of 0.9.
pub const MINIMAL_0_9: &str = "https://a2ui.org/specification/v0_9/catalogs/minimal/catalog.json";

/// The basic catalog of the candidate of 1.0.
pub const BASIC_1_0: &str = "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json";

const BASIC: [&str; 7] = [
    BASIC_0_9,
    BASIC_0_9_COPILOTKIT,
    "https://a2ui.org/specification/v0_9/standard_catalog.json",
    "https://a2ui.org/specification/v0_9_1/catalogs/basic/catalog.json",
    "https://a2ui.org/specification/v0_9_1/basic_catalog.json",
    BASIC_1_0,
    "https://a2ui.org/specification/v1_0/basic_catalog.json",
];

/// Whether this is a name of the basic catalog of 0.9 or later.
#[must_use]
pub fn is_basic(id: &str) -> bool {
    BASIC.contains(&id)
}

/// Whether two names mean the same catalog.
#[must_use]
pub fn same_catalog(one: &str, other: &str) -> bool {
    one == other || is_basic(one) && is_basic(other)
}
