//! `forestage inbox`: what waits for a person, on all threads, and deciding it.

mod answer;
mod list;
mod show;
mod words;

use clap::{Args, Subcommand};
use forestage_client::{Client, InterruptRecord, Settings};
use forestage_protocol::id::ThreadId;

use self::list::List;
use crate::{exit::Answer, remote::Remote, short_id};

/// List the requests that wait for a decision; show, approve, reject, answer or cancel them
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
pub(crate) struct Inbox {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    list: List,
}

const AFTER_HELP: &str = "\
Examples:
  forestage inbox
  forestage inbox --risk high,critical --follow
  forestage inbox show q1
  forestage inbox approve q1 --reason 'spoke to the customer'
  forestage inbox --json | jq -r '.interrupts[].id'";

#[derive(Debug, Subcommand)]
enum Command {
    List(List),
    Show(show::Show),
    Approve(answer::Approve),
    Reject(answer::Reject),
    Answer(answer::Reply),
    Cancel(answer::Cancel),
}

impl Inbox {
    pub(crate) fn run(&self) -> Answer {
        match &self.command {
            None => self.list.run(),
            Some(Command::List(list)) => list.run(),
            Some(Command::Show(show)) => show.run(),
            Some(Command::Approve(approve)) => approve.run(),
            Some(Command::Reject(reject)) => reject.run(),
            Some(Command::Answer(reply)) => reply.run(),
            Some(Command::Cancel(cancel)) => cancel.run(),
        }
    }
}

/// One question.
#[derive(Args, Debug)]
struct Target {
    /// The id of the question, or its beginning
    #[arg(value_name = "ID")]
    id: String,
    /// The thread, if several have a question with this id
    #[arg(long, value_name = "ID")]
    thread: Option<String>,
    #[command(flatten)]
    remote: Remote,
    /// Print the server's answer as one JSON object
    #[arg(long)]
    json: bool,
}

impl Target {
    fn client(&self) -> anyhow::Result<Client> {
        self.remote.client(Settings::default())
    }

    async fn read(&self, client: &Client) -> anyhow::Result<InterruptRecord> {
        let thread = self.thread(client).await?;
        short_id::question(client, &self.id, thread.as_ref()).await
    }

    /// The thread it is on, where the caller names one.
    async fn thread(&self, client: &Client) -> anyhow::Result<Option<ThreadId>> {
        match &self.thread {
            Some(thread) => Ok(Some(short_id::thread(client, thread).await?)),
            None => Ok(None),
        }
    }
}
