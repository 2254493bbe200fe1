//! What a text that somebody sends may hold, whatever door it comes by. It is counted before anything is built from it.

use axum::http::StatusCode;
use forestage_protocol::scan::{self, Excess};

use crate::error::ApiError;

/// Holds a body or a frame against what may be sent.
pub(crate) fn check(text: &str) -> Result<(), ApiError> {
    scan::check_depth(text).map_err(refused)
}

fn refused(excess: Excess) -> ApiError {
    let error = ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, excess.code(), excess.to_string());
    error.hint("send it flatter, or what is inside as text")
}
