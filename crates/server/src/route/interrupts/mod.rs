//! `/v1/interrupts`: the questions that wait for the caller, across threads, and what becomes of them.

mod board;
mod filter;
mod find;
mod follow;
mod news;
mod shown;
mod verdict;

use axum::{
    Json, Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::get,
};
use forestage_protocol::id::{InterruptId, ThreadId};
use serde::Deserialize;

pub(crate) use self::board::Boards;
use self::{
    filter::ListQuery,
    find::{find, only_one},
    shown::{Shown, ShownPage},
    verdict::{Decision, ShownRuling},
};
use super::{Body, Path, Query};
use crate::{app::App, auth::Caller, error::ApiError};

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/v1/interrupts", get(list))
        .route("/v1/interrupts/{interrupt}", get(one).post(decide))
}

async fn list(
    State(app): State<App>,
    Caller(caller): Caller,
    Query(query): Query<ListQuery>,
) -> Result<Response, ApiError> {
    let filter = query.filter(caller.viewer())?;
    if query.follow {
        query.check_follow()?;
        return Ok(follow::respond(&app, filter));
    }
    let (records, next_cursor) =
        filter.page(app.stage.store(), query.decided, query.place()?, query.limit()).await?;
    let interrupts = records.iter().map(|record| Shown::new(record, filter.viewer())).collect();
    Ok(Json(ShownPage { interrupts, next_cursor }).into_response())
}

/// Ids are unique on a thread only.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    thread: Option<ThreadId>,
}

async fn one(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(id): Path<InterruptId>,
    Query(which): Query<Which>,
) -> Result<Response, ApiError> {
    let viewer = caller.viewer();
    let record = find(app.stage.store(), &viewer, &id, which.thread.as_ref()).await?;
    Ok(Json(Shown::new(&record, &viewer)).into_response())
}

async fn decide(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(id): Path<InterruptId>,
    Query(which): Query<Which>,
    Body(decision): Body<Decision>,
) -> Result<Response, ApiError> {
    let verdict = decision.into_verdict()?;
    let (who, viewer) = (caller.decider(), caller.viewer());
    let thread = match which.thread {
        Some(thread) => Some(thread),
        None => only_one(app.stage.store(), &viewer, &id).await?.map(|record| record.thread_id),
    };
    let ruling = match thread {
        Some(thread) => app.stage.decide_on(&who, &thread, &id, verdict).await?,
        None => app.stage.decide(&who, &id, verdict).await?,
    };
    Ok(Json(ShownRuling::new(&ruling, &viewer)).into_response())
}
