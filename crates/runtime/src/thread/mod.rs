//! Threads: the conversation as the log has it, and how a client's idea of it is reconciled.

mod at_hand;
mod calls;
mod chain;
mod delete;
mod ends;
mod fold;
pub(crate) mod history;
mod import;
mod manage;
mod recorded;
mod seed;
mod share;
pub(crate) mod utterance;

pub use self::manage::BranchPoint;
pub(crate) use self::{
    at_hand::AtHand,
    chain::Chain,
    fold::{Folded, each_page, event_of, fold_chain, fold_run, load, read_run},
    seed::{claimed, is_unverified, seeded},
};
