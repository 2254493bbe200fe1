//! `POST /v1/threads/{thread}/import`: make a thread of a recording.

use axum::{
    Json, Router,
    extract::{Request, State},
    http::StatusCode,
    routing::post,
};
use forestage_protocol::{event::Event, id::ThreadId, pipeline::Reader};
use serde::Deserialize;
use serde_json::Value;

use super::{Path, Query, threads::shown};
use crate::{
    app::App,
    auth::Caller,
    error::{ApiError, status_of},
    intake::{Allowance, recording_of},
    once,
};

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/v1/threads/{thread}/import", post(import))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ImportQuery {
    /// The agent whose thread it will be.
    agent: String,
}

/// The body is JSON lines, one event on each.
async fn import(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(thread_id): Path<ThreadId>,
    Query(query): Query<ImportQuery>,
    request: Request,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    caller.may_import()?;
    let text = recording_of(request, &app).await?;
    let events = read(&text, Allowance::of_recording(text.len(), &app.http))?;
    let thread = app.stage.import_by(&caller.decider(), &query.agent, &thread_id, events).await?;
    Ok((StatusCode::CREATED, Json(shown(&app, &thread))))
}

fn read(text: &str, mut allowance: Allowance) -> Result<Vec<Event>, ApiError> {
    // Histories that AGUI.Protocol has stored are recordings, too.
    let mut reader = Reader::default().with_net();
    let mut events = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let at = |error: ApiError| error.at(format!("[{}]", reader.index()));
        allowance.spend(line).map_err(at)?;
        once::check(line).map_err(at)?;
        reader.read_json(line, |event| events.push(event)).map_err(|error| {
            let place = error.path.as_deref().unwrap_or_default();
            ApiError::new(status_of(error.code), error.code, error.message.clone())
                .at(format!("[{}]{place}", error.index))
        })?;
    }
    Ok(events)
}
