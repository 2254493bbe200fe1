//! Agents that a model plays, and agents that run elsewhere, on this stage.
//!
//! | you look for | it is in |
//! |---|---|
//! | models: prompts, pieces of answers, providers, keys | [`model`] |
//! | agents that a model plays: the loop of turns and calls | [`agent`] |
//! | Markdown files that describe them | [`agent_file`] |
//! | tools that are HTTP requests | [`http_tool`] |
//! | tools of MCP servers | [`mcp`] |
//! | a server that stands for a provider, with a script | `model_server` |
//! | agents elsewhere | [`remote`] |
//!
//! All of them are [`Agent`](forestage_runtime::Agent)s like any other: their threads are durable, their tools are ours and
//! under the rules of the house, and what they say is AG-UI before it reaches the log.

pub mod agent;
pub mod agent_file;
pub mod http_tool;
mod lines;
pub mod mcp;
pub mod model;
#[cfg(feature = "model-server")]
pub mod model_server;
pub mod remote;
