//! The scripts that come along: the examples, as agents.

use std::collections::BTreeSet;

use super::{error::LoadError, folder::load_texts};
use crate::Agents;

macro_rules! examples {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../examples/agents/", $name)))),*]
    };
}

const EXAMPLES: &[(&str, &str)] = examples![
    "agora.yaml",
    "approval.yaml",
    "client-tool.yaml",
    "coach.yaml",
    "desk.yaml",
    "error.yaml",
    "form.yaml",
    "hello.yaml",
    "long.yaml",
    "refunds.yaml",
    "regulation.yaml",
    "surfaces.yaml",
    "tour.yaml",
    "tutor.yaml",
];

/// The agents of `examples/agents`, for demonstrations without any file.
#[must_use]
pub fn builtin() -> Agents {
    let texts = EXAMPLES.iter().map(|(name, text)| ((*name).to_owned(), Ok((*text).to_owned())));
    let loaded = load_texts(texts.collect(), None, &BTreeSet::new());
    loaded.unwrap_or_else(|errors| unreachable!("the examples are tested: {}", LoadError::Scripts(errors)))
}
