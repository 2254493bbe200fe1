//! How patient a client is: waiting, and trying again.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    time::Duration,
};

/// How a broken connection is made again: after a pause that doubles, up to a limit, a number of times.
///
/// The count begins anew whenever something came through. Each pause is shortened by chance, down to half, so
/// that the clients of a server that restarts do not all come back at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// The first pause.
    pub first: Duration,
    /// The longest pause.
    pub max: Duration,
    /// How many attempts are made in a row; none with 0.
    pub attempts: u32,
}

impl Default for Retry {
    /// Three attempts, after a quarter, a half and a whole second.
    fn default() -> Self {
        Self { first: Duration::from_millis(250), max: Duration::from_secs(10), attempts: 3 }
    }
}

impl Retry {
    /// No attempt at all.
    pub const NEVER: Self = Self { first: Duration::ZERO, max: Duration::ZERO, attempts: 0 };

    /// The same without an end.
    #[must_use]
    pub fn for_ever(self) -> Self {
        Self { attempts: u32::MAX, ..self }
    }

    /// The pause before an attempt, counted from 1.
    pub(crate) fn pause(&self, attempt: u32) -> Duration {
        let doubled = 2_u32.checked_pow(attempt.saturating_sub(1)).unwrap_or(u32::MAX);
        let pause = self.first.saturating_mul(doubled).min(self.max);
        pause / 2 + (pause / 2).mul_f64(chance())
    }
}

/// A number from 0 to 1. The keys of a hasher are random, which is enough to spread clients out.
fn chance() -> f64 {
    let bits = RandomState::new().build_hasher().finish() >> 32;
    bits as f64 / f64::from(u32::MAX)
}

/// The longest event that is taken unless the settings say otherwise: 256 MiB. A server that takes messages of 32 MiB, as
/// ours does by default, sends a whole conversation of them in one event to whoever joins.
pub const MAX_FRAME: usize = 256 << 20;

/// The limits of a client. The defaults suit a person who waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How long making a connection may take.
    pub connect: Duration,
    /// How long a server may be silent. A sign of life, such as a comment in an event stream, is not silence.
    pub idle: Duration,
    /// How long to listen on after the end of a run, for a server that does not end the stream: an error may
    /// still be reported there.
    pub linger: Duration,
    /// How a broken connection is made again.
    pub retry: Retry,
    /// The longest event, in bytes.
    pub max_frame: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(60),
            linger: Duration::from_secs(1),
            retry: Retry::default(),
            max_frame: MAX_FRAME,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_limit_and_are_shortened_to_half_at_most() {
        let retry =
            Retry { first: Duration::from_millis(100), max: Duration::from_millis(500), attempts: 99 };
        for (attempt, full) in [(1, 100), (2, 200), (3, 400), (4, 500), (40, 500)] {
            let pause = retry.pause(attempt).as_millis();
            assert!(pause >= full / 2 && pause <= full, "attempt {attempt}: {pause} of {full}");
        }
    }

    #[test]
    fn without_an_end_is_the_same_otherwise() {
        let retry = Retry { first: Duration::from_millis(1), max: Duration::from_millis(2), attempts: 5 };
        assert_eq!(retry.for_ever(), Retry { attempts: u32::MAX, ..retry });
    }

    #[test]
    fn two_pauses_differ() {
        let retry = Retry::default();
        let pauses: std::collections::HashSet<_> = (0..8).map(|_| retry.pause(3)).collect();
        assert!(pauses.len() > 1);
    }
}
