//! `POST /v1/agents/{agent}/runs`: run an agent and watch it. `POST …/runs/{run}/cancel`: stop it.

use std::time::Duration;

use axum::{
    Json, Router,
    extract::{Request, State},
    http::HeaderMap,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use forestage_protocol::{
    compat, enforce,
    id::{RunId, ThreadId},
    input::RunAgentInput,
    notice::{Fault, Warning},
};
use forestage_runtime::{Cursor, Follower, OnBusy, StartRun, Started};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Path, Query, apps, names, views};
use crate::{
    app::App,
    auth::{Caller, Visitor},
    dialect::agui0::{self, Line, Protocol},
    error::ApiError,
    intake::text_of,
    once,
    transport::{
        form::Form,
        leave::{Leave, Wanted},
        proto,
        sse::{self, Manner},
    },
};

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/v1/agents/{agent}/runs", post(run))
        .route("/v1/threads/{thread}/runs", get(views::runs))
        .route("/v1/threads/{thread}/runs/{run}", get(views::run))
        .route("/v1/threads/{thread}/runs/{run}/cancel", post(cancel))
}

/// What may stand in the address.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RunQuery {
    /// What to do if the thread has a run under way.
    #[serde(default)]
    on_busy: Busy,
    /// What to do if the client closes the connection before the run has ended.
    #[serde(default)]
    on_leave: OnLeave,
    /// Make neighbouring deltas one, waiting so many milliseconds for more.
    coalesce: Option<u64>,
    /// The version of AG-UI that the client reads, where its input does not state one.
    protocol: Option<String>,
}

/// [`OnBusy`] as it is written.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Busy {
    #[default]
    Reject,
    Queue,
    Replace,
}

impl From<Busy> for OnBusy {
    fn from(busy: Busy) -> Self {
        match busy {
            Busy::Reject => Self::Reject,
            Busy::Queue => Self::Queue,
            Busy::Replace => Self::Replace,
        }
    }
}

/// What becomes of a run whose client closes the connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum OnLeave {
    /// It goes on, for whoever comes back.
    #[default]
    Continue,
    /// It is cancelled.
    Cancel,
}

async fn run(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(agent): Path<String>,
    Query(query): Query<RunQuery>,
    request: Request,
) -> Result<Response, ApiError> {
    let asked = Protocol::asked(query.protocol.as_deref())?;
    let headers = request.headers().clone();
    // The memory for the body is reserved until the run has begun.
    let body = text_of(request, &app).await?;
    match answer(&app, &caller, &agent, &query, asked, headers, &body).await {
        // These clients take any status for an empty run, so what is wrong is in the stream.
        Err(error) if asked.and_then(Protocol::line).is_some_and(Line::ignores_http_errors) => {
            Ok(sse::failed_run(&error, &body))
        }
        answer => answer,
    }
}

async fn answer(
    app: &App,
    caller: &Visitor,
    agent: &str,
    query: &RunQuery,
    asked: Option<Protocol>,
    headers: HeaderMap,
    body: &str,
) -> Result<Response, ApiError> {
    let agui0::Request { input, protocol } = agui0::Request::read(body, asked)?;
    let is_proto = proto::is_wanted(&headers);
    if let Some(kept) = apps::answer(app, caller, &input).await?.filter(|_| !is_proto) {
        return Ok(kept);
    }
    if is_proto {
        proto::refuse_older(asked)?;
    }
    let mut leave = Leave::new(app.ending.clone(), query.on_leave == OnLeave::Cancel);
    let begin = Begin {
        app: app.clone(),
        caller: caller.clone(),
        agent: agent.to_owned(),
        on_busy: query.on_busy,
        wanted: leave.wanted(),
    };
    let streamed = match is_proto {
        true => begin.proto(input, headers).await,
        false => begin.sse(input, protocol, headers, coalesce(query.coalesce)).await,
    };
    if streamed.is_err() {
        // It was refused, so there is nothing to leave.
        leave.disarm();
    }
    streamed.map(|response| leave.attach(response))
}

/// A run that is to begin.
struct Begin {
    app: App,
    caller: Visitor,
    agent: String,
    on_busy: Busy,
    /// Starts the run, if it is to be cancelled when the client leaves.
    wanted: Option<Wanted>,
}

impl Begin {
    async fn proto(self, input: RunAgentInput, headers: HeaderMap) -> Result<Response, ApiError> {
        let ending = self.app.ending.clone();
        let (follower, _) = self.run(input, Protocol::Current, headers).await?;
        Ok(proto::respond(follower, None, ending))
    }

