//! Taking in what somebody sends: how long it may take, how large it may be, what it may hold, and how much memory all
//! that is under way may need together. Every body and every frame comes through here.

mod budget;
mod limits;
mod unread;

use std::{ops::Deref, time::Duration};

use axum::{
    BoxError,
    extract::Request,
    http::{HeaderMap, StatusCode, header},
};
use futures_util::StreamExt as _;
use tokio::time::{Instant, timeout_at};
use tower_http::timeout::TimeoutError;

pub(crate) use self::{
    budget::{Budget, Share},
    limits::Allowance,
    unread::{Counter, Unread},
};
use crate::{
    app::{App, BODY_TIMEOUT},
    error::ApiError,
    route::shortened,
};

/// The text of a body, and the memory that is set aside for it while it is kept.
pub(crate) struct Text {
    text: String,
    share: Share,
}

impl Text {
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// The body of a request as text. One that cannot be taken is refused before it has come, and one that holds too much
/// before anything is built from it.
pub(crate) async fn text_of(request: Request, app: &App) -> Result<Text, ApiError> {
    let mut body = recording_of(request, app).await?;
    let count = Allowance::of_request(body.text.len(), &app.http).spend(&body.text)?;
    body.share.grow(budget::weight(body.text.len(), count.values)).await?;
    Ok(body)
}

/// The body of a request that is many texts, each of which is still to be held against an [`Allowance`].
pub(crate) async fn recording_of(request: Request, app: &App) -> Result<Text, ApiError> {
    let limit = app.http.max_body_bytes;
    check_head(request.headers(), limit)?;
    let seconds = app.http.body_timeout_seconds;
    let deadline = Instant::now() + Duration::from_secs(seconds.min(u64::from(u32::MAX)));
    let mut share = app.budget.share();
    let mut chunks = request.into_body().into_data_stream();
    let mut bytes = Vec::new();
    while let Some(chunk) = timeout_at(deadline, chunks.next()).await.map_err(|_| too_slow(seconds))? {
        let chunk = chunk.map_err(|error| broken(error.into_inner()))?;
        if bytes.len() + chunk.len() > limit {
            return Err(too_large());
        }
        share.grow(bytes.len() + chunk.len()).await?;
        bytes.extend_from_slice(&chunk);
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| ApiError::no_json(format!("the body is not UTF-8: {}", error.utf8_error())))?;
    Ok(Text { text, share })
}

/// Memory for what becomes of a frame, if it holds no more than it may.
pub(crate) async fn admit_frame(text: &str, app: &App) -> Result<Share, ApiError> {
    let count = Allowance::of_request(text.len(), &app.http).spend(text)?;
    let mut share = app.budget.share();
    share.grow(budget::weight(text.len(), count.values)).await?;
    Ok(share)
}

fn check_head(headers: &HeaderMap, limit: usize) -> Result<(), ApiError> {
    let encodings = headers.get_all(header::CONTENT_ENCODING).iter();
    for encoding in encodings.map(|value| value.to_str().unwrap_or("something else")) {
        if !encoding.trim().is_empty() && !encoding.trim().eq_ignore_ascii_case("identity") {
            let text = format!("bodies are taken as they are, not as `{}`", shortened(encoding));
            let error = ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_encoding", text);
            return Err(error.hint("send it without `Content-Encoding`"));
        }
    }
    let length =
        headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    match length {
        Some(length) if length > limit as u64 => Err(too_large()),
        _ => Ok(()),
    }
}

fn too_large() -> ApiError {
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", "the request body is too large")
        .hint("`max_body_bytes` in the configuration says how large it may be")
}

fn too_slow(seconds: u64) -> ApiError {
    let text = format!("the request body did not arrive within {seconds} seconds");
    ApiError::new(StatusCode::REQUEST_TIMEOUT, "body_timeout", text)
        .hint("`body_timeout_seconds` in the configuration says how long it may take")
}

/// Reports a body that stopped arriving, or whose connection broke.
fn broken(error: BoxError) -> ApiError {
    if is_halt(&*error) {
        let text = format!("no part of the request body arrived for {} seconds", BODY_TIMEOUT.as_secs());
        return ApiError::new(StatusCode::REQUEST_TIMEOUT, "body_timeout", text);
    }
    ApiError::no_json(format!("the request body could not be read: {error}"))
}

fn is_halt(error: &(dyn std::error::Error + 'static)) -> bool {
    error.is::<TimeoutError>() || error.source().is_some_and(is_halt)
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, Bytes};
    use futures_util::stream;
    use tower_http::timeout::TimeoutBody;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_body_that_stops_arriving_is_too_slow_and_one_that_breaks_is_not() {
        let silent = Body::from_stream(stream::pending::<Result<Bytes, BoxError>>());
        let mut chunks = Body::new(TimeoutBody::new(BODY_TIMEOUT, silent)).into_data_stream();
        let halted = chunks.next().await.expect("it ends in an error").expect_err("nothing came");
        assert_eq!(broken(halted.into_inner()).code(), "body_timeout");
        assert_eq!(broken("the connection was reset".into()).code(), "invalid_body");
    }
}
