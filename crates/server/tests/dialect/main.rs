//! The dialects over real sockets and streams, with agents that play from scripts.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod wire;

mod a2ui_agents;
mod agora;
mod agora_agents;
mod agora_approval;
mod agora_clauses;
mod agora_frames;
mod agora_walk;
mod audience;
mod bridge;
mod copilotkit;
mod deleted;
mod every_agent;
mod hostile;
mod its_agents;
mod its_components;
mod its_contract;
mod its_frames;
mod its_seed;
mod its_walk;
mod join;
mod net_clauses;
mod net_events;
mod net_walk;
mod outage;
mod remote_ends;
mod rules;
mod slow;
mod streams;
mod support;
mod trainer2;
mod trainer2_back;
mod trainer2_frames;
mod trainer2_gates;
mod trainer2_remote;
