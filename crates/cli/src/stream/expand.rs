//! `forestage stream expand`: what of a stream reaches the application.

use std::io::{self, Write};

use clap::Args;
use forestage_protocol::pipeline::Reader;

use super::walk::{Item, Stop, Walker, read, walk};
use crate::{
    exit::Answer,
    input::StreamInput,
    output::{self, Aside, Plain},
};

/// Print the events that reach an application, as JSON lines: chunks expanded, unknown things stripped
///
/// A stream that is refused is printed up to its fault, which is reported on standard error.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Expand {
    #[command(flatten)]
    stream: StreamInput,
    /// Print the error and the warnings as one JSON object on standard error
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Example:
  forestage stream expand recording.sse | jq -r .type";

impl Expand {
    pub(super) fn run(&self) -> Answer {
        let mut frames = self.stream.open()?;
        let mut printer = Printer {
            reader: self.stream.reader(),
            out: output::plain(),
            aside: Aside::new(self.json),
            line: Vec::new(),
        };
        let error = walk(&mut frames, &mut printer)?;
        printer.out.flush()?;
        printer.aside.close(error)
    }
}

struct Printer {
    reader: Reader,
    out: Plain,
    aside: Aside,
    line: Vec<u8>,
}

impl Walker for Printer {
    fn take(&mut self, item: Item<'_>) -> Result<(), Stop> {
        let lines = &mut self.line;
        lines.clear();
        let result = read(&mut self.reader, &item.payload, |event| {
            event.write_json(lines);
            lines.push(b'\n');
        });
        self.out.write_all(&self.line)?;
        self.aside.warn(self.reader.take_warnings())?;
        Ok(result?)
    }

    fn rest(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn finish(&mut self) -> Result<(), Stop> {
        Ok(self.reader.finish()?)
    }
}
