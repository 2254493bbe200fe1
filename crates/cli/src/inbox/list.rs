//! `forestage inbox list`: one line per question, the oldest first; with `--follow`, as it changes.

use std::io::Write;

use clap::Args;
use forestage_client::{Client, InboxEvent, InboxQuery, InterruptRecord, Retry, Settings};
use serde_json::json;

use super::words::{decided, of_risk, what, who};
use crate::{
    exit::{Answer, Verdict},
    input::count,
    output::{
        self, age, left, safe,
        style::{DIM, ERROR, GOOD, ID, WARNING},
    },
    remote::Remote,
    short_id,
};

/// List the requests that wait for a decision, oldest first
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  forestage inbox list --agent refunds\n  forestage inbox list --follow --json"
)]
pub(super) struct List {
    #[command(flatten)]
    remote: Remote,
    /// Only requests on this thread
    #[arg(long, value_name = "ID")]
    thread: Option<String>,
    /// Only requests of this agent
    #[arg(long)]
    agent: Option<String>,
    /// Only requests with this risk: low, medium, high or critical; separate several with commas
    #[arg(long, value_delimiter = ',')]
    risk: Vec<String>,
    /// Include decided requests
    #[arg(long, conflicts_with = "follow")]
    decided: bool,
    /// How many, 1000 at most
    #[arg(long, value_parser = count, default_value_t = 100, conflicts_with = "follow")]
    limit: usize,
    /// Keep running: print what is opened, decided and closed, across broken connections and restarts of the server
    #[arg(long, short)]
    follow: bool,
    /// Print the server's answer as one JSON object; with --follow, one event on a line
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(&self) -> Answer {
        if self.follow {
            return self.follow();
        }
        let client = self.remote.client(Settings::default())?;
        let page = self.remote.block_on(async {
            let query = self.query(&client).await?;
            let query = InboxQuery { decided: self.decided, limit: Some(self.limit), ..query };
            Ok(client.inbox(&query).await?)
        })?;
        if self.json {
            let interrupts: Vec<_> = page.items.iter().map(InterruptRecord::members).collect();
            output::print_json(&json!({ "interrupts": interrupts, "nextCursor": page.next }))?;
            return Ok(Verdict::Yes);
        }
        print(&page.items, page.next.is_some())?;
        Ok(Verdict::Yes)
    }

    async fn query(&self, client: &Client) -> anyhow::Result<InboxQuery> {
        let thread_id = match &self.thread {
            Some(thread) => Some(short_id::thread(client, thread).await?),
            None => None,
        };
        let (agent, risks) = (self.agent.clone(), self.risk.clone());
        Ok(InboxQuery { thread_id, agent, risks, ..InboxQuery::default() })
    }

    fn follow(&self) -> Answer {
        let retry = Retry::default().for_ever();
        let client = self.remote.client(Settings { retry, ..Settings::default() })?;
        self.remote.block_on(async {
            let mut inbox = client.follow_inbox(&self.query(&client).await?).await?;
            while let Some(event) = inbox.next().await {
                self.tell(&event?)?;
            }
            Ok(Verdict::Yes)
        })
    }

    fn tell(&self, event: &InboxEvent) -> anyhow::Result<()> {
        let (kind, style, record) = match event {
            InboxEvent::Opened(record) => ("opened", WARNING, record),
            InboxEvent::Voted(record) => ("voted", WARNING, record),
            InboxEvent::Decided(record) => ("decided", GOOD, record),
            InboxEvent::Closed(record) => ("closed", ERROR, record),
            _ if self.json => return output::print_json(&json!({ "type": "ready" })),
            _ => return Ok(()),
        };
        if self.json {
            return output::print_json(&json!({ "type": kind, "interrupt": record.members() }));
        }
        let mut out = output::screen();
        let row = Row::of(record);
        let outcome = decided(record).unwrap_or_else(|| row.what.clone());
        write!(out, "{style}{kind:7}{style:#}  {ID}{}{ID:#}  {}  {}  ", row.id, row.agent, row.thread)?;
        writeln!(out, "{}{}{:#}  {outcome}", of_risk(&row.risk), row.risk, of_risk(&row.risk))?;
        Ok(out.flush()?)
    }
}

/// A question as a line of the table.
struct Row {
    id: String,
    risk: String,
    agent: String,
    thread: String,
    waiting: String,
    expires: String,
    who: String,
    what: String,
}

impl Row {
    fn of(record: &InterruptRecord) -> Self {
        Self {
            id: record.interrupt_id().map(|id| safe(&id)).unwrap_or_default(),
            risk: safe(record.risk().unwrap_or("-")),
            agent: safe(record.agent().unwrap_or_default()),
            thread: record.thread_id().map(|id| safe(&id)).unwrap_or_default(),
            waiting: age(record.opened_at()),
            expires: left(record.expires_at()),
            who: decided(record).unwrap_or_else(|| who(record)),
            what: what(record),
        }
    }

    fn heads() -> Self {
        let head = |text: &str| text.to_owned();
        Self {
            id: head("ID"),
            risk: head("RISK"),
            agent: head("AGENT"),
            thread: head("THREAD"),
            waiting: head("SINCE"),
            expires: head("EXPIRES"),
            who: head("WHO DECIDES"),
            what: head("WHAT"),
        }
    }

    /// All but the last, which needs no width.
    fn cells(&self) -> [&str; 7] {
        [&self.id, &self.risk, &self.agent, &self.thread, &self.waiting, &self.expires, &self.who]
    }
}

fn print(records: &[InterruptRecord], has_more: bool) -> anyhow::Result<()> {
    let mut out = output::screen();
    if records.is_empty() {
        writeln!(out, "{DIM}nothing to decide{DIM:#}")?;
        return Ok(out.flush()?);
    }
    let rows: Vec<Row> = std::iter::once(Row::heads()).chain(records.iter().map(Row::of)).collect();
    let width = |at: usize| rows.iter().map(|row| row.cells()[at].chars().count()).max().unwrap_or(0);
    let widths: [usize; 7] = std::array::from_fn(width);
    let number_width = records.len().to_string().len();
    for (number, row) in rows.iter().enumerate() {
        let is_head = number == 0;
        let shown = if is_head { "#".to_owned() } else { number.to_string() };
        write!(out, "{DIM}{shown:>number_width$}{DIM:#}  ")?;
        for (at, (cell, width)) in row.cells().iter().zip(widths).enumerate() {
            let style = match at {
                _ if is_head => DIM,
                0 => ID,
                1 => of_risk(cell),
                4 | 5 => DIM,
                _ => anstyle::Style::new(),
            };
            write!(out, "{style}{cell:width$}{style:#}  ")?;
        }
        let style = if is_head { DIM } else { anstyle::Style::new() };
        writeln!(out, "{style}{}{style:#}", row.what)?;
    }
    if has_more {
        writeln!(out, "{DIM}there are more: --limit says how many are listed{DIM:#}")?;
    }
    Ok(out.flush()?)
}
