//! Arguments, and what JavaScript makes of them.

use std::fmt::Write;

use serde_json::{Map, Number, Value};

use super::{FunctionError, Result};

/// The arguments of one call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Args<'a> {
    function: &'static str,
    arguments: &'a Map<String, Value>,
}

impl<'a> Args<'a> {
    pub(super) fn new(function: &'static str, arguments: &'a Map<String, Value>) -> Self {
        Self { function, arguments }
    }

    pub(super) fn wrong(self, argument: &'static str, expected: &'static str) -> FunctionError {
        FunctionError::Wrong { function: self.function, argument, expected }
    }

    pub(super) fn get(self, argument: &str) -> Option<&'a Value> {
        self.arguments.get(argument)
    }

    /// An argument that has a value, null included.
    pub(super) fn needed(self, argument: &'static str) -> Result<&'a Value> {
        let missing = FunctionError::Missing { function: self.function, argument };
        self.get(argument).ok_or(missing)
    }

    /// As a number; null is 0.
    pub(super) fn number(self, argument: &'static str) -> Result<f64> {
        number(self.needed(argument)?).ok_or_else(|| self.wrong(argument, "a number"))
    }

    /// As a number; null is missing.
    pub(super) fn operand(self, argument: &'static str) -> Result<f64> {
        match self.get(argument) {
            None | Some(Value::Null) => Err(FunctionError::Missing { function: self.function, argument }),
            Some(_) => self.number(argument),
        }
    }

    pub(super) fn optional_number(self, argument: &'static str) -> Result<Option<f64>> {
        match self.get(argument) {
            None => Ok(None),
            Some(_) => self.number(argument).map(Some),
        }
    }

    pub(super) fn text(self, argument: &'static str) -> Result<String> {
        self.needed(argument).map(text)
    }

    /// True unless it says otherwise.
    pub(super) fn flag(self, argument: &'static str) -> Result<bool> {
        match self.get(argument) {
            None => Ok(true),
            Some(value) => value.as_bool().ok_or_else(|| self.wrong(argument, "true or false")),
        }
    }
}

/// `Number(value)`, unless that is no number.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Null => Some(0.0),
        Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
        Value::Number(number) => number.as_f64(),
        Value::String(text) => number_of_text(text.trim()),
        Value::Array(_) => number_of_text(text(value).trim()),
        Value::Object(_) => None,
    }
}

fn number_of_text(text: &str) -> Option<f64> {
    let radix = |digits: &str, radix| u64::from_str_radix(digits, radix).ok().map(|whole| whole as f64);
    match text.as_bytes() {
        [] => Some(0.0),
        [b'0', b'x' | b'X', ..] => radix(&text[2..], 16),
        [b'0', b'o' | b'O', ..] => radix(&text[2..], 8),
        [b'0', b'b' | b'B', ..] => radix(&text[2..], 2),
        _ if text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-')) => {
            text.parse().ok()
        }
        _ => None,
    }
}

/// A number as a value: whole ones without a point, and those that JSON does not have as null.
pub(super) fn value_of(number: f64) -> Value {
    match number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
        #[expect(clippy::cast_possible_truncation, reason = "whole and small")]
        true => Value::from(number as i64),
        false => Number::from_f64(number).map_or(Value::Null, Value::Number),
    }
}

/// `String(value)`.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), text_of_number),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text_of_item).collect::<Vec<_>>().join(","),
        Value::Object(_) => "[object Object]".to_owned(),
    }
}

fn text_of_item(item: &Value) -> String {
    if item.is_null() { String::new() } else { text(item) }
}

/// How a value stands in a sentence: null as nothing, lists and objects as JSON.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Array(_) | Value::Object(_) => {
            let mut out = String::new();
            write_json(value, &mut out);
            out
        }
        _ => text(value),
    }
}

/// JSON with the numbers of JavaScript.
fn write_json(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write_json(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (at, (name, member)) in members.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                let _ = write!(out, "{}:", Value::from(name.as_str()));
                write_json(member, out);
            }
            out.push('}');
        }
        Value::Number(_) => out.push_str(&text(value)),
        _ => {
            let _ = write!(out, "{value}");
        }
    }
}

/// The shortest digits that mean a number, with an exponent where JavaScript has one.
pub(super) fn text_of_number(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    if (1e-6..1e21).contains(&number.abs()) {
        return number.to_string();
    }
    let text = format!("{number:e}");
    match text.split_once('e') {
        Some((digits, power)) if !power.starts_with('-') => format!("{digits}e+{power}"),
        _ => text,
    }
}

/// `!!value`.
pub(super) fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_read_as_in_javascript() {
        for (value, expected) in [
            (json!(null), Some(0.0)),
            (json!(""), Some(0.0)),
            (json!(" 12.5 "), Some(12.5)),
            (json!("0x1f"), Some(31.0)),
            (json!("1e3"), Some(1000.0)),
            (json!("12px"), None),
            (json!("inf"), None),
            (json!(true), Some(1.0)),
            (json!([7]), Some(7.0)),
            (json!([1, 2]), None),
            (json!({}), None),
        ] {
            assert_eq!(number(&value), expected, "{value}");
        }
    }

    #[test]
    fn values_show_as_in_javascript() {
        for (value, expected) in [
            (json!(null), ""),
            (json!(1.0), "1"),
            (json!(-0.0), "0"),
            (json!(0.1), "0.1"),
            (json!(1e21), "1e+21"),
            (json!(1.5e-7), "1.5e-7"),
            (json!(12345678901234567890u64), "12345678901234567000"),
            (json!([1.0, null, { "a\n": "b" }]), r#"[1,null,{"a\n":"b"}]"#),
        ] {
            assert_eq!(shown(&value), expected);
        }
        assert_eq!(text(&json!([1, [2, null], "x"])), "1,2,,x");
    }
}
