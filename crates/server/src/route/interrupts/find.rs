//! One interrupt by its id, which is unique on its thread only.

use std::sync::Arc;

use axum::http::StatusCode;
use forestage_protocol::id::{InterruptId, ThreadId};
use forestage_store::{InterruptRecord, Store, Viewer};

use super::filter::Filter;
use crate::error::ApiError;

/// The one with this id that the viewer means: on the thread they name, or else the only one that waits, or else the
/// newest.
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
        None => {
            let mut waiting = Filter::new(viewer.clone(), None).all(store, false).await?;
            waiting.retain(|record| record.id == *id);
            match waiting.len() {
                0 => Ok(newest),
                1 => Ok(waiting.remove(0)),
                _ => Err(ambiguous(id, &waiting)),
            }
        }
    }
}

fn unknown(id: &InterruptId) -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "unknown_interrupt", format!("there is no question `{id}`"))
}

fn ambiguous(id: &InterruptId, waiting: &[InterruptRecord]) -> ApiError {
    let threads: Vec<_> = waiting.iter().map(|record| format!("`{}`", record.thread_id)).collect();
    let text = format!("`{id}` waits on several threads: {}", threads.join(", "));
    ApiError::new(StatusCode::CONFLICT, "ambiguous_interrupt", text).hint("name one with `?thread=`")
}
