//! `forestage export`: a thread as a file that every AG-UI tool reads.

mod args;
mod redact;

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::PathBuf,
};

use anyhow::Context;
use clap::Args;
use forestage_client::{Settings, ThreadClient};
use futures_util::TryStreamExt;

use self::redact::Redactor;
use crate::{
    exit::{Answer, Verdict},
    output,
    remote::Remote,
};

/// Write the events of a thread as JSON lines, exactly as they are stored
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage export demo -o demo.agui.jsonl
  forestage export demo | forestage stream verify
  forestage export demo --redact -o for-the-bug-report.agui.jsonl")]
pub(crate) struct Export {
    /// The thread
    #[arg(value_name = "THREAD")]
    thread: String,
    #[command(flatten)]
    remote: Remote,
    /// The file to write, usually `*.agui.jsonl`; standard output where this is not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace what was said by blocks of the same length; ids, types, names and numbers stay
    #[arg(long)]
    redact: bool,
}

impl Export {
    pub(crate) fn run(&self) -> Answer {
        let thread = self.remote.client(Settings::default())?.thread(self.thread.as_str());
        self.remote.block_on(async {
            let mut out = Lines { redactor: self.redact.then(Redactor::default), rest: Vec::new() };
            // The thread is asked for first, so that a thread that is not there leaves no empty file behind.
            let mut pieces = thread.export().await?;
            let mut file = self.open()?;
            let unwritten = || format!("cannot write {}", self.target());
            while let Some(bytes) = pieces.try_next().await? {
                out.write(&bytes, &mut file).with_context(unwritten)?;
            }
            file.write_all(&out.rest).and_then(|()| file.flush()).with_context(unwritten)?;
            Ok(Verdict::Yes)
        })
    }

    /// Where it is written, for people.
    fn target(&self) -> String {
        self.output.as_ref().map_or_else(|| "standard output".to_owned(), |path| path.display().to_string())
    }

    fn open(&self) -> anyhow::Result<Box<dyn Write>> {
        let Some(path) = &self.output else {
            return Ok(Box::new(output::plain()));
        };
        let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Box::new(BufWriter::new(file)))
    }
}

/// Everything on a thread, as JSON lines.
pub(crate) async fn read(thread: &ThreadClient) -> anyhow::Result<Vec<u8>> {
    let pieces: Vec<_> = thread.export().await?.try_collect().await?;
    Ok(pieces.concat())
}

/// Lines on their way to the file.
struct Lines {
    redactor: Option<Redactor>,
    rest: Vec<u8>,
}

impl Lines {
    fn write(&mut self, bytes: &[u8], out: &mut dyn Write) -> anyhow::Result<()> {
        let Some(redactor) = &mut self.redactor else {
            return Ok(out.write_all(bytes)?);
        };
        self.rest.extend_from_slice(bytes);
        while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            let mut event = serde_json::from_slice(&line).context("an event of the thread is not JSON")?;
            redactor.redact(&mut event);
            writeln!(out, "{event}")?;
        }
        Ok(())
    }
}
