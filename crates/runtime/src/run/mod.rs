//! The run engine: claim the thread, let the agent speak, write what it says, end in order.
//!
//! ```text
//!  start ── claim ── reconcile ── RUN_STARTED committed ──┬── the agent speaks into the outbox
//!                                                         └── the writer commits and publishes
//!  the agent ends, is cancelled, or its time is over ── open items closed ── terminal event ── lease released
//! ```

mod active;
mod begin;
mod calls;
pub(crate) mod holder;
mod lost;
pub(crate) mod outbox;
mod piece;
mod play;
mod queue;
mod resume;
pub(crate) mod schema;
mod scribes;
mod settle;
mod start;
mod title;
mod writer;

pub(crate) use self::{
    active::{Actives, Entered, StopReason},
    calls::Mailboxes,
    lost::close_lost,
    queue::Queue,
    resume::is_resumed,
    scribes::Scribes,
    writer::ended,
};
pub use self::{
    calls::{Calls, OutsideCall},
    resume::is_no_fault,
    start::{OnBusy, StartRun, Started},
};
