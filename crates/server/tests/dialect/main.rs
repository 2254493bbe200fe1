//! The dialects over real sockets and streams, with agents that play from scripts.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod wire;

mod agora;
mod agora_walk;
mod audience;
mod bridge;
mod copilotkit;
mod hostile;
mod its_components;
mod its_seed;
mod its_walk;
mod join;
mod net_events;
mod net_walk;
mod outage;
mod remote_ends;
mod slow;
mod streams;
mod support;
mod trainer2;
mod trainer2_back;
mod trainer2_gates;
mod trainer2_remote;
