//! Between an agent and the log: what was said and is not committed yet.
//!
//! Speaking never waits for the disk. An event is verified and encoded where it is said, and joins the queue
//! that the writer takes as a whole, so that events gather while the previous commit is under way. Only when
//! too much has gathered does [`Outbox::room`] make the agent wait.

use std::{
    collections::HashMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use bytes::Bytes;
use forestage_protocol::{
    event::{ActivitySnapshot, Custom, Event},
    id::{InterruptId, MessageId, SubagentRunId, ToolCallId},
    number::Timestamp,
    open::OpenItems,
    verify::Verifier,
};
use tokio::sync::Notify;

use super::piece::Piece;
use crate::{
    clock,
    error::Stop,
    limits::Limits,
    log::goes_on,
    surface::{finishes, given_up, is_unfinished},
};

/// Writes events as JSON, one behind the other: an event costs no allocation of its own, and passing it on costs none
/// either.
#[derive(Debug, Default)]
pub(super) struct Pen {
    text: Vec<u8>,
    ends: Vec<usize>,
    /// How much was taken the last time.
    taken: usize,
}

/// So much is made ready for what will be written, at most.
const PAGE: usize = 16 << 10;

impl Pen {
    /// Gives the event a time, if it has none, and writes the bytes that are stored and sent. Says how many.
    pub(super) fn write(&mut self, event: &mut Event) -> usize {
        let base = event.base_mut();
        if base.timestamp.is_none() {
            base.timestamp = Timestamp::new(clock::now());
        }
        let before = self.text.len();
        if before == 0 {
            self.text.reserve(self.taken.min(PAGE));
        }
        event.write_json(&mut self.text);
        self.ends.push(self.text.len());
        self.text.len() - before
    }

    /// Takes the last event back.
    fn strike(&mut self) {
        self.ends.pop();
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
    }

    fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// What was written, event by event.
    pub(super) fn take(&mut self) -> Vec<Bytes> {
        self.taken = self.text.len();
        let text = Bytes::from(std::mem::take(&mut self.text));
        let mut start = 0;
        let ends = std::mem::take(&mut self.ends).into_iter();
        ends.map(|end| text.slice(std::mem::replace(&mut start, end)..end)).collect()
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
    /// Whether too much is unwritten.
    full: AtomicBool,
    limits: Limits,
}

#[derive(Debug, Default)]
struct Inner {
    pen: Pen,
    verifier: Verifier,
    open: OpenItems,
    unanswered: Vec<ToolCallId>,
    /// The piece of text that was said last, ready to be filled with the next one of its message.
    piece: Option<Piece>,
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
        let (filled, emptied) = (Notify::new(), Notify::new());
        Self { inner: Mutex::default(), filled, emptied, full: AtomicBool::new(false), limits }
    }

    /// Says an event, if the rules and the limits allow it.
    pub(crate) fn say(&self, mut event: Event) -> Result<(), Stop> {
        let mut inner = self.inner();
        if inner.over {
            return Err(Stop::Cancelled);
        }
        inner.verifier.check(&event).map_err(Stop::Violation)?;
        // Whoever has not taken the others yet has been told of them.
        let is_first = inner.pen.is_empty();
        let length = inner.pen.write(&mut event);
        inner.count(length, &self.limits)?;
        inner.push(event, length);
        self.tell(inner, is_first);
        Ok(())
    }

    /// Says one more piece of the message that was spoken last, which costs less than an event: nearly all events are such
    /// pieces. Says false, and nothing else, if it is another message.
    pub(crate) fn say_more(
        &self,
        id: &MessageId,
        subagent: Option<&SubagentRunId>,
        delta: &str,
    ) -> Result<bool, Stop> {
        let mut inner = self.inner();
        if inner.over {
            return Err(Stop::Cancelled);
        }
        let Some(mut piece) = inner.piece.take_if(|piece| piece.is_of(id, subagent)) else {
            return Ok(false);
        };
        let event = piece.fill(delta);
        inner.verifier.check(event).map_err(Stop::Violation)?;
        let is_first = inner.pen.is_empty();
        let length = inner.pen.write(event);
        inner.count(length, &self.limits)?;
        inner.push_more(event, length);
        inner.piece = Some(piece);
        self.tell(inner, is_first);
        Ok(true)
    }

    /// Tells the writer that there is something to take, and the agent that it is much.
    fn tell(&self, inner: MutexGuard<'_, Inner>, is_first: bool) {
        if inner.queued_bytes >= self.limits.unwritten_bytes {
            self.full.store(true, Ordering::Release);
        }
        drop(inner);
        if is_first {
            self.filled.notify_one();
        }
    }

    /// How many events were said.
    pub(crate) fn said(&self) -> u64 {
        self.inner().said
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
        !self.full.load(Ordering::Acquire)
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
        self.full.store(false, Ordering::Release);
        drop(inner);
        self.filled.notify_one();
        self.emptied.notify_waiters();
    }

    /// The log is lost to us: whatever is said from now on goes nowhere.
    pub(crate) fn abandon(&self) {
        let mut inner = self.inner();
        inner.over = true;
        inner.pen = Pen::default();
        inner.queue = Taken { ends: true, ..Taken::default() };
        self.full.store(false, Ordering::Release);
        drop(inner);
        self.filled.notify_one();
        self.emptied.notify_waiters();
    }

    /// Waits until something was said, and takes all of it.
    pub(crate) async fn take(&self) -> Taken {
        loop {
            let filled = self.filled.notified();
            if let Some(taken) = self.take_now() {
                self.emptied.notify_waiters();
                return taken;
            }
            filled.await;
        }
    }

    fn take_now(&self) -> Option<Taken> {
        let mut inner = self.inner();
        let taken = inner.take()?;
        self.full.store(false, Ordering::Release);
        Some(taken)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn take(&mut self) -> Option<Taken> {
        if self.pen.is_empty() && !self.queue.ends {
            return None;
        }
        self.queued_bytes = 0;
        Some(Taken { json: self.pen.take(), ..std::mem::take(&mut self.queue) })
    }

    /// Counts what was just written, and takes it back if it is too much.
    fn count(&mut self, bytes: usize, limits: &Limits) -> Result<(), Stop> {
        self.events += 1;
        self.bytes += bytes;
        let (limit, unit) = match () {
            () if self.events > limits.run_events => (limits.run_events, "events"),
            () if self.bytes > limits.run_bytes => (limits.run_bytes, "bytes"),
            () => return Ok(()),
        };
        self.pen.strike();
        Err(Stop::TooLarge { limit, unit })
    }

    fn write(&mut self, mut event: Event) {
        let length = self.pen.write(&mut event);
        self.push(event, length);
    }

    fn push(&mut self, event: Event, length: usize) {
        if !self.joins(&event, length) {
            self.piece = Piece::like(&event).or_else(|| self.piece.take());
            self.keep(event);
        }
    }

    fn push_more(&mut self, event: &Event, length: usize) {
        if !self.joins(event, length) {
            self.keep(event.clone());
        }
    }

    /// Counts an event, and says whether it is one with the last.
    fn joins(&mut self, event: &Event, length: usize) -> bool {
        self.queued_bytes += length;
        self.said += 1;
        self.queue.events.last_mut().is_some_and(|last| goes_on(last, event))
    }

    fn keep(&mut self, event: Event) {
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
            Event::ActivityDelta(change) if !self.unfinished.is_empty() && finishes(change) => {
                self.unfinished.retain(|other| other.message_id != change.message_id);
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
            use crate::context::{MEMORY, STEP_RESULT, TOOL_STARTED};
            [STEP_RESULT, TOOL_STARTED, MEMORY].contains(&name.as_str())
        }
        _ => false,
    }
}
