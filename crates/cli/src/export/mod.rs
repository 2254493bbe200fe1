//! `forestage export`: a thread as a file that every AG-UI tool reads.

mod args;
mod redact;

use std::{io::Write, path::PathBuf};

use anyhow::Context;
use clap::Args;
use forestage_client::{ClientError, Settings, ThreadClient};
use futures_util::{Stream, TryStreamExt};

use self::redact::Redactor;
use crate::{
    exit::{Answer, Incomplete, Verdict},
    output::Target,
    remote::Remote,
    short_id,
};

/// Write the events of a thread as JSON lines, exactly as they are stored
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage export demo -o demo.agui.jsonl
  forestage export demo | forestage stream verify
  forestage export demo --redact -o for-the-bug-report.agui.jsonl")]
pub(crate) struct Export {
    /// The id of the thread, its beginning, or its number in `forestage threads`
    #[arg(value_name = "THREAD")]
    thread: String,
    #[command(flatten)]
    remote: Remote,
    /// The file to write, usually `*.agui.jsonl`; standard output by default. An export that breaks off
    /// leaves an existing file unchanged
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace text by blocks of the same length; ids, types, names and numbers stay
    #[arg(long)]
    redact: bool,
}

impl Export {
    pub(crate) fn run(&self) -> Answer {
        let client = self.remote.client(Settings::default())?;
        self.remote.block_on(async {
            let thread = client.thread(short_id::listed_thread(&client, &self.thread).await?);
            // The thread is asked for first, so that a thread that is not there leaves no empty file behind.
            let pieces = thread.export().await?;
            let mut target = Target::open(self.output.as_deref())?;
            match self.copy(pieces, &mut target).await? {
                None => target.complete().with_context(|| self.unwritten())?,
                Some(error) => {
                    let thread = &self.thread;
                    let reason = self.remote.sentence(&error);
                    let told = format!("the export of {thread} broke off: {reason}; {}", target.give_up());
                    return Err(Incomplete(told).into());
                }
            }
            Ok(Verdict::Yes)
        })
    }

    /// Writes what comes, and says why it is not everything, if it is not.
    async fn copy(
        &self,
        mut pieces: impl Stream<Item = Result<impl AsRef<[u8]>, ClientError>> + Unpin,
        target: &mut Target,
    ) -> anyhow::Result<Option<ClientError>> {
        let mut out = Lines { redactor: self.redact.then(Redactor::default), rest: Vec::new() };
        loop {
            match pieces.try_next().await {
                Ok(Some(bytes)) => out.write(bytes.as_ref(), target).with_context(|| self.unwritten())?,
                Ok(None) => break,
                Err(error) => return Ok(Some(error)),
            }
        }
        target.write_all(&out.rest).with_context(|| self.unwritten())?;
        Ok(None)
    }

    fn unwritten(&self) -> String {
        format!("cannot write {}", self.target())
    }

    /// Where it is written, for people.
    fn target(&self) -> String {
        self.output.as_ref().map_or_else(|| "standard output".to_owned(), |path| path.display().to_string())
    }
}

/// Everything on a thread, as JSON lines.
pub(crate) async fn read(thread: &ThreadClient) -> anyhow::Result<Vec<u8>> {
    let pieces: Result<Vec<_>, _> = thread.export().await?.try_collect().await;
    let broke_off = |error| Incomplete(format!("the thread could not be read to its end: {error}"));
    Ok(pieces.map_err(broke_off)?.concat())
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
