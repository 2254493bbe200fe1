//! Frames of which only a part has come.
//!
//! A socket is read by a library that hands out whole messages, so what it has gathered of one is counted where the bytes come
//! in. Beyond what every connection may hold anyway, a message needs memory of the [`Budget`](super::Budget) for each byte, as
//! a body does. Where there is none, the connection is not read further until others are done; one that waits too long, or
//! whose message does not come to its end in time, is given up and gives its memory back.

use std::{
    fmt, io,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::http::StatusCode;
use tokio::time::{Instant, Sleep, sleep, sleep_until};

use super::budget::{Budget, PATIENCE, Reservation, Share, busy};
use crate::error::ApiError;

/// A message that is smaller costs nothing: the number of connections bounds how many there are.
const FREE: usize = 64 << 10;

/// So much is read from a connection at once, about.
const STEP: usize = 128 << 10;

/// The bytes of a control frame of a client beside its payload: two of head, four of mask.
const CONTROL_HEAD: usize = 6;

/// What has come on a socket and belongs to a message that is not complete.
#[derive(Clone, Debug)]
pub(crate) struct Unread(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// Whether it is a socket by now.
    is_counted: AtomicBool,
    /// How long a message may take.
    longest: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    bytes: usize,
    share: Share,
    /// Why it is not read any more.
    given_up: Option<GivenUp>,
}

#[derive(Clone, Copy, Debug)]
enum GivenUp {
    Busy,
    TooSlow,
}

impl Unread {
    /// For a connection that has sent nothing yet.
    pub(crate) fn new(budget: &Budget, longest: Duration) -> Self {
        let state = State { bytes: 0, share: budget.share(), given_up: None };
        Self(Arc::new(Shared { is_counted: AtomicBool::new(false), longest, state: Mutex::new(state) }))
    }

    /// Counts from now on: the connection is a socket.
    pub(crate) fn count(&self) {
        self.0.is_counted.store(true, Ordering::Release);
    }

    /// A message has been handed on.
    pub(crate) fn handed_on(&self) {
        let mut state = self.state();
        state.bytes = 0;
        state.share.give_back();
    }

    /// A control frame has been handed on, which may come between the parts of a message.
    pub(crate) fn handed_on_control(&self, payload: usize) {
        let mut state = self.state();
        state.bytes = state.bytes.saturating_sub(payload + CONTROL_HEAD);
    }

    /// Why the connection was given up, if it was.
    pub(crate) fn error(&self) -> Option<ApiError> {
        let seconds = self.0.longest.as_secs();
        Some(match self.state().given_up? {
            GivenUp::Busy => busy(),
            GivenUp::TooSlow => ApiError::new(
                StatusCode::REQUEST_TIMEOUT,
                "frame_timeout",
                format!("the frame did not arrive within {seconds} seconds"),
            )
            .hint("`body_timeout_seconds` in the configuration says how long it may take"),
        })
    }

    fn is_counted(&self) -> bool {
        self.0.is_counted.load(Ordering::Acquire)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts what is read from a connection, and holds it up where there is no memory. It belongs to the connection, and
/// [`Unread`] to whoever takes the messages.
pub(crate) struct Counter {
    unread: Unread,
    waiting: Option<Waiting>,
    /// When the message has to be complete.
    deadline: Option<Pin<Box<Sleep>>>,
}

struct Waiting {
    room: Reservation,
    patience: Pin<Box<Sleep>>,
}

impl Counter {
    pub(crate) fn new(unread: Unread) -> Self {
        Self { unread, waiting: None, deadline: None }
    }

    /// Is ready when there is memory for the next bytes. Fails where somebody has to be given up.
    pub(crate) fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.unread.is_counted() {
            return Poll::Ready(Ok(()));
        }
        if self.unread.state().bytes <= FREE {
            (self.waiting, self.deadline) = (None, None);
            return Poll::Ready(Ok(()));
        }
        let longest = self.unread.0.longest;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + longest)));
        if deadline.as_mut().poll(context).is_ready() {
            return Poll::Ready(Err(self.give_up(GivenUp::TooSlow)));
        }
        self.poll_room(context)
    }

    fn poll_room(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.waiting.is_none() {
            let state = self.unread.state();
            let Some(room) = state.share.reserve(state.bytes + STEP) else { return Poll::Ready(Ok(())) };
            drop(state);
            self.waiting = Some(Waiting { room, patience: Box::pin(sleep(PATIENCE)) });
        }
        let Some(waiting) = &mut self.waiting else { return Poll::Ready(Ok(())) };
        if let Poll::Ready(permit) = waiting.room.as_mut().poll(context) {
            self.waiting = None;
            if let Some(permit) = permit {
                self.unread.state().share.add(permit);
            }
            return Poll::Ready(Ok(()));
        }
        match waiting.patience.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(self.give_up(GivenUp::Busy))),
            Poll::Pending => Poll::Pending,
        }
    }

    /// Counts bytes that have come.
    pub(crate) fn add(&self, bytes: usize) {
        if self.unread.is_counted() {
            self.unread.state().bytes += bytes;
        }
    }

    fn give_up(&mut self, why: GivenUp) -> io::Error {
        (self.waiting, self.deadline) = (None, None);
        let mut state = self.unread.state();
        state.given_up = Some(why);
        state.share.give_back();
        io::Error::new(io::ErrorKind::OutOfMemory, "the frame was given up")
    }
}

impl fmt::Debug for Counter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Counter").field("unread", &self.unread).finish_non_exhaustive()
    }
}
