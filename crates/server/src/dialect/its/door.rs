//! `POST /awp`.

use axum::{
    Router,
    extract::{Request, State},
    http::StatusCode,
    response::Response,
    routing::post,
};
use forestage_protocol::{input::RunAgentInput, message::Message};
use forestage_runtime::OnBusy;
use serde_json::Value;

use super::{decode::decode, encode::Encoder};
use crate::{
    app::App,
    auth::{Caller, Visitor},
    dialect::{
        door::begin,
        join::{StreamQuery, Wanted},
    },
    error::ApiError,
    intake::text_of,
    route::Query,
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
    let text = text_of(request, &app).await?;
    let (request, configured) = ((query, text.as_str()), app.http.dialects.its.as_ref());
    let (agent, input) = match Wanted::read(&app, &caller, request, configured, decode, |_| Encoder).await? {
        Wanted::Shown(response) => return Ok(response),
        Wanted::Run(agent, input) => (agent, *input),
    };
    check_names(&app, &caller, &input).await?;
    let started = begin(&app, &caller, &agent, input, OnBusy::Reject).await?;
    let follower = app.stage.follow_run(&started.thread_id, &started.run_id, started.before);
    let manner = Manner { coalesce: None, keep_alive: app.keep_alive() };
    Ok(sse::respond(follower, None, Form::Current, manner, app.ending.clone()))
}

/// Whoever names the component that they answer has to name the one that was shown.
async fn check_names(app: &App, caller: &Visitor, input: &RunAgentInput) -> Result<(), ApiError> {
    let named: Vec<_> = input.messages.iter().enumerate().filter_map(named).collect();
    if named.is_empty() {
        return Ok(());
    }
    // A new thread may begin with a history, calls included.
    let shown = match app.stage.thread(&caller.user, &input.thread_id).await {
        Ok(thread) => app.stage.conversation(&thread, None).await?.messages,
        Err(_) => input.messages.clone(),
    };
    let calls = || shown.iter().flat_map(Message::tool_calls);
    for (at, call_id, name) in named {
        if let Some(call) = calls().find(|call| call.id.as_str() == call_id)
            && call.function.name != name
        {
            let text = format!("call `{call_id}` is of `{}`, not of `{name}`", call.function.name);
            let refused = ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "wrong_tool_name", text);
            return Err(refused.at(format!("messages[{at}].name")));
        }
    }
    Ok(())
}

fn named((at, message): (usize, &Message)) -> Option<(usize, &str, &str)> {
    let Message::Tool(message) = message else { return None };
    let name = message.metadata.as_ref()?.get("its")?.get("name").and_then(Value::as_str)?;
    Some((at, message.tool_call_id.as_str(), name))
}
