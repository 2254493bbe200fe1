//! The names of contracts on the command line.

use clap::{
    ValueEnum,
    builder::{PossibleValue, PossibleValuesParser},
};
use forestage_server::dialect::PROFILES;

use crate::input::FormatName;

/// The name of AG-UI 1.0 itself.
pub(super) const AGUI: &str = "agui";

/// The contracts that a stream can be judged by.
pub(super) fn profiles() -> PossibleValuesParser {
    let own = PossibleValue::new(AGUI).help("AG-UI 1.0");
    PossibleValuesParser::new(std::iter::once(own).chain(contracts()))
}

/// What a stream can be converted to: the formats, and the contracts.
pub(super) fn targets() -> PossibleValuesParser {
    let formats = FormatName::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    PossibleValuesParser::new(formats.chain(contracts()))
}

fn contracts() -> impl Iterator<Item = PossibleValue> {
    PROFILES.iter().map(|profile| PossibleValue::new(profile.name).help(profile.about))
}
