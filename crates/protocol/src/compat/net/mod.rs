//! The shapes of AGUI.Protocol (contract 004), an AG-UI library from before 1.0, and what they are in 1.0.
//!
//! | theirs | 1.0 |
//! |---|---|
//! | `RUN_FINISHED {outcome: "success"}` | outcome `{type: "success"}` |
//! | `RUN_FINISHED {outcome: "interrupt", interrupt}` | outcome `{type: "interrupt", interrupts: [..]}`, see [`Interrupt`] |
//! | `RunAgentInput.resume`, one [`Resume`] | a list of one |
//! | `META` | `CUSTOM` named `meta:<metaType>`, see [`Meta`] |
//! | `REASONING_START.encryptedContent` | `REASONING_ENCRYPTED_VALUE` for the first message of the span |
//! | `REASONING_MESSAGE_START` with role `assistant` | role `reasoning` |
//! | a content part `binary` | `image`, `audio`, `video` or `document`, see [`BinaryContent`] |
//!
//! A [`Reader`](crate::pipeline::Reader) translates them only if it is told to, because most of them are errors in 1.0:
//!
//! ```
//! use forestage_protocol::{event::Event, interrupt::RunOutcome, pipeline::Reader};
//!
//! let mut reader = Reader::default().with_net();
//! let mut last = None;
//! for line in [
//!     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
//!     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":"interrupt","interrupt":{"id":"q"}}"#,
//! ] {
//!     reader.read_json(line, |event| last = Some(event)).unwrap();
//! }
//! let Some(Event::RunFinished(finished)) = last else { panic!("a run ends with its end") };
//! let Some(RunOutcome::Interrupt(outcome)) = finished.outcome else { panic!("it waits") };
//! assert_eq!(outcome.interrupts.as_slice()[0].id, "q".into());
//! ```

mod binary;
mod interrupt;
mod meta;
mod sealed;
mod upgrade;

pub(super) use self::upgrade::upgrade_input;
pub use self::{
    binary::{BinaryContent, downgrade_part, upgrade_part},
    interrupt::{FunctionApproval, InputRequest, Interrupt, InterruptKind, Resume, downgrade_resume},
    meta::Meta,
};
pub(crate) use self::{sealed::Sealed, upgrade::Net};
