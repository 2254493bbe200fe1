//! `forestage stream`: what can be done with a stream of events.

mod convert;
mod fold;
mod walk;

use clap::Subcommand;

use crate::exit::Answer;

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Fold(fold::Fold),
    Convert(convert::Convert),
}

/// Runs one of them.
pub(crate) fn run(command: &Command) -> Answer {
    match command {
        Command::Fold(fold) => fold.run(),
        Command::Convert(convert) => convert.run(),
    }
}
