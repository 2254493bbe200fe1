//! One interrupt by its id, which is unique on its thread only.

use std::sync::Arc;

use axum::http::StatusCode;
use forestage_protocol::id::{InterruptId, ThreadId};
use forestage_store::{InterruptRecord, Store, Viewer};

use super::filter::Filter;
use crate::error::ApiError;

/// The one with this id that the viewer means: on the thread they name, or else the newest, if no other one waits.
pub(super) async fn find(
    store: &Arc<dyn Store>,
    viewer: &Viewer,
    id: &InterruptId,
    thread: Option<&ThreadId>,
) -> Result<InterruptRecord, ApiError> {
    let newest = store.interrupt(id.clone(), viewer.clone()).await?.ok_or_else(|| unknown(id))?;
    match thread {
        Some(thread) if newest.thread_id == *thread => Ok(newest),
        Some(thread) => {
            let all = Filter::new(viewer.clone(), Some(thread.clone())).all(store, true).await?;
            all.into_iter().find(|record| record.id == *id).ok_or_else(|| unknown(id))
        }
        None => check_against(store, viewer, &newest).await.map(|()| newest),
    }
}

/// Nobody should decide another question than they mean.
pub(super) async fn check_unique(
    store: &Arc<dyn Store>,
    viewer: &Viewer,
    id: &InterruptId,
) -> Result<(), ApiError> {
    match store.interrupt(id.clone(), viewer.clone()).await? {
        Some(newest) => check_against(store, viewer, &newest).await,
        None => Ok(()),
    }
}

async fn check_against(
    store: &Arc<dyn Store>,
    viewer: &Viewer,
    newest: &InterruptRecord,
) -> Result<(), ApiError> {
    let waiting = Filter::new(viewer.clone(), None).all(store, false).await?;
    let is_other = |record: &&InterruptRecord| record.id == newest.id && record.thread_id != newest.thread_id;
    let others: Vec<_> = waiting.iter().filter(is_other).map(|record| &record.thread_id).collect();
    if others.is_empty() { Ok(()) } else { Err(ambiguous(newest, &others)) }
}

fn unknown(id: &InterruptId) -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "unknown_interrupt", format!("there is no question `{id}`"))
}

fn ambiguous(newest: &InterruptRecord, others: &[&ThreadId]) -> ApiError {
    let threads = others.iter().copied().chain([&newest.thread_id]);
    let threads: Vec<_> = threads.map(|thread| format!("`{thread}`")).collect();
    let text = format!("there is a question `{}` on several threads: {}", newest.id, threads.join(", "));
    ApiError::new(StatusCode::CONFLICT, "ambiguous_interrupt", text).hint("name one with `?thread=`")
}
