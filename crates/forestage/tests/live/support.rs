//! The server as a process, and what clients see of it.

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
};

use forestage::protocol::{input::RunAgentInput, message::UserMessage};
use serde_json::Value;

/// A server in a process of its own. It is killed when this is dropped.
pub(crate) struct Process {
    child: Child,
    output: BufReader<ChildStdout>,
    pub(crate) url: String,
}

impl Process {
    /// Starts a server on a file and waits until it listens. It keeps a thread for `lease` milliseconds without
    /// saying so again.
    pub(crate) fn start(file: &Path, listen: &str, lease: u32) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_play"))
            .args(["--store", &format!("sqlite:{}", file.display())])
            .args(["--listen", listen, "--lease", &lease.to_string()])
            .arg("--trace")
            .arg(trace(file))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it was built with this test");
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        output.read_line(&mut line).expect("readable");
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
        let mut line = String::new();
        tokio::task::block_in_place(|| self.output.read_line(&mut line)).expect("readable");
        line.trim().to_owned()
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
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
    RunAgentInput::new(thread, run, [UserMessage::new(format!("{run}-u"), text).into()])
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
