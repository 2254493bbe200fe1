//! `forestage a2ui lower`: the same surfaces for another client.

use std::io::Write;

use anyhow::bail;
use clap::Args;
use forestage_a2ui::{
    Fault, Messages, Version,
    bridge::{Bridged, Profile, bridge, draw_view},
    v1::View,
};
use serde_json::{Value, json};

use super::{Client, batch, payload, show_fault};
use crate::{
    exit::{Answer, Verdict},
    input::Source,
    output,
};

/// Write messages, or an a2ui.v1 view, for a client of another version
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage a2ui lower old.json --to 0.9
  forestage a2ui lower surface.json --for copilotkit --json
  forestage a2ui lower --to 0.8 --batch < surfaces.jsonl")]
pub(crate) struct Lower {
    /// The messages or the view as JSON: a file, or - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: Source,
    /// The version to write: 0.8 or 0.9
    #[arg(long, value_name = "VERSION", value_parser = ["0.8", "0.9"])]
    to: Option<String>,
    /// The client to write for
    #[arg(long = "for", value_enum, value_name = "CLIENT")]
    client: Option<Client>,
    /// Print one JSON object: ok, version, messages, losses, error
    #[arg(long)]
    json: bool,
    /// Write many payloads, each for itself: each line of standard input is one, each line of the output a result as of
    /// --json
    #[arg(long, conflicts_with = "file")]
    batch: bool,
}

impl Lower {
    /// Runs the command.
    pub(crate) fn run(&self) -> Answer {
        let profile = self.profile()?;
        let lower = |text: Result<&str, Fault>| bridge(&read(text?, profile)?, profile);
        if self.batch {
            return batch::run(|text| as_json(&lower(text)));
        }
        let text = payload(&self.file)?;
        let lowered = lower(text.as_deref().map_err(Clone::clone));
        match (&lowered, self.json) {
            (_, true) => output::print_json(&as_json(&lowered))?,
            (Ok(bridged), false) => show(bridged)?,
            (Err(fault), false) => {
                let mut out = output::screen();
                output::write_verdict(false, "cannot be read", &mut out)?;
                show_fault(fault, None, &mut out)?;
                out.flush()?;
            }
        }
        Ok(Verdict::of(lowered.is_ok()))
    }

    fn profile(&self) -> anyhow::Result<Profile> {
        let wanted = match self.to.as_deref() {
            Some("0.8") => Some(Version::V0_8),
            Some(_) => Some(Version::V0_9),
            None => None,
        };
        let client = self.client.map(Profile::from);
        match (wanted, client) {
            (Some(version), Some(profile)) if profile.version() != version => {
                bail!("{} does not speak {}", profile.name(), version.name())
            }
            (_, Some(profile)) => Ok(profile),
            (Some(Version::V0_8), None) => Ok(Profile::WebCore0_8),
            (_, None) => Ok(Profile::WebCore0_9),
        }
    }
}

fn as_json(lowered: &Result<Bridged, Fault>) -> Value {
    let (version, messages, losses) = match lowered {
        Ok(Bridged { messages, losses }) => (Some(messages.version()), messages.to_values(), &losses[..]),
        Err(_) => (None, Vec::new(), &[][..]),
    };
    let error = lowered.as_ref().err();
    json!({ "ok": error.is_none(), "version": version, "messages": messages, "losses": losses, "error": error })
}

fn read(text: &str, profile: Profile) -> Result<Messages, Fault> {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    if value.get("kind").and_then(Value::as_str) != Some("a2ui.v1") {
        return Messages::read(text);
    }
    let view = View::read(&value).map_err(|faults| Fault::new("invalid_view", "", faults.to_string()))?;
    Ok(Messages::V0_9(draw_view(&view, profile.basic_catalog())))
}

/// Messages on standard output, for the next program; what they cannot say beside it, for people.
fn show(bridged: &Bridged) -> anyhow::Result<()> {
    output::print_pretty(&bridged.messages.to_values())?;
    let mut aside = anstream::stderr().lock();
    for loss in &bridged.losses {
        output::write_warning("", loss, &mut aside)?;
    }
    Ok(())
}
