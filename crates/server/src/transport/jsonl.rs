//! Events as JSON lines: what `forestage stream` and every other tool reads.

use std::convert::Infallible;

use axum::{body::Body, response::Response};
use forestage_runtime::Follower;
use futures_util::stream;
use tokio_util::sync::CancellationToken;

use super::{
    form::{Form, Piece},
    sse::with_headers,
};

/// Streams what a follower reads, one event on a line.
pub(crate) fn respond(follower: Follower, form: Form, ending: CancellationToken) -> Response {
    let body = stream::unfold((follower, form, ending), |(mut follower, mut form, ending)| async move {
        if form.is_over() {
            return None;
        }
        let batch = tokio::select! {
            biased;
            batch = follower.next() => batch.ok()??,
            () = ending.cancelled() => return None,
        };
        Some((Ok::<_, Infallible>(lines(&form.pieces(&batch))), (follower, form, ending)))
    });
    with_headers(Body::from_stream(body), "application/x-ndjson")
}

fn lines(pieces: &[Piece]) -> Vec<u8> {
    let mut out = Vec::with_capacity(pieces.iter().map(|piece| piece.json.len() + 1).sum());
    for piece in pieces {
        out.extend_from_slice(&piece.json);
        out.push(b'\n');
    }
    out
}
