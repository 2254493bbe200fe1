//! `forestage audit`: what was asked, decided and refused.

mod verify;

use std::io::Write;

use clap::{Args, Subcommand};
use forestage_client::{AuditQuery, AuditRecord, Client, Settings};
use futures_util::TryStreamExt;
use serde_json::{Value, json};

use crate::{
    exit::{Answer, Verdict},
    input::count,
    output::{
        self, brief, safe,
        style::{BOLD, DIM, ID},
    },
    remote::Remote,
    short_id,
};

/// List, export and verify the audit trail: what was requested, decided and refused
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
pub(crate) struct Audit {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    remote: Remote,
    /// Only entries about this thread
    #[arg(long, value_name = "ID")]
    thread: Option<String>,
    /// Only entries about this question
    #[arg(long, value_name = "ID")]
    interrupt: Option<String>,
    /// Only entries after this number
    #[arg(long, value_name = "NUMBER")]
    after: Option<u64>,
    /// How many, 1000 at most [default: 100; with --jsonl all]
    #[arg(long, value_parser = count)]
    limit: Option<usize>,
    /// Print the server's answer as one JSON object
    #[arg(long, conflicts_with = "jsonl")]
    json: bool,
    /// Export all of it, one entry on a line, as `forestage audit verify` reads it
    #[arg(long)]
    jsonl: bool,
}

const AFTER_HELP: &str = "\
Examples:
  forestage audit --thread demo
  forestage audit --jsonl > trail.jsonl
  forestage audit --jsonl | forestage audit verify -";

#[derive(Debug, Subcommand)]
enum Command {
    Verify(verify::Verify),
}

impl Audit {
    pub(crate) fn run(&self) -> Answer {
        if let Some(Command::Verify(verify)) = &self.command {
            return verify.run();
        }
        let client = self.remote.client(Settings::default())?;
        self.remote.block_on(async {
            match self.jsonl {
                true => self.export(&client).await?,
                false => self.list(&client).await?,
            }
            Ok(Verdict::Yes)
        })
    }

    async fn query(&self, client: &Client) -> anyhow::Result<AuditQuery> {
        let thread_id = match &self.thread {
            Some(thread) => Some(short_id::thread(client, thread).await?),
            None => None,
        };
        Ok(AuditQuery {
            thread_id,
            interrupt_id: self.interrupt.as_deref().map(Into::into),
            after: self.after.map(|after| after.to_string()),
            limit: self.limit,
        })
    }

    async fn export(&self, client: &Client) -> anyhow::Result<()> {
        let mut pieces = client.export_audit(&self.query(client).await?).await?;
        let mut out = output::plain();
        while let Some(piece) = pieces.try_next().await? {
            out.write_all(&piece)?;
        }
        Ok(out.flush()?)
    }

    async fn list(&self, client: &Client) -> anyhow::Result<()> {
        let page = client.audit(&self.query(client).await?).await?;
        if self.json {
            let entries: Vec<_> = page.items.iter().map(AuditRecord::members).collect();
            return output::print_json(&json!({ "entries": entries, "nextCursor": page.next }));
        }
        let mut out = output::screen();
        if page.items.is_empty() {
            writeln!(out, "{DIM}nothing is on record{DIM:#}")?;
        }
        page.items.iter().try_for_each(|entry| write(entry, &mut out))?;
        if let Some(next) = page.next {
            writeln!(out, "{DIM}there are more: --after {next}{DIM:#}")?;
        }
        Ok(out.flush()?)
    }
}

fn write(entry: &AuditRecord, out: &mut impl Write) -> std::io::Result<()> {
    let text = |value: Option<&str>| safe(value.unwrap_or_default());
    let time = entry.at().and_then(|time| jiff::Timestamp::from_millisecond(time).ok());
    let time = time.map(|time| time.strftime("%Y-%m-%d %H:%M:%S").to_string()).unwrap_or_default();
    let about = [entry.thread_id().map(|id| safe(&id)), entry.interrupt_id().map(|id| safe(&id))];
    let about = about.into_iter().flatten().collect::<Vec<_>>().join("/");
    let details = entry.details().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let details = details.map(|details| brief(&details)).unwrap_or_default();
    let (seq, kind, actor) = (entry.seq().unwrap_or_default(), text(entry.kind()), text(entry.actor()));
    let origin = text(entry.origin());
    write!(out, "{seq:>5}  {DIM}{time}{DIM:#}  {BOLD}{kind:12}{BOLD:#}  {actor} {DIM}({origin}){DIM:#}  ")?;
    writeln!(out, "{ID}{about}{ID:#}  {DIM}{details}{DIM:#}")
}
