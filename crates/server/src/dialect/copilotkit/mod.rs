#![doc = include_str!("README.md")]

mod agent;
mod encode;
mod info;
mod message;
mod single;
mod surface;
mod threads;

use axum::{
    Json, Router,
    body::{Body, to_bytes},
    middleware::map_response,
    response::{IntoResponse, Response},
};
use serde_json::Value;

pub use self::encode::Encoder;
use crate::{app::App, dialect, error::ApiError};

/// The agent of a front end that names none.
const DEFAULT: &str = "default";

/// An error of ours has fewer bytes.
const MAX_ERROR_BYTES: usize = 64 << 10;

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .merge(info::routes())
        .merge(agent::routes())
        .merge(threads::routes())
        .merge(single::routes())
        .layer(map_response(with_message))
}

/// The agent that a front end means. `default` is the one that the configuration names, or the only one there is, unless
/// an agent has this name.
fn agent_named(app: &App, id: &str) -> Result<String, ApiError> {
    if id == DEFAULT && !app.stage.agents().contains_key(DEFAULT) {
        return dialect::agent(app, None, app.http.dialects.copilotkit.as_ref());
    }
    app.stage.agent(id)?;
    Ok(id.to_owned())
}

/// A front end looks for the sentence beside `error`, not in it.
async fn with_message(response: Response) -> Response {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let (parts, body) = response.into_parts();
    let bytes = to_bytes(body, MAX_ERROR_BYTES).await.unwrap_or_default();
    match serde_json::from_slice::<Value>(&bytes) {
        Ok(mut error) if error["error"]["message"].is_string() => {
            error["message"] = error["error"]["message"].clone();
            (status, Json(error)).into_response()
        }
        _ => Response::from_parts(parts, Body::from(bytes)),
    }
}
