//! `GET /v1/agents`: who is there, and what they can do.

use axum::{Json, Router, extract::State, routing::get};
use forestage_protocol::capabilities::{AgentCapabilities, TransportCapabilities};
use forestage_runtime::About;
use serde_json::{Value, json};

use super::Path;
use crate::{app::App, auth::Caller, error::ApiError};

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/v1/agents", get(list)).route("/v1/agents/{agent}", get(one))
}

async fn list(State(app): State<App>, _: Caller) -> Json<Value> {
    let agents = app.stage.agents();
    let mut agents: Vec<_> = agents.iter().map(|(name, agent)| (name, agent.about())).collect();
    agents.sort_by(|(one, left), (other, right)| {
        left.listing.sort_key(one).cmp(&right.listing.sort_key(other))
    });
    let agents: Vec<_> = agents.into_iter().map(|(name, about)| described(name, about)).collect();
    Json(json!({ "agents": agents }))
}

async fn one(State(app): State<App>, _: Caller, Path(name): Path<String>) -> Result<Json<Value>, ApiError> {
    let agent = app.stage.agent(&name)?;
    Ok(Json(described(&name, agent.about())))
}

fn described(name: &str, about: About) -> Value {
    json!({
        "name": name,
        "title": about.listing.title,
        "description": about.description,
        "icon": about.listing.icon,
        "order": about.listing.order,
        "group": about.listing.group,
        "capabilities": with_transport(about.capabilities),
    })
}

/// What every agent can do here, because the stage does it.
pub(crate) fn with_transport(capabilities: AgentCapabilities) -> AgentCapabilities {
    let transport = TransportCapabilities {
        streaming: Some(true),
        websocket: Some(true),
        http_binary: Some(true),
        resumable: Some(true),
        ..capabilities.transport.unwrap_or_else(TransportCapabilities::new)
    };
    AgentCapabilities { transport: Some(transport), ..capabilities }
}
