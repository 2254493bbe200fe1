//! Event streams of the dialects: what a follower reads, translated on its way out.

use std::convert::Infallible;

use axum::{body::Body, response::Response};
use bytes::Bytes;
use forestage_protocol::event::Event;
use forestage_runtime::Follower;
use futures_util::{future::BoxFuture, stream};
use serde_json::Value;

use super::{
    Encode,
    door::events,
    join::{Joined, Next},
};
use crate::{app::App, transport::sse::with_headers};

/// Sent after a long silence.
const SILENCE: Bytes = Bytes::from_static(b": keep-alive\n\n");

/// Streams what is known, then what a follower reads.
pub(super) fn respond(
    app: &App,
    mut encoder: impl Encode + Send + 'static,
    known: &[Event],
    follower: Option<Follower>,
) -> Response {
    let first = frames_of(&encoder.encode(known));
    let show = follower.map(|follower| Show { follower, encoder });
    let state = (Some(first), show, app.clone());
    let body = stream::unfold(state, |(first, mut show, app)| async move {
        let chunk = match first {
            Some(first) if !first.is_empty() => first,
            _ => show.as_mut()?.next(&app).await?,
        };
        Some((Ok::<_, Infallible>(chunk), (None, show, app)))
    });
    with_headers(Body::from_stream(body), "text/event-stream")
}

/// Streams a run that may not have begun yet. A client that waits for it hears that the server is there.
pub(super) fn respond_when_there<E: Encode + Send + 'static>(
    app: &App,
    next: Next,
    encoder: impl FnOnce(&Joined) -> E + Send + 'static,
) -> Response {
    let soon: BoxFuture<'static, Option<Show<E>>> = Box::pin(async move {
        let joined = next.wait().await;
        let joined = joined
            .inspect_err(|error| tracing::error!(code = error.code(), "a viewer lost the store"))
            .ok()??;
        Some(Show { encoder: encoder(&joined), follower: joined.follower })
    });
    let state = (Err(soon), app.clone());
    let body = stream::unfold(state, |(mut show, app)| async move {
        if let Err(soon) = &mut show {
            tokio::select! {
                begun = soon => show = Ok(begun?),
                () = app.ending.cancelled() => return None,
                () = tokio::time::sleep(app.keep_alive()) => return Some((Ok(SILENCE), (show, app))),
            }
        }
        let chunk = show.as_mut().ok()?.next(&app).await?;
        Some((Ok::<_, Infallible>(chunk), (show, app)))
    });
    with_headers(Body::from_stream(body), "text/event-stream")
}

/// A run that is shown.
struct Show<E> {
    follower: Follower,
    encoder: E,
}

impl<E: Encode> Show<E> {
    async fn next(&mut self, app: &App) -> Option<Bytes> {
        loop {
            let batch = tokio::select! {
                biased;
                batch = self.follower.next() => batch
                    .inspect_err(|error| tracing::error!(%error, "a viewer lost the store"))
                    .ok()??,
                () = app.ending.cancelled() => return None,
                () = tokio::time::sleep(app.keep_alive()) => return Some(SILENCE),
            };
            let frames = self.encoder.encode(&events(&batch));
            if !frames.is_empty() {
                return Some(frames_of(&frames));
            }
        }
    }
}

/// Frames of an event stream.
pub(super) fn frames_of(frames: &[Value]) -> Bytes {
    let frames = frames.iter().map(|frame| format!("data: {frame}\n\n"));
    frames.collect::<String>().into()
}
