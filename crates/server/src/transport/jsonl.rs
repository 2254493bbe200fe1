//! Events as JSON lines: what `forestage stream` and every other tool reads.

use axum::{body::Body, response::Response};
use forestage_runtime::Follower;
use futures_util::stream;
use tokio_util::sync::CancellationToken;

use super::{
    broken::Broken,
    form::{Form, Piece},
    sse::with_headers,
};

/// Streams what a follower reads, one event on a line. Lines have no place for an error, so a stream that is not complete
/// breaks off.
pub(crate) fn respond(follower: Follower, form: Form, ending: CancellationToken) -> Response {
    let body = stream::unfold(Some((follower, form, ending)), |state| async move {
        let (mut follower, mut form, ending) = state.filter(|(_, form, _)| !form.is_over())?;
        let batch = tokio::select! {
            biased;
            batch = follower.next() => match batch {
                Ok(None) if follower.is_deleted() => Err(Broken::Deleted),
                batch => batch.map_err(Broken::from).transpose()?,
            },
            () = ending.cancelled() => Err(Broken::Ending),
        };
        Some(match batch {
            Ok(batch) => (Ok(lines(&form.pieces(&batch))), Some((follower, form, ending))),
            Err(broken) => (Err(broken), None),
        })
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
