//! Lengths of time: `20ms`, `1.5s`, `10m`, `2h`.

use std::{fmt, time::Duration};

use serde::{
    Deserialize, Deserializer,
    de::{Error, Visitor},
};

use super::text_schema;

/// A length of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Time(pub Duration);

text_schema!(
    Time,
    "A length of time: a number with ms, s, m, h or d, such as 20ms, 1.5s or 10m.",
    "pattern": r"^[0-9]+(\.[0-9]+)?(ms|s|m|h|d)$"
);

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Times)
    }
}

struct Times;

impl Visitor<'_> for Times {
    type Value = Time;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a length of time such as 20ms")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Time, E> {
        parse(text).map(Time).ok_or_else(|| {
            E::custom(format!("`{text}` is not a length of time; write 20ms, 1.5s, 10m, 2h or 1d"))
        })
    }
}

fn parse(text: &str) -> Option<Duration> {
    let unit_at = text.find(|letter: char| letter.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at(unit_at);
    let seconds = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return None,
    };
    let number: f64 = number.trim().parse().ok()?;
    Duration::try_from_secs_f64(number * seconds).ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::parse;

    #[test]
    fn times_have_a_number_and_a_unit() {
        assert_eq!(parse("20ms"), Some(Duration::from_millis(20)));
        assert_eq!(parse("1.5s"), Some(Duration::from_millis(1500)));
        assert_eq!(parse("10m"), Some(Duration::from_secs(600)));
        for bad in ["", "20", "ms", "-1s", "1 fortnight", "1e400s"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
