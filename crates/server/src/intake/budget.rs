//! Memory for what is being taken in. All bodies and frames that are read and decoded at one time share it, so that many
//! large ones wait for each other instead of ending the process.

use std::{pin::Pin, sync::Arc, time::Duration};

use axum::http::StatusCode;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::error::ApiError;

/// So long somebody waits for others to be done.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// When to come again.
const RETRY_AFTER_SECONDS: u8 = 2;

/// Memory is set aside in steps of this many bytes.
const STEP: usize = 1 << 10;

/// About how much memory a text needs until a run has begun, measured with bodies of many shapes.
pub(super) fn weight(bytes: usize, values: usize) -> usize {
    bytes.saturating_mul(12).saturating_add(values.saturating_mul(600))
}

/// The memory there is.
#[derive(Debug)]
pub(crate) struct Budget {
    room: Arc<Semaphore>,
    steps: usize,
}

impl Budget {
    pub(crate) fn new(bytes: usize) -> Self {
        let steps = (bytes / STEP).clamp(1, Semaphore::MAX_PERMITS.min(u32::MAX as usize));
        Self { room: Arc::new(Semaphore::new(steps)), steps }
    }

    /// Nothing yet, which can grow.
    pub(crate) fn share(&self) -> Share {
        Share { room: self.room.clone(), steps: self.steps, held: None }
    }
}

/// Memory that is waited for; nothing if the server is gone.
pub(super) type Reservation = Pin<Box<dyn Future<Output = Option<OwnedSemaphorePermit>> + Send>>;

/// A part of the memory. It is given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    room: Arc<Semaphore>,
    /// All there is. Whatever needs more than that gets all of it, and is alone.
    steps: usize,
    held: Option<OwnedSemaphorePermit>,
}

impl Share {
    /// Makes it as large as this many bytes, if it is smaller. Waits for others, but not for long.
    pub(crate) async fn grow(&mut self, bytes: usize) -> Result<(), ApiError> {
        let Some(room) = self.reserve(bytes) else { return Ok(()) };
        match timeout(PATIENCE, room).await {
            Ok(Some(permit)) => self.add(permit),
            _ => return Err(busy()),
        }
        Ok(())
    }

    /// What has to be waited for to make it as large as this many bytes; `None` if it is.
    pub(super) fn reserve(&self, bytes: usize) -> Option<Reservation> {
        let held = self.held.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let more = bytes.div_ceil(STEP).min(self.steps).saturating_sub(held);
        let more = u32::try_from(more).ok().filter(|more| *more > 0)?;
        let room = self.room.clone();
        Some(Box::pin(async move { room.acquire_many_owned(more).await.ok() }))
    }

    /// Adds what was waited for.
    pub(super) fn add(&mut self, permit: OwnedSemaphorePermit) {
        match &mut self.held {
            Some(held) => held.merge(permit),
            None => self.held = Some(permit),
        }
    }

    /// Gives all of it back, before it is dropped.
    pub(super) fn give_back(&mut self) {
        self.held = None;
    }
}

pub(super) fn busy() -> ApiError {
    let text = "too much is being read at the moment";
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "server_busy", text)
        .retry_after(RETRY_AFTER_SECONDS)
        .hint("send it again; `request_memory_bytes` in the configuration says how much may be read at once")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn whoever_finds_no_room_waits_and_is_told_to_come_again() {
        let budget = Budget::new(4 << 10);
        let mut first = budget.share();
        first.grow(3 << 10).await.expect("there is room");
        let mut second = budget.share();
        let refused = second.grow(2 << 10).await.expect_err("there is not");
        assert_eq!(refused.code(), "server_busy");
        second.grow(1 << 10).await.expect("for so much there is");
        drop(first);
        second.grow(4 << 10).await.expect("the others are done");
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_waits_gets_the_room_of_those_who_are_done() {
        let budget = Budget::new(4 << 10);
        let mut first = budget.share();
        first.grow(4 << 10).await.expect("there is room");
        let mut second = budget.share();
        let (grown, ()) = tokio::join!(second.grow(4 << 10), async { drop(first) });
        grown.expect("it waited");
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_larger_than_all_there_is_gets_all_of_it() {
        let budget = Budget::new(4 << 10);
        let mut only = budget.share();
        only.grow(1 << 30).await.expect("nobody else is there");
        assert!(budget.share().grow(1).await.is_err());
    }
}
