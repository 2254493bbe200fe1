//! The caller of a request.

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, StatusCode, header, request::Parts},
};

use super::Identity;
use crate::{app::App, error::ApiError};

/// Whoever asks, once they have shown who they are.
pub(crate) struct Caller(pub(crate) Identity);

impl FromRequestParts<App> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        if app.keys.is_empty() {
            return Ok(Self(Identity::local()));
        }
        // Browsers cannot set headers on a socket, so there, and only there, the key may be in the address.
        let is_socket = parts.headers.contains_key(header::SEC_WEBSOCKET_KEY);
        let token = key_in_headers(&parts.headers).or_else(|| is_socket.then(|| token(parts.uri.query()))?);
        let key = token.ok_or_else(|| unauthorised("this server wants an API key"))?;
        let identity = app.keys.identify(&key).cloned();
        identity.map(Self).ok_or_else(|| unauthorised("this server does not know the API key"))
    }
}

fn key_in_headers(headers: &HeaderMap) -> Option<String> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let bearer = text("authorization").and_then(|value| {
        let (scheme, key) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    });
    bearer.or_else(|| text("x-api-key")).map(str::to_owned)
}

fn token(query: Option<&str>) -> Option<String> {
    let pairs = query?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(name, _)| *name == "token").map(|(_, value)| value.to_owned())
}

fn unauthorised(message: &str) -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "unauthorized", message).hint(
        "send it as `Authorization: Bearer <key>` or `X-API-Key: <key>`; on a socket, as `?token=<key>`",
    )
}
