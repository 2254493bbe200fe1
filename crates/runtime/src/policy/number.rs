//! Numbers that are compared as they are, not as doubles: two amounts beyond 2^53 may differ by one.

use std::cmp::Ordering;

use serde_json::Number;

/// How two numbers compare. JSON has none that do not.
pub(super) fn compare(left: &Number, right: &Number) -> Option<Ordering> {
    match (whole(left), whole(right)) {
        (Some(left), Some(right)) => Some(left.cmp(&right)),
        (Some(left), None) => with_float(left, right.as_f64()?),
        (None, Some(right)) => with_float(right, left.as_f64()?).map(Ordering::reverse),
        (None, None) => left.as_f64()?.partial_cmp(&right.as_f64()?),
    }
}

fn whole(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// A double is a whole number and a fraction, and both are exact.
#[expect(
    clippy::cast_possible_truncation,
    reason = "beyond the range the cast stops at its ends, which compare alike"
)]
fn with_float(whole: i128, float: f64) -> Option<Ordering> {
    let floor = float.floor();
    let fraction = 0.0.partial_cmp(&(float - floor))?;
    Some(whole.cmp(&(floor as i128)).then(fraction))
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering::{self, Equal, Greater, Less};

    use serde_json::{Number, Value};

    use super::compare;

    fn check(left: &str, expected: Ordering, right: &str) {
        let number = |text: &str| match serde_json::from_str(text) {
            Ok(Value::Number(number)) => number,
            other => panic!("{other:?}"),
        };
        let (left, right): (Number, Number) = (number(left), number(right));
        assert_eq!(compare(&left, &right), Some(expected), "{left} {right}");
        assert_eq!(compare(&right, &left), Some(expected.reverse()), "{right} {left}");
    }

    #[test]
    fn numbers_compare_exactly() {
        check("9007199254740993", Greater, "9007199254740992");
        check("18446744073709551615", Greater, "18446744073709551614");
        check("18446744073709551615", Greater, "-1");
        check("9007199254740993", Greater, "9007199254740992.0");
        check("10000", Less, "10000.5");
        check("-1", Greater, "-1.5");
        check("1", Equal, "1.0");
        check("1", Less, "1e300");
        check("1", Greater, "-1e300");
        check("0.5", Less, "0.75");
    }
}
