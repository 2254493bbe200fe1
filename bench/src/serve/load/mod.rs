//! The load: a process of its own that asks a server for streams and measures what it gets.
//!
//! `forestage-bench load <plan as JSON>` prints a [`Loaded`] as JSON.

mod many;
mod process;
mod steady;
mod wire;

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicU64, Ordering},
};

use serde::{Deserialize, Serialize};

/// What to ask for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) mode: Mode,
    pub(crate) address: SocketAddr,
    /// The server's process.
    pub(crate) pid: u32,
    /// Where an agent is run; `{agent}` stands for its name.
    pub(crate) path: String,
    /// How many streams at once.
    pub(crate) streams: usize,
    /// How long to warm up and how long to measure, in milliseconds.
    pub(crate) warm_up: u64,
    pub(crate) window: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Mode {
    /// Every stream runs one run after the other.
    Burst,
    /// The same with the agent that speaks slowly.
    Paced,
    /// Streams of runs that wait.
    Waiting,
    /// Viewers of a thread on which nothing happens.
    IdleViewers,
    /// Viewers of one run.
    FanOut,
    /// Viewers who do not read, while the thread goes on.
    Stalled,
    /// One run after the other on one thread, behind as many as there are streams.
    Long,
}

/// What was seen.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Loaded {
    pub(crate) events: f64,
    pub(crate) runs: f64,
    pub(crate) seconds: f64,
    /// From the request to its first event, in milliseconds.
    pub(crate) first_p50: f64,
    pub(crate) first_p99: f64,
    /// Seconds of processor time of the server.
    pub(crate) cpu: f64,
    /// Memory of the server in bytes, before and after.
    pub(crate) memory_before: f64,
    pub(crate) memory: f64,
}

/// Carries out a plan and prints what was seen.
pub(crate) fn run(plan: &str) -> Result<(), String> {
    super::allow_many_files();
    let plan: Plan = serde_json::from_str(plan).map_err(|error| error.to_string())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let loaded = runtime.block_on(async {
        match plan.mode {
            Mode::Burst | Mode::Paced => steady::run(&plan).await,
            Mode::Waiting | Mode::IdleViewers => many::hold(&plan).await,
            Mode::FanOut => many::fan_out(&plan).await,
            Mode::Stalled => many::stall(&plan).await,
            Mode::Long => many::go_on(&plan).await,
        }
    });
    let loaded = loaded.map_err(|error| error.to_string())?;
    println!("{}", serde_json::to_string(&loaded).map_err(|error| error.to_string())?);
    Ok(())
}

/// A request for a run on a thread of its own.
fn run_request(path: &str, agent: &str) -> Vec<u8> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    run_on(path, agent, &format!("thread-{number}"), number)
}

/// A request for a run on this thread.
fn run_on(path: &str, agent: &str, thread: &str, number: u64) -> Vec<u8> {
    let body = format!(
        r#"{{"threadId":"{thread}","runId":"run-{number}","messages":[{{"id":"user-{number}","role":"user","content":"go"}}],"tools":[],"context":[],"state":{{}},"forwardedProps":{{}},"protocolVersion":"1.0"}}"#
    );
    wire::post(&path.replace("{agent}", agent), &body)
}
