//! Runs agents, writes what they say to the thread's log, and lets anybody follow it.
//!
//! An [`Agent`] turns an input into events; events are appended to the log of the thread; everything a person
//! sees is read from that log. A [`Stage`] holds the agents and the store, starts and stops runs, and hands out
//! [`Follower`]s.
//!
//! ```
//! # tokio::runtime::Builder::new_multi_thread().enable_time().build().unwrap().block_on(async {
//! use forestage_protocol::input::RunAgentInput;
//! use forestage_runtime::{About, Agents, Limits, RunContext, Stage, StartRun, agent_fn};
//!
//! let hello = agent_fn(About::new("says hello"), |ctx: RunContext| async move {
//!     let text = ctx.text()?;
//!     text.push("Hello, ").await?;
//!     text.push("world.").await?;
//!     Ok(())
//! });
//! let store = forestage_store::open("memory:").await?;
//! let stage = Stage::new(store, Agents::from([("hello".to_owned(), hello)]), Limits::default());
//!
//! let input = RunAgentInput::new("t1", "r1", vec![]);
//! let run = stage.start(StartRun::new("hello", input, "local")).await?;
//! let mut follower = stage.follow_run(&run.thread_id, &run.run_id, run.before);
//! let mut events = 0;
//! while let Some(batch) = follower.next().await? {
//!     events += batch.entries().len();
//! }
//! assert_eq!(events, 6);
//! # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
//! ```
//!
//! # Where things are
//!
//! | you look for | it is in |
//! |---|---|
//! | what an agent can say | [`RunContext`] |
//! | claiming, running, cancelling, closing lost runs | `run/` |
//! | history that clients cannot forge, branches | `thread/` |
//! | cursors, live tails, preludes, compaction | `log/` |
//! | deciding questions: approvals, answers, expiry, audit | `decide/` |
//! | tools, their schemas, checked arguments | [`tool`] |
//! | which calls need a person, what may be said | [`policy`], [`moderation`], [`house`] |
//! | what agents draw, and what people do with it | [`surface`] |
//! | pages that tools of MCP servers bring along | [`apps`] |
//! | agents that play from a file | [`script`] |
//! | what other formats of files are made of | [`mod@file`] |
//! | sessions and branches, by example | [`common_tasks`] |

mod agent;
pub mod apps;
mod clock;
mod context;
mod decide;
mod error;
pub mod file;
pub mod house;
mod id;
mod limits;
mod log;
pub mod moderation;
pub mod policy;
mod run;
pub mod script;
mod stage;
pub mod surface;
mod thread;
pub mod tool;
mod upkeep;

#[doc = include_str!("common_tasks.md")]
pub mod common_tasks {}

pub use self::{
    agent::{
        About, Agent, AgentError, Agents, BoxFuture, HistoryOwner, Listing, agent_fn, with_checks, with_house,
    },
    clock::now,
    context::{
        Activity, Answer, ClientAnswer, Question, Reasoning, RunContext, ShownCall, StateError, Step,
        Subagent, Text, ToolCall, TurnTerms, Used, WarnedCall, events_of,
    },
    decide::{Decider, Effect, Ruling, Verdict},
    error::{Refusal, RefusalKind, Stop},
    id::check_id,
    limits::Limits,
    log::{Batch, Cursor, CursorError, Follower, Outage, Prelude},
    run::{Calls, OnBusy, OutsideCall, StartRun, Started, is_no_fault},
    stage::{Conversation, Stage},
    thread::BranchPoint,
};
