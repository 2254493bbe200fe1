//! The command as its users meet it: the real binary, its output, its exit codes. One module per feature, in one
//! test program, because each program is linked anew.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod server;
mod support;

mod a2ui;
mod agents;
mod batch;
mod broken;
mod chat;
mod check;
mod color;
mod compact;
mod config;
mod convert;
mod expand;
mod export;
mod fold;
mod formats;
mod help;
mod inbox;
mod its;
mod keys;
mod mcp;
mod model_server;
mod patch;
mod pipe;
mod profiles;
mod schema;
mod serve;
mod tail;
mod threads;
mod verify;
mod wrong;
