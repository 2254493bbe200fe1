//! Event streams.
//!
//! A viewer holds a cursor, not a queue: the next entries are asked for when the socket has taken the last ones.
//! So a viewer who stops reading costs nothing, and one who comes back reads on from where it was.

use std::{convert::Infallible, time::Duration};

use axum::{
    body::Body,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use forestage_protocol::codec::{Encoded, sse};
use forestage_runtime::{Batch, Follower, Prelude};
use futures_util::stream;
use tokio_util::sync::CancellationToken;

/// How a viewer wants the stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// Wait so long for more, and make neighbouring deltas one.
    pub(crate) coalesce: Option<Duration>,
    /// Send a comment after so long a silence.
    pub(crate) keep_alive: Duration,
}

/// Streams what a follower reads, after a prelude if there is one.
pub(crate) fn respond(
    follower: Follower,
    prelude: Option<Prelude>,
    manner: Manner,
    ending: CancellationToken,
) -> Response {
    let first = prelude.map(|prelude| frames_of(&prelude));
    let state = (Viewer { follower, manner, ending }, first);
    let body = stream::unfold(state, |(mut viewer, first)| async move {
        let chunk = match first {
            Some(chunk) => chunk,
            None => viewer.next().await?,
        };
        Some((Ok::<_, Infallible>(chunk), (viewer, None)))
    });
    with_headers(Body::from_stream(body), "text/event-stream")
}

/// A streaming answer that no proxy should hold back.
pub(crate) fn with_headers(body: Body, content_type: &'static str) -> Response {
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store, no-transform"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// Somebody who watches.
pub(crate) struct Viewer {
    pub(crate) follower: Follower,
    pub(crate) manner: Manner,
    pub(crate) ending: CancellationToken,
}

impl Viewer {
    /// The next bytes, or the end.
    async fn next(&mut self) -> Option<Bytes> {
        let batch = tokio::select! {
            biased;
            batch = self.follower.next() => batch,
            () = self.ending.cancelled() => return None,
            () = tokio::time::sleep(self.manner.keep_alive) => return Some(sse::comment("keep-alive")),
        };
        match batch {
            Ok(batch) => {
                let batch = batch?;
                match self.manner.coalesce {
                    None => Some(batch.sse().clone()),
                    Some(time) => Some(gather(&mut self.follower, batch, time).await.sse().clone()),
                }
            }
            // The connection ends without a terminal event, which clients take for what it is: come back later.
            Err(error) => {
                tracing::error!(%error, "a viewer lost the store");
                None
            }
        }
    }
}

/// What comes within a time, with neighbouring deltas made one.
pub(crate) async fn gather(follower: &mut Follower, first: std::sync::Arc<Batch>, time: Duration) -> Batch {
    let mut batches = vec![first];
    let deadline = tokio::time::Instant::now() + time;
    while let Ok(Ok(Some(batch))) = tokio::time::timeout_at(deadline, follower.next()).await {
        batches.push(batch);
    }
    let joined = Batch::join(&batches).unwrap_or_else(|| unreachable!("there is at least the first"));
    joined.coalesced()
}

/// Only the last frame has a cursor: whoever loses the connection before it starts over.
fn frames_of(prelude: &Prelude) -> Bytes {
    let mut out = Vec::new();
    let cursor = prelude.cursor.to_string();
    for (at, event) in prelude.events.iter().enumerate() {
        let id = (at + 1 == prelude.events.len()).then_some(cursor.as_str());
        sse::encode(Encoded::new(event).json(), id, &mut out);
    }
    out.into()
}
