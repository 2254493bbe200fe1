//! The inbox as it changes: `GET /v1/interrupts?follow=true`.
//!
//! ```text
//!  opened, opened, … ready ── opened ── voted ── decided ── closed ──>
//!  what waits now             what happens from now on
//! ```
//!
//! A wake-up only says that something may have changed. What has is found by comparing what waits now with what was
//! told before, so no wake-up has to be counted and none may be missed for good.

use std::{collections::BTreeMap, convert::Infallible, sync::Arc, time::Duration};

use axum::{body::Body, response::Response};
use bytes::Bytes;
use forestage_protocol::{
    codec::sse,
    id::{InterruptId, RunId, ThreadId},
};
use forestage_store::{InterruptRecord, Store, StoreError, Watch};
use futures_util::stream;
use serde::Serialize;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::{filter::Filter, shown::Shown};
use crate::{app::App, transport::sse::with_headers};

/// The list is not read more often than this, however much happens.
const PAUSE: Duration = Duration::from_millis(50);

/// Streams what waits, and what becomes of it.
pub(super) fn respond(app: &App, filter: Filter) -> Response {
    let inbox = Inbox {
        // Watched before the first look, so that nothing falls between the two.
        watch: app.stage.store().watch_inbox(),
        store: app.stage.store().clone(),
        filter,
        keep_alive: app.keep_alive(),
        ending: app.ending.clone(),
        looked: None,
        told: BTreeMap::new(),
    };
    let body = stream::unfold(inbox, |mut inbox| async move {
        let bytes = inbox.next().await?;
        Some((Ok::<_, Infallible>(bytes), inbox))
    });
    with_headers(Body::from_stream(body), "text/event-stream")
}

/// A question is the same as long as the same run asks it.
type Key = (ThreadId, InterruptId, RunId);

/// Somebody who watches the inbox.
struct Inbox {
    store: Arc<dyn Store>,
    watch: Watch,
    filter: Filter,
    keep_alive: Duration,
    ending: CancellationToken,
    /// When the list was read last; nothing before the first time.
    looked: Option<Instant>,
    /// What the viewer takes to be waiting.
    told: BTreeMap<Key, InterruptRecord>,
}

impl Inbox {
    /// The next bytes, or the end.
    async fn next(&mut self) -> Option<Bytes> {
        let ending = self.ending.clone();
        tokio::select! {
            biased;
            () = ending.cancelled() => None,
            bytes = self.news() => bytes,
        }
    }

    async fn news(&mut self) -> Option<Bytes> {
        loop {
            let is_first = self.looked.is_none();
            let was_silent = !is_first && self.wait().await?;
            self.looked = Some(Instant::now());
            match self.look(is_first).await {
                Ok(bytes) if !bytes.is_empty() => return Some(bytes.into()),
                Ok(_) if was_silent => return Some(sse::comment("keep-alive")),
                Ok(_) => {}
                // The connection ends, which clients take for what it is: come back later.
                Err(error) => {
                    tracing::error!(%error, "somebody who follows the inbox lost the store");
                    return None;
                }
            }
        }
    }

    /// Waits until there is a reason to look again: a wake-up, or a long silence, which is said. Nothing once the
    /// store is gone.
    async fn wait(&mut self) -> Option<bool> {
        if let Some(looked) = self.looked {
            sleep_until(looked + PAUSE).await;
        }
        match timeout(self.keep_alive, self.watch.changed()).await {
            Ok(true) => Some(false),
            Ok(false) => None,
            Err(_) => Some(true),
        }
    }

    /// Compares what waits with what was told, and tells the difference.
    async fn look(&mut self, is_first: bool) -> Result<Vec<u8>, StoreError> {
        let waiting = self.filter.all(&self.store, false).await?;
        let mut waiting: BTreeMap<Key, InterruptRecord> =
            waiting.into_iter().map(|record| (key(&record), record)).collect();
        let mut out = Vec::new();
        let gone: Vec<Key> = self.told.keys().filter(|key| !waiting.contains_key(key)).cloned().collect();
        for key in gone {
            if let Some(last) = self.told.remove(&key) {
                self.tell_gone(last, &mut out).await?;
            }
        }
        let mut news: Vec<InterruptRecord> = Vec::new();
        for (key, record) in &waiting {
            match self.told.get(key) {
                None => news.push(record.clone()),
                Some(before) if before.votes.len() != record.votes.len() => {
                    self.tell("voted", record, &mut out)
                }
                Some(_) => {}
            }
        }
        news.sort_by_key(InterruptRecord::place);
        news.iter().for_each(|record| self.tell("opened", record, &mut out));
        if is_first {
            sse::encode(br#"{"type":"ready"}"#, None, &mut out);
        }
        self.told.append(&mut waiting);
        Ok(out)
    }

    /// Tells why something does not wait any more.
    async fn tell_gone(&self, last: InterruptRecord, out: &mut Vec<u8>) -> Result<(), StoreError> {
        match self.decided(&last).await? {
            Some(decided) => self.tell("decided", &decided, out),
            None => self.tell("closed", &last, out),
        }
        Ok(())
    }

    /// The same question as it is now, if it was decided.
    async fn decided(&self, last: &InterruptRecord) -> Result<Option<InterruptRecord>, StoreError> {
        let is_it = |record: &InterruptRecord| key(record) == key(last);
        let viewer = self.filter.viewer().clone();
        let newest = self.store.interrupt(last.id.clone(), viewer.clone()).await?;
        let record = match newest {
            Some(newest) if is_it(&newest) => Some(newest),
            _ => {
                let all = Filter::new(viewer, Some(last.thread_id.clone())).all(&self.store, true).await?;
                all.into_iter().find(is_it)
            }
        };
        Ok(record.filter(|record| record.decision.is_some()))
    }

    fn tell(&self, kind: &'static str, record: &InterruptRecord, out: &mut Vec<u8>) {
        let news = News { kind, interrupt: Shown::new(record, self.filter.viewer()) };
        sse::encode(&serde_json::to_vec(&news).unwrap_or_default(), None, out);
    }
}

fn key(record: &InterruptRecord) -> Key {
    (record.thread_id.clone(), record.id.clone(), record.run_id.clone())
}

/// What happened to an interrupt.
#[derive(Serialize)]
struct News<'r> {
    #[serde(rename = "type")]
    kind: &'static str,
    interrupt: Shown<'r>,
}
