//! Events as protobuf, each with its length in front.

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

use super::{
    broken::{Broken, deleted_end, unwritten_end},
    sse::with_headers,
};
use crate::{dialect::agui0::Protocol, error::ApiError};

/// The media type of AG-UI's binary form.
pub(crate) const MEDIA_TYPE: &str = "application/vnd.ag-ui.event+proto";

/// Whether a client asks for protobuf by name, and not for text rather than that. A wildcard does not ask for it: it gets
/// text.
pub(crate) fn is_wanted(headers: &HeaderMap) -> bool {
    let quality = |names: &[&str]| names.iter().find_map(|name| quality(headers, name));
    let binary = quality(&[MEDIA_TYPE]).unwrap_or_default();
    let text = quality(&["text/event-stream", "text/*", "*/*"]).unwrap_or_default();
    binary > 0.0 && binary >= text
}

/// Refuses to write an older protocol in this form, which lacks half of its events there.
pub(crate) fn refuse_older(asked: Option<Protocol>) -> Result<(), ApiError> {
    match asked {
        Some(Protocol::Older(_)) => {
            let text = "protobuf is written for protocol 1.0 only";
            let error = ApiError::bad_request("invalid_query", text).at("protocol");
            Err(error.hint("leave `?protocol=` out, or accept `text/event-stream`"))
        }
        Some(Protocol::Current) | None => Ok(()),
    }
}

/// How much a client wants a media type that it names, from 0 to 1.
fn quality(headers: &HeaderMap, name: &str) -> Option<f32> {
    let accepts = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut types = accepts.flat_map(|value| value.split(','));
    types.find_map(|item| {
        let mut parts = item.split(';').map(str::trim);
        let is_it = parts.next().is_some_and(|found| found.eq_ignore_ascii_case(name));
        is_it.then(|| parts.find_map(weight).unwrap_or(1.0))
    })
}

/// What `q=0.5` says. What is no number says nothing.
fn weight(parameter: &str) -> Option<f32> {
    let (name, value) = parameter.split_once('=')?;
    let value = value.trim().parse::<f32>().ok().filter(|value| value.is_finite())?;
    name.trim().eq_ignore_ascii_case("q").then(|| value.clamp(0.0, 1.0))
}

/// Streams what a follower reads. There is no place for cursors in this form, and none for keep-alives; a client that is cut
/// off cannot go on where it was, so a stream that is not complete breaks off.
pub(crate) fn respond(follower: Follower, prelude: Option<Prelude>, ending: CancellationToken) -> Response {
    let first = prelude.map(|prelude| encode(prelude.events.iter()));
    let body = stream::unfold(Some((follower, ending, first)), |state| async move {
        let (mut follower, ending, first) = state?;
        let chunk = match first {
            Some(chunk) => Ok(chunk),
            None => tokio::select! {
                biased;
                batch = follower.next() => match batch {
                    Ok(Some(batch)) => Ok(of_batch(&batch)),
                    Ok(None) => match deleted_end(&follower) {
                        Some(end) => return Some((Ok(encode([end].iter())), None)),
                        None if follower.is_deleted() => Err(Broken::Deleted),
                        None => return None,
                    },
                    Err(error) => match unwritten_end(&error, &follower) {
                        Some(end) => return Some((Ok(encode([end].iter())), None)),
                        None => Err(error.into()),
                    },
                },
                () = ending.cancelled() => Err(Broken::Ending),
            },
        };
        let next = chunk.is_ok().then_some((follower, ending, None));
        Some((chunk, next))
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

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn what_is_wanted_more_is_sent() {
        let proto = MEDIA_TYPE;
        let cases = [
            (proto.to_owned(), true),
            (format!("text/event-stream, {proto}"), true),
            (format!("{proto}, */*"), true),
            (format!("{proto};q=0.9, text/event-stream;q=0.1"), true),
            (format!("{proto}; Q=0.5 , */*; q=0.1"), true),
            (format!("{proto};q=0.1, text/event-stream;q=0.9"), false),
            (format!("{proto};q=0.5, text/event-stream"), false),
            (format!("{proto};q=0.5, text/*"), false),
            (format!("{proto};q=0"), false),
            (format!("{proto};q=0.000, text/event-stream;q=0"), false),
            ("*/*".to_owned(), false),
            ("application/*".to_owned(), false),
        ];
        for (accept, wanted) in cases {
            let value = HeaderValue::from_str(&accept).expect("a header");
            assert_eq!(is_wanted(&HeaderMap::from_iter([(header::ACCEPT, value)])), wanted, "{accept}");
        }
        assert!(!is_wanted(&HeaderMap::new()));
    }
}
