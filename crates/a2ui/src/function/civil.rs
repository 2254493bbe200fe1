//! Days and times of day, without a clock.

use super::args::Args;
use serde_json::Value;

const DAY: i64 = 86_400_000;

/// Further than this from 1970 JavaScript has no dates.
const FURTHEST: i64 = 8_640_000_000_000_000;

/// A moment, as the clock on somebody's wall shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// Milliseconds since the beginning of 1970 in UTC.
    pub(super) instant: i64,
    /// Minutes that the clock is ahead of UTC.
    pub(super) offset: i32,
    pub(super) year: i64,
    pub(super) month: i64,
    pub(super) day: i64,
    /// Milliseconds since midnight.
    time: i64,
}

impl Moment {
    pub(super) fn new(instant: i64, offset: i32) -> Self {
        let local = instant + i64::from(offset) * 60_000;
        let (year, month, day) = date_of(local.div_euclid(DAY));
        Self { instant, offset, year, month, day, time: local.rem_euclid(DAY) }
    }

    /// `new Date(value)`. A text has to be a date of ISO 8601; what is not is no date.
    pub(super) fn read(args: Args<'_>, offset: i32) -> Option<Self> {
        let instant = match args.get("value")? {
            Value::Number(number) => whole(number.as_f64()?)?,
            Value::Bool(true) => 1,
            Value::String(text) => instant_of(text.trim(), offset)?,
            _ => return None,
        };
        (instant.abs() <= FURTHEST).then(|| Self::new(instant, offset))
    }

    /// The same moment on a clock in UTC.
    pub(super) fn in_utc(self) -> Self {
        Self::new(self.instant, 0)
    }

    pub(super) fn hour(self) -> i64 {
        self.time / 3_600_000
    }

    pub(super) fn minute(self) -> i64 {
        self.time / 60_000 % 60
    }

    pub(super) fn second(self) -> i64 {
        self.time / 1_000 % 60
    }

    pub(super) fn millisecond(self) -> i64 {
        self.time % 1_000
    }

    fn days(self) -> i64 {
        days_of(self.year, self.month, self.day)
    }

    /// 0 is Sunday.
    pub(super) fn weekday(self) -> i64 {
        (self.days() + 4).rem_euclid(7)
    }

    /// 1 is the first of January.
    pub(super) fn day_of_year(self) -> i64 {
        self.days() - days_of(self.year, 1, 1) + 1
    }

    /// The year and the week of it: from Monday on, the first with four days in the year (ISO), or from Sunday on, the
    /// first with any.
    pub(super) fn week(self, is_iso: bool) -> (i64, i64) {
        let (starts, needed) = if is_iso { (1, 4) } else { (0, 1) };
        let week_of = |day: i64| day - (day + 4 - starts).rem_euclid(7);
        let first = |year| week_of(days_of(year, 1, needed));
        let days = self.days();
        let year = [self.year + 1, self.year].into_iter().find(|year| days >= first(*year));
        let year = year.unwrap_or(self.year - 1);
        (year, (week_of(days) - first(year)) / 7 + 1)
    }

    /// `2026-01-05T10:20:30.000Z`
    pub(super) fn iso(self) -> String {
        let utc = self.in_utc();
        let year = match utc.year {
            0..=9999 => format!("{:04}", utc.year),
            year if year < 0 => format!("-{:06}", -year),
            year => format!("+{year:06}"),
        };
        let (hour, minute, second) = (utc.hour(), utc.minute(), utc.second());
        let date = format!("{year}-{:02}-{:02}", utc.month, utc.day);
        format!("{date}T{hour:02}:{minute:02}:{second:02}.{:03}Z", utc.millisecond())
    }
}

#[expect(clippy::cast_possible_truncation, reason = "within the range of dates")]
fn whole(milliseconds: f64) -> Option<i64> {
    (milliseconds.abs() <= FURTHEST as f64).then_some(milliseconds.trunc() as i64)
}

/// Days since the beginning of 1970. Months and days may be too large.
fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// A date alone is one in UTC; with a time it is one on the clock on the wall unless it says otherwise.
fn instant_of(text: &str, offset: i32) -> Option<i64> {
    let (date, time) = match text.find(['T', 't', ' ']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let date = days_of_text(date)? * DAY;
    let Some(time) = time else { return Some(date) };
    let (time, ahead) = match time.strip_suffix(['Z', 'z']) {
        Some(time) => (time, 0),
        None => match time.rfind(['+', '-']) {
            Some(at) => (&time[..at], minutes_ahead(&time[at..])?),
            None => (time, i64::from(offset)),
        },
    };
    Some(date + milliseconds_of_text(time)? - ahead * 60_000)
}

fn digits(text: &str, length: usize, most: i64) -> Option<i64> {
    let are_digits = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| are_digits && *number <= most)
}

fn days_of_text(text: &str) -> Option<i64> {
    let mut parts = text.split('-');
    let year = digits(parts.next()?, 4, 9999)?;
    let month = parts.next().map_or(Some(1), |month| digits(month, 2, 12))?;
    let day = parts.next().map_or(Some(1), |day| digits(day, 2, 31))?;
    (parts.next().is_none() && month > 0 && day > 0).then(|| days_of(year, month, day))
}

fn milliseconds_of_text(text: &str) -> Option<i64> {
    let (text, fraction) =
        text.split_once('.').map_or((text, None), |(text, fraction)| (text, Some(fraction)));
    let mut parts = text.split(':');
    let hour = digits(parts.next()?, 2, 24)?;
    let minute = digits(parts.next()?, 2, 59)?;
    let second =
        parts.next().map(|second| digits(second, 2, 59)).map_or(Some(None), |second| second.map(Some))?;
    let has_fraction = fraction.is_some();
    let fraction = fraction.map_or(Some(0), |fraction| {
        let three: String = fraction.chars().chain("00".chars()).take(3).collect();
        digits(fraction, fraction.len(), i64::MAX).filter(|_| !fraction.is_empty())?;
        digits(&three, 3, 999)
    })?;
    let time = ((hour * 60 + minute) * 60 + second.unwrap_or(0)) * 1_000 + fraction;
    let is_time = parts.next().is_none() && time <= DAY && (second.is_some() || !has_fraction);
    is_time.then_some(time)
}

fn minutes_ahead(text: &str) -> Option<i64> {
    let (sign, text) = (if text.starts_with('-') { -1 } else { 1 }, &text[1..]);
    let (hours, minutes) = text.split_once(':').or_else(|| text.split_at_checked(2))?;
    Some(sign * (digits(hours, 2, 23)? * 60 + digits(minutes, 2, 59)?))
}
