//! The dialects over real sockets and streams, with agents that play from scripts.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod agora;
mod bridge;
mod its;
mod net;
mod support;
