//! `GET /openapi.json`: what the server answers, described.

use axum::{Json, Router, routing::get};
use serde_json::{Value, json};

use crate::app::App;

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/openapi.json", get(|| async { Json(document()) }))
}

/// The description of the API.
#[must_use]
pub fn document() -> Value {
    json!({ "openapi": "3.1.0" })
}
