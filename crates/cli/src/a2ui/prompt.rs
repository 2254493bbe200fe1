//! `forestage a2ui prompt`: what a model has to know to draw.

use std::io::Write;

use anyhow::{Context, bail};
use clap::Args;
use forestage_a2ui::{
    Version,
    catalog::Catalog,
    prompt::{examples, instructions, schema},
};
use serde_json::{Value, json};

use crate::{
    exit::{Answer, Verdict},
    input::Source,
    output,
};

/// Print instructions for a model, from the basic catalog or from one of your own
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage a2ui prompt >> system-prompt.md
  forestage a2ui prompt --version 0.8
  forestage a2ui prompt --catalog charts.json --schema")]
pub(crate) struct Prompt {
    /// The version that the model should write: 0.8 or 0.9
    #[arg(long, value_name = "VERSION", value_parser = ["0.8", "0.9"], default_value = "0.9")]
    version: String,
    /// A catalog of your own as JSON Schema, in place of the basic one
    #[arg(long, value_name = "FILE")]
    catalog: Option<Source>,
    /// Print the JSON Schema of the messages alone
    #[arg(long)]
    schema: bool,
    /// Print one JSON object: version, catalogId, instructions, examples, schema
    #[arg(long, conflicts_with = "schema")]
    json: bool,
}

impl Prompt {
    /// Runs the command.
    pub(crate) fn run(&self) -> Answer {
        let catalog = self.catalog()?;
        if self.schema {
            output::print_pretty(&schema(&catalog))?;
        } else if self.json {
            output::print_json(&as_json(&catalog))?;
        } else {
            let mut out = output::plain();
            out.write_all(instructions(&catalog).as_bytes())?;
            out.flush()?;
        }
        Ok(Verdict::Yes)
    }

    fn catalog(&self) -> anyhow::Result<Catalog> {
        let version = if self.version == "0.8" { Version::V0_8 } else { Version::V0_9 };
        let Some(source) = &self.catalog else {
            return Ok(if version == Version::V0_8 { Catalog::basic_0_8() } else { Catalog::basic_0_9() });
        };
        let catalog = Catalog::from_schema(&source.read_json()?, version)
            .with_context(|| format!("{source} is not a catalog"))?;
        if catalog.component_names().is_empty() {
            bail!("{source} has no components to tell of");
        }
        Ok(catalog)
    }
}

fn as_json(catalog: &Catalog) -> Value {
    let examples: Vec<_> = examples(catalog)
        .into_iter()
        .map(|example| json!({ "about": example.about, "payload": example.payload }))
        .collect();
    json!({
        "version": catalog.version,
        "catalogId": catalog.id,
        "instructions": instructions(catalog),
        "examples": examples,
        "schema": schema(catalog),
    })
}
