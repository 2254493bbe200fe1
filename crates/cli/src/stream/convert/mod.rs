//! `forestage stream convert`: another framing or encoding, the same events.
//!
//! ```text
//! frame ──> Translator (what the target can carry) ──> Encoder (how the target frames it) ──> bytes
//! ```

mod dialect;
mod encoder;
mod translator;

use std::{
    io::{self, Write},
    path::PathBuf,
};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use forestage_protocol::{
    Warning,
    codec::Format,
    pipeline::{Reader, StreamError},
};
use forestage_server::dialect::profile;

use self::{encoder::Encoder, translator::Translator};
use super::{
    profile::targets,
    walk::{Item, Stop, Walker, read, refuse, walk},
};
use crate::{
    exit::Answer,
    input::{FormatName, StreamInput},
    output::{Aside, Target},
};

/// Change the format of a stream and nothing else, or write it as another contract has it
///
/// Between the JSON formats every member of every event stays, known or not, and the order of events is not judged.
/// Protobuf carries events of AG-UI 1.0 only: what it cannot carry is an error, or is dropped with --enforce. For
/// another contract the stream has to be legal AG-UI 1.0, and so does what `--from net` makes of a stream of AGUI.Protocol.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Convert {
    #[command(flatten)]
    stream: StreamInput,
    /// The format, or the contract, to write
    #[arg(long, value_name = "FORMAT", value_parser = targets())]
    to: String,
    /// The file to write; standard output where this is not given. A stream that cannot be converted to its end leaves
    /// it as it was
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
  forestage stream convert --to agora recording.sse > frames.jsonl
  forestage stream convert --from net --to jsonl history.json > recording.jsonl";

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
            reader: self.stream.is_net().then(|| self.stream.reader()),
            encoder: Encoder::new(to, self.with_ids),
            out: self.open_output()?,
            aside: Aside::new(self.json),
        };
        let error = walk(&mut frames, &mut converter)?;
        self.close(converter.out, converter.aside, error)
    }

    fn open_output(&self) -> anyhow::Result<Target> {
        if let Some(path) = self.output.as_ref().filter(|path| self.stream.file.is(path)) {
            bail!("{} cannot be read and written at once", path.display());
        }
        Target::open(self.output.as_deref())
    }

    /// Gives the file its name, if all of it is there, and says how it ended.
    fn close(&self, out: Target, mut aside: Aside, error: Option<StreamError>) -> Answer {
        match (&error, &self.output) {
            (None, path) => out.complete().with_context(|| match path {
                Some(path) => format!("cannot write {}", path.display()),
                None => "cannot write standard output".to_owned(),
            })?,
            (Some(_), Some(_)) => aside.warn(vec![Warning::new("incomplete_output", out.give_up())])?,
            (Some(_), None) => drop(out.give_up()),
        }
        aside.close(error)
    }
}

struct Converter {
    translator: Translator,
    /// Set where the stream is in a contract of its own.
    reader: Option<Reader>,
    encoder: Encoder,
    out: Target,
    aside: Aside,
}

impl Converter {
    /// Takes an event of another contract, which may be any number of events of ours.
    fn take_theirs(&mut self, item: &Item<'_>) -> Result<(), Stop> {
        let Some(reader) = &mut self.reader else { return Ok(()) };
        let mut events = Vec::new();
        let result = read(reader, &item.payload, |event| events.push(event));
        self.aside.warn(reader.take_warnings())?;
        for event in events {
            let data = self.translator.write(&event).map_err(|fault| refuse(item.index, fault))?;
            self.aside.warn(self.translator.take_warnings())?;
            self.out.write_all(self.encoder.encode(&data, None))?;
        }
        Ok(result?)
    }
}

impl Walker for Converter {
    fn take(&mut self, item: Item<'_>) -> Result<(), Stop> {
        if self.reader.is_some() {
            return self.take_theirs(&item);
        }
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
        if let Some(reader) = &mut self.reader {
            reader.finish()?;
        }
        Ok(self.out.write_all(self.encoder.finish())?)
    }
}
