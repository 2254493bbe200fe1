//! The command as its users meet it: the real binary, its output, its exit codes. One module per feature, in one
//! test program, because each program is linked anew.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod support;

mod batch;
mod check;
mod color;
mod compact;
mod convert;
mod expand;
mod fold;
mod formats;
mod help;
mod patch;
mod pipe;
mod schema;
mod verify;
