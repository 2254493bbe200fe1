//! Dates and times as texts, read far enough to compare them. No clock is asked.

use std::ops::RangeInclusive;

/// A day, as the number of days since the first of March of the year 0.
pub(crate) type Day = i64;

/// A time of the day, in nanoseconds since midnight.
pub(crate) type TimeOfDay = i64;

const SECOND: i64 = 1_000_000_000;
const MINUTES_PER_DAY: i64 = 24 * 60;

/// A moment, with the day and the time that its own clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) day: Day,
    pub(crate) time: TimeOfDay,
    /// How far its clock is ahead of UTC, in minutes.
    offset: i64,
}

impl Moment {
    /// Moments of all clocks in order.
    pub(crate) fn instant(self) -> i128 {
        let minutes = i128::from(self.day * MINUTES_PER_DAY - self.offset);
        minutes * 60 * i128::from(SECOND) + i128::from(self.time)
    }
}

/// A day such as `2024-09-02`.
pub(crate) fn date(text: &str) -> Result<Day, String> {
    read_date(text).ok_or_else(|| format!("`{text}` is not a date such as `2024-09-02`"))
}

/// A time of the day such as `09:30` or `09:30:00`, without a time zone.
pub(crate) fn time(text: &str) -> Result<TimeOfDay, String> {
    read_time(text).ok_or_else(|| format!("`{text}` is not a time such as `09:30`"))
}

/// A moment such as `2024-09-02T10:00:00Z`, in ISO 8601 as RFC 3339 narrows it down.
pub(crate) fn datetime(text: &str) -> Result<Moment, String> {
    read_datetime(text).ok_or_else(|| {
        format!("`{text}` is not a date with a time and a time zone such as `2024-09-02T10:00:00Z`")
    })
}

fn read_datetime(text: &str) -> Option<Moment> {
    let (date, rest) = text.split_at_checked(10)?;
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let zone = rest.find(['Z', 'z', '+', '-'])?;
    let (time, zone) = rest.split_at(zone);
    // Seconds may be left out in a time of the day, not in a moment.
    let time = read_time(time).filter(|_| time.len() >= 8)?;
    Some(Moment { day: read_date(date)?, time, offset: read_zone(zone)? })
}

fn read_date(text: &str) -> Option<Day> {
    let [year, month, day] = parts(text, '-', [4, 2, 2])?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 31,
    };
    if !(1..=12).contains(&month) || !(1..=length).contains(&day) {
        return None;
    }
    // Years that begin in March have their odd day at the end.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let before = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some(before + (153 * month + 2) / 5 + day - 1)
}

fn read_time(text: &str) -> Option<TimeOfDay> {
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let [hour, minute, second] = match whole.len() {
        5 if fraction.is_none() => parts(whole, ':', [2, 2]).map(|[hour, minute]| [hour, minute, 0])?,
        _ => parts(whole, ':', [2, 2, 2])?,
    };
    let fits = in_order(hour, 0..=23) && in_order(minute, 0..=59) && in_order(second, 0..=60);
    let fraction = fraction.map_or(Some(0), nanoseconds)?;
    fits.then_some((hour * 3600 + minute * 60 + second) * SECOND + fraction)
}

fn read_zone(text: &str) -> Option<i64> {
    if matches!(text, "Z" | "z") {
        return Some(0);
    }
    let ahead = if text.starts_with('+') { 1 } else { -1 };
    let [hours, minutes] = parts(text.get(1..)?, ':', [2, 2])?;
    (in_order(hours, 0..=23) && in_order(minutes, 0..=59)).then_some(ahead * (hours * 60 + minutes))
}

fn nanoseconds(digits: &str) -> Option<i64> {
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    format!("{digits:0<9}")[..9].parse().ok()
}

