//! AG-UI 1.0 as data and pure functions.
//!
//! AG-UI is the language between an agent and the people it works for: a run is a stream of events, and a
//! conversation is what those events add up to. This crate knows that language and nothing else. It does no
//! I/O, reads no clock and rolls no dice: ids and times arrive as arguments, so every behaviour can be written
//! down as a table, and is (`spec/streams`).
//!
//! # The way of an event
//!
//! ```text
//!  bytes ──> codec ──> compat ──> enforce ──> chunks ──> verify ──> apply ──> what a person sees
//!            frames    retired    strip,      start,     is it      messages,
//!                      shapes     drop, fail  content,   legal?     state, end
//!                                             end
//! ```
//!
//! [`pipeline`] puts the stages in that order; each can be used alone. In the other direction [`emit`] writes
//! streams that cannot be illegal, and [`compact`] makes a log shorter without changing what it adds up to.
//!
//! # Reading a stream
//!
//! ```
//! use forestage_protocol::{apply::{RunEnd, ThreadView}, pipeline::{Fold, Reader}};
//!
//! let stream = r#"
//! {"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.0"}
//! {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Hello, "}
//! {"type":"TEXT_MESSAGE_CHUNK","delta":"world."}
//! {"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}
//! "#;
//!
//! let mut fold = Fold::new(Reader::for_thread("t1".into()), ThreadView::default());
//! for line in stream.trim().lines() {
//!     fold.read_json(line, |event| println!("{}", event.event_type()))?;
//! }
//! fold.finish()?;
//!
//! let messages: Vec<_> = fold.view().messages().collect();
//! assert_eq!(serde_json::to_value(&messages).unwrap()[0]["content"], "Hello, world.");
//! assert!(matches!(fold.view().end(), Some(RunEnd::Success { .. })));
//! # Ok::<(), forestage_protocol::pipeline::StreamError>(())
//! ```
//!
//! # Two levels
//!
//! *Strict* is for what we emit and for linting: [`event::Event::from_json`] takes exactly what AG-UI 1.0
//! describes. *Enforcing* is for what others send, and is what [`pipeline::Reader`] does: unknown things are
//! stripped or dropped with a [`Warning`], malformed ones are refused with a [`Fault`] that has a code, a place
//! and a sentence. Where nothing may be lost at all, [`event::AnyEvent`] keeps what it does not know.
//!
//! # Where things are
//!
//! | you look for | it is in |
//! |---|---|
//! | the 31 events | [`event`], one file per family |
//! | messages, content parts, tools, input, outcomes | [`message`], [`content`], [`tool`], [`input`], [`interrupt`] |
//! | how a type is declared, once | [`wire`] |
//! | SSE, JSONL, JSON arrays, protobuf | [`codec`] |
//! | JSON Patch and JSON Pointer | [`patch`] |
//! | JSON Schemas | [`schema`] |
//! | the names of members, as constants | [`property`] |
//! | older shapes: retired ones, AGUI.Protocol's | [`compat`], [`compat::net`] |
//! | the rules of order, with their codes | [`verify::Rule`] |
//! | short examples of what one does most | [`common_tasks`] |

pub mod pipeline;

pub mod event;

pub mod message;

pub mod content;
pub mod input;
pub mod interrupt;
pub mod tool;
pub mod usage;
pub mod capabilities;

pub mod codec;
pub mod compat;
pub mod enforce;
pub mod chunks;
pub mod verify;
pub mod apply;
pub mod compact;
pub mod emit;
pub mod open;

pub mod id;
pub mod json;
pub mod notice;
pub mod number;
pub mod patch;
pub mod property;
pub mod scan;
pub mod schema;
pub mod wire;

mod lookup;

#[doc = include_str!("common_tasks.md")]
pub mod common_tasks {}

pub use notice::{Fault, Warning};
