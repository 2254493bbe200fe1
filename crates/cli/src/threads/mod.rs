//! `forestage threads`: the caller's threads, looked at and put in order.

mod list;
mod show;

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::bail;
use clap::{Args, Subcommand};
use forestage_client::{Settings, ThreadClient};
use forestage_protocol::id::RunId;

use self::list::List;
use crate::{
    exit::{Answer, Verdict},
    output,
    remote::Remote,
    short_id,
};

/// List, show, rename, archive, review, cancel and delete threads
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
pub(crate) struct Threads {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    list: List,
}

const AFTER_HELP: &str = "\
Examples:
  forestage threads --status waiting
  forestage threads show demo
  forestage threads --json | jq -r '.threads[].id'";

#[derive(Debug, Subcommand)]
enum Command {
    List(List),
    Show(show::Show),
    Rename(Rename),
    Archive(Archive),
    Unarchive(Unarchive),
    Review(Review),
    Delete(Delete),
    Cancel(Cancel),
}

impl Threads {
    pub(crate) fn run(&self) -> Answer {
        match &self.command {
            None => self.list.run(),
            Some(Command::List(list)) => list.run(),
            Some(Command::Show(show)) => show.run(),
            Some(Command::Rename(rename)) => rename.run(),
            Some(Command::Archive(archive)) => archive.thread.archive(true),
            Some(Command::Unarchive(unarchive)) => unarchive.thread.archive(false),
            Some(Command::Review(review)) => review.run(),
            Some(Command::Delete(delete)) => delete.run(),
            Some(Command::Cancel(cancel)) => cancel.run(),
        }
    }
}

/// One thread of a server.
#[derive(Args, Debug)]
struct Target {
    /// The id of the thread, or its beginning
    #[arg(value_name = "THREAD")]
    id: String,
    #[command(flatten)]
    remote: Remote,
}

/// Give a thread a title
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  forestage threads rename demo 'My first thread'")]
struct Rename {
    #[command(flatten)]
    thread: Target,
    /// The title
    title: String,
}

/// Archive a thread, so that it is no longer listed
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  forestage threads archive demo")]
struct Archive {
    #[command(flatten)]
    thread: Target,
}

/// Return a thread from the archive
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  forestage threads unarchive demo")]
struct Unarchive {
    #[command(flatten)]
    thread: Target,
}

/// Hold the answers on a thread until a person has reviewed them
///
/// They wait in the inbox as drafts. This applies to runs that start from now on. Answers that the agent's house rules hold
/// for review wait in any case.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  forestage threads review demo\n  forestage threads review demo --off")]
struct Review {
    #[command(flatten)]
    thread: Target,
    /// Show answers at once again
    #[arg(long)]
    off: bool,
}

/// Delete a thread and everything in it
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  forestage threads delete demo --yes")]
struct Delete {
    #[command(flatten)]
    thread: Target,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

/// Cancel a run: the current one, the one that waits for a decision, or the one you name
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  forestage threads cancel demo")]
struct Cancel {
    #[command(flatten)]
    thread: Target,
    /// The run [default: the current one, or the one that waits]
    run: Option<String>,
}

impl Target {
    async fn client(&self) -> anyhow::Result<ThreadClient> {
        let client = self.remote.client(Settings::default())?;
        let id = short_id::thread(&client, &self.id).await?;
        Ok(client.thread(id))
    }

    fn archive(&self, archived: bool) -> Answer {
        self.remote.block_on(async { Ok(self.client().await?.archive(archived).await?) })?;
        Ok(Verdict::Yes)
    }
}

impl Rename {
    fn run(&self) -> Answer {
        self.thread.remote.block_on(async { Ok(self.thread.client().await?.rename(&self.title).await?) })?;
        Ok(Verdict::Yes)
    }
}

impl Review {
    fn run(&self) -> Answer {
        self.thread.remote.block_on(async { Ok(self.thread.client().await?.review(!self.off).await?) })?;
        Ok(Verdict::Yes)
    }
}

impl Delete {
    fn run(&self) -> Answer {
        self.thread.remote.block_on(async {
            let thread = self.thread.client().await?;
            if !self.yes && !is_confirmed(thread.id())? {
                return Ok(Verdict::No);
            }
            thread.delete().await?;
            Ok(Verdict::Yes)
        })
    }
}

/// Asks a person. Where nobody can answer, the flag has to say it.
fn is_confirmed(thread_id: &str) -> anyhow::Result<bool> {
    if !io::stdin().is_terminal() {
        bail!("deleting cannot be undone; confirm it with --yes");
    }
    let mut err = io::stderr().lock();
    write!(err, "Delete the thread {} and everything in it? [y/N] ", output::safe(thread_id))?;
    err.flush()?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

impl Cancel {
    /// No, where nothing is under way.
    fn run(&self) -> Answer {
        self.thread.remote.block_on(async {
            let thread = self.thread.client().await?;
            let run_id = match &self.run {
                Some(run_id) => Some(short_id::run(&thread.runs().await?, run_id)?),
                None => under_way(&thread).await?,
            };
            let Some(run_id) = run_id else {
                writeln!(io::stderr(), "forestage: no run is under way on this thread, and none waits")?;
                return Ok(Verdict::No);
            };
            if !thread.cancel(&run_id).await? {
                writeln!(io::stderr(), "forestage: the run has ended, and nothing of it waits")?;
                return Ok(Verdict::No);
            }
            Ok(Verdict::Yes)
        })
    }
}

/// The run that has not ended, or whose questions wait.
async fn under_way(thread: &ThreadClient) -> anyhow::Result<Option<RunId>> {
    let runs = thread.runs().await?;
    let open = runs.iter().rev().find(|run| run.members().get("status").is_some_and(|it| it == "running"));
    if let Some(open) = open {
        return Ok(open.run_id());
    }
    let entry = thread.get().await?;
    let waits = entry.members().get("status").is_some_and(|status| status == "waiting");
    let head = entry.members().get("head").and_then(serde_json::Value::as_str);
    Ok(head.filter(|_| waits).map(RunId::from))
}
