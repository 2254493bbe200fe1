//! The clients that there are, and what is peculiar about them.

use crate::{
    Version,
    catalog::{BASIC_0_8, BASIC_0_9, BASIC_0_9_COPILOTKIT},
};

/// A kind of client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// `@a2ui/web_core` with its 0.8 entry, and what is built on it.
    WebCore0_8,
    /// `@a2ui/web_core` with its 0.9 entry.
    WebCore0_9,
    /// CopilotKit from 1.55 on.
    CopilotKit,
    /// `@a2ui/lit` with its 0.9 entry.
    Lit,
    /// The Python packages.
    Python,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::WebCore0_8, Self::WebCore0_9, Self::CopilotKit, Self::Lit, Self::Python];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::WebCore0_8 => "web_core_0_8",
            Self::WebCore0_9 => "web_core_0_9",
            Self::CopilotKit => "copilotkit",
            Self::Lit => "lit",
            Self::Python => "python",
        }
    }

    /// A profile by its name; `web_core` is the one of 0.9.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        if name == "web_core" {
            return Some(Self::WebCore0_9);
        }
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// What it is told in. Python speaks both, and 0.9 better.
    #[must_use]
    pub fn version(self) -> Version {
        if self == Self::WebCore0_8 { Version::V0_8 } else { Version::V0_9 }
    }

    /// Whether it understands a version at all.
    #[must_use]
    pub fn speaks(self, version: Version) -> bool {
        self == Self::Python && version != Version::V1_0 || self.version() == version
    }

    /// Under which name it has registered the basic catalog.
    #[must_use]
    pub fn basic_catalog(self) -> &'static str {
        match self {
            Self::WebCore0_8 => BASIC_0_8,
            Self::CopilotKit => BASIC_0_9_COPILOTKIT,
            Self::WebCore0_9 | Self::Lit | Self::Python => BASIC_0_9,
        }
    }
}
