//! `GET /ws`: a socket of AGORA's.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use forestage_protocol::id::ThreadId;
use serde::Deserialize;

use super::desk::{Desk, Manner};
use crate::{
    app::App,
    auth::Caller,
    dialect::{
        self,
        socket::{Line, close, talk},
    },
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
    Upgrade(upgrade): Upgrade,
) -> Result<Response, ApiError> {
    let Ok(Caller(caller)) = caller else {
        return Ok(upgrade.on_upgrade(|socket| close(socket, UNAUTHORISED, "this server wants an API key")));
    };
    let agent = dialect::agent(&app, query.agent, app.http.dialects.agora.as_ref())?;
    Ok(upgrade.on_upgrade(move |socket| {
        let (line, unwritten) = Line::new();
        let manner = Manner { nulls: query.nulls, cursors: query.cursors };
        let desk = Arc::new(Desk::new(app.clone(), caller, agent, manner, line.clone()));
        let first = query.thread_id.map(|thread| {
            let desk = desk.clone();
            async move { desk.show_open(&thread).await }
        });
        talk(app, desk, (line, unwritten), socket, first)
    }))
}
