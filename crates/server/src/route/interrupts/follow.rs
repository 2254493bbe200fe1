//! The inbox as it changes: `GET /v1/interrupts?follow=true`.
//!
//! ```text
//!  opened, opened, … ready ── opened ── voted ── decided ── closed ──>
//!  what waits now             what happens from now on
//! ```
//!
//! What waits is read and written once for all who follow it, by the [`Board`] of the viewer. A follower adds a place, a
//! filter, and what it was told.

use std::{sync::Arc, time::Duration};

use axum::{body::Body, response::Response};
use bytes::Bytes;
use forestage_protocol::codec::sse;
use futures_util::stream;
use tokio::{sync::watch, time::timeout};
use tokio_util::sync::CancellationToken;

use super::{
    board::{Board, Told, Waiting, key},
    filter::Filter,
    news::News,
};
use crate::{
    app::App,
    transport::{broken::Broken, sse::with_headers},
};

/// Streams what waits, and what becomes of it.
pub(super) fn respond(app: &App, filter: Filter) -> Response {
    let board = app.boards.of(app.stage.store(), filter.viewer(), app.stage.outage());
    let inbox = Inbox {
        changes: board.changes(),
        board,
        filter,
        keep_alive: app.keep_alive(),
        ending: app.ending.clone(),
        place: None,
        told: Waiting::new(),
    };
    let body = stream::unfold(Some(inbox), |inbox| async move {
        let mut inbox = inbox?;
        let bytes = inbox.next().await?;
        let next = bytes.is_ok().then_some(inbox);
        Some((bytes, next))
    });
    with_headers(Body::from_stream(body), "text/event-stream")
}

/// Somebody who watches the inbox.
struct Inbox {
    board: Arc<Board>,
    changes: watch::Receiver<u64>,
    filter: Filter,
    keep_alive: Duration,
    ending: CancellationToken,
    /// How much news was read; `None` before the first time.
    place: Option<u64>,
    /// What the viewer takes to be waiting.
    told: Waiting,
}

impl Inbox {
    /// The next bytes, or the end.
    async fn next(&mut self) -> Option<Result<Bytes, Broken>> {
        let ending = self.ending.clone();
        tokio::select! {
            biased;
            () = ending.cancelled() => None,
            bytes = self.news() => Some(bytes),
        }
    }

    async fn news(&mut self) -> Result<Bytes, Broken> {
        loop {
            // Seen before it is looked at, so that nothing falls between the two.
            self.changes.mark_unchanged();
            let bytes = self.look()?;
            if !bytes.is_empty() {
                return Ok(bytes.into());
            }
            match timeout(self.keep_alive, self.changes.changed()).await {
                Ok(_) => {}
                Err(_) => return Ok(sse::comment("keep-alive")),
            }
        }
    }

    /// Tells what came behind our place.
    fn look(&mut self) -> Result<Vec<u8>, Broken> {
        let (told, end) = self.board.behind(self.place);
        let mut out = Vec::new();
        let is_first = self.place.is_none();
        match told {
            Told::Nothing => return Ok(out),
            Told::Failed => return Err(Broken::Refused("the inbox cannot be read".to_owned())),
            Told::News(news) => news.iter().for_each(|news| self.tell(news, &mut out)),
            Told::All(waiting, news) => self.catch_up(&waiting, &news, &mut out),
        }
        self.place = Some(end);
        if is_first {
            sse::encode(br#"{"type":"ready"}"#, None, &mut out);
        }
        Ok(out)
    }

    fn tell(&mut self, news: &Arc<News>, out: &mut Vec<u8>) {
        if !self.filter.admits(news) {
            return;
        }
        match news.is_gone() {
            true => drop(self.told.remove(&key(news.record()))),
            false => drop(self.told.insert(key(news.record()), news.clone())),
        }
        out.extend_from_slice(news.frame());
    }

    /// Tells the difference between what was told and what waits: everything at first, later what was missed.
    fn catch_up(&mut self, waiting: &Waiting, news: &[Arc<News>], out: &mut Vec<u8>) {
        let told = std::mem::take(&mut self.told);
        for (key_of_gone, last) in told.iter().filter(|(key, _)| !waiting.contains_key(key)) {
            let end = news.iter().rev().find(|news| news.is_gone() && key(news.record()) == *key_of_gone);
            match end {
                Some(end) => out.extend_from_slice(end.frame()),
                None => out.extend_from_slice(&last.write("closed")),
            }
        }
        let mut new: Vec<_> = waiting.values().filter(|news| self.filter.admits(news)).collect();
        new.sort_by_key(|news| news.record().place());
        for news in new {
            let key = key(news.record());
            let votes = told.get(&key).map(|known| known.record().votes.len());
            match votes {
                None => out.extend_from_slice(news.frame()),
                Some(votes) if votes == news.record().votes.len() => {}
                Some(_) => out.extend_from_slice(&news.write("voted")),
            }
            self.told.insert(key, news.clone());
        }
    }
}
