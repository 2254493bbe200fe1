//! `forestage stream verify`: is this stream legal?

use std::io::{self, Write};

use clap::Args;
use forestage_protocol::{
    Warning,
    codec::proto::{self, Decoded},
    event::Event,
    pipeline::{Reader, StreamError},
    verify::Rule,
};
use forestage_server::dialect::{self, Rules};
use serde_json::{Value, to_value};

use super::{
    profile::{AGUI, profiles},
    walk::{Item, Stop, Walker, read, refuse, walk},
};
use crate::{
    exit::{Answer, Verdict},
    input::{Payload, StreamInput},
    output::{self, Judgement, Screen, counted},
};

/// Verify that a stream is legal: every event well formed, every event in its place
///
/// The rules are those of AG-UI 1.0, or with --profile those of another contract.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Verify {
    #[command(flatten)]
    stream: StreamInput,
    /// Print one JSON object: ok, error, warnings
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// Print the verdict only
    #[arg(short, long)]
    quiet: bool,
    /// The rules to judge by
    #[arg(long, value_name = "CONTRACT", default_value = AGUI, value_parser = profiles())]
    profile: String,
}

const AFTER_HELP: &str = "\
Examples:
  forestage stream verify recording.sse
  forestage stream verify --json recording.jsonl | jq .error
  forestage stream verify --profile agora frames.jsonl";

/// What to look at first where a stream has no end: most of them are recordings of runs that go on.
const UNFINISHED: &str = "\
if the run is still going on, or waits in a queue, this is expected: `forestage threads` shows its status; \
export the thread again when the run has ended";

/// Notices stand under the line of their event.
const INDENT: &str = "       ";

impl Verify {
    pub(super) fn run(&self) -> Answer {
        let mut frames = self.stream.open()?;
        let mut verifier = Verifier::new(!self.json && !self.quiet);
        verifier.reader = self.stream.reader();
        verifier.rules = dialect::profile(&self.profile).map(|profile| (profile.rules)());
        let error = walk(&mut frames, &mut verifier)?;
        let verdict = Verdict::of(error.is_none());
        if self.json {
            output::print_json(&Judgement::new(error, verifier.warnings))?;
        } else {
            verifier.close(error)?;
        }
        Ok(verdict)
    }
}

/// Verifies a stream and, if asked, shows it on the way.
struct Verifier {
    reader: Reader,
    /// What another contract asks for.
    rules: Option<Box<dyn Rules>>,
    warnings: Vec<Warning>,
    runs: usize,
    /// How many events were read, and shown where they are shown.
    events: usize,
    shows: bool,
    /// The last event that was shown.
    last: Option<Value>,
    screen: Screen,
}

impl Verifier {
    fn new(shows: bool) -> Self {
        Self {
            reader: Reader::default(),
            rules: None,
            warnings: Vec::new(),
            runs: 0,
            events: 0,
            shows,
            last: None,
            screen: output::screen(),
        }
    }

    /// Judges an event by the rules of the contract, and what is left of it by those of AG-UI 1.0.
    fn judge(&mut self, item: &Item<'_>) -> Result<(), Stop> {
        let runs = &mut self.runs;
        let count = |event| *runs += usize::from(matches!(event, Event::RunStarted(_)));
        let (Some(rules), Ok(event)) = (&mut self.rules, value(&item.payload)) else {
            return Ok(read(&mut self.reader, &item.payload, count)?);
        };
        match rules.check(event).map_err(|fault| refuse(item.index, fault))? {
            Some(event) => self.reader.read_json(&event.to_string(), count).map_err(|mut error| {
                error.index = item.index;
                error.into()
            }),
            None => Ok(()),
        }
    }

    fn show(&mut self, item: &Item<'_>) -> io::Result<()> {
        let event = value(&item.payload);
        match &event {
            Ok(event) => output::write_event(item.index, event, &mut self.screen)?,
            Err(text) => output::write_other(item.index, text, &mut self.screen)?,
        }
        self.last = event.ok();
        Ok(())
    }

    /// Shows where in the last event the fault is, if it is at a place in it.
    fn show_place(&mut self, error: &StreamError) -> io::Result<()> {
        match (&self.last, error.path.as_deref()) {
            (Some(event), Some(path)) if error.index < self.events => {
                output::write_place(event, path, error.code, &mut self.screen)
            }
            _ => Ok(()),
        }
    }

    /// Shows the fault at its place, then the summary.
    fn close(mut self, error: Option<StreamError>) -> io::Result<()> {
        if let Some(error) = error.as_ref().filter(|_| self.shows) {
            if error.index >= self.events {
                output::write_other(error.index, "(end of what could be read)", &mut self.screen)?;
            }
            output::write_fault(INDENT, error, &mut self.screen)?;
            self.show_place(error)?;
            if error.code == Rule::StreamTruncated.code() && self.runs > 0 {
                writeln!(self.screen, "{INDENT}{UNFINISHED}")?;
            }
        }
        if self.shows {
            writeln!(self.screen)?;
        }
        output::write_verdict(error.is_none(), &self.summary(error.as_ref()), &mut self.screen)?;
        self.screen.flush()
    }

    fn summary(&self, error: Option<&StreamError>) -> String {
        let counts = format!(
            "{}, {}, {}",
            counted(self.events, "event"),
            counted(self.runs, "run"),
            counted(self.warnings.len(), "warning")
        );
        match error {
            Some(error) => format!("event {}: {} ({counts})", error.index, error.code),
            None => counts,
        }
    }
}

impl Walker for Verifier {
    fn take(&mut self, item: Item<'_>) -> Result<(), Stop> {
        if self.shows {
            self.show(&item)?;
        }
        self.events += 1;
        let result = self.judge(&item);
        let mut warnings = self.reader.take_warnings();
        if let Some(rules) = &self.rules {
            warnings.retain(|warning| !rules.expects(warning));
        }
        if self.shows {
            warnings
                .iter()
                .try_for_each(|warning| output::write_warning(INDENT, warning, &mut self.screen))?;
        }
        self.warnings.extend(warnings);
        result
    }

    fn rest(&mut self) -> io::Result<()> {
        self.screen.flush()
    }

    fn finish(&mut self) -> Result<(), Stop> {
        if let Some(rules) = &mut self.rules {
            rules.finish().map_err(|fault| refuse(self.events, fault))?;
        }
        Ok(self.reader.finish()?)
    }
}

/// The event as JSON to look at, or what is there instead.
fn value(payload: &Payload<'_>) -> Result<Value, String> {
    match payload {
        Payload::Json(text) => match serde_json::from_str(text) {
            Ok(Value::Object(event)) => Ok(Value::Object(event)),
            _ => Err((*text).to_owned()),
        },
        Payload::Proto(bytes) => match proto::decode(bytes) {
            Ok(Decoded::Event(event, _)) => to_value(&event).map_err(|_| event.to_json()),
            Ok(Decoded::Unknown { arm }) => Err(format!("(an event of unknown kind {arm})")),
            Ok(Decoded::Dropped(_)) | Err(_) => Err(format!("({})", counted(bytes.len(), "byte"))),
        },
    }
}
