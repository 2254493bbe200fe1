//! `/healthz` and `/readyz`: for those who watch over the server.

use axum::{Json, Router, extract::State, http::StatusCode, routing::get};
use forestage_store::ThreadQuery;
use serde_json::{Value, json};

use crate::{app::App, error::ApiError};

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/healthz", get(alive)).route("/readyz", get(ready))
}

/// The process answers.
async fn alive() -> Json<Value> {
    Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }))
}

/// The process can do its work: the store answers, and it is not shutting down.
async fn ready(State(app): State<App>) -> Result<Json<Value>, ApiError> {
    if app.stage.is_closing() {
        let text = "the server is shutting down";
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "shutting_down", text));
    }
    app.stage.store().threads(ThreadQuery { limit: 1, ..ThreadQuery::of("") }).await?;
    Ok(Json(json!({ "status": "ready" })))
}
