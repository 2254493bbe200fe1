//! The stage through its public surface: runs, followers, history, questions, restarts.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod ask;
mod busy;
mod follow;
mod history;
mod lost;
mod runs;
mod support;
