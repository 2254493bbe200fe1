//! Becoming a socket, and parting with one in order.

use std::time::Duration;

use axum::{
    extract::{
        FromRequestParts,
        ws::{CloseFrame, WebSocketUpgrade, close_code},
    },
    http::{StatusCode, request::Parts},
};
use tokio_tungstenite::tungstenite::{Error, error::ProtocolError};

use crate::{app::App, error::ApiError, intake::Unread};

/// A request that wants to be a socket; one that does not is told. Beside it, what counts the messages that are not complete.
pub(crate) struct Upgrade(pub(crate) WebSocketUpgrade, pub(crate) Unread);

impl FromRequestParts<App> for Upgrade {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let limit = app.http.max_frame_bytes;
        // Where somebody else listens, nothing is counted.
        let unread = parts.extensions.get::<Unread>().cloned();
        let unread = unread.unwrap_or_else(|| Unread::new(&app.budget, Duration::MAX));
        match WebSocketUpgrade::from_request_parts(parts, app).await {
            Ok(upgrade) => {
                unread.count();
                Ok(Self(upgrade.max_message_size(limit).max_frame_size(limit), unread))
            }
            Err(error) => Err(ApiError::new(
                StatusCode::UPGRADE_REQUIRED,
                "upgrade_required",
                format!("this is a WebSocket: {}", error.body_text()),
            )
            .hint("connect with a WebSocket client, as ws://…")),
        }
    }
}

/// What to say to somebody whose frame cannot be read, and the code to close with. Nothing if they are gone.
pub(crate) fn broken_frame(error: axum::Error, unread: &Unread) -> Option<(ApiError, u16)> {
    if let Some(given_up) = unread.error() {
        return Some((given_up, close_code::AGAIN));
    }
    let error = error.into_inner();
    let (code, told, close) = match error.downcast_ref::<Error>()? {
        Error::Capacity(_) => ("frame_too_large", "the frame is too large", close_code::SIZE),
        Error::Utf8(_) => ("invalid_frame", "the frame is no UTF-8", close_code::INVALID),
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => return None,
        Error::Protocol(_) => ("invalid_frame", "the frame is none of the protocol's", close_code::PROTOCOL),
        _ => return None,
    };
    let refused = ApiError::bad_request(code, format!("{told}: {error}"));
    Some(match close {
        close_code::SIZE => {
            (refused.hint("`max_frame_bytes` in the configuration says how large it may be"), close)
        }
        _ => (refused, close),
    })
}

/// The last frame, with the code and a reason that fits in it.
pub(crate) fn goodbye(code: u16, reason: &str) -> CloseFrame {
    // A control frame holds 125 bytes, two of which are the code.
    let end = reason.char_indices().map(|(at, char)| at + char.len_utf8()).take_while(|end| *end <= 123);
    CloseFrame { code, reason: reason[..end.last().unwrap_or_default()].to_owned().into() }
}
