//! `forestage tail`: a thread as it happens.

use std::io::{IsTerminal, Write};

use clap::Args;
use forestage_client::{After, ClientError, Delivered, Follow, Retry, Settings};
use serde_json::{Value, json, to_value};

use crate::{
    exit::{Answer, Incomplete, Verdict},
    output,
    remote::Remote,
    short_id,
};

/// Follow a thread: one line per event, as it happens, across broken connections and server restarts
///
/// Without --after it starts with snapshots of the conversation as it is now.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage tail demo
  forestage tail demo --after start --once
  forestage tail demo --after start --once --json | forestage stream fold")]
pub(crate) struct Tail {
    /// The id of the thread, its beginning, or its number in `forestage threads`
    #[arg(value_name = "THREAD")]
    thread: String,
    #[command(flatten)]
    remote: Remote,
    /// Start after this cursor; `start` means from the first event
    #[arg(long, value_name = "CURSOR")]
    after: Option<String>,
    /// Stop at the current end instead of waiting for more
    #[arg(long)]
    once: bool,
    /// Print events as JSON lines
    #[arg(long)]
    json: bool,
    /// With --json, put the cursor beside each event: {"cursor": .., "event": ..}
    #[arg(long, requires = "json")]
    cursors: bool,
}

impl Tail {
    pub(crate) fn run(&self) -> Answer {
        let after = place(self.after.as_deref())?;
        // Somebody who watches wants to go on watching, however long the server is away.
        let retry = if self.once { Retry::default() } else { Retry::default().for_ever() };
        let client = self.remote.client(Settings { retry, ..Settings::default() })?;
        self.remote.block_on(async {
            let thread = client.thread(short_id::listed_thread(&client, &self.thread).await?);
            let mut follow = match self.once {
                true => thread.replay(after).await?,
                false => thread.follow(after).await?,
            };
            self.print(&mut follow).await?;
            Ok(Verdict::Yes)
        })
    }

    async fn print(&self, follow: &mut Follow) -> anyhow::Result<()> {
        // Programs get what they asked for even in a pipe; people get lines at once.
        let mut out: Box<dyn Write> =
            if self.json { Box::new(output::plain()) } else { Box::new(output::screen()) };
        let flushes = !self.once || std::io::stdout().is_terminal();
        while let Some(delivered) = follow.next().await {
            let delivered = delivered.map_err(|error| self.broke_off(&error));
            if delivered.is_err() {
                out.flush()?;
            }
            self.line(&delivered?, &mut out)?;
            if flushes {
                out.flush()?;
            }
        }
        Ok(out.flush()?)
    }

    fn broke_off(&self, error: &ClientError) -> Incomplete {
        Incomplete(format!("the thread {} broke off: {}", self.thread, self.remote.sentence(error)))
    }

    fn line(&self, delivered: &Delivered, out: &mut impl Write) -> anyhow::Result<()> {
        let cursor = delivered.cursor.as_ref().map(|cursor| cursor.as_str());
        if self.json && !self.cursors {
            return Ok(writeln!(out, "{}", delivered.event.to_json())?);
        }
        let event = to_value(&delivered.event)?;
        if self.json {
            return output::write_json(&json!({ "cursor": cursor, "event": event }), out);
        }
        Ok(output::write_timed(&clock(&event), &event, cursor.unwrap_or_default(), out)?)
    }
}

/// Where to begin.
fn place(after: Option<&str>) -> anyhow::Result<After> {
    match after {
        None => Ok(After::Now),
        Some("start") => Ok(After::Start),
        Some(cursor) => Ok(After::Cursor(cursor.parse()?)),
    }
}

/// The time of an event, as a clock in UTC shows it.
fn clock(event: &Value) -> String {
    let time = event["timestamp"].as_i64().and_then(|time| jiff::Timestamp::from_millisecond(time).ok());
    time.map_or_else(|| " ".repeat(12), |time| time.strftime("%H:%M:%S%.3f").to_string())
}
