//! One interrupt by its id, which is unique on its thread only.

use std::sync::Arc;

use axum::http::StatusCode;
use forestage_protocol::id::{InterruptId, ThreadId};
use forestage_store::{InterruptRecord, Store, Viewer};

use super::filter::Filter;
use crate::error::ApiError;

/// The one with this id that the viewer means: on the thread they name; else the one that waits, if it is the only one;
/// else the newest.
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
        None => Ok(only_one(store, viewer, id).await?.unwrap_or(newest)),
    }
}

/// The only one with this id that waits, if any does. Nobody should decide another question than they mean.
pub(super) async fn only_one(
    store: &Arc<dyn Store>,
    viewer: &Viewer,
    id: &InterruptId,
) -> Result<Option<InterruptRecord>, ApiError> {
    let mut waiting = Filter::new(viewer.clone(), None).all(store, false).await?;
    waiting.retain(|record| record.id == *id);
    match waiting.len() {
        0 | 1 => Ok(waiting.pop()),
        _ => Err(ambiguous(id, &waiting)),
    }
}

fn unknown(id: &InterruptId) -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "unknown_interrupt", format!("there is no question `{id}`"))
}

fn ambiguous(id: &InterruptId, waiting: &[InterruptRecord]) -> ApiError {
    let threads: Vec<_> = waiting.iter().map(|record| format!("`{}`", record.thread_id)).collect();
    let text = format!("a question `{id}` waits on several threads: {}", threads.join(", "));
    ApiError::new(StatusCode::CONFLICT, "ambiguous_interrupt", text).hint("name one with `?thread=`")
}
