//! The time, in the unit of the log.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
#[must_use]
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A time as ISO 8601 in UTC.
pub(crate) fn iso(milliseconds: i64) -> String {
    jiff::Timestamp::from_millisecond(milliseconds).unwrap_or(jiff::Timestamp::MAX).to_string()
}

/// The time that an ISO 8601 text means; nothing if it means none.
pub(crate) fn from_iso(text: &str) -> Option<i64> {
    text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond)
}
