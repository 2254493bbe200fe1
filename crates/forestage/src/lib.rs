//! Agents in front of people.
//!
//! One crate to depend on instead of eight, for whoever builds a server with agents in Rust:
//!
//! | module | what |
//! |---|---|
//! | [`protocol`] | the AG-UI 1.0 language: events, messages, rules, codecs |
//! | [`its`] | the tutoring components: what they show, what they take, who was right |
//! | [`store`] | the thread log, in memory or in SQLite |
//! | [`runtime`] | agents, runs, and the stage that they play on |
//! | [`server`] | the stage over HTTP |
//! | [`llm`] | agents that run elsewhere |
//! | [`a2ui`] | views that agents show, and actions of people |
//! | [`client`] | the other side: run, follow, come back, answer |
//!
//! ```no_run
//! use forestage::{Forestage, runtime::{About, RunContext, agent_fn}};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let hello = agent_fn(About::new("says hello"), |ctx: RunContext| async move {
//!     ctx.say("Hello!").await?;
//!     Ok(())
//! });
//! Forestage::builder().agent("hello", hello).serve().await?;
//! # Ok(()) }
//! ```
//!
//! The [`tour`] goes on from there, example by example.

mod builder;
mod cast;
mod door;
mod stop;

#[doc = include_str!("tour.md")]
pub mod tour {}

pub use self::{
    builder::Builder,
    door::{Forestage, Running, StartError},
};

pub use forestage_a2ui as a2ui;
pub use forestage_client as client;
pub use forestage_its as its;
pub use forestage_llm as llm;
pub use forestage_protocol as protocol;
pub use forestage_runtime as runtime;
pub use forestage_server as server;
pub use forestage_store as store;

/// The examples of the guide are compiled, and run where they end.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/rust-agents.md")]
struct Guide;
