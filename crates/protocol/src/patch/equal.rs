//! Equality as RFC 6902, section 4.6 defines it for `test`.

use serde_json::{Number, Value};

/// Whether two values mean the same: numbers by value, objects without regard
/// to order. `Value`'s own `==` tells `1` and `1.0` apart.
pub(super) fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => same_number(left, right),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| same(l, r))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(name, l)| right.get(name).is_some_and(|r| same(l, r)))
        }
        _ => left == right,
    }
}

fn same_number(left: &Number, right: &Number) -> bool {
    match (integer(left), integer(right)) {
        (Some(left), Some(right)) => left == right,
        (None, None) => left.as_f64() == right.as_f64(),
        _ => false,
    }
}

// Whole floats become integers too, instead of integers becoming floats, which
// would equate 2^53 and 2^53 + 1. Beyond this range a float is never an integer
// that JSON integers here (64 bits) could equal.
fn integer(number: &Number) -> Option<i128> {
    let whole = || {
        let float = number.as_f64()?;
        (float.fract() == 0.0 && float.abs() < 1e30).then_some(float as i128)
    };
    let signed = number.as_i64().map(i128::from);
    signed.or_else(|| number.as_u64().map(i128::from)).or_else(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(left: &str, right: &str, expected: bool) {
        let value = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
        assert_eq!(same(&value(left), &value(right)), expected, "{left} {right}");
        assert_eq!(same(&value(right), &value(left)), expected, "{right} {left}");
    }

    #[test]
    fn numbers_compare_by_value() {
        check("1", "1.0", true);
        check("0", "-0.0", true);
        check("1e3", "1000", true);
        check("1.5", "1.5", true);
        check("1.5", "1", false);
        check("1e300", "1e300", true);
        check("1e300", "18446744073709551615", false);
        check("-1", "18446744073709551615", false);
        check("9007199254740993", "9007199254740992.0", false);
        check("1", r#""1""#, false);
    }

    #[test]
    fn containers_compare_by_their_contents() {
        check(r#"{"a":1,"b":[2]}"#, r#"{"b":[2.0],"a":1}"#, true);
        check(r#"{"a":1}"#, r#"{"a":1,"b":null}"#, false);
        check(r#"{"a":null}"#, r#"{"b":null}"#, false);
        check("[1,2]", "[2,1]", false);
        check("[1]", "[1,1]", false);
        check("null", "false", false);
    }
}
