//! Why a streaming answer breaks off before its end.
//!
//! A body that yields one of these ends without its last chunk: the connection is reset, and no client can take what has
//! come so far for everything there is.

use axum::http::StatusCode;
use forestage_protocol::event::{Event, RunError};
use forestage_runtime::Follower;
use forestage_store::StoreError;

use crate::error::ApiError;

/// The reason, for our own log; a client only sees that the connection broke.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Broken {
    /// The store failed for longer than viewers wait for it.
    #[error("the store failed: {0}")]
    Store(StoreError),
    /// What a joined run needs could not be read.
    #[error("the run cannot be shown: {0}")]
    Refused(String),
    /// The server ends in the middle of something that has an end.
    #[error("the server is shutting down")]
    Ending,
    /// The thread was deleted while it was read.
    #[error("the thread was deleted")]
    Deleted,
    /// The link by which a thread was read counts no more.
    #[error("the link was revoked or has expired")]
    Unshared,
}

impl From<StoreError> for Broken {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "a stream broke off because the store failed");
        Self::Store(error)
    }
}

/// The end of a run for those who watch it, if its own end cannot be written. It is not in the log, so it has no cursor.
/// Who follows the whole thread has to come back instead: the log is closed once the store can be written, and the end that
/// stands there is the one that counts.
pub(crate) fn unwritten_end(error: &StoreError, follower: &Follower) -> Option<Event> {
    match error {
        StoreError::Unwritable(_) if follower.follows_run() => {
            let message = format!("{error}; what was said until then is kept");
            Some(RunError { code: Some("store_unavailable".to_owned()), ..RunError::new(message) }.into())
        }
        _ => None,
    }
}

/// Reports that a thread was deleted while somebody followed it.
pub(crate) fn thread_deleted(follower: &Follower) -> ApiError {
    let text = format!("thread `{}` was deleted", follower.thread_id());
    ApiError::new(StatusCode::GONE, "thread_deleted", text)
        .hint("there is nothing more to follow; begin a new thread")
}

/// The end of a run for those who watch it, if its thread was deleted before they have seen its own end. It is in no log.
pub(crate) fn deleted_end(follower: &Follower) -> Option<Event> {
    follower.is_run_deleted().then(|| {
        let error = thread_deleted(follower);
        RunError { code: Some(error.code().to_owned()), ..RunError::new(error.message()) }.into()
    })
}
