//! A stream of events that outlives its connections.
//!
//! ```text
//! ask ──> body ──> frames ──> reading ──> items
//!  ^                 │
//!  └── cursor, pause ┘  when the connection breaks
//! ```
//!
//! [`Run`](crate::Run) and [`Follow`](crate::Follow) sit on it. Promise: no event is handed out twice, none is
//! left out, and a stream that cannot be continued ends with an error, never as if it were complete.

use std::{collections::VecDeque, time::Duration};

use bytes::Bytes;
use forestage_protocol::{Warning, codec::Frame, compat::PeerVersion, event::Event, id::ThreadId};
use futures_util::{
    StreamExt,
    stream::{self, BoxStream},
};
use reqwest::{
    Method, RequestBuilder, Url,
    header::{ACCEPT, CONTENT_TYPE},
};
use serde_json::value::RawValue;
use tokio::time::sleep;

use crate::{
    body::{Body, Coding},
    cursor::{Cursor, Progress},
    error::ClientError,
    http::Http,
    reading::Reading,
};

/// One event, as it is delivered: translated to 1.0, enforced, expanded and verified.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivered {
    /// The event.
    pub event: Event,
    /// The place behind it, where the server has such places. Events that one event of the server's was
    /// expanded to share a place, which the last of them carries.
    pub cursor: Option<Cursor>,
}

/// What a pump hands out.
#[derive(Debug)]
pub(crate) enum Item {
    Event(Box<Delivered>),
    Warning(Box<Warning>),
}

pub(crate) type Items = BoxStream<'static, Result<Item, ClientError>>;

/// What is asked for, as often as it has to be asked.
#[derive(Clone, Debug)]
pub(crate) enum Ask {
    /// A run: the input, sent to where runs are started.
    Run { url: Url, input: Bytes, accept: &'static str },
    /// The events of a thread.
    Follow { url: Url, from_start: bool },
}

impl Ask {
    fn request(&self, http: &Http, after: Option<&Cursor>) -> RequestBuilder {
        match self {
            Self::Run { url, input, accept } => {
                let request = http.request(Method::POST, url.clone()).header(ACCEPT, *accept);
                let request = request.header(CONTENT_TYPE, "application/json").body(input.clone());
                match after {
                    Some(cursor) => request.header("last-event-id", cursor.as_str()),
                    None => request,
                }
            }
            Self::Follow { url, from_start } => {
                let mut url = url.clone();
                match after {
                    Some(cursor) => drop(url.query_pairs_mut().append_pair("after", cursor.as_str())),
                    None if *from_start => drop(url.query_pairs_mut().append_pair("after", "start")),
                    None => {}
                }
                http.request(Method::GET, url).header(ACCEPT, crate::http::SSE)
            }
        }
    }
}

/// When a stream is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// With the end of a run.
    WithRun {
        /// The server is known to take a repeated input for the same run, so that asking again is safe even
        /// before the first cursor.
        repeatable: bool,
    },
    /// Where the server ends it.
    WithBody,
    /// Never.
    Never,
}

/// The state of a stream.
#[derive(Debug)]
pub(crate) struct Pump {
    http: Http,
    thread_id: ThreadId,
    peer: Option<PeerVersion>,
    ask: Ask,
    ends: Ends,
    body: Option<Body>,
    reading: Reading,
    progress: Progress,
    failures: u32,
    is_over: bool,
    items: VecDeque<Result<Item, ClientError>>,
}

impl Pump {
    pub(crate) fn new(http: &Http, thread_id: &ThreadId, ask: Ask, ends: Ends) -> Self {
        Self {
            http: http.clone(),
            thread_id: thread_id.clone(),
            peer: None,
            ask,
            ends,
            body: None,
            reading: Reading::from_start(thread_id),
            progress: Progress::default(),
            failures: 0,
            is_over: false,
            items: VecDeque::new(),
        }
    }

    /// Begins behind a cursor.
    pub(crate) fn after(mut self, cursor: Option<Cursor>) -> Self {
        if cursor.is_some() {
            self.reading = Reading::from_middle(&self.thread_id).with_peer(self.peer);
        }
        self.progress = Progress::at(cursor);
        self
    }

    /// The same towards a peer that speaks an older version at most.
    pub(crate) fn with_peer(mut self, peer: Option<PeerVersion>) -> Self {
        self.peer = peer;
        self.reading = self.reading.with_peer(peer);
        self
    }

    /// Asks for the first time: a refusal is the caller's at once. Nothing is read while nobody polls.
    pub(crate) async fn open(mut self) -> Result<Items, ClientError> {
        self.connect().await?;
        Ok(stream::unfold(Box::new(self), Self::step).fuse().boxed())
    }

    async fn step(mut self: Box<Self>) -> Option<(Result<Item, ClientError>, Box<Self>)> {
        while self.items.is_empty() && !self.is_over {
            if let Err(error) = self.advance().await {
                // It stands behind what was read before it, which stays delivered.
                self.items.push_back(Err(error));
                self.is_over = true;
            }
        }
        let item = self.items.pop_front()?;
        Some((item, self))
    }

