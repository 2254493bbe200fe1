//! `forestage threads show`: one thread, its runs and what was said on it.

use std::io::Write;

use clap::Args;
use forestage_client::{RunRecord, Settings, ThreadRecord};
use forestage_protocol::message::Message;
use serde_json::{Value, json};

use super::{Target, list::of_status};
use crate::{
    exit::{Answer, Verdict},
    output::{
        self, age, safe,
        style::{BOLD, DIM, ID},
        write_block, write_conversation,
    },
    short_id,
};

/// Show a thread, by its id or by its number in the list: its runs, its messages, its state
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  forestage threads show demo --json | jq .messages")]
pub(super) struct Show {
    #[command(flatten)]
    thread: Target,
    /// Print one JSON object: thread, runs, messages, state
    #[arg(long)]
    json: bool,
}

struct Shown {
    thread: ThreadRecord,
    runs: Vec<RunRecord>,
    messages: Vec<Message>,
    state: Value,
}

impl Show {
    pub(super) fn run(&self) -> Answer {
        let client = self.thread.remote.client(Settings::default())?;
        let shown = self.thread.remote.block_on(async {
            let thread = client.thread(short_id::listed_thread(&client, &self.thread.id).await?);
            Ok(Shown {
                thread: thread.get().await?,
                runs: thread.runs().await?,
                messages: thread.messages().await?,
                state: thread.state().await?,
            })
        })?;
        match self.json {
            true => output::print_json(&shown.to_json())?,
            false => shown.print()?,
        }
        Ok(Verdict::Yes)
    }
}

impl Shown {
    fn to_json(&self) -> Value {
        let runs: Vec<_> = self.runs.iter().map(RunRecord::members).collect();
        json!({
            "thread": self.thread.members(),
            "runs": runs,
            "messages": self.messages,
            "state": self.state,
        })
    }

    fn print(&self) -> anyhow::Result<()> {
        let mut out = output::screen();
        let text = |value: Option<&str>| safe(value.unwrap_or_default());
        let id = self.thread.thread_id().map(|id| safe(&id)).unwrap_or_default();
        writeln!(out, "{ID}{id}{ID:#} {BOLD}{}{BOLD:#}", text(self.thread.title()))?;
        if self.thread.members().get("review").is_some_and(|review| review == true) {
            writeln!(out, "  {DIM}answers are looked at before they are shown{DIM:#}")?;
        }
        for run in &self.runs {
            let id = run.run_id().map(|id| safe(&id)).unwrap_or_default();
            let status = text(run.members().get("status").and_then(Value::as_str));
            let style = of_status(&status);
            let age = age(run.members().get("startedAt").and_then(Value::as_i64));
            let agent = text(run.agent());
            writeln!(out, "  {ID}{id}{ID:#} {agent} {style}{status}{style:#} {DIM}{age}{DIM:#}")?;
        }
        writeln!(out)?;
        write_conversation(&self.messages, &mut out)?;
        if self.state.as_object().is_some_and(|state| !state.is_empty()) {
            writeln!(out, "{BOLD}state{BOLD:#}")?;
            write_block(&format!("{:#}", self.state), "  ", &mut out)?;
        }
        Ok(out.flush()?)
    }
}
