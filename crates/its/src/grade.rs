//! Who was right.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How an answer compares with the key that came with the arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Grade {
    /// Whether all of it is right.
    pub correct: bool,
    /// How many parts are right.
    pub right: usize,
    /// How many parts there are.
    pub total: usize,
    /// The parts, where there can be several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<GradedPart>,
}

/// A part of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GradedPart {
    /// What it answers, such as a blank.
    pub id: String,
    /// Whether it is right.
    pub correct: bool,
}

impl Grade {
    /// The grade of an answer that is right or wrong as a whole.
    #[must_use]
    pub fn whole(correct: bool) -> Self {
        Self { correct, right: usize::from(correct), total: 1, parts: Vec::new() }
    }

    /// The grade of an answer in parts; nothing if there are none.
    #[must_use]
    pub fn of_parts(parts: Vec<GradedPart>) -> Option<Self> {
        let (right, total) = (parts.iter().filter(|part| part.correct).count(), parts.len());
        (total > 0).then_some(Self { correct: right == total, right, total, parts })
    }
}
