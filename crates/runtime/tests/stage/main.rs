//! The stage through its public surface: runs, followers, history, questions, restarts.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod actions;
mod approvals;
mod ask;
mod at_hand;
mod busy;
mod checks;
mod delete;
mod drafts;
mod drawing;
mod follow;
mod forging;
mod history;
mod lost;
mod painting;
mod retried;
mod runs;
mod support;
mod surfaces;
