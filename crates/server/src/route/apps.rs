//! Pages that tools of MCP servers bring along: `GET /v1/threads/{thread}/apps/{page}` is the page, for whoever the thread
//! belongs to; `GET /v1/apps/frame` is the frame that it is put into.
//!
//! The frame is public and empty. What it may reach stands in its address, because only a header can say it to a browser:
//! nobody but our own app can put it into a page, and it shows nothing but what that app hands over.

use axum::{
    Json, Router,
    body::Body,
    extract::State,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use forestage_protocol::{id::ThreadId, input::RunAgentInput};
use forestage_runtime::{
    apps::{Hosts, Page, PageRequest, is_host},
    tool::Notes,
};
use forestage_store::Thread;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Path, Query, policy};
use crate::{
    app::App,
    auth::{Caller, Visitor},
    error::ApiError,
    transport::sse::with_headers,
};

/// The frame around a page: it hands over what is said between the page and the app.
const FRAME: &str = include_str!("frame.html");

/// A page is named by what is in it.
const FOR_EVER: &str = "private, max-age=31536000, immutable";

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/v1/threads/{thread}/apps/{page}", get(page)).route("/v1/apps/frame", get(frame))
}

async fn page(
    State(app): State<App>,
    Caller(caller): Caller,
    Path((thread, id)): Path<(ThreadId, String)>,
) -> Result<Response, ApiError> {
    let thread = app.stage.thread(&caller.user, &thread).await?;
    let page = Page::kept(&notes(&app, &thread), &id).await?;
    let page = page.ok_or_else(|| {
        let text = "this page is not kept here: it came with a recording, or from another server";
        ApiError::new(StatusCode::NOT_FOUND, "unknown_page", text)
    })?;
    Ok(([(header::CACHE_CONTROL, HeaderValue::from_static(FOR_EVER))], Json(page)).into_response())
}

fn notes(app: &App, thread: &Thread) -> Notes {
    Notes::new(app.stage.store().clone(), &thread.owner)
}

/// The hosts that a page may reach, with blanks between them.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Reach {
    /// For requests.
    connect: String,
    /// For scripts, styles, pictures, fonts and sounds.
    resource: String,
    /// For frames.
    frame: String,
}

async fn frame(Query(reach): Query<Reach>) -> Result<Response, ApiError> {
    let hosts = Hosts {
        connect_domains: hosts(&reach.connect)?,
        resource_domains: hosts(&reach.resource)?,
        frame_domains: hosts(&reach.frame)?,
    };
    let policy = HeaderValue::try_from(policy::frame(&hosts))
        .map_err(|error| ApiError::bad_request("invalid_query", error.to_string()))?;
    let mut response = FRAME.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert("x-dns-prefetch-control", HeaderValue::from_static("off"));
    policy::protect_with(policy, headers);
    Ok(response)
}

fn hosts(text: &str) -> Result<Vec<String>, ApiError> {
    let host = |host: &str| match is_host(host) {
        true => Ok(host.to_owned()),
        false => Err(ApiError::bad_request("invalid_query", format!("`{host}` is not a host"))),
    };
    text.split_whitespace().map(host).collect()
}

/// The answer to an input that asks for a page that is kept, as a run of two events. Looking at a conversation changes
/// nothing, so it is not put on its log, and it does not matter whether the server that the page is from is still there.
pub(crate) async fn answer(
    app: &App,
    caller: &Visitor,
    input: &RunAgentInput,
) -> Result<Option<Response>, ApiError> {
    let Some(Ok(request)) = PageRequest::of(input) else { return Ok(None) };
    let uri = request.params.get("uri").and_then(Value::as_str);
    let Some(uri) = uri.filter(|_| request.method == "resources/read") else { return Ok(None) };
    let Ok(thread) = app.stage.thread(&caller.user, &input.thread_id).await else { return Ok(None) };
    let said = app.stage.conversation(&thread, None).await?.messages;
    let Some(id) = request.page(&said, uri) else { return Ok(None) };
    let Some(page) = Page::kept(&notes(app, &thread), id).await? else { return Ok(None) };
    let RunAgentInput { thread_id, run_id, .. } = input;
    let event = |kind: &str| json!({ "type": kind, "threadId": thread_id, "runId": run_id });
    let (started, mut finished) = (event("RUN_STARTED"), event("RUN_FINISHED"));
    finished["result"] = page.as_resource();
    let frames = format!("data: {started}\n\ndata: {finished}\n\n");
    Ok(Some(with_headers(Body::from(frames), "text/event-stream")))
}
