//! Event streams of the dialects: what a follower reads, translated on its way out.

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
use crate::{
    app::App,
    transport::{
        broken::{Broken, deleted_end, unwritten_end},
        sse::with_headers,
    },
};

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
    let show = follower.map(|follower| Show { follower, encoder, is_over: false });
    let state = (Some(first), show, app.clone());
    let body = stream::unfold(state, |(first, mut show, app)| async move {
        let chunk = match first {
            Some(first) if !first.is_empty() => Ok(first),
            _ => show.as_mut()?.next(&app).await?,
        };
        let show = show.filter(|show| chunk.is_ok() && !show.is_over);
        Some((chunk, (None, show, app)))
    });
    with_headers(Body::from_stream(body), "text/event-stream")
}

/// Streams a run that may not have begun yet. A client that waits for it hears that the server is there.
pub(super) fn respond_when_there<E: Encode + Send + 'static>(
    app: &App,
    next: Next,
    encoder: impl FnOnce(&Joined) -> E + Send + 'static,
) -> Response {
    let soon: Soon<E> = Box::pin(async move {
        let joined =
            next.wait().await.map_err(|error| Broken::Refused(error.message().to_owned())).transpose()?;
        Some(joined.map(|joined| Show {
            encoder: encoder(&joined),
            follower: joined.follower,
            is_over: false,
        }))
    });
    let state = Some((Err(soon), app.clone()));
    let body = stream::unfold(state, |state: Option<Waiting<E>>| async move {
        let (mut show, app) = state?;
        if let Err(soon) = &mut show {
            tokio::select! {
                begun = soon => match begun? {
                    Ok(begun) => show = Ok(begun),
                    Err(broken) => return Some((Err(broken), None)),
                },
                () = app.ending.cancelled() => return None,
                () = tokio::time::sleep(app.keep_alive()) => return Some((Ok(SILENCE), Some((show, app)))),
            }
        }
        let chunk = show.as_mut().ok()?.next(&app).await?;
        let goes_on = chunk.is_ok() && show.as_ref().is_ok_and(|show| !show.is_over);
        let next = goes_on.then_some((show, app));
        Some((chunk, next))
    });
    with_headers(Body::from_stream(body), "text/event-stream")
}

/// A run that is waited for; `None` if the server ends first.
type Soon<E> = BoxFuture<'static, Option<Result<Show<E>, Broken>>>;

/// A run that is shown, or waited for.
type Waiting<E> = (Result<Show<E>, Soon<E>>, App);

/// A run that is shown.
struct Show<E> {
    follower: Follower,
    encoder: E,
    /// Whether the end was told that the log does not have.
    is_over: bool,
}

impl<E: Encode> Show<E> {
    async fn next(&mut self, app: &App) -> Option<Result<Bytes, Broken>> {
        loop {
            let batch = tokio::select! {
                biased;
                batch = self.follower.next() => batch,
                () = app.ending.cancelled() => return None,
                () = tokio::time::sleep(app.keep_alive()) => return Some(Ok(SILENCE)),
            };
            let frames = match batch {
                Ok(Some(batch)) => self.encoder.encode(&events(&batch)),
                Ok(None) => {
                    self.is_over = true;
                    self.encoder.encode(&[deleted_end(&self.follower)?])
                }
                Err(error) => {
                    self.is_over = true;
                    match unwritten_end(&error, &self.follower) {
                        Some(end) => self.encoder.encode(&[end]),
                        None => return Some(Err(error.into())),
                    }
                }
            };
            if self.is_over || !frames.is_empty() {
                return Some(Ok(frames_of(&frames)));
            }
        }
    }
}

/// Frames of an event stream.
pub(super) fn frames_of(frames: &[Value]) -> Bytes {
    let frames = frames.iter().map(|frame| format!("data: {frame}\n\n"));
    frames.collect::<String>().into()
}
