//! `POST /internal/tools/execute`: a remote agent calls a tool of ours, in a run of its own that is under way.

use axum::{
    Json, Router,
    extract::{FromRequest, Request, State},
    http::{HeaderMap, StatusCode},
    routing::post,
};
use forestage_protocol::id::{RunId, ThreadId};
use forestage_runtime::{Used, tool::ToolError};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{app::App, auth::key_in_headers, error::ApiError, route};

pub(super) fn routes() -> Router<App> {
    Router::new().route("/internal/tools/execute", post(execute))
}

/// A call, with the spellings that agents use.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Call {
    #[serde(alias = "thread_id")]
    thread_id: String,
    #[serde(alias = "run_id")]
    run_id: String,
    #[serde(alias = "tool_name", alias = "name", alias = "tool")]
    tool_name: String,
    #[serde(default, alias = "arguments")]
    args: Map<String, Value>,
    #[serde(default, alias = "idempotency_key")]
    idempotency_key: Option<String>,
}

async fn execute(State(app): State<App>, request: Request) -> Result<Json<Value>, ApiError> {
    let headers = request.headers().clone();
    let agent = agent_of(&app, &headers)?;
    let route::Body(call) = route::Body::<Call>::from_request(request, &app).await?;
    let Call { thread_id, run_id, tool_name, args, idempotency_key } = call;
    let place = (&ThreadId::from(thread_id), &RunId::from(run_id));
    let in_header = headers.get("idempotency-key").and_then(|key| key.to_str().ok()).map(str::to_owned);
    let key = idempotency_key.or(in_header);
    let used = app.stage.call_tool(&agent, place, (&tool_name, Value::Object(args)), key).await?;
    Ok(Json(told(used)))
}

/// The agent whose secret this is.
fn agent_of(app: &App, headers: &HeaderMap) -> Result<String, ApiError> {
    let secret = key_in_headers(headers);
    let caller = secret.and_then(|secret| app.tool_callers.identify(&secret));
    caller.map(|caller| caller.user.clone()).ok_or_else(|| {
        let text = "only agents that are configured here call tools";
        ApiError::new(StatusCode::UNAUTHORIZED, "unauthorized", text)
            .hint("send the agent's secret as `Authorization: Bearer <secret>`")
    })
}

/// The result itself, if it is an object, with `ok`; or why there is none.
fn told(used: Used) -> Value {
    match used.map(|text| serde_json::from_str(&text).unwrap_or(Value::String(text))) {
        Ok(Value::Object(mut result)) => {
            result.entry("ok").or_insert(Value::Bool(true));
            Value::Object(result)
        }
        Ok(result) => json!({ "ok": true, "result": result }),
        Err(ToolError { code, message, path, faults, hint }) => {
            let mut error = json!({ "code": code, "message": message });
            if let Some(path) = path {
                error["path"] = path.into();
            }
            if !faults.is_empty() {
                error["faults"] = json!(faults);
            }
            if let Some(hint) = hint {
                error["hint"] = hint.into();
            }
            json!({ "ok": false, "error": error })
        }
    }
}
