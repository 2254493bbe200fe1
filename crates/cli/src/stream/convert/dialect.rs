//! Writing a stream as another contract has it.

use std::io::{self, Write};

use anyhow::bail;
use forestage_protocol::{Warning, event::Event, pipeline::Reader};
use forestage_server::dialect::{Encode, Profile};
use serde_json::Value;

use super::{Convert, encoder::Encoder};
use crate::{
    exit::Answer,
    output::{Aside, Target},
    stream::walk::{Item, Stop, Walker, read, walk},
};

/// Converts a stream to a contract.
pub(super) fn run(convert: &Convert, profile: &Profile) -> Answer {
    if convert.with_ids {
        bail!("--with-ids needs --to sse: the contracts have no ids");
    }
    let mut frames = convert.stream.open()?;
    let mut converter = Converter {
        reader: convert.stream.reader(),
        dialect: (profile.encoder)(),
        encoder: Encoder::new(profile.format, false),
        out: convert.open_output()?,
        aside: Aside::new(convert.json),
        is_cut: false,
    };
    let error = walk(&mut frames, &mut converter)?;
    convert.close(converter.out, converter.aside, error)
}

struct Converter {
    reader: Reader,
    dialect: Box<dyn Encode>,
    encoder: Encoder,
    out: Target,
    aside: Aside,
    /// Whether it was said that something is left out.
    is_cut: bool,
}

impl Converter {
    fn write(&mut self, frames: Vec<Value>) -> io::Result<()> {
        for frame in frames {
            self.out.write_all(self.encoder.encode(frame.to_string().as_bytes(), None))?;
        }
        Ok(())
    }
}

impl Walker for Converter {
    fn take(&mut self, item: Item<'_>) -> Result<(), Stop> {
        let mut events: Vec<Event> = Vec::new();
        let result = read(&mut self.reader, &item.payload, |event| events.push(event));
        self.aside.warn(self.reader.take_warnings())?;
        if self.dialect.is_over() && !events.is_empty() && !std::mem::replace(&mut self.is_cut, true) {
            let text = format!("left out everything from event {} on: clients read no further", item.index);
            self.aside.warn(vec![Warning::new("stream_over", text)])?;
        }
        let frames = self.dialect.encode(&events);
        self.write(frames)?;
        Ok(result?)
    }

    fn rest(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn finish(&mut self) -> Result<(), Stop> {
        let frames = self.dialect.flush();
        self.write(frames)?;
        self.out.write_all(self.encoder.finish())?;
        Ok(self.reader.finish()?)
    }
}