/// Numbers of these lengths with something between them.
fn parts<const N: usize>(text: &str, between: char, lengths: [usize; N]) -> Option<[i64; N]> {
    let mut numbers = [0; N];
    let mut texts = text.split(between);
    for (number, length) in numbers.iter_mut().zip(lengths) {
        let text = texts.next()?;
        let is_number = text.len() == length && text.bytes().all(|digit| digit.is_ascii_digit());
        *number = is_number.then(|| text.parse().ok())??;
    }
    texts.next().is_none().then_some(numbers)
}

fn in_order(number: i64, range: RangeInclusive<i64>) -> bool {
    range.contains(&number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_follow_each_other() {
        let days = ["1999-12-31", "2000-01-01", "2000-02-28", "2000-02-29", "2000-03-01"]
            .map(|day| date(day).unwrap());
        assert_eq!(days.map(|day| day - days[0]), [0, 1, 59, 60, 61]);
        assert_eq!((date("0000-03-01"), date("1970-01-01")), (Ok(0), Ok(719_468)));
    }

    #[test]
    fn every_day_of_four_centuries_follows_the_one_before() {
        let mut next = date("1899-12-31").unwrap();
        for year in 1900..2301 {
            for month in 1..=12 {
                for day in 1..=31 {
                    let Ok(day) = date(&format!("{year}-{month:02}-{day:02}")) else { continue };
                    next += 1;
                    assert_eq!(day, next, "{year}-{month}");
                }
            }
        }
        assert_eq!(next - date("1899-12-31").unwrap(), 401 * 365 + 97, "as many days as there are");
    }

    #[test]
    fn a_time_is_counted_from_midnight() {
        for (text, expected) in [
            ("00:00", 0),
            ("23:59", (23 * 3600 + 59 * 60) * SECOND),
            ("01:02:03", 3723 * SECOND),
            ("23:59:60", 86_400 * SECOND),
            ("01:02:03.5", 3723 * SECOND + 500_000_000),
            ("00:00:00.0000000019", 1),
        ] {
            assert_eq!(time(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn a_time_zone_is_hours_and_minutes_ahead_or_behind() {
        let utc = datetime("2024-09-02T10:00:00Z").unwrap();
        for (text, minutes) in [("+05:30", 330), ("-01:15", -75), ("+23:59", 1439), ("-00:00", 0), ("z", 0)] {
            let moment = datetime(&format!("2024-09-02t10:00:00{text}")).unwrap();
            assert_eq!((moment.day, moment.time), (utc.day, utc.time), "its own clock shows the same");
            assert_eq!(utc.instant() - moment.instant(), minutes * 60 * i128::from(SECOND), "{text}");
        }
        for text in ["+24:00", "+00:60", "+1:00", "+01", "Zulu"] {
            assert!(datetime(&format!("2024-09-02T10:00:00{text}")).is_err(), "{text}");
        }
    }

    #[test]
    fn moments_are_compared_across_time_zones() {
        let instant = |text: &str| datetime(text).unwrap().instant();
        assert_eq!(instant("2024-09-02T10:00:00Z"), instant("2024-09-02T12:00:00+02:00"));
        assert!(instant("2024-09-02T10:00:00.000000001Z") > instant("2024-09-02T10:00:00Z"));
        assert!(instant("2024-09-02T23:30:00-01:00") > instant("2024-09-03T00:00:00Z"));
    }

    #[test]
    fn what_is_no_date_or_time_is_refused() {
        for text in [
            "",
            "2024-9-2",
            "2024-02-30",
            "2023-02-29",
            "1900-02-29",
            "2024-13-01",
            "2024-00-01",
            "02.09.2024",
        ] {
            assert!(date(text).is_err(), "{text}");
        }
        for text in ["", "9:30", "24:00", "12:60", "12:00:61", "12:00:00.", "12:00.5", "12:00Z", "١٢:٠٠"]
        {
            assert!(time(text).is_err(), "{text}");
        }
        for text in [
            "2024-09-02",
            "2024-09-02T10:00:00",
            "2024-09-02T10:00Z",
            "2024-09-02T10:00:00+2",
            "x2024-09-02T1",
        ] {
            assert!(datetime(text).is_err(), "{text}");
        }
    }
}
