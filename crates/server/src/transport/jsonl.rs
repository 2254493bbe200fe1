//! Events as JSON lines: what `forestage stream` and every other tool reads.

use std::convert::Infallible;

use axum::{body::Body, response::Response};
use forestage_runtime::{Batch, Follower};
use futures_util::stream;
use tokio_util::sync::CancellationToken;

use super::sse::with_headers;

/// Streams what a follower reads, one event on a line.
pub(crate) fn respond(follower: Follower, ending: CancellationToken) -> Response {
    let body = stream::unfold((follower, ending), |(mut follower, ending)| async move {
        let batch = tokio::select! {
            biased;
            batch = follower.next() => batch.ok()??,
            () = ending.cancelled() => return None,
        };
        Some((Ok::<_, Infallible>(lines(&batch)), (follower, ending)))
    });
    with_headers(Body::from_stream(body), "application/x-ndjson")
}

fn lines(batch: &Batch) -> Vec<u8> {
    let mut out = Vec::with_capacity(batch.entries().iter().map(|entry| entry.json.len() + 1).sum());
    for entry in batch.entries() {
        out.extend_from_slice(&entry.json);
        out.push(b'\n');
    }
    out
}
