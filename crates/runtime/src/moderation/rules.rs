//! Moderation by rules.

use super::{Moderator, Refused};
use crate::script::value::Regex;

/// Rules about lengths and patterns, read from a file. Without any, everything passes.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    pub(super) input: Checks,
    pub(super) output: Checks,
}

/// The rules for one direction.
#[derive(Clone, Debug, Default)]
pub(super) struct Checks {
    pub(super) not_empty: bool,
    pub(super) max_length: Option<usize>,
    pub(super) patterns: Vec<Pattern>,
    pub(super) message: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) name: String,
    pub(super) regex: Regex,
    pub(super) message: Option<String>,
}

impl Moderator for Rules {
    fn check_input(&self, text: &str) -> Result<(), Refused> {
        self.input.check(text)
    }

    fn check_output(&self, text: &str) -> Result<(), Refused> {
        self.output.check(text)
    }
}

impl Checks {
    fn check(&self, text: &str) -> Result<(), Refused> {
        if self.not_empty && text.trim().is_empty() {
            return Err(self.refused("not_empty", "the message is empty".to_owned()));
        }
        // Bytes are counted first, because they cost nothing and there are never fewer of them.
        if let Some(most) = self.max_length.filter(|most| text.len() > *most && text.chars().count() > *most)
        {
            return Err(self.refused("max_length", format!("the message is longer than {most} characters")));
        }
        let Some(pattern) = self.patterns.iter().find(|pattern| pattern.regex.fits(text)) else {
            return Ok(());
        };
        let usual = || "the message breaks a rule of this service".to_owned();
        let message = pattern.message.clone().or_else(|| self.message.clone()).unwrap_or_else(usual);
        Err(Refused::new(&pattern.name, message))
    }

    fn refused(&self, rule: &str, usual: String) -> Refused {
        Refused::new(rule, self.message.clone().unwrap_or(usual))
    }
}
