//! `forestage inbox show`: one question, with all that whoever decides has to know.

use std::io::Write;

use clap::Args;
use forestage_client::InterruptRecord;
use serde_json::Value;

use super::{
    Target,
    words::{decided, of_risk, who},
};
use crate::{
    exit::{Answer, Verdict},
    output::{
        self, age, left, safe, safe_lines,
        style::{BOLD, DIM, ID},
        write_block,
    },
    short_id,
};

/// Show a question, by its id or by its number in the list: what is asked, with which arguments, who has agreed, what was decided
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  forestage inbox show q1 --json | jq .interrupt.metadata.arguments")]
pub(super) struct Show {
    #[command(flatten)]
    target: Target,
}

impl Show {
    pub(super) fn run(&self) -> Answer {
        let client = self.target.client()?;
        let record = self.target.remote.block_on(async {
            let thread = self.target.thread(&client).await?;
            short_id::listed_question(&client, &self.target.id, thread.as_ref()).await
        })?;
        match self.target.json {
            true => output::print_json(record.members())?,
            false => print(&record)?,
        }
        Ok(Verdict::Yes)
    }
}

fn print(record: &InterruptRecord) -> anyhow::Result<()> {
    let mut out = output::screen();
    let id = record.interrupt_id().map(|id| safe(&id)).unwrap_or_default();
    let (risk, thread) = (record.risk().unwrap_or_default(), record.thread_id());
    let style = of_risk(risk);
    let agent = safe(record.agent().unwrap_or_default());
    let thread = thread.map(|id| safe(&id)).unwrap_or_default();
    writeln!(out, "{ID}{id}{ID:#} {style}{}{style:#} {agent} on {thread}", safe(risk))?;
    for line in safe_lines(record.message().or(record.reason()).unwrap_or_default()) {
        writeln!(out, "{BOLD}{line}{BOLD:#}")?;
    }
    writeln!(out)?;
    line("asked", &age(record.opened_at()), &mut out)?;
    line("expires", &left(record.expires_at()), &mut out)?;
    line("decides", &who(record), &mut out)?;
    line("decided", &decided(record).unwrap_or_default(), &mut out)?;
    line("tool", &text(record.fact("tool")), &mut out)?;
    line("rule", &text(record.fact("rule")), &mut out)?;
    block("arguments", record.fact("arguments"), &mut out)?;
    block("draft", record.private(), &mut out)?;
    // Nobody answers it any more once it is decided.
    let schema = record.interrupt().get("responseSchema").filter(|_| record.decision().is_none());
    block("answer with", schema, &mut out)?;
    for vote in record.votes() {
        line("agreed", &format!("{}, {}", text(vote.get("by")), age(vote["at"].as_i64())), &mut out)?;
        block("said", vote["answer"].get("payload"), &mut out)?;
    }
    let answer = record.decision().and_then(|decision| decision.get("answer")?.get("payload"));
    block("answer", answer, &mut out)?;
    line("led to", &text(record.decision().and_then(|decision| decision.get("runId"))), &mut out)?;
    Ok(out.flush()?)
}

fn text(value: Option<&Value>) -> String {
    safe(value.and_then(Value::as_str).unwrap_or_default())
}

/// A name and a few words, where there are any.
fn line(name: &str, text: &str, out: &mut impl Write) -> std::io::Result<()> {
    if text.is_empty() { Ok(()) } else { writeln!(out, "{DIM}{name:8}{DIM:#} {text}") }
}

/// A name and a value over several lines, where there is one.
fn block(name: &str, value: Option<&Value>, out: &mut impl Write) -> std::io::Result<()> {
    let Some(value) = value.filter(|value| !value.is_null()) else { return Ok(()) };
    writeln!(out, "{DIM}{name}{DIM:#}")?;
    write_block(&format!("{value:#}"), "  ", out)
}
