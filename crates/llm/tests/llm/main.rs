//! Models, agents and their files, against a real server that plays the provider. One module per feature, in one test
//! program, because each program is linked anew.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod peer;
mod support;

mod agents;
mod decisions;
mod drawing;
mod files;
mod http_tools;
mod mcp;
mod mcp_pages;
mod mcp_server;
mod model_components;
mod providers;
mod remote_components;
mod remote_history;
mod remote_net;
mod remote_questions;
mod remote_runs;
mod remote_trouble;
mod requests;
mod streams;
mod subagents;
mod tape;
