//! Events as protobuf, each with its length in front.

use std::convert::Infallible;

use axum::{
    body::Body,
    http::{HeaderMap, header},
    response::Response,
};
use bytes::Bytes;
use forestage_protocol::{
    codec::{length, proto},
    event::Event,
};
use forestage_runtime::{Batch, Follower, Prelude};
use futures_util::stream;
use tokio_util::sync::CancellationToken;

use super::sse::with_headers;

/// The media type of AG-UI's binary form.
pub(crate) const MEDIA_TYPE: &str = "application/vnd.ag-ui.event+proto";

/// Whether a client asks for protobuf by name. A wildcard does not: it gets text.
pub(crate) fn is_wanted(headers: &HeaderMap) -> bool {
    let accepts = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut types = accepts.flat_map(|value| value.split(','));
    types.any(|item| {
        let mut parts = item.split(';').map(str::trim);
        let is_it = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(MEDIA_TYPE));
        is_it && !parts.any(|parameter| matches!(parameter, "q=0" | "q=0.0"))
    })
}

/// Streams what a follower reads. There is no place for cursors in this form, and none for keep-alives.
pub(crate) fn respond(follower: Follower, prelude: Option<Prelude>, ending: CancellationToken) -> Response {
    let first = prelude.map(|prelude| encode(prelude.events.iter()));
    let body = stream::unfold((follower, ending, first), |(mut follower, ending, first)| async move {
        let chunk = match first {
            Some(chunk) => chunk,
            None => tokio::select! {
                biased;
                batch = follower.next() => of_batch(&*batch.ok()??),
                () = ending.cancelled() => return None,
            },
        };
        Some((Ok::<_, Infallible>(chunk), (follower, ending, None)))
    });
    with_headers(Body::from_stream(body), MEDIA_TYPE)
}

fn of_batch(batch: &Batch) -> Bytes {
    let texts = batch.entries().iter().filter_map(|entry| std::str::from_utf8(&entry.json).ok());
    let events: Vec<Event> = texts.filter_map(|text| Event::from_json(text).ok()).collect();
    encode(events.iter())
}

fn encode<'e>(events: impl Iterator<Item = &'e Event>) -> Bytes {
    let (mut out, mut one) = (Vec::new(), Vec::new());
    for event in events {
        one.clear();
        proto::encode(event, &mut one);
        length::encode(&one, &mut out);
    }
    out.into()
}
