//! The server as a process, and what clients see of it.

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

use forestage::protocol::{input::RunAgentInput, message::UserMessage};
use serde_json::Value;

/// Nothing that a test waits for takes longer: half of what it takes until upkeep comes by where nothing is to do.
const PATIENCE: Duration = Duration::from_secs(15);

/// A server in a process of its own. It is killed when this is dropped.
pub(crate) struct Process {
    child: Child,
    output: Receiver<String>,
    pub(crate) url: String,
}

impl Process {
    /// Starts a server on a file and waits until it listens. It keeps a thread for `lease` milliseconds without
    /// saying so again.
    pub(crate) fn start(file: &Path, listen: &str, lease: u32) -> Self {
        Self::start_with(file, listen, lease, &[])
    }

    /// The same with more to say to it.
    pub(crate) fn start_with(file: &Path, listen: &str, lease: u32, more: &[&str]) -> Self {
        Self::start_on(&format!("sqlite:{}", file.display()), &trace(file), listen, lease, more)
    }

    /// The same on any store, with a file where its tools leave what they did.
    pub(crate) fn start_on(store: &str, trace: &Path, listen: &str, lease: u32, more: &[&str]) -> Self {
        Self::start_as(Command::new(env!("CARGO_BIN_EXE_play")), store, trace, listen, lease, more)
    }

    /// The same in a process that can make no file larger than so many blocks, as if the disk were full then.
    #[cfg(unix)]
    pub(crate) fn start_with_little_room(file: &Path, lease: u32, blocks: u32) -> Self {
        // A process that exceeds the limit is killed, unless it ignores the signal.
        let script = format!(r#"trap "" XFSZ; ulimit -f {blocks}; exec "$0" "$@""#);
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_play")]);
        let store = format!("sqlite:{}", file.display());
        Self::start_as(command, &store, &trace(file), "127.0.0.1:0", lease, &[])
    }

    fn start_as(
        mut command: Command,
        store: &str,
        trace: &Path,
        listen: &str,
        lease: u32,
        more: &[&str],
    ) -> Self {
        let mut child = command
            .args(["--store", store])
            .args(["--listen", listen, "--lease", &lease.to_string()])
            .arg("--trace")
            .arg(trace)
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it was built with this test");
        let output = lines(child.stdout.take().expect("it is piped"));
        let line = output.recv_timeout(PATIENCE).expect("it starts");
        let url = line.trim().strip_prefix("listening on ").expect("its first line says where").to_owned();
        Self { child, output, url }
    }

    pub(crate) fn address(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    /// SIGKILL: nothing is written, nothing is said.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it is ours");
    }

    /// Asks it to end, and waits until it has.
    pub(crate) fn stop(&mut self) {
        drop(self.child.stdin.take());
        tokio::task::block_in_place(|| self.child.wait()).expect("it is ours");
    }

    /// Stops the process where it is, or lets it go on, as a machine does that sleeps and wakes up.
    pub(crate) fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([signal, &self.id().to_string()]).status();
        assert!(status.expect("there is kill").success());
    }

    /// Lets the agent on a thread go on so many times.
    pub(crate) fn go(&mut self, thread: &str, count: usize) {
        let input = self.child.stdin.as_mut().expect("it is piped");
        writeln!(input, "go {thread} {count}").expect("it listens");
    }

    /// Waits until it says on its output what a tool has just done.
    pub(crate) fn says(&mut self) -> String {
        let said = tokio::task::block_in_place(|| self.output.recv_timeout(PATIENCE));
        said.expect("it says something in time")
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

/// The lines of an output as they come.
fn lines(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        lines.map(|line| line.trim().to_owned()).try_for_each(|line| sender.send(line))
    });
    receiver
}

/// What goes on by itself does so in this time, or the test has failed.
pub(crate) async fn in_time<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, what).await.expect("it goes on in time")
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be dead already, which is what we want.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where the tools of a server on this file leave what they did to the world.
pub(crate) fn trace(file: &Path) -> PathBuf {
    file.with_extension("trace")
}

/// An input that says one thing.
pub(crate) fn input(thread: &str, run: &str, text: &str) -> RunAgentInput {
    let version = Some(forestage_protocol::pipeline::PROTOCOL_VERSION.to_owned());
    let messages = [UserMessage::new(format!("{run}-u"), text).into()];
    RunAgentInput { protocol_version: version, ..RunAgentInput::new(thread, run, messages) }
}

/// Whether nothing of a run comes behind this event.
pub(crate) fn is_terminal(event: &Value) -> bool {
    matches!(event["type"].as_str(), Some("RUN_FINISHED" | "RUN_ERROR"))
}

/// The events with neighbouring pieces of one message made one: what stays the same when the log is shortened.
pub(crate) fn merged(events: impl IntoIterator<Item = Value>) -> Vec<Value> {
    let mut merged: Vec<Value> = Vec::new();
    for event in events {
        match merged.last_mut().filter(|last| is_next_piece(last, &event)) {
            Some(last) => last["delta"] = format!("{}{}", text(&last["delta"]), text(&event["delta"])).into(),
            None => merged.push(event),
        }
    }
    merged
}

fn is_next_piece(last: &Value, next: &Value) -> bool {
    next["type"] == "TEXT_MESSAGE_CONTENT"
        && last["type"] == next["type"]
        && last["messageId"] == next["messageId"]
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
