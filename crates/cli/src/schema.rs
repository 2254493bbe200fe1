//! `forestage schema`: AG-UI 1.0 and `a2ui.v1` as JSON Schema, and values held against them.

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use forestage_a2ui::v1::{self as a2ui, Action, Faults, View};
use forestage_protocol::{Fault, enforce, json::Json, schema, wire::Shape};

use crate::{
    check::{self, Finding},
    exit::{Answer, Verdict},
    input::Source,
    output,
};

/// Print AG-UI 1.0 as JSON Schema, or check a value against one definition
///
/// `a2ui.v1` and `a2ui.action.v1` are the schemas of views and of what is done with them.
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
  forestage schema a2ui.v1 > a2ui.v1.schema.json
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
            (None, Some(name)) => self.print(&definition(name).with_context(|| unknown(name))?)?,
            (None, None) => self.print(&schema::document())?,
        }
        Ok(Verdict::Yes)
    }

    fn print(&self, document: &serde_json::Value) -> anyhow::Result<()> {
        if self.json { output::print_json(document) } else { output::print_pretty(document) }
    }

    fn print_names(&self) -> anyhow::Result<()> {
        let mut names = schema::names();
        names.extend(a2ui::SCHEMAS.map(str::to_owned));
        if self.json { output::print_json(&names) } else { output::print_lines(&names) }
    }
}

impl Check {
    fn run(&self) -> Answer {
        let shape = schema::shape(&self.name);
        if shape.is_none() && !a2ui::SCHEMAS.contains(&self.name.as_str()) {
            bail!(unknown(&self.name));
        }
        let bytes = self.file.read()?;
        let checked = check::text(&bytes).and_then(|text| match &shape {
            Some(shape) => strict(shape, text),
            None => read(&self.name, text),
        });
        Finding::of(checked.map(Some), Vec::new()).tell(&self.name, &bytes, self.json)
    }
}

fn definition(name: &str) -> Option<serde_json::Value> {
    schema::definition(name).or_else(|| a2ui::schema(name))
}

/// Reads a view or an action, whose first fault is told.
fn read(name: &str, text: &str) -> Result<Json, Fault> {
    let value = enforce::tree(text)?;
    let first = |faults: Faults| {
        let fault = faults.first();
        let path = format!("/{}", fault.path.replace(['.', '['], "/").replace(']', ""));
        Fault::new(
            "invalid_value",
            if fault.path.is_empty() { String::new() } else { path },
            fault.to_string(),
        )
    };
    match name {
        "a2ui.v1" => drop(View::read(&value).map_err(first)?),
        _ => drop(Action::read(&value).map_err(first)?),
    }
    Ok(Json::from(value))
}

fn strict(shape: &Shape, text: &str) -> Result<Json, Fault> {
    let mut value = enforce::tree(text)?;
    enforce::check_shape(shape, &mut value)?;
    Ok(Json::from(value))
}

fn unknown(name: &str) -> String {
    format!("AG-UI 1.0 has no definition `{name}`; `forestage schema --list` names all")
}
