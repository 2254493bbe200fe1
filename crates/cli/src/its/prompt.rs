//! `forestage its prompt`: what a model has to know to show components.

use std::io::Write;

use clap::Args;
use forestage_its::instructions;

use super::known;
use crate::{
    exit::{Answer, Verdict},
    output,
};

/// Print instructions for a model: all components, or some of them
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage its prompt >> system-prompt.md
  forestage its prompt quick_quiz skill_slider")]
pub(crate) struct Prompt {
    /// The components; all of them where none is given
    names: Vec<String>,
}

impl Prompt {
    /// Runs the command.
    pub(crate) fn run(&self) -> Answer {
        let entries: Vec<_> = match self.names.is_empty() {
            true => forestage_its::COMPONENTS.iter().collect(),
            false => self.names.iter().map(|name| known(name)).collect::<Result<_, _>>()?,
        };
        let mut out = output::plain();
        out.write_all(instructions(&entries).as_bytes())?;
        out.flush()?;
        Ok(Verdict::Yes)
    }
}
