//! The floors: the least a program of this kind can do, written by hand.
//!
//! A floor knows only the events of our [stream](crate::mix), checks nothing, and keeps everything as owned
//! strings, so it says what reading and folding cost before any promise is kept.

mod declare;
pub(crate) mod derived;
pub(crate) mod fold;
pub(crate) mod one_pass;
