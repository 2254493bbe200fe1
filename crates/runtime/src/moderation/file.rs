//! The format: what a file says about texts.
//!
//! The documentation of these types is what editors show, by way of the schema.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    Rules,
    rules::{Checks, Pattern},
};
use crate::script::{
    error::Place,
    value::compile,
    yaml::{List, Placed},
};

/// What may be said.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Moderation")]
pub(crate) struct ModerationFile {
    /// What a person says.
    #[serde(default)]
    input: ChecksFile,
    /// What the agent says.
    #[serde(default)]
    output: ChecksFile,
}

/// Rules for texts of one direction.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "TextRules")]
struct ChecksFile {
    /// Whether there has to be more than white space.
    #[serde(default)]
    not_empty: bool,
    /// How many characters are allowed.
    #[serde(default)]
    #[schemars(with = "Option<std::num::NonZeroUsize>")]
    max_length: Option<Placed<u64>>,
    /// What must not be in the text.
    #[serde(default)]
    patterns: List<PatternFile>,
    /// The sentence for people, where a pattern has none of its own.
    #[serde(default)]
    message: Option<String>,
}

/// What must not be in a text.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ForbiddenText")]
struct PatternFile {
    /// A regular expression that is searched in the text; case does not matter.
    #[schemars(extend("format" = "regex"))]
    pattern: Placed<String>,
    /// What the rule is called, for the record; the expression itself where absent.
    #[serde(default)]
    name: Option<String>,
    /// The sentence for people.
    #[serde(default)]
    message: Option<String>,
    /// Whether case matters after all.
    #[serde(default)]
    case_sensitive: bool,
}

impl ModerationFile {
    /// Makes rules of what was read.
    pub(crate) fn build(&self, faults: &mut Vec<(Place, String)>) -> Rules {
        Rules { input: self.input.build(faults), output: self.output.build(faults) }
    }
}

impl ChecksFile {
    fn build(&self, faults: &mut Vec<(Place, String)>) -> Checks {
        if let Some(length) = self.max_length.as_ref().filter(|length| length.value == 0) {
            faults.push((length.place.clone(), "this would refuse every text".to_owned()));
        }
        let length = |length: &Placed<u64>| usize::try_from(length.value).unwrap_or(usize::MAX);
        Checks {
            not_empty: self.not_empty,
            max_length: self.max_length.as_ref().map(length),
            patterns: self.patterns.iter().filter_map(|pattern| pattern.build(faults)).collect(),
            message: self.message.clone(),
        }
    }
}

impl PatternFile {
    fn build(&self, faults: &mut Vec<(Place, String)>) -> Option<Pattern> {
        let Placed { place, value } = &self.pattern;
        let regex = compile(value, !self.case_sensitive).and_then(|regex| match regex.fits("") {
            true => Err("this is found in every text, so every text would be refused".to_owned()),
            false => Ok(regex),
        });
        match regex {
            Ok(regex) => {
                let name = self.name.clone().unwrap_or_else(|| value.clone());
                Some(Pattern { name, regex, message: self.message.clone() })
            }
            Err(message) => {
                faults.push((place.clone(), message));
                None
            }
        }
    }
}
