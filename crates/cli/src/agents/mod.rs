//! `forestage agents`: agent files, checked before anybody runs them.

mod check;
mod connect;
mod list;

use clap::Subcommand;

use crate::{
    exit::{Answer, Verdict},
    output,
};

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(check::Check),
    List(list::List),
    /// Print the JSON Schema of the front matter of agent files, for editors
    #[command(after_help = "Example:\n  forestage agents schema > agent.schema.json")]
    Schema,
}

/// Runs a command.
pub(crate) fn run(command: &Command) -> Answer {
    match command {
        Command::Check(check) => check.run(),
        Command::List(list) => list.run(),
        Command::Schema => {
            output::print_pretty(&forestage_llm::agent_file::schema())?;
            Ok(Verdict::Yes)
        }
    }
}
