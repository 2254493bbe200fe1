//! `GET /v1/ws`: everything over one socket.

use axum::{Router, extract::State, response::Response, routing::get};
use serde::Deserialize;

use super::Query;
use crate::{
    app::App,
    auth::Caller,
    dialect::agui0::Protocol,
    error::ApiError,
    transport::{socket, upgrade::Upgrade},
};

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/v1/ws", get(open))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SocketQuery {
    /// The agent for inputs that come without an envelope.
    agent: Option<String>,
    /// The version of AG-UI that the client reads, where its inputs state none.
    protocol: Option<String>,
    /// The key of the caller, read elsewhere.
    #[serde(rename = "token")]
    _token: Option<String>,
}

async fn open(
    State(app): State<App>,
    Caller(caller): Caller,
    Query(query): Query<SocketQuery>,
    Upgrade(upgrade, unread): Upgrade,
) -> Result<Response, ApiError> {
    let asked = Protocol::asked(query.protocol.as_deref())?;
    Ok(upgrade.on_upgrade(move |socket| socket::talk(app, caller, query.agent, asked, (socket, unread))))
}
