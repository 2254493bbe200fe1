//! Who has to be asked before a tool is called: rules that are read from a file.
//!
//! A [`Policy`] is part of the [`HouseRules`](crate::house::HouseRules) of an agent. [`Policy::judge`] looks at the name
//! and the arguments of a call and says whether it is allowed, asked about or denied, and on which terms. The first rule
//! that fits decides.

mod file;
mod judge;
mod number;
mod predicate;
mod reason;
mod terms;

pub(crate) use self::file::{OtherwiseFile, RuleFile, build};
pub use self::{
    judge::{Judgement, Policy},
    terms::{Action, OnExpiry, Risk},
};
