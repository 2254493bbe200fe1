//! Does a value have the shape that a schema of ours asks for? Every fault is told, with its place.

use serde_json::{Map, Value};

use crate::{fault::Faults, time};

/// Holds a value against a schema. A whole number that is written with a point is rewritten without one.
pub(crate) fn fit(schema: &Value, value: &mut Value, path: &str, faults: &mut Faults) {
    let kind = schema["type"].as_str().unwrap_or_default();
    if kind == "integer"
        && let Some(whole) = whole(value)
    {
        *value = whole.into();
    }
    if !is(kind, value) {
        let found = found(value);
        return faults.add("wrong_type", path, format!("has to be {}, not {found}", called(kind)));
    }
    match value {
        Value::Object(members) => fit_object(schema, members, path, faults),
        Value::Array(items) => {
            for (at, item) in items.iter_mut().enumerate() {
                fit(&schema["items"], item, &format!("{path}/{at}"), faults);
            }
        }
        Value::String(text) => fit_text(schema, text, path, faults),
        _ => {}
    }
}

fn fit_object(schema: &Value, members: &mut Map<String, Value>, path: &str, faults: &mut Faults) {
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        faults.ensure(members.contains_key(name), "missing_field", path, || format!("`{name}` is missing"));
    }
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(value) = members.get_mut(name) {
            fit(schema, value, &format!("{path}/{name}"), faults);
        }
    }
}

fn fit_text(schema: &Value, text: &str, path: &str, faults: &mut Faults) {
    if let Some(values) = schema["enum"].as_array() {
        let is_one = values.iter().any(|value| value == text);
        let values: Vec<_> = values.iter().filter_map(Value::as_str).collect();
        faults.ensure(is_one, "unknown_value", path, || {
            format!("`{text}` is none of {}", crate::fault::listed(&values))
        });
    }
    match schema["format"].as_str() {
        Some("uri") => fit_uri(text, path, faults),
        Some(format) => {
            if let Err((code, error)) = is_format(format, text) {
                faults.add(code, path, error);
            }
        }
        None => {}
    }
}

/// Whether a text is of a format of time, or the code and the sentence that say why not.
pub(crate) fn is_format(format: &str, text: &str) -> Result<(), (&'static str, String)> {
    match format {
        "date-time" => {
            time::datetime(text).map(drop).map_err(|error| ("invalid_datetime", error.to_string()))
        }
        "date" => time::date(text).map(drop).map_err(|error| ("invalid_date", error.to_string())),
        "time" => time::time(text).map(drop).map_err(|error| ("invalid_time", error.to_string())),
        _ => Ok(()),
    }
}

/// An address has a scheme and no blanks, and is no program.
pub(crate) fn is_uri(text: &str) -> bool {
    let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
    let is_scheme = scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && scheme.bytes().all(|letter| letter.is_ascii_alphanumeric() || b"+-.".contains(&letter));
    let is_plain = !text.contains(|letter: char| letter.is_whitespace() || letter.is_control());
    let is_program = ["javascript", "vbscript"].iter().any(|it| scheme.eq_ignore_ascii_case(it));
    is_scheme && is_plain && !is_program
}

pub(crate) fn fit_uri(text: &str, path: &str, faults: &mut Faults) {
    faults.ensure(is_uri(text), "invalid_uri", path, || {
        "has to be an address such as `https://example.com/picture.png`".to_owned()
    });
}

fn whole(value: &Value) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let number = value.as_f64().filter(|_| value.is_f64())?;
    #[expect(clippy::cast_possible_truncation, reason = "the bounds are checked")]
    (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64)
}

fn is(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        _ => true,
    }
}

fn called(kind: &str) -> &'static str {
    match kind {
        "object" => "an object",
        "array" => "a list",
        "string" => "a text",
        "integer" => "a whole number",
        "number" => "a number",
        _ => "true or false",
    }
}

fn found(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::String(_) => "a text".to_owned(),
        other => format!("`{other}`"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn addresses_have_a_scheme_and_run_nothing() {
        assert!(
            is_uri("https://example.com/a.png") && is_uri("data:image/png;base64,AA==") && is_uri("urn:x:y")
        );
        for text in
            ["", "picture.png", "javascript:alert(1)", "JavaScript:alert(1)", "https://a b", "://x", "1a:b"]
        {
            assert!(!is_uri(text), "{text}");
        }
    }

    #[test]
    fn texts_have_the_format_that_is_asked_for() {
        for (format, right, wrong, code) in [
            ("date-time", "2024-09-02T10:00:00Z", "2024-09-02", "invalid_datetime"),
            ("date", "2024-09-02", "10:00", "invalid_date"),
            ("time", "10:00", "2024-09-02", "invalid_time"),
        ] {
            assert_eq!(is_format(format, right), Ok(()));
            assert_eq!(is_format(format, wrong).expect_err(wrong).0, code);
        }
        assert_eq!(is_format("colour", "anything"), Ok(()), "what nobody knows is not checked");
    }

    #[test]
    fn a_whole_number_may_be_written_with_a_point() {
        let mut value = json!(7.0);
        let mut faults = Faults::default();
        fit(&json!({ "type": "integer" }), &mut value, "", &mut faults);
        assert_eq!((value, faults.len()), (json!(7), 0));
        for other in [json!(7.5), json!(1e300), json!(u64::MAX), json!("7"), json!(null)] {
            let mut faults = Faults::default();
            fit(&json!({ "type": "integer" }), &mut other.clone(), "/at", &mut faults);
            assert_eq!((faults[0].code, faults[0].path.as_str()), ("wrong_type", "/at"), "{other}");
        }
    }
}
