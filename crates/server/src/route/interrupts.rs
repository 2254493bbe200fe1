//! `GET /v1/interrupts`: the questions that wait for the caller, across threads.

use axum::{
    Json, Router,
    extract::{Path, State},
    http::StatusCode,
    routing::get,
};
use forestage_protocol::id::{InterruptId, ThreadId};
use forestage_store::{InterruptQuery, InterruptRecord, Viewer};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Query;
use crate::{
    app::App,
    auth::{Caller, Identity},
    error::ApiError,
};

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/v1/interrupts", get(list)).route("/v1/interrupts/{interrupt}", get(one))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ListQuery {
    thread: Option<ThreadId>,
    /// Those that were decided, too.
    #[serde(default)]
    decided: bool,
    limit: Option<usize>,
}

async fn list(
    State(app): State<App>,
    Caller(caller): Caller,
    Query(query): Query<ListQuery>,
) -> Result<Json<Value>, ApiError> {
    let query = InterruptQuery {
        viewer: viewer(caller),
        thread_id: query.thread,
        decided: query.decided,
        limit: query.limit.unwrap_or(100).clamp(1, 1000),
        after: None,
    };
    let records = app.stage.store().interrupts(query).await?;
    Ok(Json(json!({ "interrupts": records.iter().map(shown).collect::<Vec<_>>() })))
}

async fn one(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(id): Path<InterruptId>,
) -> Result<Json<Value>, ApiError> {
    let record = app.stage.store().interrupt(id.clone(), viewer(caller)).await?;
    let text = format!("there is no question `{id}`");
    let record = record.ok_or_else(|| ApiError::new(StatusCode::NOT_FOUND, "unknown_interrupt", text))?;
    Ok(Json(shown(&record)))
}

fn viewer(caller: Identity) -> Viewer {
    Viewer { user: caller.user, roles: caller.roles }
}

fn shown(record: &InterruptRecord) -> Value {
    let value = |json: &[u8]| serde_json::from_slice::<Value>(json).unwrap_or_default();
    let decision = record.decision.as_ref().map(|decision| {
        json!({
            "status": decision.status,
            "answer": value(&decision.json),
            "by": decision.by,
            "at": decision.at,
            "runId": decision.run_id,
        })
    });
    json!({
        "id": record.id,
        "threadId": record.thread_id,
        "runId": record.run_id,
        "interrupt": value(&record.json),
        "openedAt": record.opened_at,
        "expiresAt": record.expires_at,
        "decision": decision,
    })
}
