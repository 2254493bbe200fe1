//! Between an agent and the log: what was said and is not committed yet.
//!
//! Speaking never waits for the disk. An event is verified and encoded where it is said, and joins the queue
//! that the writer takes as a whole, so that events gather while the previous commit is under way. Only when
//! too much has gathered does [`Outbox::room`] make the agent wait.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use bytes::{Bytes, BytesMut};
use forestage_protocol::{
    event::{ActivitySnapshot, Custom, Event},
    id::{InterruptId, ToolCallId},
    number::Timestamp,
    open::OpenItems,
    verify::Verifier,
};
use tokio::sync::Notify;

use crate::{
    clock,
    error::Stop,
    limits::Limits,
    log::goes_on,
    surface::{given_up, is_unfinished},
};

/// Writes events as JSON, one behind the other on shared pieces of memory: an event costs no allocation of its own,
/// and passing it on costs none either.
#[derive(Debug, Default)]
pub(super) struct Pen {
    scratch: Vec<u8>,
    page: BytesMut,
    written: usize,
}

/// The smallest and the largest piece of memory. A run that says little keeps little.
const PAGE: std::ops::RangeInclusive<usize> = 1 << 10..=16 << 10;

impl Pen {
    /// Gives the event a time, if it has none, and returns the bytes that are stored and sent.
    pub(super) fn write(&mut self, event: &mut Event) -> Bytes {
        let base = event.base_mut();
        if base.timestamp.is_none() {
            base.timestamp = Timestamp::new(clock::now());
        }
        self.scratch.clear();
        event.write_json(&mut self.scratch);
        let length = self.scratch.len();
        if self.page.capacity() < length {
            let page = self.written.clamp(*PAGE.start(), *PAGE.end());
            self.page = BytesMut::with_capacity(page.max(length));
        }
        self.written += length;
        self.page.extend_from_slice(&self.scratch);
        self.page.split().freeze()
    }
}

/// What the writer takes at once.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    /// What was said, for those who fold it. Deltas of one item that came one after the other are one here, since an
    /// event is large and a token is small.
    pub(crate) events: Vec<Event>,
    /// The bytes of every event.
    pub(crate) json: Vec<Bytes>,
    /// Whether it holds something that has to survive the machine.
    pub(crate) for_the_disk: bool,
    /// Whether the last one ends the run. Without any, the log is lost to us.
    pub(crate) ends: bool,
    /// What the questions at its end hold for those who decide.
    pub(crate) private: Private,
}

/// What belongs to questions and is not for everybody's eyes.
pub(crate) type Private = HashMap<InterruptId, Bytes>;

/// The queue of one run.
#[derive(Debug)]
pub(crate) struct Outbox {
    inner: Mutex<Inner>,
    filled: Notify,
    emptied: Notify,
    limits: Limits,
}

#[derive(Debug, Default)]
struct Inner {
    pen: Pen,
    verifier: Verifier,
    open: OpenItems,
    unanswered: Vec<ToolCallId>,
    /// Surfaces that somebody still works on.
    unfinished: Vec<ActivitySnapshot>,
    queue: Taken,
    queued_bytes: usize,
    events: usize,
    bytes: usize,
    /// How many were said, and how many of them are in the log.
    said: u64,
    written: u64,
    over: bool,
}

