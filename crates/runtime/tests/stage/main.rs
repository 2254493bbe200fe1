//! The stage through its public surface: runs, followers, history, questions, restarts.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod actions;
mod approvals;
mod ask;
mod at_hand;
mod busy;
mod checks;
mod contract_003;
mod delete;
mod drafts;
mod drawing;
mod follow;
mod forging;
mod guests;
mod history;
mod lost;
mod memory;
mod once;
mod painting;
mod restated;
mod retried;
mod runs;
mod shares;
mod subagents;
mod support;
mod surfaces;
mod unfinished;