    async fn sse(
        self,
        input: RunAgentInput,
        protocol: Protocol,
        headers: HeaderMap,
        coalesce: Option<Duration>,
    ) -> Result<Response, ApiError> {
        let manner = Manner { coalesce, keep_alive: self.app.keep_alive() };
        let ending = self.app.ending.clone();
        let mut followed = Box::pin(self.run(input, protocol, headers));
        // A client that waits for its turn is told so by comments.
        match tokio::time::timeout(manner.keep_alive, &mut followed).await {
            Ok(followed) => {
                followed.map(|(follower, form)| sse::respond(follower, None, form, manner, ending))
            }
            Err(_) => Ok(sse::respond_later(followed, manner, ending)),
        }
    }

    /// Begins the run, or joins it: what to follow, and how to write it.
    async fn run(
        self,
        input: RunAgentInput,
        protocol: Protocol,
        headers: HeaderMap,
    ) -> Result<(Follower, Form), ApiError> {
        let Self { app, caller, agent, on_busy, wanted } = self;
        names::check(&app, &caller, &input).await?;
        let (input, view) = agui0::prepared(&app, &caller, &agent, protocol, input).await?;
        let request = StartRun {
            on_busy: on_busy.into(),
            decider: Some(caller.decider()),
            ..StartRun::new(&agent, input, &caller.user)
        };
        let started = match wanted {
            Some(wanted) => wanted.start(&app.stage, request).await?,
            None => app.stage.start(request).await?,
        };
        let after = place(&started, &headers)?;
        let form = view.of(&app, &started).await?;
        Ok((app.stage.follow_run(&started.thread_id, &started.run_id, after), form))
    }
}

/// Behind the cursor that the client has, or at the beginning of the run. A cursor that nobody can have seen here is of
/// something else.
pub(crate) fn place(started: &Started, headers: &HeaderMap) -> Result<Cursor, ApiError> {
    let given = last_event_id(headers)?;
    let within = |cursor: &Cursor| {
        cursor.epoch == started.before.epoch && cursor.seq >= started.before.seq && cursor.seq <= started.last
    };
    Ok(given.filter(within).unwrap_or(started.before))
}

/// The cursor in the header that browsers send when they reconnect.
pub(crate) fn last_event_id(headers: &HeaderMap) -> Result<Option<Cursor>, ApiError> {
    let text = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    Ok(text.filter(|text| !text.is_empty()).map(str::parse).transpose()?)
}

pub(crate) fn coalesce(milliseconds: Option<u64>) -> Option<Duration> {
    milliseconds.map(|time| Duration::from_millis(time.min(5_000)))
}

async fn cancel(
    State(app): State<App>,
    Caller(caller): Caller,
    Path((thread, run)): Path<(ThreadId, RunId)>,
) -> Result<Response, ApiError> {
    let cancelled = app.stage.cancel(&caller.user, &thread, &run).await?;
    let mut answer = json!({ "threadId": thread, "runId": run, "cancelled": cancelled });
    if cancelled {
        return Ok(Json(answer).into_response());
    }
    if let Some(end) = app.stage.run(&caller.user, &thread, &run).await?.end {
        answer["hint"] = match end.as_str() {
            "interrupt" => "the run has ended, and nobody has to decide about it any more".to_owned(),
            end => format!("the run has ended: {end}"),
        }
        .into();
    }
    Ok(Json(answer).into_response())
}

/// Reads an input: older shapes are understood, unknown members dropped, malformed ones told.
pub(crate) fn read_input(text: &str) -> Result<RunAgentInput, ApiError> {
    once::check(text)?;
    if let Ok(input) = enforce::strict_as::<RunAgentInput>(text) {
        return Ok(input);
    }
    let value: Value = enforce::tree(text)?;
    read_input_value(value)
}

/// The same for what was parsed already.
pub(crate) fn read_input_value(mut value: Value) -> Result<RunAgentInput, ApiError> {
    let mut warnings: Vec<Warning> = Vec::new();
    compat::upgrade_input(&mut value, &mut warnings);
    names::keep(&mut value);
    let input = enforce::enforce_as::<RunAgentInput>(value, &mut warnings)?;
    // A member more does no harm. A message, a part or an answer less would be a word lost, so it is told.
    if let Some(lost) = warnings.into_iter().find(|warning| warning.code == "unknown_value") {
        return Err(Fault::new("unknown_value", lost.path.unwrap_or_default(), lost.message).into());
    }
    Ok(input.ok_or_else(|| Fault::new("wrong_type", "", "the input is not an object"))?)
}
