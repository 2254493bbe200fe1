//! `forestage stream`: what can be done with a stream of events.

mod profile;
mod walk;

mod verify;
mod expand;
mod fold;
mod compact;
mod convert;

use clap::Subcommand;

pub(crate) use self::walk::{Item, Stop, Walker, read, walk};
use crate::exit::Answer;

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Verify(verify::Verify),
    Expand(expand::Expand),
    Fold(fold::Fold),
    Compact(compact::Compact),
    Convert(convert::Convert),
}

/// Runs one of them.
pub(crate) fn run(command: &Command) -> Answer {
    match command {
        Command::Verify(verify) => verify.run(),
        Command::Expand(expand) => expand.run(),
        Command::Fold(fold) => fold.run(),
        Command::Compact(compact) => compact.run(),
        Command::Convert(convert) => convert.run(),
    }
}
