//! `GET /copilotkit/info`: the first thing a front end asks.

use axum::{Json, Router, extract::State, routing::get};
use forestage_runtime::Agent;
use serde_json::{Map, Value, json};

use super::{DEFAULT, agent_named};
use crate::{app::App, auth::Caller, route::agents::with_transport};

pub(super) fn routes() -> Router<App> {
    Router::new().route("/copilotkit/info", get(info))
}

async fn info(State(app): State<App>, _: Caller) -> Json<Value> {
    Json(about(&app))
}

/// Who is there, and what a front end may ask.
pub(super) fn about(app: &App) -> Value {
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "agents": agents(app),
        "mode": "sse",
        "threadEndpoints": { "list": true, "inspect": true, "mutations": true, "realtimeMetadata": false },
        "suggestions": true,
        "audioFileTranscriptionEnabled": false,
        "a2uiEnabled": true,
        "a2ui": { "enabled": true },
        "openGenerativeUIEnabled": false,
        "telemetryDisabled": true,
    })
}

fn agents(app: &App) -> Map<String, Value> {
    let agents = app.stage.agents();
    let mut listed: Map<_, _> =
        agents.iter().map(|(name, agent)| (name.clone(), shown(name, &**agent))).collect();
    if let Ok(name) = agent_named(app, DEFAULT)
        && let Some(agent) = agents.get(&name)
    {
        listed.entry(DEFAULT).or_insert_with(|| shown(DEFAULT, &**agent));
    }
    listed
}

fn shown(name: &str, agent: &dyn Agent) -> Value {
    let about = agent.about();
    json!({
        "name": name,
        "description": about.description,
        "className": "ForestageAgent",
        "capabilities": with_transport(about.capabilities),
    })
}
