//! What a client is told when something is wrong: a status, a stable code, a sentence, sometimes a hint.

use axum::{
    Json,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use forestage_protocol::notice::Fault;
use forestage_runtime::{CursorError, Refusal, RefusalKind};
use forestage_store::StoreError;
use serde::Serialize;

/// An answer that is a no.
#[derive(Clone, Debug, Serialize)]
pub struct ApiError {
    #[serde(skip)]
    status: StatusCode,
    #[serde(skip)]
    retry_after: Option<u8>,
    code: String,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    faults: Box<[Fault]>,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        Self {
            status,
            retry_after: None,
            code: code.to_owned(),
            message: message.into(),
            path: None,
            hint: None,
            faults: Box::default(),
        }
    }

    pub(crate) fn bad_request(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// A body that is nothing that could be read.
    pub(crate) fn no_json(message: impl Into<String>) -> Self {
        Self::bad_request("invalid_body", message)
    }

    /// A body that can be read and says something else than what is asked for.
    pub(crate) fn wrong_shape(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_body", message)
    }

    pub(crate) fn at(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Says after how many seconds the same may succeed.
    pub(crate) fn retry_after(mut self, seconds: u8) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// The stable name of what is wrong.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.code
    }

    /// What is wrong, for people.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// As it stands in an answer.
    pub(crate) fn to_value(&self) -> serde_json::Value {
        serde_json::json!({ "error": self })
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        if self.status.is_server_error() {
            tracing::error!(code = %self.code, message = %self.message, "a request failed");
        }
        let mut response = (self.status, Json(self.to_value())).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, u16::from(seconds).into());
        }
        response
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let status = match refusal.kind {
            RefusalKind::NotFound => StatusCode::NOT_FOUND,
            RefusalKind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
            RefusalKind::Forbidden => StatusCode::FORBIDDEN,
            RefusalKind::Conflict => StatusCode::CONFLICT,
            RefusalKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        };
        let Refusal { code, message, path, hint, faults, .. } = refusal;
        Self { status, retry_after: None, code: code.to_owned(), message, path, hint, faults: faults.into() }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Refusal::from(error).into()
    }
}

impl From<CursorError> for ApiError {
    fn from(error: CursorError) -> Self {
        Self::bad_request("invalid_cursor", error.to_string())
    }
}

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> Self {
        let error = Self::new(status_of(fault.code), fault.code, fault.message);
        if fault.path.is_empty() { error } else { error.at(readable(&fault.path)) }
    }
}

/// The status for a fault in what was sent: what is no JSON at all is a bad request, JSON that says something else cannot
/// be processed.
pub(crate) fn status_of(code: &str) -> StatusCode {
    if code == "not_json" { StatusCode::BAD_REQUEST } else { StatusCode::UNPROCESSABLE_ENTITY }
}

/// A JSON Pointer as people write it: `/messages/2/id` is `messages[2].id`.
fn readable(pointer: &str) -> String {
    let mut text = String::new();
    for token in pointer.split('/').skip(1) {
        let token = token.replace("~1", "/").replace("~0", "~");
        match token.parse::<usize>() {
            Ok(index) => text.push_str(&format!("[{index}]")),
            Err(_) if text.is_empty() => text.push_str(&token),
            Err(_) => text.push_str(&format!(".{token}")),
        }
    }
    text
}
