//! `/v1/threads`: the caller's threads.

use axum::{Json, Router, extract::State, http::StatusCode, routing::get};
use forestage_protocol::id::ThreadId;
use forestage_runtime::now;
use forestage_store::{Thread, ThreadChange, ThreadQuery, ThreadStatus};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Body, Path, Query, shortened};
use crate::{
    app::App,
    auth::{Caller, Reader},
    error::ApiError,
};

/// A list never has more.
const MAX_PAGE: usize = 200;

/// A title has no more characters.
const MAX_TITLE: usize = 200;

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/v1/threads", get(list))
        .route("/v1/threads/{thread}", get(one).patch(change).delete(delete))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ListQuery {
    search: Option<String>,
    agent: Option<String>,
    status: Option<String>,
    #[serde(default)]
    archived: bool,
    limit: Option<usize>,
    cursor: Option<String>,
}

async fn list(
    State(app): State<App>,
    Caller(caller): Caller,
    Query(query): Query<ListQuery>,
) -> Result<Json<Value>, ApiError> {
    let query = ThreadQuery {
        search: query.search.filter(|search| !search.is_empty()),
        agent: query.agent,
        status: query.status.as_deref().map(status).transpose()?,
        archived: query.archived,
        ..page_query(&caller.user, query.limit, query.cursor.as_deref())?
    };
    let (threads, next) = page(&app, query).await?;
    let threads: Vec<_> = threads.iter().map(|thread| shown(&app, thread)).collect();
    Ok(Json(json!({ "threads": threads, "nextCursor": next })))
}

/// A page of a list, and the cursor of the next one.
pub(crate) async fn page(app: &App, query: ThreadQuery) -> Result<(Vec<Thread>, Option<String>), ApiError> {
    let page = app.stage.store().threads(query).await?;
    Ok((page.items, page.next.map(|(time, id)| format!("{time:x}.{id}"))))
}

/// A page of somebody's threads: as many as are asked for, within reason, behind a cursor.
pub(crate) fn page_query(
    user: &str,
    limit: Option<usize>,
    cursor: Option<&str>,
) -> Result<ThreadQuery, ApiError> {
    let limit = limit.unwrap_or(50).clamp(1, MAX_PAGE);
    let after = cursor.map(page_cursor).transpose()?;
    Ok(ThreadQuery { limit, after, ..ThreadQuery::of(user) })
}

fn status(text: &str) -> Result<ThreadStatus, ApiError> {
    use ThreadStatus::{Failed, Idle, Running, Waiting};
    let known = [Idle, Running, Waiting, Failed].into_iter().find(|status| status.as_str() == text);
    known.ok_or_else(|| {
        ApiError::bad_request("invalid_query", format!("`{}` is not a status", shortened(text)))
            .at("status")
            .hint("idle, running, waiting or failed")
    })
}

fn page_cursor(text: &str) -> Result<(i64, ThreadId), ApiError> {
    let parts =
        text.split_once('.').and_then(|(time, id)| Some((i64::from_str_radix(time, 16).ok()?, id.into())));
    parts.ok_or_else(|| {
        ApiError::bad_request("invalid_cursor", format!("`{}` is not a cursor of this list", shortened(text)))
    })
}

async fn one(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ThreadId>,
) -> Result<Json<Value>, ApiError> {
    Ok(Json(shown(&app, &app.stage.thread(&reader.owner, &id).await?)))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Changes {
    #[serde(default, deserialize_with = "given")]
    pub(crate) title: Option<Option<String>>,
    pub(crate) archived: Option<bool>,
    pub(crate) review: Option<bool>,
}

/// Tells `null` from nothing.
#[expect(clippy::option_option, reason = "absent, null and a text are three things")]
pub(crate) fn given<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(deserializer).map(Some)
}

async fn change(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(id): Path<ThreadId>,
    Body(changes): Body<Changes>,
) -> Result<Json<Value>, ApiError> {
    Ok(Json(shown(&app, &changed(&app, &caller.user, id, changes).await?)))
}

/// The thread as it is after these changes.
pub(crate) async fn changed(
    app: &App,
    user: &str,
    id: ThreadId,
    changes: Changes,
) -> Result<Thread, ApiError> {
    let thread = app.stage.thread(user, &id).await?;
    let title =
        changes.title.map(|title| title.map_or(Ok(None), |title| checked_title(&title))).transpose()?;
    let change = ThreadChange {
        title,
        archived: changes.archived,
        review: changes.review,
        now: now(),
        ..ThreadChange::default()
    };
    let changed = app.stage.store().update_thread(id, change).await?;
    Ok(changed.unwrap_or(thread))
}

/// A title as it is kept: a line of text, or none.
fn checked_title(title: &str) -> Result<Option<String>, ApiError> {
    let title = title.trim();
    let refused = |code, text| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, code, text).at("title");
    if title.chars().any(char::is_control) {
        return Err(refused("invalid_title", "a title is one line without control characters"));
    }
    if title.chars().count() > MAX_TITLE {
        return Err(refused("title_too_long", "a title has 200 characters at most"));
    }
    Ok(Some(title.to_owned()).filter(|title| !title.is_empty()))
}

async fn delete(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(id): Path<ThreadId>,
) -> Result<StatusCode, ApiError> {
    app.stage.delete(&caller.user, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A thread as clients see it.
pub(crate) fn shown(app: &App, thread: &Thread) -> Value {
    json!({
        "id": thread.id,
        "agent": thread.agent,
        "title": thread.title,
        "opening": thread.opening,
        "archived": thread.archived,
        "review": thread.review,
        "status": thread.status.as_str(),
        "runs": thread.runs,
        "messages": thread.messages,
        "pendingInterrupts": thread.pending,
        "head": thread.head,
        "createdAt": thread.created_at,
        "updatedAt": thread.updated_at,
        "cursor": app.stage.cursor(thread, thread.tail).to_string(),
    })
}
