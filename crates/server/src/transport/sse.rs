//! Event streams.
//!
//! A viewer holds a cursor, not a queue: the next entries are asked for when the socket has taken the last ones.
//! So a viewer who stops reading costs nothing, and one who comes back reads on from where it was.

use std::{pin::Pin, time::Duration};

use axum::{
    body::Body,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use forestage_protocol::{
    codec::{Encoded, sse},
    event::{Event, RunError, RunStarted},
};
use forestage_runtime::{Batch, Follower, Prelude};
use forestage_store::StoreError;
use futures_util::stream;
use serde_json::Value;
use tokio::time::{Instant, Sleep, sleep_until};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use super::{
    broken::{Broken, deleted_end, unwritten_end},
    form::Form,
};
use crate::error::ApiError;

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
    mut form: Form,
    manner: Manner,
    ending: CancellationToken,
) -> Response {
    let first = prelude.map(|prelude| form.sse_prelude(&prelude));
    let state = Some((Viewer::new(follower, form, manner, ending), first));
    let body = stream::unfold(state, |state| async move {
        let (mut viewer, first) = state?;
        let chunk = match first {
            Some(chunk) => Ok(chunk),
            None => viewer.next().await?,
        };
        let next = (chunk.is_ok() && !viewer.is_over).then_some((viewer, None));
        Some((chunk, next))
    });
    with_headers(Body::from_stream(body), "text/event-stream")
}

/// What is followed, once it is there, and how it is written.
type Followed = Pin<Box<dyn Future<Output = Result<(Follower, Form), ApiError>> + Send>>;

/// Streams comments while what is to be followed is not there yet, then what a follower reads. What is refused by then can
/// only be told in the words of the stream.
pub(crate) fn respond_later(followed: Followed, manner: Manner, ending: CancellationToken) -> Response {
    let state = Some(Later::Waiting { followed, manner, ending });
    let body = stream::unfold(state, |state| async move {
        let (chunk, next) = state?.next().await?;
        let next = next.filter(|_| chunk.is_ok());
        Some((chunk, next))
    });
    with_headers(Body::from_stream(body), "text/event-stream")
}

/// A stream that is waited for, or there.
enum Later {
    Waiting { followed: Followed, manner: Manner, ending: CancellationToken },
    There(Box<Viewer>),
}

impl Later {
    /// The next bytes, and what comes after them.
    async fn next(self) -> Option<(Result<Bytes, Broken>, Option<Self>)> {
        match self {
            Self::There(mut viewer) => {
                let chunk = viewer.next().await?;
                let next = (!viewer.is_over).then_some(Self::There(viewer));
                Some((chunk, next))
            }
            Self::Waiting { mut followed, manner, ending } => tokio::select! {
                followed = &mut followed => match followed {
                    Ok((follower, form)) => {
                        let mut viewer = Box::new(Viewer::new(follower, form, manner, ending));
                        let chunk = viewer.next().await?;
                        let next = (!viewer.is_over).then_some(Self::There(viewer));
                        Some((chunk, next))
                    }
                    Err(error) => Some((Ok(refused(&error)), None)),
                },
                () = ending.cancelled() => None,
                () = tokio::time::sleep(manner.keep_alive) => {
                    Some((Ok(sse::comment("waiting")), Some(Self::Waiting { followed, manner, ending })))
                }
            },
        }
    }
}

fn refused(error: &ApiError) -> Bytes {
    let event = RunError { code: Some(error.code().to_owned()), ..RunError::new(error.message()) };
    frame_of(&event.into())
}

/// A frame for an event that is not in the log, so it has no cursor.
fn frame_of(event: &Event) -> Bytes {
    let mut out = Vec::new();
    sse::encode(Encoded::new(event).json(), None, &mut out);
    out.into()
}

