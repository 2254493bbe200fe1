//! `/v1/threads/{thread}/branches`: other ways the conversation went, and going another way.

use axum::{Json, Router, extract::State, routing::get};
use forestage_protocol::id::{MessageId, RunId, ThreadId};
use forestage_runtime::{BranchPoint, check_id};
use forestage_store::RunRecord;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Body, Path};
use crate::{
    app::App,
    auth::{Caller, Reader},
    error::ApiError,
};

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/v1/threads/{thread}/branches", get(list).post(branch))
}

/// Every run that nothing follows ends a branch.
async fn list(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ThreadId>,
) -> Result<Json<Value>, ApiError> {
    let thread = app.stage.thread(&reader.owner, &id).await?;
    let runs = app.stage.store().runs(id).await?;
    let is_end = |run: &&RunRecord| !runs.iter().any(|other| other.parent.as_ref() == Some(&run.run_id));
    let branches = runs.iter().filter(is_end).map(|end| {
        let path = path_to(end, &runs);
        json!({
            "head": end.run_id,
            "runs": path,
            "current": thread.head.as_ref().is_some_and(|head| path.contains(&head)),
            "status": end.status(),
            "startedAt": end.started_at,
        })
    });
    let siblings = runs.iter().map(|run| {
        let same = runs.iter().filter(|other| other.parent == run.parent).map(|other| &other.run_id);
        json!({ "run": run.run_id, "parent": run.parent, "siblings": same.collect::<Vec<_>>() })
    });
    let (branches, siblings): (Vec<_>, Vec<_>) = (branches.collect(), siblings.collect());
    Ok(Json(json!({ "head": thread.head, "branches": branches, "runs": siblings })))
}

fn path_to<'r>(end: &'r RunRecord, runs: &'r [RunRecord]) -> Vec<&'r RunId> {
    let parent_of = |run: &&'r RunRecord| {
        let parent = run.parent.as_ref()?;
        runs.iter().find(|other| other.run_id == *parent)
    };
    let mut path: Vec<_> = std::iter::successors(Some(end), parent_of).map(|run| &run.run_id).collect();
    path.reverse();
    path
}

/// Where to go another way: behind a run, or where a message stands.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewBranch {
    run_id: Option<RunId>,
    message_id: Option<MessageId>,
}

async fn branch(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(id): Path<ThreadId>,
    Body(body): Body<NewBranch>,
) -> Result<Json<Value>, ApiError> {
    body.run_id.iter().try_for_each(|id| check_id(id, "runId"))?;
    body.message_id.iter().try_for_each(|id| check_id(id, "messageId"))?;
    let point = match (body.run_id, body.message_id) {
        (Some(run), None) => BranchPoint::After(run),
        (None, Some(message)) => BranchPoint::At(message),
        _ => {
            let text = "say where to branch: either `runId` or `messageId`";
            return Err(ApiError::wrong_shape(text));
        }
    };
    let view = app.stage.branch(&caller.user, &id, point).await?;
    Ok(Json(json!({
        "threadId": id,
        "head": view.head,
        "messages": view.messages,
        "origins": super::views::origins(&view),
        "state": view.state,
        "cursor": view.cursor.to_string(),
    })))
}
