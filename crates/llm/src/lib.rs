//! Agents that run elsewhere, on this stage.
//!
//! A remote agent is an [`Agent`](forestage_runtime::Agent) like any other: its threads are durable, its tools are ours
//! and under the rules of the house, and what it says is AG-UI before it reaches the log. [`remote::ndjson`] calls agents
//! that answer with one JSON event a line.

pub mod agent;
pub mod agent_file;
pub mod model;
pub mod remote;
