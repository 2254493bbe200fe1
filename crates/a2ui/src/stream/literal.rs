//! Numbers and constants.

use serde_json::{Number, Value};

use super::repair::RepairKind;

/// What a word means, and what was wrong with it.
pub(super) fn read(word: &str) -> (Value, Option<RepairKind>) {
    match word {
        "true" => (Value::Bool(true), None),
        "false" => (Value::Bool(false), None),
        "null" => (Value::Null, None),
        "True" | "TRUE" => (Value::Bool(true), Some(RepairKind::Literal)),
        "False" | "FALSE" => (Value::Bool(false), Some(RepairKind::Literal)),
        "None" | "NULL" | "undefined" | "NaN" | "Infinity" | "-Infinity" => {
            (Value::Null, Some(RepairKind::Literal))
        }
        _ => match number(word) {
            Some(number) => (Value::Number(number), None),
            None => loose(word),
        },
    }
}

fn number(word: &str) -> Option<Number> {
    match word.as_bytes() {
        [b'0'] => Some(Number::from(0)),
        // Up to 18 digits fit whatever they are.
        [b'1'..=b'9', rest @ ..] if rest.len() < 18 && rest.iter().all(u8::is_ascii_digit) => {
            word.parse::<u64>().ok().map(Number::from)
        }
        [b'-' | b'0'..=b'9', ..] => serde_json::from_str(word).ok(),
        _ => None,
    }
}

/// `+1`, `.5`, `1.`, `01` are numbers to everybody but JSON; everything else is a text.
fn loose(word: &str) -> (Value, Option<RepairKind>) {
    let may_be = word.starts_with(['+', '-', '.']) || word.starts_with(|first: char| first.is_ascii_digit());
    let number = word.parse::<f64>().ok().filter(|_| may_be).and_then(Number::from_f64);
    match number {
        Some(number) => {
            let whole = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 1e15);
            #[expect(clippy::cast_possible_truncation, reason = "whole and small")]
            let number = whole.map_or(number, |float| Number::from(float as i64));
            (Value::Number(number), Some(RepairKind::Literal))
        }
        None => (Value::String(word.to_owned()), Some(RepairKind::UnquotedText)),
    }
}
