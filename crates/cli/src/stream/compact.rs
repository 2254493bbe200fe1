//! `forestage stream compact`: a shorter stream that folds to the same conversation.

use std::io::{self, Write};

use clap::Args;
use forestage_protocol::{
    Warning, compact,
    event::Event,
    pipeline::{Reader, StreamError},
    verify::Rule,
};

use super::walk::{Item, Stop, Walker, read, walk};
use crate::{
    exit::Answer,
    input::StreamInput,
    output::{self, Aside},
};

/// Print a shorter stream that makes the same conversation, as JSON lines
///
/// A stream without an end is compacted as far as it goes, with a warning. Any other fault is an error.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Compact {
    #[command(flatten)]
    stream: StreamInput,
    /// Print on standard error how many events and bytes went in and came out
    #[arg(long)]
    stats: bool,
    /// Print the error and the warnings as one JSON object on standard error
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Example:
  forestage stream compact --stats recording.sse > recording.jsonl";

impl Compact {
    pub(super) fn run(&self) -> Answer {
        let mut frames = self.stream.open()?;
        let mut collector = Collector::default();
        let mut aside = Aside::new(self.json);
        let error = walk(&mut frames, &mut collector)?;
        aside.warn(collector.reader.take_warnings())?;
        let error = match error {
            Some(error) if error.code == Rule::StreamTruncated.code() => {
                aside.warn(vec![truncated(error)])?;
                None
            }
            error => error,
        };
        if error.is_some() {
            return aside.close(error);
        }
        let events = match compact::compact(collector.events) {
            Ok(events) => events,
            Err(violation) => {
                let (index, code) = (frames.count(), violation.rule.code());
                return aside.close(Some(StreamError {
                    index,
                    code,
                    message: violation.message,
                    path: None,
                }));
            }
        };
        let bytes = print(&events)?;
        if self.stats {
            let before = format!("{} events, {} bytes", frames.count(), frames.bytes());
            writeln!(io::stderr(), "{before} -> {} events, {bytes} bytes", events.len())?;
        }
        aside.close(None)
    }
}

fn truncated(error: StreamError) -> Warning {
    Warning { index: Some(error.index), ..Warning::new(error.code, error.message) }
}

fn print(events: &[Event]) -> io::Result<usize> {
    let mut out = output::plain();
    let mut line = Vec::new();
    let mut bytes = 0;
    for event in events {
        line.clear();
        event.write_json(&mut line);
        line.push(b'\n');
        bytes += line.len();
        out.write_all(&line)?;
    }
    out.flush()?;
    Ok(bytes)
}

#[derive(Default)]
struct Collector {
    reader: Reader,
    events: Vec<Event>,
}

impl Walker for Collector {
    fn take(&mut self, item: Item<'_>) -> Result<(), Stop> {
        let events = &mut self.events;
        Ok(read(&mut self.reader, &item.payload, |event| events.push(event))?)
    }

    fn finish(&mut self) -> Result<(), Stop> {
        Ok(self.reader.finish()?)
    }
}
