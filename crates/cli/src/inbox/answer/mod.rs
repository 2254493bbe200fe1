//! `forestage inbox approve`, `reject`, `answer` and `cancel`: deciding a question.

mod edit;

use std::io::{self, Write};

use anyhow::Context;
use clap::{Args, ValueEnum};
use forestage_client::{
    Approval, Client, DecideError, DecideErrorKind, Effect, InterruptRecord, Remember, Ruling,
    Verdict as Said,
};
use forestage_protocol::json::Json;
use serde_json::json;

use super::{Target, words::decided};
use crate::{
    exit::{Answer, Verdict},
    output::{
        self, safe,
        style::{GOOD, ID},
    },
};

/// Approve a request, as it is or with other arguments
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage inbox approve q1
  forestage inbox approve q1 --args '{\"amount\": 20}' --reason 'not more than that'
  forestage inbox approve q1 --edit --remember thread")]
pub(super) struct Approve {
    #[command(flatten)]
    target: Target,
    /// Arguments that replace all proposed ones: JSON, or @FILE
    #[arg(long, value_name = "JSON|@FILE", conflicts_with = "edit")]
    args: Option<String>,
    /// Change the arguments in $VISUAL or $EDITOR first
    #[arg(long)]
    edit: bool,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Do not ask again: on this thread, or on all threads of its owner
    #[arg(long, value_name = "WHERE")]
    remember: Option<Where>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Where {
    Thread,
    Always,
}

impl From<Where> for Remember {
    fn from(place: Where) -> Self {
        match place {
            Where::Thread => Self::Thread,
            Where::Always => Self::Always,
        }
    }
}

/// Reject a request
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  forestage inbox reject q1 --reason 'the customer has been paid'")]
pub(super) struct Reject {
    #[command(flatten)]
    target: Target,
    /// Why; sent to the agent
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

/// Answer a question
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage inbox answer q1 --payload '{\"name\": \"Ada\"}'
  forestage inbox answer q1 --payload @answer.json")]
pub(super) struct Reply {
    #[command(flatten)]
    target: Target,
    /// The answer: JSON, or @FILE
    #[arg(long, value_name = "JSON|@FILE")]
    payload: String,
}

/// Cancel a request: the agent continues without an answer
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  forestage inbox cancel q1")]
pub(super) struct Cancel {
    #[command(flatten)]
    target: Target,
}

impl Approve {
    pub(super) fn run(&self) -> Answer {
        let args = self.args.as_deref().map(|text| read("--args", text)).transpose()?;
        self.target.decide(|record| {
            let edited_args = if self.edit { edit::edit(record)? } else { args };
            let (reason, remember) = (self.reason.clone(), self.remember.map(Into::into));
            Ok(Approval { approved: true, edited_args, reason, remember }.into())
        })
    }
}

impl Reject {
    pub(super) fn run(&self) -> Answer {
        let reason = self.reason.clone();
        self.target.decide(|_| Ok(Approval { reason, ..Approval::default() }.into()))
    }
}

impl Reply {
    pub(super) fn run(&self) -> Answer {
        let payload = read("--payload", &self.payload)?;
        self.target.decide(|_| Ok(Said::resolved(payload)))
    }
}

impl Cancel {
    pub(super) fn run(&self) -> Answer {
        self.target.decide(|_| Ok(Said::cancelled()))
    }
}

/// JSON as it was typed, or as it stands in a file.
fn read(flag: &str, text: &str) -> anyhow::Result<Json> {
    let text = match text.strip_prefix('@') {
        Some(path) => std::fs::read_to_string(path).with_context(|| format!("{flag}: cannot read {path}"))?,
        None => text.to_owned(),
    };
    let hint = "a text stands in double quotes, such as '\"yes\"'";
    Json::parse(&text).with_context(|| format!("{flag} is not JSON ({hint})"))
}

impl Target {
    /// Decides the question. It is read first, so that what is decided is what the caller means, whatever comes to be
    /// asked under the same id elsewhere.
    fn decide(&self, said: impl FnOnce(&InterruptRecord) -> anyhow::Result<Said>) -> Answer {
        let client = self.client()?;
        self.remote.block_on(async {
            let record = self.read(&client).await?;
            let said = said(&record)?;
            let said = match record.thread_id() {
                Some(thread) => said.on_thread(thread),
                None => said,
            };
            let id = record.interrupt_id().unwrap_or_else(|| self.id.as_str().into());
            match client.decide(&id, said).await {
                Ok(ruling) => self.told(&ruling),
                Err(error) => self.refused(&client, error).await,
            }
        })
    }

    fn told(&self, ruling: &Ruling) -> Answer {
        let run = ruling.run.as_ref();
        if self.json {
            let run = run.map(|run| json!({ "threadId": run.thread_id, "runId": run.run_id }));
            let effect = word(ruling.effect);
            let answer = json!({ "effect": effect, "interrupt": ruling.interrupt.members(), "run": run });
            output::print_json(&answer)?;
            return Ok(Verdict::Yes);
        }
        let mut out = output::screen();
        let record = &ruling.interrupt;
        let sentence = match ruling.effect {
            Effect::Counted => {
                format!("{} of {} have agreed; another person has to", record.votes().len(), record.needs())
            }
            _ => decided(record).unwrap_or_default(),
        };
        writeln!(out, "{GOOD}{}{GOOD:#}: {sentence}", word(ruling.effect))?;
        if let Some(run) = run {
            let (run_id, thread) = (safe(&run.run_id), safe(&run.thread_id));
            writeln!(out, "run {ID}{run_id}{ID:#} continues: forestage tail {thread}")?;
        }
        out.flush()?;
        Ok(Verdict::Yes)
    }

    /// That somebody was faster is a no; that the call makes no sense is an error.
    async fn refused(&self, client: &Client, error: DecideError) -> Answer {
        use DecideErrorKind::{Abandoned, AlreadyDecided, AlreadyVoted, Expired};
        let sentence = match error.kind {
            AlreadyDecided => {
                let now = self.read(client).await.ok();
                let who = now.as_ref().and_then(decided);
                who.map_or_else(|| self.remote.sentence(&error.error), |who| format!("it was {who}"))
            }
            AlreadyVoted | Expired | Abandoned => self.remote.sentence(&error.error),
            _ => return Err(error.error.into()),
        };
        writeln!(io::stderr(), "forestage: {sentence}")?;
        Ok(Verdict::No)
    }
}

fn word(effect: Effect) -> &'static str {
    match effect {
        Effect::Counted => "counted",
        Effect::Repeated => "repeated",
        _ => "decided",
    }
}
