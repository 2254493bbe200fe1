//! `forestage threads list`: one line per thread, the latest first.

use std::io::Write;

use anstyle::Style;
use clap::Args;
use forestage_client::{Settings, ThreadQuery, ThreadRecord};
use serde_json::{Value, json};

use crate::{
    exit::{Answer, Verdict},
    input::count,
    output::{
        self, age, excerpt, safe,
        style::{DIM, ERROR, GOOD, ID, WARNING},
    },
    remote::Remote,
};

/// List threads, latest first
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  forestage threads list --search invoice --limit 5")]
pub(super) struct List {
    #[command(flatten)]
    remote: Remote,
    /// Only threads with these words in their title or id
    #[arg(long, value_name = "WORDS")]
    search: Option<String>,
    /// Only threads with this status: idle, running, waiting or failed
    #[arg(long)]
    status: Option<String>,
    /// Only threads of this agent
    #[arg(long)]
    agent: Option<String>,
    /// Include archived threads
    #[arg(long)]
    archived: bool,
    /// How many, 200 at most
    #[arg(long, value_parser = count, default_value_t = 50)]
    limit: usize,
    /// Print the server's answer as one JSON object
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(&self) -> Answer {
        let client = self.remote.client(Settings::default())?;
        let query = ThreadQuery {
            search: self.search.clone(),
            agent: self.agent.clone(),
            status: self.status.clone(),
            archived: self.archived,
            limit: Some(self.limit),
            cursor: None,
        };
        let page = self.remote.block_on(async { Ok(client.threads(&query).await?) })?;
        let threads: Vec<_> = page.items.iter().map(ThreadRecord::members).collect();
        let answer = json!({ "threads": threads, "nextCursor": page.next });
        match self.json {
            true => output::print_json(&answer)?,
            false => print(&answer)?,
        }
        Ok(Verdict::Yes)
    }
}

fn print(answer: &Value) -> anyhow::Result<()> {
    let mut out = output::screen();
    let threads = answer["threads"].as_array().map(Vec::as_slice).unwrap_or_default();
    if threads.is_empty() {
        writeln!(out, "{DIM}no threads{DIM:#}")?;
    }
    let text = |thread: &Value, name: &str| safe(thread[name].as_str().unwrap_or_default());
    let width = |name: &str| threads.iter().map(|it| text(it, name).chars().count()).max().unwrap_or(0);
    let (id_width, agent_width) = (width("id"), width("agent"));
    let number_width = threads.len().to_string().len();
    for (number, thread) in (1..).zip(threads) {
        let (id, agent, status) = (text(thread, "id"), text(thread, "agent"), text(thread, "status"));
        let style = of_status(&status);
        let title = excerpt(thread["title"].as_str().unwrap_or_default());
        let age = age(thread["updatedAt"].as_i64());
        write!(out, "{DIM}{number:>number_width$}{DIM:#}  ")?;
        write!(out, "{ID}{id:id_width$}{ID:#}  {style}{status:7}{style:#}  {agent:agent_width$}  ")?;
        writeln!(out, "{DIM}{age:>9}{DIM:#}  {title}")?;
    }
    if answer["nextCursor"].is_string() {
        writeln!(out, "{DIM}there are more: --limit says how many are listed{DIM:#}")?;
    }
    Ok(out.flush()?)
}

pub(super) fn of_status(status: &str) -> Style {
    match status {
        "running" => GOOD,
        "waiting" => WARNING,
        "failed" => ERROR,
        _ => DIM,
    }
}
