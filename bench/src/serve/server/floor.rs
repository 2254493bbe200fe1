//! The floors: prepared bytes, no agent, no log.

use std::{convert::Infallible, sync::LazyLock, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::Path,
    http::header,
    response::{IntoResponse, Response, Sse, sse::Event},
    routing::post,
};
use bytes::Bytes;
use futures_util::{Stream, StreamExt, future, stream};

use crate::serve::script::{self, PACE_MS, PACED, WAITING};

static TEXTS: LazyLock<Vec<String>> =
    LazyLock::new(|| script::events().iter().map(ToString::to_string).collect());

/// As long as this are the writes of the floor that gathers.
const EVENTS_PER_WRITE: usize = 32;

/// What axum offers for event streams.
pub(crate) fn one_event_per_write() -> Router {
    Router::new().route("/v1/agents/{agent}/runs", post(sse))
}

/// A body of prepared bytes.
pub(crate) fn several_events_per_write() -> Router {
    Router::new().route("/v1/agents/{agent}/runs", post(body))
}

async fn sse(Path(agent): Path<String>, _input: Bytes) -> Response {
    let events =
        || stream::iter(TEXTS.iter()).map(|text| Event::default().data(text)).map(Ok::<_, Infallible>);
    match agent.as_str() {
        PACED => Sse::new(paced(events())).into_response(),
        WAITING => Sse::new(events().take(1).chain(stream::pending())).into_response(),
        _ => Sse::new(events()).into_response(),
    }
}

/// One item per tick. A late tick is made up for, so that the offered rate is the same for everybody.
pub(crate) fn paced<T>(items: impl Stream<Item = T>) -> impl Stream<Item = T> {
    let ticks = tokio::time::interval(Duration::from_millis(PACE_MS));
    let ticks = stream::unfold(ticks, |mut ticks| async move {
        ticks.tick().await;
        Some(((), ticks))
    });
    items.zip(ticks).map(|(item, ())| item)
}

static WRITES: LazyLock<Vec<Bytes>> = LazyLock::new(|| {
    let frames = |texts: &[String]| texts.iter().map(|text| format!("data: {text}\n\n")).collect::<String>();
    TEXTS.chunks(EVENTS_PER_WRITE).map(|texts| frames(texts).into()).collect()
});

async fn body(Path(agent): Path<String>, _input: Bytes) -> Response {
    let writes = stream::iter(WRITES.iter().cloned()).map(Ok::<_, Infallible>);
    let body = match agent.as_str() {
        WAITING => {
            let first = Bytes::from(format!("data: {}\n\n", TEXTS[0]));
            Body::from_stream(
                stream::once(future::ready(Ok::<_, Infallible>(first))).chain(stream::pending()),
            )
        }
        _ => Body::from_stream(writes),
    };
    ([(header::CONTENT_TYPE, "text/event-stream")], body).into_response()
}
