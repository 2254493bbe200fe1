//! `GET /ws`: a socket of AGORA's.

use axum::{Router, extract::State, response::Response, routing::get};
use forestage_protocol::id::ThreadId;
use serde::Deserialize;

use super::desk::{Desk, Manner};
use crate::{
    app::App,
    auth::Caller,
    dialect::socket::{Door, admit},
    error::ApiError,
    route::Query,
    transport::upgrade::Upgrade,
};

/// Told to whoever has no key that counts.
const UNAUTHORISED: u16 = 4001;

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/ws", get(open))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SocketQuery {
    agent: Option<String>,
    /// The run that is open on this thread is shown at once.
    thread_id: Option<ThreadId>,
    /// Whether a run without a result says `"result": null`.
    #[serde(default)]
    nulls: bool,
    /// Whether frames carry what a client needs to come back.
    #[serde(default)]
    cursors: bool,
    /// The key of the caller, read elsewhere.
    #[serde(rename = "token")]
    _token: Option<String>,
}

async fn open(
    State(app): State<App>,
    caller: Result<Caller, ApiError>,
    Query(query): Query<SocketQuery>,
    upgrade: Upgrade,
) -> Result<Response, ApiError> {
    let manner = Manner { nulls: query.nulls, cursors: query.cursors };
    let door = Door {
        unauthorised: UNAUTHORISED,
        agent: query.agent,
        configured: app.http.dialects.agora.clone(),
        back_to: query.thread_id,
    };
    admit(&app, caller, upgrade, door, move |seat| Desk::new(seat, manner))
}
