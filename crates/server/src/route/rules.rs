//! `/v1/rules`: what the caller has allowed once and for all.

use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    routing::{delete, get},
};
use forestage_runtime::now;
use forestage_store::{NewAudit, Rule};
use serde_json::{Value, json};

use super::Path;
use crate::{
    app::App,
    auth::{Caller, Visitor},
    error::ApiError,
};

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/v1/rules", get(list)).route("/v1/rules/{rule}", delete(remove))
}

async fn list(State(app): State<App>, Caller(caller): Caller) -> Result<Json<Value>, ApiError> {
    let rules = app.stage.store().rules(caller.user).await?;
    Ok(Json(json!({ "rules": rules.iter().map(shown).collect::<Vec<_>>() })))
}

async fn remove(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    let store = app.stage.store();
    let rule = store.rules(caller.user.clone()).await?.into_iter().find(|rule| rule.id == id);
    let unknown = || {
        let text = format!("there is no rule `{id}` of yours");
        ApiError::new(StatusCode::NOT_FOUND, "unknown_rule", text)
    };
    let rule = rule.ok_or_else(unknown)?;
    match store.delete_rule(caller.user.clone(), id.clone(), removed(&caller, &rule)).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(unknown()),
    }
}

fn removed(caller: &Visitor, rule: &Rule) -> NewAudit {
    NewAudit {
        at: now(),
        kind: "rule_removed".to_owned(),
        actor: caller.user.clone(),
        origin: caller.origin.clone(),
        owner: rule.owner.clone(),
        thread_id: rule.thread_id.clone(),
        interrupt_id: None,
        json: shown(rule).to_string().into(),
    }
}

fn shown(rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "agent": rule.agent,
        "tool": rule.tool,
        "risk": rule.risk,
        "threadId": rule.thread_id,
        "by": rule.by,
        "at": rule.at,
    })
}
