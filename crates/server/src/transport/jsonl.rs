//! Events as JSON lines: what `forestage stream` and every other tool reads.

use axum::{body::Body, response::Response};
use forestage_runtime::{Batch, Follower};
use futures_util::stream;
use tokio_util::sync::CancellationToken;

use super::{broken::Broken, sse::with_headers};

/// Streams what a follower reads, one event on a line. Lines have no place for an error, so a stream that is not complete
/// breaks off.
pub(crate) fn respond(follower: Follower, ending: CancellationToken) -> Response {
    let body = stream::unfold(Some((follower, ending)), |state| async move {
        let (mut follower, ending) = state?;
        let batch = tokio::select! {
            biased;
            batch = follower.next() => batch.map_err(Broken::from).transpose()?,
            () = ending.cancelled() => Err(Broken::Ending),
        };
        Some(match batch {
            Ok(batch) => (Ok(lines(&batch)), Some((follower, ending))),
            Err(broken) => (Err(broken), None),
        })
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
