//! `POST /awp`.

use axum::{
    Router,
    extract::{Request, State},
    response::Response,
    routing::post,
};
use forestage_runtime::OnBusy;

use super::{decode::decode, encode::Encoder};
use crate::{
    app::App,
    auth::Caller,
    dialect::{
        door::begin,
        join::{StreamQuery, Wanted},
    },
    error::ApiError,
    intake::text_of,
    route::{Query, names, runs::place},
    transport::{
        form::Form,
        sse::{self, Manner},
    },
};

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/awp", post(run))
}

async fn run(
    State(app): State<App>,
    Caller(caller): Caller,
    Query(query): Query<StreamQuery>,
    request: Request,
) -> Result<Response, ApiError> {
    let headers = request.headers().clone();
    let text = text_of(request, &app).await?;
    let (request, configured) = ((query, text.as_str()), app.http.dialects.its.as_ref());
    let (agent, input) = match Wanted::read(&app, &caller, request, configured, decode, |_| Encoder).await? {
        Wanted::Shown(response) => return Ok(response),
        Wanted::Run(agent, input) => (agent, *input),
    };
    names::check(&app, &caller, &input).await?;
    let started = begin(&app, &caller, &agent, input, OnBusy::Reject).await?;
    // The same request again is the same run, and a client that was cut off goes on behind the last event it has.
    let after = place(&started, &headers)?;
    let follower = app.stage.follow_run(&started.thread_id, &started.run_id, after);
    let manner = Manner { coalesce: None, keep_alive: app.keep_alive() };
    Ok(sse::respond(follower, None, Form::Current, manner, app.ending.clone()))
}
