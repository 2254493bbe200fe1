//! Folded views of a thread: messages, state, surfaces, runs.

use axum::{Json, Router, extract::State, routing::get};
use forestage_protocol::{
    event::Event,
    id::{RunId, ThreadId},
};
use forestage_runtime::{Conversation, Cursor, surface};
use forestage_store::RunRecord;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Path, Query};
use crate::{app::App, auth::Reader, error::ApiError};

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/v1/threads/{thread}/messages", get(messages))
        .route("/v1/threads/{thread}/state", get(state))
        .route("/v1/threads/{thread}/surfaces", get(surfaces))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct At {
    /// The run after which the conversation is wanted; the thread's head if absent.
    run: Option<RunId>,
}

async fn messages(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ThreadId>,
    Query(at): Query<At>,
) -> Result<Json<Value>, ApiError> {
    let view = view(&app, &reader.owner, &id, at.run.as_ref()).await?;
    Ok(Json(json!({
        "messages": view.messages,
        "origins": origins(&view),
        "head": view.head,
        "cursor": view.cursor.to_string(),
    })))
}

/// Which run brought in which message of the client's, as an object.
pub(super) fn origins(view: &Conversation) -> Map<String, Value> {
    view.origins.iter().map(|(message, run)| (message.to_string(), json!(run))).collect()
}

async fn state(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ThreadId>,
    Query(at): Query<At>,
) -> Result<Json<Value>, ApiError> {
    let view = view(&app, &reader.owner, &id, at.run.as_ref()).await?;
    Ok(Json(json!({ "state": view.state, "head": view.head, "cursor": view.cursor.to_string() })))
}

async fn surfaces(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ThreadId>,
    Query(at): Query<At>,
) -> Result<Json<Value>, ApiError> {
    let view = view(&app, &reader.owner, &id, at.run.as_ref()).await?;
    let surfaces = surface::shown(&view.messages);
    Ok(Json(json!({ "surfaces": surfaces, "head": view.head, "cursor": view.cursor.to_string() })))
}

async fn view(app: &App, user: &str, id: &ThreadId, at: Option<&RunId>) -> Result<Conversation, ApiError> {
    let thread = app.stage.thread(user, id).await?;
    Ok(app.stage.conversation(&thread, at).await?)
}

/// A list of runs never says more ends.
const MAX_ENDS: usize = 500;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RunsQuery {
    /// Of how many runs, the last ones, it is said how they ended.
    #[serde(default)]
    ends: usize,
}

/// `GET /v1/threads/{thread}/runs`
pub(crate) async fn runs(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ThreadId>,
    Query(query): Query<RunsQuery>,
) -> Result<Json<Value>, ApiError> {
    let thread = app.stage.thread(&reader.owner, &id).await?;
    let runs = app.stage.store().runs(id).await?;
    let (epoch, without) = (app.stage.epoch(&thread), runs.len().saturating_sub(query.ends.min(MAX_ENDS)));
    let mut all: Vec<_> = runs[..without].iter().map(|run| shown(run, epoch)).collect();
    for run in &runs[without..] {
        all.push(shown_whole(&app, run, epoch).await?);
    }
    Ok(Json(json!({ "runs": all, "head": thread.head })))
}

/// `GET /v1/threads/{thread}/runs/{run}`
pub(crate) async fn run(
    State(app): State<App>,
    reader: Reader,
    Path((thread, run)): Path<(ThreadId, RunId)>,
) -> Result<Json<Value>, ApiError> {
    let epoch = app.stage.epoch(&app.stage.thread(&reader.owner, &thread).await?);
    let run = app.stage.run(&reader.owner, &thread, &run).await?;
    Ok(Json(shown_whole(&app, &run, epoch).await?))
}

/// A run with what its last event says: what it used, and what went wrong.
async fn shown_whole(app: &App, run: &RunRecord, epoch: i64) -> Result<Value, ApiError> {
    let mut shown = shown(run, epoch);
    let usage = match app.stage.end_of(run).await? {
        Some(Event::RunFinished(end)) => end.usage,
        Some(Event::RunError(end)) => {
            shown["error"] = json!({ "message": end.message });
            if let Some(code) = end.code {
                shown["error"]["code"] = code.into();
            }
            end.usage
        }
        _ => None,
    };
    if let Some(usage) = usage {
        shown["usage"] = json!(usage);
    }
    Ok(shown)
}

/// A run as clients see it.
pub(crate) fn shown(run: &RunRecord, epoch: i64) -> Value {
    json!({
        "id": run.run_id,
        "threadId": run.thread_id,
        "agent": run.agent,
        "parentRunId": run.parent,
        "status": run.status(),
        "startedAt": run.started_at,
        "endedAt": run.ended_at,
        "before": Cursor { epoch, seq: forestage_store::Seq(run.first.0.saturating_sub(1)) }.to_string(),
        "cursor": Cursor { epoch, seq: run.last }.to_string(),
    })
}
