//! The client against real servers on this machine: they speak HTTP, SSE, protobuf and WebSocket, and break
//! connections where a test says so.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod server;

mod run;
mod rejoin;
mod refused;
mod thread;
mod conversation;
mod inbox;
mod socket;
mod broken_socket;
