//! `forestage a2ui`: user interfaces that agents draw, checked, folded, and written for other clients.

mod batch;
mod check;
mod extract;
mod fold;
mod lower;
mod prompt;

use clap::{Subcommand, ValueEnum};
use forestage_a2ui::{Fault, bridge::Profile, surface::Data0_8};
use serde_json::Value;

use crate::{check::text, exit::Answer, input::Source, output};

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(check::Check),
    Fold(fold::Fold),
    Lower(lower::Lower),
    Extract(extract::Extract),
    Prompt(prompt::Prompt),
}

/// Runs a command.
pub(crate) fn run(command: &Command) -> Answer {
    match command {
        Command::Check(check) => check.run(),
        Command::Fold(fold) => fold.run(),
        Command::Lower(lower) => lower.run(),
        Command::Extract(extract) => extract.run(),
        Command::Prompt(prompt) => prompt.run(),
    }
}

/// The clients whose peculiarities are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Client {
    /// @a2ui/web_core, its 0.9 entry
    #[value(name = "web_core", alias = "web_core_0_9")]
    WebCore,
    /// @a2ui/web_core, its 0.8 entry
    #[value(name = "web_core_0_8")]
    WebCore0_8,
    /// CopilotKit from 1.55 on
    #[value(name = "copilotkit")]
    CopilotKit,
    /// @a2ui/lit, its 0.9 entry
    #[value(name = "lit")]
    Lit,
    /// The Python packages
    #[value(name = "python")]
    Python,
}

impl From<Client> for Profile {
    fn from(client: Client) -> Self {
        match client {
            Client::WebCore => Self::WebCore0_9,
            Client::WebCore0_8 => Self::WebCore0_8,
            Client::CopilotKit => Self::CopilotKit,
            Client::Lit => Self::Lit,
            Client::Python => Self::Python,
        }
    }
}

/// The rule for data of 0.8 that `--strict-0.8` asks for.
fn data_0_8(is_strict: bool) -> Data0_8 {
    if is_strict { Data0_8::Replace } else { Data0_8::Merge }
}

/// The text of a payload; what is no text is no JSON.
fn payload(source: &Source) -> anyhow::Result<Result<String, Fault>> {
    let bytes = source.read()?;
    Ok(text(&bytes).map(str::to_owned))
}

/// Shows a fault at its place in the payload, where it has one there.
fn show_fault(fault: &Fault, document: Option<&Value>, out: &mut impl std::io::Write) -> std::io::Result<()> {
    let place = if fault.path.is_empty() { String::new() } else { format!(" at {}", fault.path) };
    writeln!(out, "   {}{}", fault.code, output::safe(&place))?;
    match document {
        Some(value) => output::write_place(value, &fault.path, &fault.message, out),
        None => writeln!(out, "     {}", output::safe(&fault.message)),
    }
}
