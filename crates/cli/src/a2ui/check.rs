//! `forestage a2ui check`: can a client draw this?

use std::io::{self, Write};

use anyhow::Context;
use clap::Args;
use forestage_a2ui::{
    Fault, Version, Warning,
    bridge::{Profile, refusals},
    catalog::{Catalog, Catalogs},
    check::{Checker, Report},
};
use serde::Serialize;
use serde_json::Value;

use super::{Client, batch, data_0_8, payload, show_fault};
use crate::{
    exit::{Answer, Verdict},
    input::Source,
    output,
};

/// Check a payload: messages of A2UI 0.8, 0.9 or 1.0
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage a2ui check surface.json
  forestage a2ui check surface.json --for copilotkit
  forestage a2ui check surface.json --catalog charts.json --json
  forestage a2ui check --batch < surfaces.jsonl")]
pub(crate) struct Check {
    /// The payload as JSON: a file, or - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: Source,
    /// A catalog of your own as JSON Schema, in addition to the basic ones
    #[arg(long, value_name = "FILE")]
    catalog: Option<Source>,
    /// Report also what this client would refuse, and why
    #[arg(long = "for", value_enum, value_name = "CLIENT")]
    client: Option<Client>,
    /// Read data updates as A2UI 0.8 defines them: a dataModelUpdate replaces what is at its path
    #[arg(long = "strict-0.8")]
    strict_0_8: bool,
    /// Print one JSON object: ok, version, messages, components, faults, warnings, refusals
    #[arg(long)]
    json: bool,
    /// Check many payloads: each line of standard input is one, each line of the output a result as of --json
    #[arg(long, conflicts_with = "file")]
    batch: bool,
}

/// What is said about a payload.
#[derive(Debug, Serialize)]
struct Finding {
    ok: bool,
    version: Option<Version>,
    messages: usize,
    components: usize,
    faults: Vec<Fault>,
    warnings: Vec<Warning>,
    /// What the client would refuse, if one was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    refusals: Option<Vec<Fault>>,
}

impl Check {
    /// Runs the command.
    pub(crate) fn run(&self) -> Answer {
        let catalogs = self.catalogs()?;
        if self.batch {
            return batch::run(|text| self.find(&catalogs, text));
        }
        let text = payload(&self.file)?;
        let finding = self.find(&catalogs, text.as_deref().map_err(Clone::clone));
        match self.json {
            true => output::print_json(&finding)?,
            false => finding.show(self.client, text.as_deref().unwrap_or_default())?,
        }
        Ok(Verdict::of(finding.ok))
    }

    fn find(&self, catalogs: &Catalogs, text: Result<&str, Fault>) -> Finding {
        let text = match text {
            Ok(text) => text,
            Err(fault) => return Finding::of(Report { faults: vec![fault], ..Report::default() }, None),
        };
        let refused = self.client.map(|client| refusals(Profile::from(client), text));
        let checker = Checker::new(catalogs).with_data_0_8(data_0_8(self.strict_0_8));
        Finding::of(checker.check(text), refused)
    }

    fn catalogs(&self) -> anyhow::Result<Catalogs> {
        let Some(source) = &self.catalog else { return Ok(Catalogs::basic()) };
        let document = source.read_json()?;
        let catalog = Catalog::from_schema(&document, Version::V0_9)
            .with_context(|| format!("{source} is not a catalog"))?;
        Ok(Catalogs::basic().with(catalog))
    }
}

impl Finding {
    fn of(report: Report, refusals: Option<Vec<Fault>>) -> Self {
        let ok = report.is_ok() && refusals.as_ref().is_none_or(Vec::is_empty);
        let Report { version, messages, components, faults, warnings } = report;
        Self { ok, version, messages, components, faults, warnings, refusals }
    }

    fn show(&self, client: Option<Client>, text: &str) -> io::Result<()> {
        let mut out = output::screen();
        for warning in &self.warnings {
            output::write_warning("", warning, &mut out)?;
        }
        let size = format!(
            "{} with {}",
            output::counted(self.messages, "message"),
            output::counted(self.components, "component")
        );
        let verdict = match (self.ok, self.faults.len()) {
            (true, _) => format!("can be drawn: {size}"),
            (false, 0) => format!("can be drawn, but not by this client: {size}"),
            (false, faults) => format!("cannot be drawn: {}", output::counted(faults, "fault")),
        };
        output::write_verdict(self.ok, &verdict, &mut out)?;
        let document: Option<Value> = serde_json::from_str(text).ok();
        for fault in &self.faults {
            show_fault(fault, document.as_ref(), &mut out)?;
        }
        if let (Some(refusals), Some(client)) = (&self.refusals, client) {
            let name = Profile::from(client).name();
            writeln!(out, "   {name} would refuse {}", output::counted(refusals.len(), "thing"))?;
            for fault in refusals {
                show_fault(fault, None, &mut out)?;
            }
        }
        out.flush()
    }
}
