//! Emitters that cannot write an illegal stream.
//!
//! A [`Run`] starts when it is made and ends when it is finished; what it opens are guards that borrow it and
//! end what they opened when they are dropped. So the borrow checker sees to it that everything is closed
//! before the run is, and a guard that is dropped early, by `?` or by a cancelled task, still closes. Several
//! guards may be open at once.
//!
//! ```
//! use forestage_protocol::emit::{Collect, Run, Speaker};
//!
//! let events = Collect::default();
//! let run = Run::start(&events, "t1", "r1");
//! {
//!     let step = run.step("answer");
//!     let text = run.text("m1")?;
//!     text.push("Hello, ");
//!     text.push("world.");
//! } // text and step end here
//! run.finish();
//!
//! let types: Vec<_> = events.take().iter().map(|event| event.event_type().as_str()).collect();
//! assert_eq!(types, [
//!     "RUN_STARTED", "STEP_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_CONTENT",
//!     "TEXT_MESSAGE_END", "STEP_FINISHED", "RUN_FINISHED",
//! ]);
//! # Ok::<(), forestage_protocol::verify::Violation>(())
//! ```
//!
//! Finishing a run while a message is open does not compile:
//!
//! ```compile_fail
//! # use forestage_protocol::emit::{Collect, Run, Speaker};
//! # let events = Collect::default();
//! let run = Run::start(&events, "t1", "r1");
//! let text = run.text("m1").unwrap();
//! run.finish();
//! text.push("too late");
//! ```

mod guards;
mod run;
mod speaker;

use std::sync::Mutex;

pub use self::{
    guards::{Reasoning, Step, Subagent, Text, ToolCall},
    run::Run,
    speaker::Speaker,
};
use crate::event::Event;

/// Where events go. It takes them in order and at once; a bounded sink has to do its waiting elsewhere.
pub trait Sink {
    /// Takes the next event.
    fn emit(&self, event: Event);
}

/// A sink that keeps everything.
#[derive(Debug, Default)]
pub struct Collect(Mutex<Vec<Event>>);

impl Collect {
    /// What has been emitted since the last call.
    pub fn take(&self) -> Vec<Event> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

impl Sink for Collect {
    fn emit(&self, event: Event) {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(event);
    }
}

impl<F: Fn(Event)> Sink for F {
    fn emit(&self, event: Event) {
        self(event);
    }
}
