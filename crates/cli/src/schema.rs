//! `forestage schema`: AG-UI 1.0 as JSON Schema, and values held against it.

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use forestage_protocol::{Fault, enforce, json::Json, schema, wire::Shape};

use crate::{
    check::{self, Finding},
    exit::{Answer, Verdict},
    input::Source,
    output,
};

/// Print AG-UI 1.0 as JSON Schema, or check a value against one definition
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
pub(crate) struct Schema {
    /// The definition to print, such as Interrupt; everything where this is not given
    name: Option<String>,
    /// List the names of the definitions
    #[arg(long, conflicts_with = "name")]
    list: bool,
    /// Print on one line, for programs
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

const AFTER_HELP: &str = "\
Examples:
  forestage schema > ag-ui-1.0.schema.json
  forestage schema ToolMessage
  forestage schema check Interrupt interrupt.json";

#[derive(Debug, Subcommand)]
enum Command {
    Check(Check),
}

/// Check a value strictly against a definition
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  echo '{\"interruptId\":\"i1\",\"status\":\"resolved\"}' | forestage schema check ResumeEntry")]
struct Check {
    /// The definition, as `forestage schema --list` names it
    name: String,
    /// A JSON document: a file, or - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: Source,
    /// Print one JSON object: ok, error, warnings, normalized
    #[arg(long)]
    json: bool,
}

impl Schema {
    /// Runs the command.
    pub(crate) fn run(&self) -> Answer {
        match (&self.command, &self.name) {
            (Some(Command::Check(check)), _) => return check.run(),
            (None, _) if self.list => self.print_names()?,
            (None, Some(name)) => self.print(&schema::definition(name).with_context(|| unknown(name))?)?,
            (None, None) => self.print(&schema::document())?,
        }
        Ok(Verdict::Yes)
    }

    fn print(&self, document: &serde_json::Value) -> anyhow::Result<()> {
        if self.json { output::print_json(document) } else { output::print_pretty(document) }
    }

    fn print_names(&self) -> anyhow::Result<()> {
        if self.json {
            return output::print_json(&schema::names());
        }
        output::print_lines(&schema::names())
    }
}

impl Check {
    fn run(&self) -> Answer {
        let Some(shape) = schema::shape(&self.name) else {
            bail!(unknown(&self.name));
        };
        let bytes = self.file.read()?;
        let checked = check::text(&bytes).and_then(|text| strict(&shape, text));
        Finding::of(checked.map(Some), Vec::new()).tell(&self.name, &bytes, self.json)
    }
}

fn strict(shape: &Shape, text: &str) -> Result<Json, Fault> {
    let mut value = enforce::tree(text)?;
    enforce::check_shape(shape, &mut value)?;
    Ok(Json::from(value))
}

fn unknown(name: &str) -> String {
    format!("AG-UI 1.0 has no definition `{name}`; `forestage schema --list` names all")
}
