//! `forestage rules`: the approvals that the caller asked to remember.

use std::io::Write;

use clap::{Args, Subcommand};
use forestage_client::{RuleRecord, Settings};
use serde_json::json;

use crate::{
    exit::{Answer, Verdict},
    output::{
        self, age, safe,
        style::{DIM, ID},
    },
    remote::Remote,
    short_id,
};

/// List the approvals that you asked to remember, and remove them
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
pub(crate) struct Rules {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    remote: Remote,
    /// Print the server's answer as one JSON object
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "Examples:\n  forestage rules\n  forestage rules remove q1";

#[derive(Debug, Subcommand)]
enum Command {
    Remove(Remove),
}

/// Remove a remembered approval: the next call asks again
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  forestage rules remove q1")]
struct Remove {
    /// The id of the rule, or its beginning
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    remote: Remote,
}

impl Rules {
    pub(crate) fn run(&self) -> Answer {
        match &self.command {
            Some(Command::Remove(remove)) => remove.run(),
            None => self.list(),
        }
    }

    fn list(&self) -> Answer {
        let client = self.remote.client(Settings::default())?;
        let rules = self.remote.block_on(async { Ok(client.rules().await?) })?;
        match self.json {
            true => {
                let rules: Vec<_> = rules.iter().map(RuleRecord::members).collect();
                output::print_json(&json!({ "rules": rules }))?;
            }
            false => print(&rules)?,
        }
        Ok(Verdict::Yes)
    }
}

impl Remove {
    fn run(&self) -> Answer {
        let client = self.remote.client(Settings::default())?;
        self.remote.block_on(async {
            let id = short_id::rule(&client, &self.id).await?;
            Ok(client.delete_rule(&id).await?)
        })?;
        Ok(Verdict::Yes)
    }
}

fn print(rules: &[RuleRecord]) -> anyhow::Result<()> {
    let mut out = output::screen();
    if rules.is_empty() {
        writeln!(out, "{DIM}no rules{DIM:#}")?;
    }
    for rule in rules {
        let text = |value: Option<&str>| safe(value.unwrap_or_default());
        let place = rule.thread_id().map_or_else(|| "always".to_owned(), |id| format!("on {}", safe(&id)));
        let (id, agent, tool) = (text(rule.id()), text(rule.agent()), text(rule.tool()));
        let (risk, by, age) = (text(rule.risk()), text(rule.by()), age(rule.at()));
        let terms = format!("up to risk {risk}, {place}");
        writeln!(out, "{ID}{id}{ID:#}  {agent} may call {tool}, {terms}  {DIM}by {by}, {age}{DIM:#}")?;
    }
    Ok(out.flush()?)
}