/// An error as a run that began and failed, for clients that look at nothing but the stream.
pub(crate) fn failed_run(error: &ApiError, body: &str) -> Response {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let id = |name: &str| body[name].as_str().unwrap_or("unknown").to_owned();
    let started = RunStarted::new(id("threadId"), id("runId"));
    let mut out = Vec::new();
    sse::encode(Encoded::new(&started.into()).json(), None, &mut out);
    out.extend_from_slice(&refused(error));
    with_headers(Body::from(out), "text/event-stream")
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
///
/// The timer and the wait for the end are kept between events, since making them anew for each would cost more than the
/// event does.
struct Viewer {
    follower: Follower,
    form: Form,
    manner: Manner,
    /// When something was sent last.
    sent: Instant,
    /// Goes off when it may be time for a comment.
    alarm: Pin<Box<Sleep>>,
    ending: Pin<Box<WaitForCancellationFutureOwned>>,
    /// Whether the end was told that the log does not have.
    is_over: bool,
}

impl Viewer {
    fn new(follower: Follower, form: Form, manner: Manner, ending: CancellationToken) -> Self {
        let sent = Instant::now();
        let alarm = Box::pin(sleep_until(sent + manner.keep_alive));
        let ending = Box::pin(ending.cancelled_owned());
        Self { follower, form, manner, sent, alarm, ending, is_over: false }
    }

    /// The next bytes, or the end.
    async fn next(&mut self) -> Option<Result<Bytes, Broken>> {
        while !self.form.is_over() {
            let chunk = self.next_chunk().await?;
            // All that came may wait for something that is open.
            if chunk.as_ref().map_or(true, |chunk| !chunk.is_empty()) {
                return Some(chunk);
            }
        }
        None
    }

    async fn next_chunk(&mut self) -> Option<Result<Bytes, Broken>> {
        let batch = loop {
            tokio::select! {
                biased;
                batch = self.follower.next() => break batch,
                // Who follows comes back by cursor; who reads up to a place must not take this for the end of it.
                () = &mut self.ending => return self.follower.is_bounded().then_some(Err(Broken::Ending)),
                () = &mut self.alarm => if self.is_silent() {
                    return Some(Ok(sse::comment("keep-alive")));
                },
            }
        };
        self.sent = Instant::now();
        let batch = match batch {
            Ok(Some(batch)) => batch,
            Ok(None) => return self.last_words().map(Ok),
            Err(error) => return Some(self.break_off(error)),
        };
        Some(Ok(match self.manner.coalesce {
            None => self.form.sse(&batch),
            Some(time) => self.form.sse(&gather(&mut self.follower, batch, time).await),
        }))
    }

    /// A run that cannot be written has an end all the same, which is told here; anything else breaks off.
    fn break_off(&mut self, error: StoreError) -> Result<Bytes, Broken> {
        self.is_over = true;
        match unwritten_end(&error, &self.follower) {
            Some(end) => Ok(self.form.sse_end(&end)),
            None => Err(error.into()),
        }
    }

    /// What is said to somebody whose thread was deleted: the end of the run that they watch, or a comment. A browser that comes
    /// back for more is answered with 404.
    fn last_words(&mut self) -> Option<Bytes> {
        if !self.follower.is_deleted() || std::mem::replace(&mut self.is_over, true) {
            return None;
        }
        Some(match deleted_end(&self.follower) {
            Some(end) => self.form.sse_end(&end),
            None => sse::comment("the thread was deleted"),
        })
    }

    /// Whether nothing was sent for so long that a comment is due. Sets the alarm anew.
    fn is_silent(&mut self) -> bool {
        let (now, due) = (Instant::now(), self.sent + self.manner.keep_alive);
        if now >= due {
            self.sent = now;
        }
        self.alarm.as_mut().reset(self.sent + self.manner.keep_alive);
        now >= due
    }
}

/// What comes within a time, with neighbouring deltas made one.
pub(crate) async fn gather(follower: &mut Follower, first: std::sync::Arc<Batch>, time: Duration) -> Batch {
    let mut batches = vec![first];
    let deadline = Instant::now() + time;
    while let Ok(Ok(Some(batch))) = tokio::time::timeout_at(deadline, follower.next()).await {
        batches.push(batch);
    }
    let joined = Batch::join(&batches).unwrap_or_else(|| unreachable!("there is at least the first"));
    joined.coalesced()
}
