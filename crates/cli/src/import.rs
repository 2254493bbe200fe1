//! `forestage import`: a recording becomes a thread of a server.

use std::io::Write;

use anyhow::{Context, bail};
use clap::Args;
use forestage_client::{AgentRecord, Client, Settings, ThreadRecord};
use forestage_protocol::{
    event::Event,
    pipeline::{Reader, StreamError},
};

use crate::{
    exit::{Answer, Verdict},
    input::StreamInput,
    output::{self, style::ID},
    remote::Remote,
    stream::{Item, Stop, Walker, read, walk},
};

/// Store a recording as a thread; it is verified before anything is sent
///
/// Shapes that AG-UI has retired, and those of AGUI.Protocol, are translated to AG-UI 1.0.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage import demo.agui.jsonl --thread demo-2
  forestage import recording.sse --agent hello
  forestage import history.json --agent hello")]
pub(crate) struct Import {
    #[command(flatten)]
    stream: StreamInput,
    #[command(flatten)]
    remote: Remote,
    /// The id of the new thread [default: the one in the recording]
    #[arg(long, value_name = "ID")]
    thread: Option<String>,
    /// The agent that continues the thread [default: the server's only agent]
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Print the server's answer as JSON
    #[arg(long)]
    json: bool,
}

impl Import {
    pub(crate) fn run(&self) -> Answer {
        let mut frames = self.stream.open()?;
        let reader = Reader::default().with_net();
        let mut recording = Recording { reader, thread: self.thread.clone(), lines: Vec::new() };
        if let Some(error) = walk(&mut frames, &mut recording)? {
            return refuse(&error);
        }
        let Some(thread) = recording.thread else {
            bail!("the recording has no run; there is nothing to import");
        };
        let client = self.remote.client(Settings::default())?;
        let answer = self.remote.block_on(async {
            let agent = self.agent(&client).await?;
            Ok(client.thread(thread.as_str()).import(&agent, recording.lines).await?)
        })?;
        self.tell(&thread, &answer)?;
        Ok(Verdict::Yes)
    }

    async fn agent(&self, client: &Client) -> anyhow::Result<String> {
        if let Some(agent) = &self.agent {
            return Ok(agent.clone());
        }
        let agents = client.agents().await?;
        let names: Vec<&str> = agents.iter().filter_map(AgentRecord::name).collect();
        match names.as_slice() {
            [name] => Ok((*name).to_owned()),
            names => bail!("say with --agent which agent the thread goes on with: {}", names.join(", ")),
        }
    }

    fn tell(&self, thread: &str, answer: &ThreadRecord) -> anyhow::Result<()> {
        if self.json {
            return output::print_json(answer.members());
        }
        let mut out = output::screen();
        let thread = answer.thread_id().unwrap_or_else(|| thread.into());
        writeln!(out, "imported as {ID}{}{ID:#}", output::safe(&thread))?;
        Ok(out.flush()?)
    }
}

/// A recording that is not legal is a no.
fn refuse(error: &StreamError) -> Answer {
    let mut out = output::screen();
    output::write_fault(&format!("event {}: ", error.index), error, &mut out)?;
    out.flush()?;
    Ok(Verdict::No)
}

/// Verifies a recording and gathers it as JSON lines of AG-UI 1.0.
struct Recording {
    reader: Reader,
    /// The thread it is for; the recording's own where nobody named another.
    thread: Option<String>,
    lines: Vec<u8>,
}

impl Walker for Recording {
    fn take(&mut self, item: Item<'_>) -> Result<(), Stop> {
        let Self { reader, thread, lines } = self;
        let mut failed = None;
        let result = read(reader, &item.payload, |mut event| {
            if let Err(error) = rename(&mut event, thread) {
                failed = Some(error);
            }
            event.write_json(lines);
            lines.push(b'\n');
        });
        if let Some(error) = failed {
            return Err(error.into());
        }
        Ok(result?)
    }

    fn finish(&mut self) -> Result<(), Stop> {
        Ok(self.reader.finish()?)
    }
}

/// Makes an event one of the thread, or takes the thread from it.
fn rename(event: &mut Event, thread: &mut Option<String>) -> anyhow::Result<()> {
    match event {
        Event::RunStarted(started) => {
            let thread = thread.get_or_insert_with(|| started.thread_id.to_string());
            started.thread_id = thread.as_str().into();
            if let Some(input) = &mut started.input {
                input.thread_id = thread.as_str().into();
            }
        }
        Event::RunFinished(finished) => {
            let thread = thread.as_deref().context("a run finished that was not started")?;
            finished.thread_id = thread.into();
        }
        _ => {}
    }
    Ok(())
}
