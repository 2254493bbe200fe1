//! Epochs: which life of which thread a number in a log belongs to.
//!
//! A number says nothing by itself: a thread that was deleted and begun anew counts from 1 again, and a store that crashed may
//! have lost the last numbers that it gave out and use them for something else. So a place in a log names an epoch, made of
//! the time at which the thread was created and the *incarnation* of the store, which grows whenever something may have been
//! lost.

/// So many bits hold the time in milliseconds since 1970, which is enough until the year 2109.
const TIME_BITS: u32 = 42;

/// The epoch of a thread in an incarnation of its store. In the first one, it is the time of the thread's creation.
#[must_use]
pub const fn epoch(created_at: i64, incarnation: i64) -> i64 {
    created_at | incarnation << TIME_BITS
}

/// The time of creation that an epoch was made of.
#[must_use]
pub const fn created_at(epoch: i64) -> i64 {
    epoch & ((1 << TIME_BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_epoch_keeps_the_time_and_differs_by_incarnation() {
        let time = 1_794_943_767_418;
        assert_eq!(epoch(time, 0), time);
        assert_ne!(epoch(time, 1), epoch(time, 2));
        for incarnation in [0, 1, 7, 1 << 20] {
            assert_eq!(created_at(epoch(time, incarnation)), time);
        }
    }
}
