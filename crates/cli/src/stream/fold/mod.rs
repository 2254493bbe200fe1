//! `forestage stream fold`: what a person sees after a stream.

mod batch;
mod given;
mod report;
mod show;

use std::ffi::OsString;

use anyhow::Context;
use clap::{Args, builder::OsStringValueParser};
use forestage_protocol::{
    compat::PeerVersion,
    event::Event,
    pipeline::{Fold as Folding, StreamError},
};

use self::{given::Given, report::Report};
use super::walk::{Item, Stop, Walker, walk};
use crate::{
    exit::{Answer, Verdict},
    input::{Payload, Source, StreamInput},
    output,
};

/// Fold a stream into the conversation it makes: messages, state, outcome
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Fold {
    #[command(flatten)]
    stream: StreamInput,
    /// Print one JSON object: ok, error, warnings, messages, state, outcome, events, request
    #[arg(long)]
    json: bool,
    /// The conversation before the stream, as JSON: threadId, messages, state, tools, context, forwardedProps
    #[arg(long, value_name = "FILE", env = "AGUI_INPUT", hide_env_values = true)]
    #[arg(value_parser = OsStringValueParser::new())]
    input: Option<OsString>,
    /// The newest protocol version that the other side speaks, such as 0.0.57
    #[arg(long, value_name = "VERSION", env = "AGUI_MAX_PROTOCOL_VERSION", hide_env_values = true)]
    max_protocol_version: Option<String>,
    /// Fold many streams: each line of standard input is {"stream": [..], "input"?: {..},
    /// "maxProtocolVersion"?: ".."}, each line of the output a result; --input and --max-protocol-version
    /// stand in where a line has none
    #[arg(long, conflicts_with_all = ["file", "from"])]
    batch: bool,
}

const AFTER_HELP: &str = "\
Examples:
  forestage stream fold recording.sse
  forestage stream fold --json --input before.json recording.jsonl | jq .messages
  forestage stream fold --batch < streams.jsonl";

impl Fold {
    pub(super) fn run(&self) -> Answer {
        let (given, peer) = (self.given()?, self.peer()?);
        if self.batch {
            return batch::run(given.as_ref(), peer);
        }
        let mut folder = Folder::new(given.as_ref(), peer);
        let mut frames = self.stream.open()?;
        let error = walk(&mut frames, &mut folder)?;
        let report = folder.report(given.as_ref(), error);
        let verdict = Verdict::of(report.ok);
        if self.json {
            output::print_json(&report)?;
        } else {
            show::show(&report)?;
        }
        Ok(verdict)
    }

    fn given(&self) -> anyhow::Result<Option<Given>> {
        let Some(name) = self.input.as_ref().filter(|name| !name.is_empty()) else {
            return Ok(None);
        };
        let source = Source::from(name.clone());
        if source == Source::Stdin && self.stream.file == Source::Stdin {
            anyhow::bail!("the input and the stream cannot both be standard input");
        }
        let given = Given::read(source.read_json()?).with_context(|| format!("{source} is not an input"))?;
        Ok(Some(given))
    }

    fn peer(&self) -> anyhow::Result<Option<PeerVersion>> {
        let text = self.max_protocol_version.as_deref().filter(|text| !text.is_empty());
        text.map(parse_peer).transpose()
    }
}

fn parse_peer(text: &str) -> anyhow::Result<PeerVersion> {
    PeerVersion::parse(text).with_context(|| format!("`{text}` is not a protocol version"))
}

/// Folds a stream and keeps what was delivered.
struct Folder {
    folding: Folding,
    peer: Option<PeerVersion>,
    events: Vec<Event>,
}

impl Folder {
    fn new(given: Option<&Given>, peer: Option<PeerVersion>) -> Self {
        let (reader, view) = given.map(Given::start).unwrap_or_default();
        Self { folding: Folding::new(reader.with_peer(peer), view), peer, events: Vec::new() }
    }

    fn read_json(&mut self, text: &str) -> Result<(), StreamError> {
        let events = &mut self.events;
        self.folding.read_json(text, |event| events.push(event))
    }

    fn report(mut self, given: Option<&Given>, error: Option<StreamError>) -> Report {
        let mut warnings = given.map(Given::warnings).unwrap_or_default();
        let request = given.map(|given| given.request(self.peer, &mut warnings));
        warnings.extend(self.folding.take_warnings());
        Report {
            ok: error.is_none(),
            error,
            warnings,
            messages: self.folding.view().messages().cloned().collect(),
            state: self.folding.view().state().clone(),
            outcome: self.folding.view().end().cloned(),
            events: self.events,
            request,
        }
    }
}

impl Walker for Folder {
    fn take(&mut self, item: Item<'_>) -> Result<(), Stop> {
        match item.payload {
            Payload::Json(text) => self.read_json(text)?,
            Payload::Proto(bytes) => {
                let events = &mut self.events;
                self.folding.read_proto(bytes, |event| events.push(event))?;
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Stop> {
        Ok(self.folding.finish()?)
    }
}
