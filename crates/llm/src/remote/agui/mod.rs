//! Agents that speak AG-UI over HTTP: whatever framework they are made with.
//!
//! ```text
//! conversation ──> RunAgentInput ──POST──> agent ──SSE──> compat, enforce, expand, verify ──> the stage
//!       ^                                                                                        │
//!       └───── results of our tools, answers of people <──── proposed calls, questions <─────────┘
//! ```
//!
//! What the agent is told is our log, and what it says goes into it under the rules that hold for every agent: tools that
//! it proposes and that we have are called here, if the rules of the house allow it; what it asks is judged and asked here,
//! waits here, and is answered with `resume`, also if that means that nobody answers it any more. Its ids stay as they are unless they are taken, so nothing that was said can be
//! changed by saying something else under the same id, and a `MESSAGES_SNAPSHOT` is held against the log
//! message by message.
//!
//! An agent made with AGUI.Protocol is understood, too ([`compat::net`](forestage_protocol::compat::net)): its outcomes as
//! words, `META`, encrypted content and binary parts are read as AG-UI 1.0, the rules of the house count for the function
//! that it asks about, and its question is answered with one `resume`.
//!
//! | what goes wrong | code of the `RUN_ERROR` |
//! |---|---|
//! | it cannot be reached, after some attempts | `agent_unreachable` |
//! | it answers 4xx or 5xx, or leads to another host | `agent_refused` |
//! | it answers with something else than `text/event-stream` | `agent_not_a_stream` |
//! | its answer stops without `RUN_FINISHED` or `RUN_ERROR` | `agent_broke_off` |
//! | it says nothing for too long, not even a comment | `agent_silent` |
//! | an event is too large | `agent_event_too_large` |
//! | something is no event, or stands where none may | `invalid_agent_event` |
//! | it says `RUN_ERROR` itself | its own code, or `agent_error` |
//!
//! What it says that is not taken as it came is told with `CUSTOM forestage.remote_warning {code, message}`: `history` for
//! what contradicts the log, `spoke_as_user` for words of a person, `unknown_call` for results of calls that nobody made,
//! `state_patch` for changes that do not fit the state, `withdrawn` where it could not be told that nobody answers it,
//! `invalid_arguments` for a component that is not shown while another one waits for the person.
//!
//! A component whose arguments do not fit is not shown and ends nothing: the agent is called again with the call and an
//! error as its result. After three corrections in a row that do not fit either, the run ends with `invalid_arguments`.

mod agent;
mod ask;
mod calls;
mod config;
mod ended;
mod hear;
mod input;
mod judge;
mod known;
mod line;
mod names;
mod snapshot;
mod stream;
mod trouble;
mod withdrawn;

pub use self::{
    agent::AgUi,
    config::{AgUiConfig, Told},
    line::ConfigError,
};
