//! The versions of A2UI.

use serde::Serialize;

/// A version of A2UI, as far as the way of writing differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Version {
    /// 0.8, which says no version.
    #[serde(rename = "v0.8")]
    V0_8,
    /// 0.9 and 0.9.1.
    #[serde(rename = "v0.9")]
    V0_9,
    /// The candidate of 1.0. It is read and never written.
    #[serde(rename = "v1.0")]
    V1_0,
}

impl Version {
    /// Reads what a message says.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        match text {
            "v0.8" => Some(Self::V0_8),
            "v0.9" | "v0.9.1" => Some(Self::V0_9),
            "v1.0" => Some(Self::V1_0),
            _ => None,
        }
    }

    /// What a message says.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::V0_8 => "v0.8",
            Self::V0_9 => "v0.9",
            Self::V1_0 => "v1.0",
        }
    }
}
