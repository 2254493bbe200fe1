//! Event streams of the dialects: what a follower reads, translated on its way out.

use std::convert::Infallible;

use axum::{body::Body, response::Response};
use bytes::Bytes;
use forestage_protocol::event::Event;
use forestage_runtime::Follower;
use futures_util::stream;
use serde_json::Value;

use super::{Encode, door::events};
use crate::{app::App, transport::sse::with_headers};

/// Streams what is known, then what a follower reads.
pub(super) fn respond(
    app: &App,
    mut encoder: impl Encode + Send + 'static,
    known: &[Event],
    follower: Option<Follower>,
) -> Response {
    let first = frames_of(&encoder.encode(known));
    let state = (Some(first), follower, encoder, app.clone());
    let body = stream::unfold(state, |(first, mut follower, mut encoder, app)| async move {
        let chunk = match first {
            Some(first) if !first.is_empty() => first,
            _ => next(&app, follower.as_mut()?, &mut encoder).await?,
        };
        Some((Ok::<_, Infallible>(chunk), (None, follower, encoder, app)))
    });
    with_headers(Body::from_stream(body), "text/event-stream")
}

async fn next(app: &App, follower: &mut Follower, encoder: &mut impl Encode) -> Option<Bytes> {
    loop {
        let batch = tokio::select! {
            biased;
            batch = follower.next() => batch
                .inspect_err(|error| tracing::error!(%error, "a viewer lost the store"))
                .ok()??,
            () = app.ending.cancelled() => return None,
            () = tokio::time::sleep(app.keep_alive()) => return Some(Bytes::from_static(b": keep-alive\n\n")),
        };
        let frames = encoder.encode(&events(&batch));
        if !frames.is_empty() {
            return Some(frames_of(&frames));
        }
    }
}

/// Frames of an event stream.
pub(super) fn frames_of(frames: &[Value]) -> Bytes {
    let frames = frames.iter().map(|frame| format!("data: {frame}\n\n"));
    frames.collect::<String>().into()
}