    /// Reads one frame, or deals with there being none.
    async fn advance(&mut self) -> Result<(), ClientError> {
        match self.frame().await {
            Ok(Some(frame)) => self.take(&frame),
            Ok(None) => self.end_of_body().await,
            Err(error) if self.is_complete() && error.is_retryable() => {
                self.is_over = true;
                Ok(())
            }
            Err(error) if error.is_retryable() => self.try_again(error).await,
            Err(error) => Err(error),
        }
    }

    async fn frame(&mut self) -> Result<Option<Frame>, ClientError> {
        if self.body.is_none() {
            self.connect().await?;
        }
        let patience = self.patience();
        self.body.as_mut().expect("it is connected").frame(patience).await
    }

    async fn connect(&mut self) -> Result<(), ClientError> {
        let request = self.ask.request(&self.http, self.progress.cursor());
        self.body = Some(Body::open(&self.http, request).await?);
        self.progress.join();
        if self.progress.cursor().is_none() {
            // The server begins anew, and so do we.
            self.reading = Reading::from_start(&self.thread_id).with_peer(self.peer);
        }
        Ok(())
    }

    fn patience(&self) -> Duration {
        let settings = self.http.settings();
        if self.is_complete() { settings.linger } else { settings.idle }
    }

    /// Whether nothing more has to come. Something still may: a late error, or another run.
    fn is_complete(&self) -> bool {
        matches!(self.ends, Ends::WithRun { .. }) && self.reading.has_ended()
    }

    fn take(&mut self, frame: &Frame) -> Result<(), ClientError> {
        let cursor = frame.id.as_deref().and_then(Cursor::parse);
        if self.progress.has_read(cursor.as_ref()) {
            return Ok(());
        }
        self.failures = 0;
        self.read(frame, cursor.as_ref())?;
        self.progress.advance(cursor);
        Ok(())
    }

    fn read(&mut self, frame: &Frame, cursor: Option<&Cursor>) -> Result<(), ClientError> {
        let mut events = Vec::new();
        let result = match self.body.as_ref().map(Body::coding) {
            Some(Coding::Protobuf) => self.reading.read_protobuf(&frame.data, &mut events),
            _ => self.reading.read_json(&frame.data, &mut events),
        };
        let warnings = self.reading.take_warnings().into_iter();
        self.items.extend(warnings.map(|warning| Ok(Item::Warning(Box::new(warning)))));
        let last = events.len();
        for (count, event) in (1..).zip(events) {
            let cursor = cursor.filter(|_| count == last && result.is_ok()).cloned();
            self.items.push_back(Ok(Item::Event(Box::new(Delivered { event, cursor }))));
        }
        Ok(result?)
    }

    /// The body ended in order. Whether the stream did is another question.
    async fn end_of_body(&mut self) -> Result<(), ClientError> {
        if self.is_complete() || self.ends == Ends::WithBody {
            self.is_over = true;
            return self.take_tail();
        }
        let cause = ClientError::Broken("the server ended the stream".to_owned());
        if self.can_rejoin() {
            // An event without its end may lack its id, too: better to be told it once more.
            return self.try_again(cause).await;
        }
        self.take_tail()?;
        self.is_over = true;
        if self.is_complete() { Ok(()) } else { Err(self.truncated(&cause)) }
    }

    /// The last event of a stream may lack its blank line; then it still counts, if it is whole.
    fn take_tail(&mut self) -> Result<(), ClientError> {
        let tail = self.body.as_mut().and_then(|body| body.tail().ok().flatten());
        match tail {
            Some(tail) if serde_json::from_slice::<&RawValue>(&tail.data).is_ok() => self.take(&tail),
            _ => Ok(()),
        }
    }

    fn can_rejoin(&self) -> bool {
        match self.ends {
            Ends::WithRun { repeatable } => {
                self.progress.cursor().is_some() || (repeatable && self.reading.events() == 0)
            }
            Ends::WithBody | Ends::Never => true,
        }
    }

    async fn try_again(&mut self, cause: ClientError) -> Result<(), ClientError> {
        let retry = self.http.settings().retry;
        if self.body.take().is_some_and(|body| body.has_lasted(retry.max)) {
            self.failures = 0;
        }
        if !self.can_rejoin() || retry.attempts == 0 {
            return Err(self.truncated(&cause));
        }
        if self.failures >= retry.attempts {
            return Err(ClientError::GaveUp { attempts: self.failures, last: Box::new(cause) });
        }
        self.failures += 1;
        sleep(retry.pause(self.failures)).await;
        Ok(())
    }

    fn truncated(&self, cause: &ClientError) -> ClientError {
        ClientError::Truncated { events: self.reading.events(), reason: cause.to_string() }
    }
}
