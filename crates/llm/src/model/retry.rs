//! Asking again, as long as nobody has seen a word.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::ModelError;

/// When to ask again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// How often.
    pub retries: u32,
    /// How long to wait before the first time; then twice as long, each time.
    pub first: Duration,
    /// How long to wait at most, also if the provider asks for more: then we give up.
    pub longest: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { retries: 3, first: Duration::from_millis(500), longest: Duration::from_secs(30) }
    }
}

impl Patience {
    /// How long to wait before asking again after this failure; nothing if it is not worth it.
    #[must_use]
    pub fn wait(&self, attempt: u32, error: &ModelError) -> Option<Duration> {
        if attempt >= self.retries || !error.is_retryable() {
            return None;
        }
        let wanted =
            error.retry_after.unwrap_or_else(|| jittered(self.first * 2_u32.saturating_pow(attempt)));
        match error.retry_after {
            Some(wanted) if wanted > self.longest => None,
            _ => Some(wanted.min(self.longest)),
        }
    }
}

/// A little less than that, so that many who failed together do not come back together.
fn jittered(time: Duration) -> Duration {
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.subsec_nanos());
    time.mul_f64(0.75 + f64::from(nanos % 1000) / 4000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelErrorKind;

    fn error(kind: ModelErrorKind, retry_after: Option<u64>) -> ModelError {
        ModelError { retry_after: retry_after.map(Duration::from_secs), ..ModelError::new(kind, "") }
    }

    #[test]
    fn waiting_doubles_and_ends() {
        let patience = Patience { retries: 2, ..Patience::default() };
        let failed = error(ModelErrorKind::Unavailable, None);
        let first = patience.wait(0, &failed).unwrap();
        let second = patience.wait(1, &failed).unwrap();
        assert!(first >= Duration::from_millis(375) && first <= Duration::from_millis(500), "{first:?}");
        assert!(second >= Duration::from_millis(750) && second <= Duration::from_secs(1), "{second:?}");
        assert_eq!(patience.wait(2, &failed), None);
    }

    #[test]
    fn the_provider_says_how_long_unless_it_is_too_long() {
        let patience = Patience::default();
        assert_eq!(
            patience.wait(0, &error(ModelErrorKind::RateLimited, Some(7))),
            Some(Duration::from_secs(7))
        );
        assert_eq!(patience.wait(0, &error(ModelErrorKind::RateLimited, Some(3600))), None);
    }

    #[test]
    fn what_will_not_change_is_not_asked_again() {
        for kind in [ModelErrorKind::Auth, ModelErrorKind::Request, ModelErrorKind::BrokeOff] {
            assert_eq!(Patience::default().wait(0, &error(kind, None)), None);
        }
    }
}
