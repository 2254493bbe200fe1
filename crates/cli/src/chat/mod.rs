//! `forestage chat`: a conversation in the terminal.
//!
//! ```text
//! stdin ──> command / question ──> room ──> server
//!                                   │
//! screen <── plain or tui <── news ─┘   everything shown is read from the thread's log
//! ```

mod command;
mod plain;
mod question;
mod room;
mod tui;

use std::io::{self, IsTerminal};

use clap::Args;
use forestage_client::{Client, Retry, Settings};

use self::room::Room;
use crate::{exit::Answer, remote::Remote};

/// Talk to an agent in the terminal
///
/// The chat shows the thread's log: close the terminal, lose the connection or restart the server, and continue
/// with --thread. Ctrl-C cancels the current run; without one it quits.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage chat
  forestage chat hello --thread demo
  echo 'Hello' | forestage chat hello --plain")]
pub(crate) struct Chat {
    /// The agent [default: the thread's, else `hello`, else the first one]
    #[arg(value_name = "AGENT")]
    agent: Option<String>,
    #[command(flatten)]
    remote: Remote,
    /// The thread to continue, or the id of a new one
    #[arg(long, value_name = "ID")]
    thread: Option<String>,
    /// Print lines instead of a full screen; the default in a pipe
    #[arg(long)]
    plain: bool,
}

impl Chat {
    pub(crate) fn run(&self) -> Answer {
        // Broken connections are made again by the room, which says so.
        let client = self.remote.client(Settings { retry: Retry::NEVER, ..Settings::default() })?;
        self.remote.block_on(async {
            let room = self.open(client).await?;
            let is_screen = !self.plain && io::stdout().is_terminal() && io::stdin().is_terminal();
            match is_screen {
                true => tui::run(room, &self.remote).await,
                false => plain::run(room, &self.remote).await,
            }
        })
    }

    async fn open(&self, client: Client) -> anyhow::Result<Room> {
        let mut room = Room::new(client, self.agent.clone()).await?;
        if let Some(thread) = &self.thread {
            room.enter(thread).await?;
        }
        if let Some(agent) = &self.agent {
            // The thread has an agent of its own, but whoever names another one means it.
            room.change_agent(agent.clone()).await?;
        }
        Ok(room)
    }
}
