//! A store that fails while somebody reads from it.
//!
//! A viewer holds a place in the log, so a failed read costs nothing but time: it is repeated from the same place until the
//! store answers again. Whoever waits longer than [`Limits::outage`](crate::Limits::outage) gets the error, and has to tell
//! its viewer: a stream that goes silent or ends in order would look complete.

use std::time::Duration;

use forestage_store::StoreError;
use tokio::time::Instant;

/// The first pause before a read is repeated, and the longest.
const SOON: Duration = Duration::from_millis(20);
const LATER: Duration = Duration::from_secs(1);

/// How long a reader has been waiting for a store that fails.
#[derive(Clone, Debug)]
pub struct Outage {
    patience: Duration,
    /// When the first read in a row failed; `None` while the store answers.
    since: Option<Instant>,
    pause: Duration,
}

impl Outage {
    /// A reader that waits so long for a store that fails.
    #[must_use]
    pub fn new(patience: Duration) -> Self {
        Self { patience, since: None, pause: SOON }
    }

    /// Waits until the read may be repeated. Returns the error if repeating it cannot help, or if the store has failed for
    /// too long. Dropping the future loses nothing: the time counts from the first failure.
    pub async fn wait(&mut self, error: StoreError) -> Result<(), StoreError> {
        let since = *self.since.get_or_insert_with(Instant::now);
        let left = self.patience.saturating_sub(since.elapsed());
        if left.is_zero() || !error.is_retryable() {
            return Err(error);
        }
        if self.pause == SOON {
            tracing::warn!(%error, "a reader lost the store and tries again");
        }
        let pause = self.pause.min(left);
        self.pause = (self.pause * 2).min(LATER);
        tokio::time::sleep(pause).await;
        Ok(())
    }

    /// The store has answered.
    pub fn over(&mut self) {
        (self.since, self.pause) = (None, SOON);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed() -> StoreError {
        StoreError::Database("gone".into())
    }

    #[tokio::test(start_paused = true)]
    async fn the_error_comes_back_when_the_time_is_over_and_not_before() {
        let mut outage = Outage::new(Duration::from_secs(5));
        let begin = Instant::now();
        while outage.wait(failed()).await.is_ok() {}
        assert_eq!(begin.elapsed().as_secs(), 5);
        outage.over();
        assert!(outage.wait(failed()).await.is_ok(), "the next outage has its own time");
    }

    #[tokio::test(start_paused = true)]
    async fn what_will_not_pass_is_not_waited_for() {
        let mut outage = Outage::new(Duration::from_secs(5));
        assert!(outage.wait(StoreError::Closed).await.is_err());
    }
}
