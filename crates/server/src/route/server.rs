//! `GET /v1/server`: what a page has to know before it shows anything.

use axum::{Json, Router, extract::State, routing::get};
use serde_json::{Value, json};

use crate::{app::App, auth::Caller};

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/v1/server", get(server))
}

/// Who asks, and what is switched on for them.
async fn server(State(app): State<App>, Caller(caller): Caller) -> Json<Value> {
    let mut told = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "user": caller.user,
        "roles": caller.roles,
        "keys": !app.keys.is_empty(),
        "inspector": app.shows_inspector(),
        "demo": app.http.demo,
        "dictation": app.http.dictation,
        "pictureOrigins": app.http.picture_origins,
    });
    let people = app.people.names();
    if !people.is_empty() {
        told["people"] = json!(people);
    }
    Json(told)
}
