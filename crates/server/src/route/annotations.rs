//! `/v1/threads/{thread}/annotations`: what people say about a conversation, beside it.

use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    routing::{delete, get},
};
use forestage_protocol::id::{MessageId, RunId, ThreadId};
use forestage_runtime::{check_id, now};
use forestage_store::Annotation;
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use super::{Body, Path};
use crate::{app::App, auth::Caller, error::ApiError};

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/v1/threads/{thread}/annotations", get(list).post(add))
        .route("/v1/threads/{thread}/annotations/{annotation}", delete(remove))
}

async fn list(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(id): Path<ThreadId>,
) -> Result<Json<Value>, ApiError> {
    app.stage.thread(&caller.user, &id).await?;
    let annotations = app.stage.store().annotations(id).await?;
    Ok(Json(json!({ "annotations": annotations.iter().map(shown).collect::<Vec<_>>() })))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewAnnotation {
    /// Chosen by the client to make repeating harmless; one is made if absent.
    id: Option<String>,
    run_id: Option<RunId>,
    message_id: Option<MessageId>,
    /// What it is, such as `thumbs_up`, `tag` or `note`.
    kind: String,
    /// Whatever belongs to it.
    payload: Option<Box<RawValue>>,
}

async fn add(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(thread_id): Path<ThreadId>,
    Body(new): Body<NewAnnotation>,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    app.stage.thread(&caller.user, &thread_id).await?;
    if new.kind.trim().is_empty() {
        return Err(ApiError::wrong_shape("an annotation has a kind").at("kind"));
    }
    new.id.iter().try_for_each(|id| check_id(id, "id"))?;
    new.run_id.iter().try_for_each(|id| check_id(id, "runId"))?;
    new.message_id.iter().try_for_each(|id| check_id(id, "messageId"))?;
    let json = new.payload.map_or_else(|| "null".to_owned(), |payload| payload.get().to_owned());
    let annotation = Annotation {
        id: new.id.unwrap_or_else(|| uuid::Uuid::now_v7().to_string()),
        thread_id,
        run_id: new.run_id,
        message_id: new.message_id,
        kind: new.kind,
        json: json.into(),
        by: caller.user,
        at: now(),
    };
    app.stage.store().annotate(annotation.clone()).await?;
    Ok((StatusCode::CREATED, Json(shown(&annotation))))
}

async fn remove(
    State(app): State<App>,
    Caller(caller): Caller,
    Path((thread, id)): Path<(ThreadId, String)>,
) -> Result<StatusCode, ApiError> {
    app.stage.thread(&caller.user, &thread).await?;
    if app.stage.store().delete_annotation(thread, id.clone()).await? {
        return Ok(StatusCode::NO_CONTENT);
    }
    let text = format!("there is no annotation `{id}` on this thread");
    Err(ApiError::new(StatusCode::NOT_FOUND, "unknown_annotation", text))
}

fn shown(annotation: &Annotation) -> Value {
    json!({
        "id": annotation.id,
        "threadId": annotation.thread_id,
        "runId": annotation.run_id,
        "messageId": annotation.message_id,
        "kind": annotation.kind,
        "payload": serde_json::from_slice::<Value>(&annotation.json).unwrap_or_default(),
        "by": annotation.by,
        "at": annotation.at,
    })
}
