//! `/copilotkit/agent/{agent}/…`: run, connect, stop, suggest.

use std::iter::successors;

use axum::{
    Json, Router,
    body::Body,
    extract::{Path, Request, State},
    response::Response,
    routing::post,
};
use forestage_protocol::{
    event::Event,
    id::{RunId, ThreadId},
};
use forestage_runtime::{OnBusy, Prelude, StartRun};
use forestage_store::{RunRecord, Thread};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{agent_named, encode::Encoder};
use crate::{
    app::App,
    auth::{Caller, Visitor},
    dialect::{
        agui0::{Line, settled},
        door::{find, object_of},
        stream::{frames_of, respond},
    },
    error::ApiError,
    intake::text_of,
    route::{apps, body, runs::read_input},
    transport::sse::with_headers,
};

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/copilotkit/agent/{agent}/run", post(run))
        .route("/copilotkit/agent/{agent}/connect", post(connect))
        .route("/copilotkit/agent/{agent}/suggest", post(suggest))
        .route("/copilotkit/agent/{agent}/stop/{thread}", post(stop))
}

async fn run(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(agent): Path<String>,
    request: Request,
) -> Result<Response, ApiError> {
    started(&app, &caller, &agent, &text_of(request, &app).await?).await
}

/// Runs, and streams what comes of it.
pub(super) async fn started(
    app: &App,
    caller: &Visitor,
    agent: &str,
    body: &str,
) -> Result<Response, ApiError> {
    let agent = agent_named(app, agent)?;
    let input = read_input(body)?;
    if let Some(kept) = apps::answer(app, caller, &input).await? {
        return Ok(kept);
    }
    if input.resume.is_some() {
        // An answer that says two things is none.
        object_of(body, "body")?;
    }
    let (input, _) = settled(app, caller, &agent, Line::stated(59), input).await?;
    let request = StartRun {
        // A front end sends the next message as soon as it has asked to stop, so it may have to wait a moment.
        on_busy: OnBusy::Queue,
        decider: Some(caller.decider()),
        ..StartRun::new(&agent, input, &caller.user)
    };
    let started = app.stage.start(request).await?;
    let follower = app.stage.follow_run(&started.thread_id, &started.run_id, started.before);
    Ok(respond(app, Encoder, &[], Some(follower)))
}

async fn connect(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(agent): Path<String>,
    request: Request,
) -> Result<Response, ApiError> {
    connected(&app, &caller, &agent, &text_of(request, &app).await?).await
}

/// The part of an input that says where to connect.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    thread_id: ThreadId,
}

/// The conversation as it stands, then the rest of a run that is under way.
pub(super) async fn connected(
    app: &App,
    caller: &Visitor,
    agent: &str,
    input: &str,
) -> Result<Response, ApiError> {
    agent_named(app, agent)?;
    let Place { thread_id } = body::read(input)?;
    // A front end connects to ids that it has just made up.
    let Some(thread) = find(app, caller, &thread_id).await? else { return Ok(nothing_yet()) };
    let Some(prelude) = app.stage.prelude(&thread).await? else {
        return Ok(nothing_yet());
    };
    let follower = match run_under_way(&prelude) {
        Some(run_id) => Some(app.stage.follow_run(&thread_id, run_id, prelude.cursor)),
        None => None,
    };
    Ok(respond(app, Encoder, &prelude.events, follower))
}

/// A comment, so that the answer is a stream without events rather than nothing.
fn nothing_yet() -> Response {
    with_headers(Body::from(": nothing has been said on this thread\n\n"), "text/event-stream")
}

fn run_under_way(prelude: &Prelude) -> Option<&RunId> {
    match (prelude.events.first(), prelude.events.last()) {
        (_, Some(Event::RunFinished(_) | Event::RunError(_))) => None,
        (Some(Event::RunStarted(started)), _) => Some(&started.run_id),
        _ => None,
    }
}

async fn stop(
    State(app): State<App>,
    Caller(caller): Caller,
    Path((agent, thread)): Path<(String, ThreadId)>,
    request: Request,
) -> Result<Json<Value>, ApiError> {
    stopped(&app, &caller, &agent, &thread, &text_of(request, &app).await?).await
}

/// Which run is to be stopped; the one that is under way where it is not named.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Scope {
    run_id: Option<RunId>,
}

/// Stops the run that is under way.
pub(super) async fn stopped(
    app: &App,
    caller: &Visitor,
    agent: &str,
    thread_id: &ThreadId,
    scope: &str,
) -> Result<Json<Value>, ApiError> {
    let agent = agent_named(app, agent)?;
    let scope: Scope = if scope.trim().is_empty() { Scope::default() } else { body::read(scope)? };
    let thread = app.stage.thread(&caller.user, thread_id).await?;
    let Some(run_id) = open_run(app, &thread, &agent, scope.run_id.as_ref()).await? else {
        let message = format!("no such run of agent `{agent}` is under way on thread `{thread_id}`");
        return Ok(Json(json!({ "stopped": false, "message": message })));
    };
    let stopped = app.stage.cancel(&caller.user, thread_id, &run_id).await?;
    Ok(Json(json!({ "stopped": stopped })))
}

/// The run of an agent that is under way, if it is the one that is wanted or goes on after a question of that one.
async fn open_run(
    app: &App,
    thread: &Thread,
    agent: &str,
    wanted: Option<&RunId>,
) -> Result<Option<RunId>, ApiError> {
    let runs = app.stage.store().runs(thread.id.clone()).await?;
    let is_open = |run: &&RunRecord| run.end.is_none() && run.agent == agent;
    let Some(open) = runs.iter().rfind(is_open) else { return Ok(None) };
    let Some(wanted) = wanted else { return Ok(Some(open.run_id.clone())) };
    let parent = |run: &&RunRecord| {
        let parent = runs.iter().find(|other| Some(&other.run_id) == run.parent.as_ref())?;
        (parent.end.as_deref() == Some("interrupt")).then_some(parent)
    };
    let is_meant = successors(Some(open), parent).any(|run| run.run_id == *wanted);
    Ok(is_meant.then(|| open.run_id.clone()))
}

/// The part of an input that a run without words needs.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    thread_id: ThreadId,
    run_id: RunId,
}

/// A run that suggests nothing. Were there no such answer, a front end would run the agent on a thread of its own for it.
async fn suggest(
    State(app): State<App>,
    _: Caller,
    Path(agent): Path<String>,
    request: Request,
) -> Result<Response, ApiError> {
    agent_named(&app, &agent)?;
    let Run { thread_id, run_id } = body::read(&text_of(request, &app).await?)?;
    let frames = ["RUN_STARTED", "RUN_FINISHED"]
        .map(|kind| json!({ "type": kind, "threadId": thread_id, "runId": run_id }));
    Ok(with_headers(Body::from(frames_of(&frames)), "text/event-stream"))
}
