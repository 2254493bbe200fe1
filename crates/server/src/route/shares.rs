//! `/v1/threads/{thread}/shares`: links by which others may read a thread, and nothing else.

use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    routing::{delete, get},
};
use forestage_protocol::id::ThreadId;
use forestage_runtime::now;
use forestage_store::{NewAudit, Share};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Body, Path};
use crate::{
    app::App,
    auth::{Caller, Visitor, fresh_token, hash_token},
    error::ApiError,
};

/// A thread has no more links than these.
const MAX_SHARES: usize = 100;

/// Ten years: who wants it longer wants it for ever.
const MAX_SECONDS: i64 = 10 * 366 * 24 * 60 * 60;

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/v1/threads/{thread}/shares", get(list).post(add))
        .route("/v1/threads/{thread}/shares/{share}", delete(remove))
}

async fn list(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(id): Path<ThreadId>,
) -> Result<Json<Value>, ApiError> {
    app.stage.thread(&caller.user, &id).await?;
    let shares = app.stage.store().shares(id).await?;
    Ok(Json(json!({ "shares": shares.iter().map(shown).collect::<Vec<_>>() })))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewShare {
    /// How long it opens the thread; until it is taken back if absent.
    expires_in_seconds: Option<i64>,
}

async fn add(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(thread_id): Path<ThreadId>,
    Body(new): Body<NewShare>,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    app.stage.thread(&caller.user, &thread_id).await?;
    let (store, at, token) = (app.stage.store(), now(), fresh_token());
    if store.shares(thread_id.clone()).await?.len() >= MAX_SHARES {
        let text = format!("a thread has {MAX_SHARES} links at most");
        return Err(ApiError::new(StatusCode::CONFLICT, "too_many_shares", text).hint("take one back first"));
    }
    let share = Share {
        id: uuid::Uuid::now_v7().to_string(),
        thread_id,
        hash: hash_token(&token),
        by: caller.user.clone(),
        at,
        expires_at: new.expires_in_seconds.map(milliseconds).transpose()?.map(|time| at + time),
    };
    store.put_share(share.clone(), on_record("share_added", &caller, &share)).await?;
    let mut answer = shown(&share);
    answer["token"] = token.into();
    Ok((StatusCode::CREATED, Json(answer)))
}

fn milliseconds(seconds: i64) -> Result<i64, ApiError> {
    if (1..=MAX_SECONDS).contains(&seconds) {
        return Ok(seconds * 1000);
    }
    let text = "a link is open for at least a second and at most ten years";
    Err(ApiError::wrong_shape(text).at("expiresInSeconds"))
}

async fn remove(
    State(app): State<App>,
    Caller(caller): Caller,
    Path((thread, id)): Path<(ThreadId, String)>,
) -> Result<StatusCode, ApiError> {
    app.stage.thread(&caller.user, &thread).await?;
    let store = app.stage.store();
    let share = store.shares(thread.clone()).await?.into_iter().find(|share| share.id == id);
    let unknown = || {
        let text = format!("there is no share `{id}` of this thread");
        ApiError::new(StatusCode::NOT_FOUND, "unknown_share", text)
    };
    let share = share.ok_or_else(unknown)?;
    match store.delete_share(thread, id.clone(), on_record("share_removed", &caller, &share)).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(unknown()),
    }
}

fn on_record(kind: &str, caller: &Visitor, share: &Share) -> NewAudit {
    NewAudit {
        at: now(),
        kind: kind.to_owned(),
        actor: caller.user.clone(),
        origin: caller.origin.clone(),
        owner: caller.user.clone(),
        thread_id: Some(share.thread_id.clone()),
        interrupt_id: None,
        json: shown(share).to_string().into(),
    }
}

/// A share as its owner sees it. What opens it is told once, to whoever made it.
fn shown(share: &Share) -> Value {
    json!({
        "id": share.id,
        "threadId": share.thread_id,
        "by": share.by,
        "at": share.at,
        "expiresAt": share.expires_at,
    })
}
