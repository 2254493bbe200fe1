//! `forestage a2ui extract`: the interface in what a model said.

use std::io::Write;

use clap::Args;
use forestage_a2ui::extract;
use serde_json::json;

use super::payload;
use crate::{
    exit::{Answer, Verdict},
    input::Source,
    output,
};

/// Find the fenced a2ui block in a text
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  forestage a2ui extract answer.txt --json")]
pub(crate) struct Extract {
    /// The text: a file, or - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: Source,
    /// Print one JSON object: ok, text, view
    #[arg(long)]
    json: bool,
}

impl Extract {
    /// Runs the command.
    pub(crate) fn run(&self) -> Answer {
        let text =
            payload(&self.file)?.map_err(|fault| anyhow::anyhow!("{} is no text: {fault}", self.file))?;
        let found = extract(&text);
        if self.json {
            output::print_json(
                &json!({ "ok": found.view.is_some(), "text": found.text, "view": found.view }),
            )?;
        } else if let Some(view) = &found.view {
            output::print_pretty(view)?;
        } else {
            let mut out = output::screen();
            output::write_verdict(false, "there is no block that holds a JSON object", &mut out)?;
            out.flush()?;
        }
        Ok(Verdict::of(found.view.is_some()))
    }
}
