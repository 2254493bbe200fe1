//! `forestage its`: the tutoring components, their schemas and examples, and values held against them.

mod check;
mod example;
mod prompt;
mod schema;

use anyhow::bail;
use clap::Subcommand;
use forestage_its::{COMPONENTS, Entry, find};

use crate::exit::Answer;

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(check::Check),
    Schema(schema::Schema),
    Example(example::ShowExample),
    Prompt(prompt::Prompt),
}

/// Runs a command.
pub(crate) fn run(command: &Command) -> Answer {
    match command {
        Command::Check(check) => check.run(),
        Command::Schema(schema) => schema.run(),
        Command::Example(example) => example.run(),
        Command::Prompt(prompt) => prompt.run(),
    }
}

/// A component of the table; a name that nobody knows makes the call wrong.
fn known(name: &str) -> anyhow::Result<&'static Entry> {
    match find(name) {
        Some(entry) => Ok(entry),
        None => {
            bail!("there is no component `{name}`{}; `forestage its schema --list` names all", meant(name))
        }
    }
}

/// What somebody may have meant.
fn meant(name: &str) -> String {
    let short = name.trim_start_matches("its:").trim_start_matches("render_");
    let likeness = |entry: &&Entry| strsim::damerau_levenshtein(short, entry.short);
    let nearest = COMPONENTS.iter().min_by_key(likeness).filter(|entry| likeness(entry) <= 3);
    nearest.map(|entry| format!(", did you mean `{}`?", entry.name)).unwrap_or_default()
}
