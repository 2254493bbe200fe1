//! `forestage stream compact`: a shorter stream that folds to the same conversation.

use std::io::{self, Write};

use clap::Args;
use forestage_protocol::{
    Warning, compact,
    event::Event,
    pipeline::{Reader, StreamError},
    verify::{Rule, Violation},
};

use super::walk::{Item, Stop, Walker, read, walk};
use crate::{
    exit::Answer,
    input::StreamInput,
    output::{self, Aside, Size},
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
        if let Some(error) = error {
            if error.code != Rule::StreamTruncated.code() {
                return aside.close(Some(error));
            }
            aside.warn(vec![truncated(error)])?;
        }
        match compact::compact(collector.events) {
            Ok(events) => {
                let after = print(&events)?;
                if self.stats {
                    aside.tell_stats(Size { events: frames.count(), bytes: frames.bytes() }, after)?;
                }
                aside.close(None)
            }
            Err(violation) => aside.close(Some(broken(frames.count(), violation))),
        }
    }
}

fn truncated(error: StreamError) -> Warning {
    Warning { index: Some(error.index), ..Warning::new(error.code, error.message) }
}

/// What compacting says about events that were verified one by one; a fault of the whole.
fn broken(index: usize, violation: Violation) -> StreamError {
    StreamError { index, code: violation.rule.code(), message: violation.message, path: None }
}

fn print(events: &[Event]) -> io::Result<Size> {
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
    Ok(Size { events: events.len(), bytes })
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
