//! The stage through its public surface: runs, followers, history, questions, restarts.

mod runs;
mod support;
