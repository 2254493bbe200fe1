//! `forestage a2ui extract`: the interface in what a model said.

use std::io::Write;

use clap::Args;
use forestage_a2ui::{Tagged, TaggedPiece, extract};
use serde_json::json;

use super::payload;
use crate::{
    exit::{Answer, Verdict},
    input::Source,
    output,
};

/// Find the fenced a2ui block in a text, and messages between <a2ui-json> tags
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  forestage a2ui extract answer.txt --json")]
pub(crate) struct Extract {
    /// The text: a file, or - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: Source,
    /// Print one JSON object: ok, text, view, payloads
    #[arg(long)]
    json: bool,
}

impl Extract {
    /// Runs the command.
    pub(crate) fn run(&self) -> Answer {
        let text = payload(&self.file)?
            .map_err(|_| anyhow::anyhow!("{} is not text: it is not UTF-8", self.file))?;
        let (text, payloads) = untagged(&text);
        let found = extract(&text);
        let ok = found.view.is_some() || !payloads.is_empty();
        if self.json {
            output::print_json(
                &json!({ "ok": ok, "text": found.text, "view": found.view, "payloads": payloads }),
            )?;
        } else if let Some(view) = &found.view {
            output::print_pretty(view)?;
        } else if ok {
            output::print_lines(&payloads)?;
        } else {
            let mut out = output::screen();
            output::write_verdict(false, "there is no block that holds a JSON object", &mut out)?;
            out.flush()?;
        }
        Ok(Verdict::of(ok))
    }
}

/// A text without what stands between tags, and that.
fn untagged(text: &str) -> (String, Vec<String>) {
    let mut tagged = Tagged::default();
    let mut pieces = tagged.push(text);
    pieces.extend(tagged.finish());
    let (mut shown, mut payloads) = (String::new(), Vec::new());
    for piece in pieces {
        match piece {
            TaggedPiece::Text(text) => shown.push_str(&text),
            TaggedPiece::Payload(payload) => payloads.push(payload),
        }
    }
    (shown, payloads)
}
