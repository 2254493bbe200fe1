//! `/healthz` and `/readyz`: for those who watch over the server.

use std::time::Duration;

use axum::{Json, Router, extract::State, http::StatusCode, routing::get};
use forestage_store::ThreadQuery;
use serde_json::{Value, json};

use crate::{app::App, error::ApiError};

/// Whoever asks whether we are ready does not wait longer for a store that failed.
const TRIAL: Duration = Duration::from_secs(5);

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/healthz", get(alive)).route("/readyz", get(ready))
}

/// The process answers.
async fn alive() -> Json<Value> {
    Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }))
}

/// The process can do its work: the store answers, commits succeed as far as one knows, and it is not shutting down.
async fn ready(State(app): State<App>) -> Result<Json<Value>, ApiError> {
    if app.stage.is_closing() {
        let text = "the server is shutting down";
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "shutting_down", text));
    }
    let store = app.stage.store();
    store.threads(ThreadQuery { limit: 1, ..ThreadQuery::of("") }).await?;
    let unwritable = |text| ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "store_unwritable", text);
    match tokio::time::timeout(TRIAL, store.check_writable()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => return Err(unwritable(format!("the store cannot be written: {error}"))),
        Err(_) => return Err(unwritable("the store cannot be written: it does not answer".to_owned())),
    }
    Ok(Json(json!({ "status": "ready" })))
}
