//! `/copilotkit/threads`: what `useThreads` and the inspector ask.

use axum::{
    Json, Router,
    extract::{Path, State},
    routing::{get, patch, post},
};
use forestage_protocol::{event::Event, id::ThreadId};
use forestage_store::{Seq, Thread, ThreadQuery};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{agent_named, encode::encode, message::inspected};
use crate::{
    app::App,
    auth::Caller,
    dialect::door::events,
    error::ApiError,
    route::{
        Body, Query,
        threads::{Changes, changed, given, page, page_query},
    },
};

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/copilotkit/threads", get(list))
        .route("/copilotkit/threads/{thread}", patch(update).delete(delete))
        .route("/copilotkit/threads/{thread}/archive", post(archive))
        .route("/copilotkit/threads/{thread}/messages", get(messages))
        .route("/copilotkit/threads/{thread}/events", get(log))
        .route("/copilotkit/threads/{thread}/state", get(state))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ListQuery {
    agent_id: Option<String>,
    #[serde(default)]
    include_archived: bool,
    limit: Option<usize>,
    cursor: Option<String>,
}

async fn list(
    State(app): State<App>,
    Caller(caller): Caller,
    Query(query): Query<ListQuery>,
) -> Result<Json<Value>, ApiError> {
    let agent = query.agent_id.as_deref().map(|id| agent_named(&app, id)).transpose()?;
    let wanted = ThreadQuery {
        agent,
        archived: query.include_archived,
        ..page_query(&caller.user, query.limit, query.cursor.as_deref())?
    };
    let (threads, next) = page(&app, wanted).await?;
    let threads: Vec<_> = threads.iter().map(|thread| shown(thread, query.agent_id.as_deref())).collect();
    Ok(Json(json!({ "threads": threads, "nextCursor": next })))
}

/// What a front end changes. It also says which agent it means, which a thread knows by itself.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Update {
    agent_id: Option<String>,
    #[serde(default, deserialize_with = "given")]
    name: Option<Option<String>>,
    archived: Option<bool>,
}

async fn update(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(id): Path<ThreadId>,
    Body(update): Body<Update>,
) -> Result<Json<Value>, ApiError> {
    let changes = Changes { title: update.name, archived: update.archived, review: None };
    let thread = changed(&app, &caller.user, id, changes).await?;
    Ok(Json(shown(&thread, update.agent_id.as_deref())))
}

async fn archive(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(id): Path<ThreadId>,
) -> Result<Json<Value>, ApiError> {
    let changes = Changes { title: None, archived: Some(true), review: None };
    let thread = changed(&app, &caller.user, id, changes).await?;
    Ok(Json(json!({ "threadId": thread.id, "archived": true })))
}

async fn delete(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(id): Path<ThreadId>,
) -> Result<Json<Value>, ApiError> {
    app.stage.delete(&caller.user, &id).await?;
    Ok(Json(json!({ "threadId": id, "deleted": true })))
}

async fn messages(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(id): Path<ThreadId>,
) -> Result<Json<Value>, ApiError> {
    let thread = app.stage.thread(&caller.user, &id).await?;
    let conversation = app.stage.conversation(&thread, None).await?;
    let messages: Vec<_> = conversation.messages.iter().map(inspected).collect();
    Ok(Json(json!({ "messages": messages })))
}

async fn log(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(id): Path<ThreadId>,
) -> Result<Json<Value>, ApiError> {
    let thread = app.stage.thread(&caller.user, &id).await?;
    let mut follower = app.stage.read(&thread, Seq::START);
    let mut said: Vec<Event> = Vec::new();
    while let Some(batch) = follower.next().await? {
        said.extend(events(&batch));
    }
    let events: Vec<_> = said.iter().filter_map(encode).collect();
    Ok(Json(json!({ "events": events })))
}

async fn state(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(id): Path<ThreadId>,
) -> Result<Json<Value>, ApiError> {
    let thread = app.stage.thread(&caller.user, &id).await?;
    Ok(Json(json!({ "state": app.stage.conversation(&thread, None).await?.state })))
}

/// A thread as a front end knows it, under the name by which it asked for the agent.
fn shown(thread: &Thread, agent_id: Option<&str>) -> Value {
    json!({
        "id": thread.id,
        "agentId": agent_id.unwrap_or(&thread.agent),
        "organizationId": "",
        "createdById": thread.owner,
        "name": thread.title,
        "archived": thread.archived,
        "createdAt": iso(thread.created_at),
        "updatedAt": iso(thread.updated_at),
    })
}

/// Always with three digits behind the second, since a front end sorts these texts.
fn iso(milliseconds: i64) -> String {
    let time = jiff::Timestamp::from_millisecond(milliseconds).unwrap_or(jiff::Timestamp::MAX);
    format!("{time:.3}")
}