impl Outbox {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { inner: Mutex::default(), filled: Notify::new(), emptied: Notify::new(), limits }
    }

    /// Says an event, if the rules and the limits allow it.
    pub(crate) fn say(&self, mut event: Event) -> Result<(), Stop> {
        let mut inner = self.inner();
        if inner.over {
            return Err(Stop::Cancelled);
        }
        inner.verifier.check(&event).map_err(Stop::Violation)?;
        let json = inner.pen.write(&mut event);
        inner.count(json.len(), &self.limits)?;
        inner.push(event, json);
        drop(inner);
        self.filled.notify_one();
        Ok(())
    }

    /// Waits while too much is unwritten.
    pub(crate) async fn room(&self) {
        while !self.has_room() {
            let emptied = self.emptied.notified();
            if self.has_room() {
                return;
            }
            emptied.await;
        }
    }

    fn has_room(&self) -> bool {
        self.inner().queued_bytes < self.limits.unwritten_bytes
    }

    /// Waits until everything that was said is in the log, as durably as it asks for.
    pub(crate) async fn written(&self) -> Result<(), Stop> {
        let said = self.inner().said;
        loop {
            let emptied = self.emptied.notified();
            {
                let inner = self.inner();
                if inner.written >= said {
                    return Ok(());
                }
                if inner.over {
                    return Err(Stop::Cancelled);
                }
            }
            emptied.await;
        }
    }

    /// So many more are in the log.
    pub(crate) fn has_written(&self, count: usize) {
        self.inner().written += count as u64;
        self.emptied.notify_waiters();
    }

    /// Ends the run: what is open is closed, then the terminal event follows. `end` learns which calls of tools
    /// nobody has answered. Says nothing if the run is over already.
    pub(crate) fn end(&self, end: impl FnOnce(Vec<ToolCallId>) -> Event) {
        self.end_with(Private::new(), end);
    }

    /// The same with what the questions at the end hold for those who decide.
    pub(crate) fn end_with(&self, private: Private, end: impl FnOnce(Vec<ToolCallId>) -> Event) {
        let mut inner = self.inner();
        if inner.over {
            return;
        }
        for event in inner.open.closing() {
            inner.write(event);
        }
        for activity in std::mem::take(&mut inner.unfinished) {
            inner.write(given_up(&activity.message_id, &activity.content));
        }
        let unanswered = std::mem::take(&mut inner.unanswered);
        inner.write(end(unanswered));
        inner.over = true;
        inner.queue.ends = true;
        inner.queue.private = private;
        drop(inner);
        self.filled.notify_one();
        self.emptied.notify_waiters();
    }

    /// The log is lost to us: whatever is said from now on goes nowhere.
    pub(crate) fn abandon(&self) {
        let mut inner = self.inner();
        inner.over = true;
        inner.queue = Taken { ends: true, ..Taken::default() };
        drop(inner);
        self.filled.notify_one();
        self.emptied.notify_waiters();
    }

    /// Waits until something was said, and takes all of it.
    pub(crate) async fn take(&self) -> Taken {
        loop {
            let filled = self.filled.notified();
            if let Some(taken) = self.inner().take() {
                self.emptied.notify_waiters();
                return taken;
            }
            filled.await;
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn take(&mut self) -> Option<Taken> {
        if self.queue.json.is_empty() && !self.queue.ends {
            return None;
        }
        self.queued_bytes = 0;
        Some(std::mem::take(&mut self.queue))
    }

    fn count(&mut self, bytes: usize, limits: &Limits) -> Result<(), Stop> {
        self.events += 1;
        self.bytes += bytes;
        if self.events > limits.run_events {
            return Err(Stop::TooLarge { limit: limits.run_events, unit: "events" });
        }
        if self.bytes > limits.run_bytes {
            return Err(Stop::TooLarge { limit: limits.run_bytes, unit: "bytes" });
        }
        Ok(())
    }

    fn write(&mut self, mut event: Event) {
        let json = self.pen.write(&mut event);
        self.push(event, json);
    }

    fn push(&mut self, event: Event, json: Bytes) {
        self.queued_bytes += json.len();
        self.said += 1;
        self.queue.json.push(json);
        if self.queue.events.last_mut().is_some_and(|last| goes_on(last, &event)) {
            return;
        }
        self.open.note(&event);
        self.queue.for_the_disk |= is_for_the_disk(&event);
        match &event {
            Event::ToolCallStart(event) => self.unanswered.push(event.tool_call_id.clone()),
            Event::ToolCallResult(event) => self.unanswered.retain(|id| *id != event.tool_call_id),
            Event::ActivitySnapshot(activity) => {
                self.unfinished.retain(|other| other.message_id != activity.message_id);
                if is_unfinished(&activity.activity_type, &activity.content) {
                    self.unfinished.push(activity.clone());
                }
            }
            _ => {}
        }
        self.queue.events.push(event);
    }
}

/// The results of tools and of steps are what a retry must not do again.
fn is_for_the_disk(event: &Event) -> bool {
    match event {
        Event::ToolCallResult(_) => true,
        Event::Custom(Custom { name, .. }) => {
            name == crate::context::STEP_RESULT || name == crate::context::TOOL_STARTED
        }
        _ => false,
    }
}
