//! `forestage stream convert`: another framing or encoding, the same events.
//!
//! ```text
//! frame ──> Translator (what the target can carry) ──> Encoder (how the target frames it) ──> bytes
//! ```

mod dialect;
mod encoder;
mod translator;

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::PathBuf,
};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use forestage_protocol::codec::Format;
use forestage_server::dialect::profile;

use self::{encoder::Encoder, translator::Translator};
use super::{
    profile::targets,
    walk::{Item, Stop, Walker, walk},
};
use crate::{
    exit::Answer,
    input::{FormatName, StreamInput},
    output::{self, Aside},
};

/// Change the format of a stream and nothing else, or write it as another contract has it
///
/// Between the JSON formats every member of every event stays, known or not, and the order of events is not judged.
/// Protobuf carries events of AG-UI 1.0 only: what it cannot carry is an error, or is dropped with --enforce. For
/// another contract the stream has to be legal AG-UI 1.0.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Convert {
    #[command(flatten)]
    stream: StreamInput,
    /// The format, or the contract, to write
    #[arg(long, value_name = "FORMAT", value_parser = targets())]
    to: String,
    /// The file to write; standard output where this is not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Number the events of an SSE stream: `id: 0`, `id: 1`, ..
    #[arg(long)]
    with_ids: bool,
    /// Translate retired shapes and drop what is unknown, with warnings on standard error
    #[arg(long)]
    enforce: bool,
    /// Print errors and warnings as one JSON object on standard error
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  forestage stream convert --to proto recording.sse -o recording.bin
  forestage stream convert --to jsonl recording.bin | jq .type
  jq '.[]' recording.json | forestage stream convert --to sse --with-ids
  forestage stream convert --to agora recording.sse > frames.jsonl";

impl Convert {
    pub(super) fn run(&self) -> Answer {
        if let Some(profile) = profile(&self.to) {
            return dialect::run(self, profile);
        }
        let to = FormatName::from_str(&self.to, true).map_err(anyhow::Error::msg)?.into();
        if self.with_ids && to != Format::Sse {
            bail!("--with-ids needs --to sse: no other format has ids");
        }
        let mut frames = self.stream.open()?;
        let mut converter = Converter {
            translator: Translator::new(to, self.enforce),
            encoder: Encoder::new(to, self.with_ids),
            out: self.open_output()?,
            aside: Aside::new(self.json),
        };
        let error = walk(&mut frames, &mut converter)?;
        converter.out.flush()?;
        converter.aside.close(error)
    }

    fn open_output(&self) -> anyhow::Result<Box<dyn Write>> {
        let Some(path) = &self.output else {
            return Ok(Box::new(output::plain()));
        };
        if self.stream.file.is(path) {
            bail!("{} cannot be read and written at once", path.display());
        }
        let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Box::new(BufWriter::new(file)))
    }
}

struct Converter {
    translator: Translator,
    encoder: Encoder,
    out: Box<dyn Write>,
    aside: Aside,
}

impl Walker for Converter {
    fn take(&mut self, item: Item<'_>) -> Result<(), Stop> {
        let id = item.id;
        let data = self.translator.translate(item);
        self.aside.warn(self.translator.take_warnings())?;
        if let Some(data) = data? {
            self.out.write_all(self.encoder.encode(&data, id))?;
        }
        Ok(())
    }

    fn rest(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn finish(&mut self) -> Result<(), Stop> {
        Ok(self.out.write_all(self.encoder.finish())?)
    }
}
