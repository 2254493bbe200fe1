//! The dialects: older contracts, spoken on the same threads.
//!
//! | dialect | contract | door | folder |
//! |---|---|---|---|
//! | `agora` | AGORA: JSON frames on a socket, approvals in the middle of a run | `GET /ws` | [`agora`] |
//! | `its` | the tutoring contract: event streams, components as calls of tools | `POST /awp` | [`its`] |
//! | `trainer2` | a coach on a socket, with views, actions and audited gates | `GET /realtime` | [`trainer2`] |
//! | `net` | AGUI.Protocol: event streams with one interrupt at a time | `POST /run` | [`net`] |
//! | `agui0` | AG-UI 0.0.x: what the official clients before 1.0 read and send | `/v1/…` | [`agui0`] |
//! | `copilotkit` | what a CopilotKit front end asks of its runtime | `/copilotkit/…` | [`copilotkit`] |
//!
//! Each has a decoder, which is lenient, an encoder, which is strict, and its own ways of beginning and ending. The log
//! knows nothing of them: what comes in is turned into AG-UI 1.0 before it reaches the stage, and what goes out is turned
//! into the dialect when it leaves. A new one is a folder here, a line in `routes` and a line in [`PROFILES`].

mod calls;
mod door;
mod join;
mod profile;
mod shape;
mod shown;
mod socket;
mod stream;
mod words;

pub mod agora;
pub mod agui0;
pub mod copilotkit;
pub mod its;
pub mod net;
pub mod trainer2;

use axum::Router;
use forestage_protocol::event::Event;
use serde_json::Value;

pub use self::profile::{PROFILES, Profile, Rules, profile};
use crate::{app::App, error::ApiError};

/// Turns a stream of AG-UI 1.0 into that of a dialect.
pub trait Encode {
    /// Appends what the next event is in the dialect. Something may be held back until it is known what follows.
    fn event(&mut self, event: &Event, out: &mut Vec<Value>);

    /// What the next events are in the dialect.
    fn encode(&mut self, events: &[Event]) -> Vec<Value> {
        let mut out = Vec::new();
        for event in events {
            self.event(event, &mut out);
        }
        out
    }

    /// Whether clients of the dialect take nothing behind what was written, so that whatever follows is left out.
    fn is_over(&self) -> bool {
        false
    }

    /// What was held back, once nothing follows for now.
    fn flush(&mut self) -> Vec<Value> {
        Vec::new()
    }
}

/// The doors of all dialects.
pub(crate) fn routes() -> Router<App> {
    let routes = [agora::routes(), its::routes(), trainer2::routes(), net::routes(), copilotkit::routes()];
    routes.into_iter().fold(Router::new(), Router::merge)
}

/// The agent that a client of a dialect talks to, since the dialects have no word for it: the one that it names in the
/// address, the one that the configuration names, or the only one there is.
fn agent(app: &App, asked: Option<String>, configured: Option<&String>) -> Result<String, ApiError> {
    if let Some(name) = asked.or_else(|| configured.cloned()) {
        app.stage.agent(&name)?;
        return Ok(name);
    }
    let agents = app.stage.agents();
    let mut names = agents.keys();
    match (names.next(), names.next()) {
        (Some(only), None) => Ok(only.clone()),
        _ => Err(ApiError::bad_request("no_agent", "there are several agents here, and none is named")
            .hint("add `?agent=NAME` to the address, or name one under `dialects` in the configuration")),
    }
}
