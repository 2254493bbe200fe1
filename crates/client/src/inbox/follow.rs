//! The inbox as it changes, over any number of connections.
//!
//! With every connection the server first tells all that waits. What we have told already is not told again, and what
//! has gone meanwhile is looked up, so that a connection that broke leaves no gap.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use forestage_protocol::codec::Frame;
use futures_util::{
    Stream, StreamExt,
    stream::{self, BoxStream},
};
use reqwest::{Method, Url, header::ACCEPT};
use serde::Deserialize;
use tokio::time::sleep;

use crate::{
    body::Body,
    client::Client,
    error::ClientError,
    http::{SSE, beginning},
    record::InterruptRecord,
};

/// What happens in the inbox.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InboxEvent {
    /// A question waits.
    Opened(InterruptRecord),
    /// Everything that waited at the beginning has been told. It comes once.
    Ready,
    /// Somebody has agreed, and more people have to.
    Voted(InterruptRecord),
    /// It is decided.
    Decided(InterruptRecord),
    /// It does not wait any more, though nobody decided it: its thread is gone or went another way.
    Closed(InterruptRecord),
}

/// The inbox as it changes: a [`Stream`] without an end.
#[must_use = "an inbox that nobody reads is not followed"]
pub struct Inbox(BoxStream<'static, Result<InboxEvent, ClientError>>);

impl Inbox {
    pub(super) async fn open(client: &Client, url: Url) -> Result<Self, ClientError> {
        let mut reader = Reader {
            client: client.clone(),
            url,
            body: None,
            known: BTreeMap::new(),
            listed: None,
            is_ready: false,
            failures: 0,
            is_over: false,
            events: VecDeque::new(),
        };
        // A refusal is the caller's at once.
        reader.connect().await?;
        Ok(Self(stream::unfold(reader, Reader::step).fuse().boxed()))
    }

    /// What happens next. May be dropped before it is ready without losing anything.
    pub async fn next(&mut self) -> Option<Result<InboxEvent, ClientError>> {
        StreamExt::next(self).await
    }
}

impl Stream for Inbox {
    type Item = Result<InboxEvent, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next_unpin(context)
    }
}

impl fmt::Debug for Inbox {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Inbox").finish_non_exhaustive()
    }
}

/// A question is the same as long as the same run asks it.
type Key = (String, String, String);

/// One event of the server's.
#[derive(Deserialize)]
struct News {
    #[serde(rename = "type")]
    kind: String,
    interrupt: Option<InterruptRecord>,
}

struct Reader {
    client: Client,
    url: Url,
    body: Option<Body>,
    /// What waits, as far as was told.
    known: BTreeMap<Key, InterruptRecord>,
    /// What the server lists anew, until it has listed all.
    listed: Option<BTreeSet<Key>>,
    is_ready: bool,
    failures: u32,
    is_over: bool,
    events: VecDeque<InboxEvent>,
}

impl Reader {
    async fn step(mut self) -> Option<(Result<InboxEvent, ClientError>, Self)> {
        while !self.is_over {
            if let Some(event) = self.events.pop_front() {
                return Some((Ok(event), self));
            }
            if let Err(error) = self.advance().await {
                self.is_over = true;
                return Some((Err(error), self));
            }
        }
        None
    }

    async fn advance(&mut self) -> Result<(), ClientError> {
        match self.read().await {
            Ok(Some(frame)) => {
                let news = self.take(&frame);
                match news {
                    Ok(true) => self.settle().await,
                    other => other.map(drop),
                }
            }
            Ok(None) => self.try_again(ClientError::Broken("the server ended the stream".to_owned())).await,
            Err(error) if error.is_retryable() => self.try_again(error).await,
            Err(error) => Err(error),
        }
    }

    async fn read(&mut self) -> Result<Option<Frame>, ClientError> {
        if self.body.is_none() {
            self.connect().await?;
        }
        let idle = self.client.http().settings().idle;
        self.body.as_mut().expect("it is connected").frame(idle).await
    }

    async fn connect(&mut self) -> Result<(), ClientError> {
        let http = self.client.http();
        let request = http.request(Method::GET, self.url.clone()).header(ACCEPT, SSE);
        self.body = Some(Body::open(http, request).await?);
        self.listed = Some(BTreeSet::new());
        Ok(())
    }

    /// Notes what the server tells. Says whether all that waits has been listed now.
    fn take(&mut self, frame: &Frame) -> Result<bool, ClientError> {
        let news: News = serde_json::from_slice(&frame.data)
            .map_err(|error| ClientError::Unreadable(format!("{error} in {:?}", beginning(&frame.data))))?;
        self.failures = 0;
        match (news.kind.as_str(), news.interrupt) {
            ("ready", _) => return Ok(true),
            ("opened", Some(record)) => self.opened(record),
            ("voted", Some(record)) => {
                self.known.insert(key(&record), record.clone());
                self.events.push_back(InboxEvent::Voted(record));
            }
            ("decided", Some(record)) => {
                self.known.remove(&key(&record));
                self.events.push_back(InboxEvent::Decided(record));
            }
            ("closed", Some(record)) => {
                self.known.remove(&key(&record));
                self.events.push_back(InboxEvent::Closed(record));
            }
            // A newer server may tell more.
            _ => {}
        }
        Ok(false)
    }

    fn opened(&mut self, record: InterruptRecord) {
        let key = key(&record);
        if let Some(listed) = &mut self.listed {
            listed.insert(key.clone());
        }
        match self.known.insert(key, record.clone()) {
            None => self.events.push_back(InboxEvent::Opened(record)),
            Some(before) if before.votes() != record.votes() => {
                self.events.push_back(InboxEvent::Voted(record));
            }
            Some(_) => {}
        }
    }

    /// All that waits is listed. What was told and is not among it has gone while nobody listened.
    async fn settle(&mut self) -> Result<(), ClientError> {
        let listed = self.listed.take().unwrap_or_default();
        let gone: Vec<Key> = self.known.keys().filter(|key| !listed.contains(*key)).cloned().collect();
        for key in gone {
            if let Some(last) = self.known.remove(&key) {
                let event = self.what_became_of(&key, last).await?;
                self.events.push_back(event);
            }
        }
        if !std::mem::replace(&mut self.is_ready, true) {
            self.events.push_back(InboxEvent::Ready);
        }
        Ok(())
    }

    async fn what_became_of(&self, key: &Key, last: InterruptRecord) -> Result<InboxEvent, ClientError> {
        let (thread, id, _) = key;
        match self.client.interrupt(&id.as_str().into(), Some(&thread.as_str().into())).await {
            Ok(now) if now.decision().is_some() && self::key(&now) == *key => Ok(InboxEvent::Decided(now)),
            Ok(_) | Err(ClientError::Refused { status: 404, .. }) => Ok(InboxEvent::Closed(last)),
            Err(error) => Err(error),
        }
    }

    async fn try_again(&mut self, cause: ClientError) -> Result<(), ClientError> {
        let retry = self.client.http().settings().retry;
        if self.body.take().is_some_and(|body| body.has_lasted(retry.max)) {
            self.failures = 0;
        }
        if self.failures >= retry.attempts {
            return Err(ClientError::GaveUp { attempts: self.failures, last: Box::new(cause) });
        }
        self.failures += 1;
        sleep(retry.pause(self.failures)).await;
        Ok(())
    }
}

fn key(record: &InterruptRecord) -> Key {
    let text = |id: Option<&str>| id.unwrap_or_default().to_owned();
    (
        text(record.thread_id().as_deref()),
        text(record.interrupt_id().as_deref()),
        text(record.run_id().as_deref()),
    )
}
