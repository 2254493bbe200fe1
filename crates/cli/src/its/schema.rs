//! `forestage its schema`: the components as JSON Schemas.

use clap::Args;
use forestage_its::COMPONENTS;

use super::known;
use crate::{
    exit::{Answer, Verdict},
    output,
};

/// Print the schema of a component's arguments or answers, or of all components
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage its schema --list
  forestage its schema quick_quiz
  forestage its schema quick_quiz --answer
  forestage its schema > its.json")]
pub(crate) struct Schema {
    /// The component; all of them where this is not given
    name: Option<String>,
    /// The schema of its answers
    #[arg(long, requires = "name")]
    answer: bool,
    /// List the names of the components
    #[arg(long, conflicts_with = "name")]
    list: bool,
    /// Print on one line, for programs
    #[arg(long)]
    json: bool,
}

impl Schema {
    /// Runs the command.
    pub(crate) fn run(&self) -> Answer {
        match &self.name {
            Some(name) => {
                let entry = known(name)?;
                self.print(if self.answer { entry.answer() } else { entry.arguments() })?;
            }
            None if self.list => self.print_names()?,
            None => self.print(&forestage_its::document())?,
        }
        Ok(Verdict::Yes)
    }

    fn print(&self, document: &serde_json::Value) -> anyhow::Result<()> {
        if self.json { output::print_json(document) } else { output::print_pretty(document) }
    }

    fn print_names(&self) -> anyhow::Result<()> {
        let names: Vec<_> = COMPONENTS.iter().map(|entry| entry.name).collect();
        if self.json { output::print_json(&names) } else { output::print_lines(&names) }
    }
}
