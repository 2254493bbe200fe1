//! A client for AG-UI 1.0 servers: run, follow, come back, cancel, answer.
//!
//! It works with any server that speaks AG-UI 1.0, and better with a Forestage server, whose events carry
//! cursors: there a broken connection is made again and continued exactly where it broke, so that no event is
//! lost and none is delivered twice.
//!
//! # A run
//!
//! ```no_run
//! use forestage_client::{Client, ClientError, Outcome, id};
//! use forestage_protocol::{event::Event, input::RunAgentInput, message::UserMessage};
//!
//! # async fn example() -> Result<(), ClientError> {
//! let client = Client::new("http://localhost:4000")?.with_key("secret")?;
//! let question = UserMessage::new("m1", "What is a forestage?");
//! let input = RunAgentInput::new("thread-1", id::fresh::<String>(), [question.into()]);
//!
//! let mut run = client.agent("hello")?.run(input).await?;
//! while let Some(delivered) = run.next().await {
//!     if let Event::TextMessageContent(content) = delivered?.event {
//!         print!("{}", content.delta);
//!     }
//! }
//! match run.finish().await? {
//!     Outcome::Success { .. } => println!(),
//!     Outcome::PendingToolCalls { tool_call_ids, .. } => println!("it waits for {tool_call_ids:?}"),
//!     Outcome::Interrupted { interrupts } => println!("it asks {interrupts:?}"),
//!     Outcome::Cancelled => println!("(stopped)"),
//!     Outcome::Failed { message, .. } => println!("it failed: {message}"),
//! }
//! # Ok(()) }
//! ```
//!
//! A [`Run`] is a [`Stream`](futures_util::Stream). What it yields has been through the whole way of an event
//! ([`forestage_protocol::pipeline`]): retired shapes translated, unknown things stripped, chunks expanded, the
//! order verified. [`Run::view`] is the conversation that the delivered events add up to.
//!
//! # A conversation
//!
//! ```no_run
//! use forestage_client::{Client, ClientError, Conversation, Outcome, answer};
//!
//! # async fn example() -> Result<(), ClientError> {
//! let client = Client::new("http://localhost:4000")?;
//! let mut conversation = Conversation::new(client.agent("hello")?);
//! let mut outcome = conversation.say("Book a table for two").await?.finish().await?;
//! while let Outcome::Interrupted { interrupts } = &outcome {
//!     let answers = interrupts.iter().map(|question| answer::resolved(&question.id, true)).collect();
//!     outcome = conversation.answer(answers).await?.finish().await?;
//! }
//! assert!(outcome.is_success());
//! println!("{} messages", conversation.view().messages().count());
//! # Ok(()) }
//! ```
//!
//! # Any AG-UI server
//!
//! ```no_run
//! use forestage_client::{AgentClient, ClientError, Conversation};
//!
//! # async fn example() -> Result<(), ClientError> {
//! let agent = AgentClient::at("https://agents.example/awp")?.with_header("x-tenant", "blue")?;
//! let outcome = Conversation::new(agent).say("Hello").await?.finish().await?;
//! println!("{outcome:?}");
//! # Ok(()) }
//! ```
//!
//! Such a server keeps no history for us, so each turn sends all of it, and there is no way back into a broken
//! stream.
//!
//! # What is an error, and what is not
//!
//! A run that fails has an [`Outcome`]: it was told in order. Errors are what keeps us from knowing:
//!
//! | what happens | what you get |
//! |---|---|
//! | the server answers 4xx or 5xx | [`ClientError::Refused`], with its code, message, path and hint |
//! | it answers 200 with something else than events | [`ClientError::NotAStream`] |
//! | the stream ends before the run, and there is no cursor | [`ClientError::Truncated`] |
//! | the connection breaks, and there is a cursor | it is made again after a pause: [`Retry`] |
//! | it does not come back | [`ClientError::GaveUp`], with the last error |
//! | not even a keep-alive comes for a minute | the same as a broken connection |
//! | an event is malformed, or out of order | [`ClientError::Stream`], behind all events that came before |
//!
//! # More of a Forestage server
//!
//! [`Client::thread`] follows, replays, renames, branches and deletes a thread; [`Client::socket`] puts many runs
//! and threads on one WebSocket; [`Client::inbox`] lists what waits for a person, [`Client::follow_inbox`] tells of it
//! as it changes, [`Client::decide`] decides it; [`Client::audit`] tells who did.
//!
//! # Features
//!
//! `tls` (on by default) brings `https:` and `wss:`.

mod client;
mod agent;
mod run;
mod outcome;
mod thread;
mod follow;
mod conversation;
mod inbox;
mod audit;
mod socket;
mod record;
mod retry;
mod cursor;
mod error;
pub mod answer;
pub mod id;

mod folded;
mod pump;
mod reading;
mod body;
mod http;

pub use self::{
    agent::{AgentClient, OnBusy},
    audit::AuditQuery,
    client::{Client, ThreadQuery},
    conversation::{Conversation, Turn},
    cursor::{Cursor, NotACursor},
    error::ClientError,
    follow::{After, Follow},
    inbox::{
        Approval, DecideError, DecideErrorKind, Effect, GoesOn, Inbox, InboxEvent, InboxQuery, Remember,
        Ruling, Verdict,
    },
    outcome::Outcome,
    pump::Delivered,
    record::{
        AgentRecord, AnnotationRecord, AuditRecord, InterruptRecord, Page, RuleRecord, RunRecord,
        ThreadRecord,
    },
    retry::{MAX_FRAME, Retry, Settings},
    run::Run,
    socket::{Socket, Spoken},
    thread::{BranchPoint, ThreadClient},
};
