//! `POST /copilotkit`: everything through one address, for front ends with `useSingleEndpoint`.

use axum::{
    Json, Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::post,
};
use forestage_protocol::id::ThreadId;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    agent::{connected, started, stopped},
    info::about,
};
use crate::{app::App, auth::Caller, error::ApiError, route::Body};

pub(super) fn routes() -> Router<App> {
    Router::new().route("/copilotkit", post(call))
}

/// A request in an envelope.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Envelope {
    method: String,
    #[serde(default)]
    params: Params,
    #[serde(default)]
    body: Option<Box<RawValue>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params {
    agent_id: Option<String>,
    thread_id: Option<ThreadId>,
}

async fn call(
    State(app): State<App>,
    Caller(caller): Caller,
    Body(envelope): Body<Envelope>,
) -> Result<Response, ApiError> {
    let Envelope { method, params, body } = envelope;
    let agent = || params.agent_id.clone().ok_or_else(|| missing("params.agentId"));
    let body = body.as_ref().map_or("", |body| body.get());
    match method.as_str() {
        "info" => Ok(Json(about(&app)).into_response()),
        "agent/run" => started(&app, &caller, &agent()?, body).await,
        "agent/connect" => connected(&app, &caller, &agent()?, body).await,
        "agent/stop" => {
            let thread_id = params.thread_id.clone().ok_or_else(|| missing("params.threadId"))?;
            Ok(stopped(&app, &caller, &agent()?, &thread_id, body).await?.into_response())
        }
        other => {
            let text = format!("there is no method `{other}` here");
            let known = "info, agent/run, agent/connect and agent/stop";
            Err(ApiError::bad_request("unknown_method", text)
                .at("method")
                .hint(format!("there are: {known}")))
        }
    }
}

fn missing(path: &str) -> ApiError {
    ApiError::bad_request("missing_parameter", format!("the method needs `{path}`")).at(path)
}
