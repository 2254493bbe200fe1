//! Two levels of reading.
//!
//! *Strict* is for what we emit and for linting: the value has to be exactly what AG-UI 1.0 describes.
//! *Enforcing* is for what others send: what is not known is stripped or dropped with a warning, a null in the place of
//! an optional member is read as absent with a warning, what else is known and malformed is a fault, and nothing is
//! coerced. The difference between the two is one pass:
//!
//! ```text
//! strict:              check ──> read
//! enforcing:  strip ──> check ──> read
//! ```
//!
//! A conforming event is read in one go and never sees either pass; only when that fails is it parsed into a
//! tree, so that the fault has a place and a name.

mod check;
mod place;
mod strip;

use serde::de::Deserialize;
use serde_json::{Value, value::RawValue};

pub use crate::notice::{Fault, Warning};
use crate::{
    event::{Event, EventType},
    scan,
    wire::{Shape, Wire},
};

use self::place::Place;

/// Reads one event strictly.
pub fn strict(text: &str) -> Result<Event, Fault> {
    scan::check_event_depth(text)?;
    strict_at_any_depth(text)
}

/// Reads one event of ours strictly. What was written is read back, however deep it is.
pub(crate) fn strict_at_any_depth(text: &str) -> Result<Event, Fault> {
    match Event::read_text(text) {
        Ok(event) => Ok(event),
        Err(_) => read_strict(tree_at_any_depth(text)?),
    }
}

fn read_strict(mut value: Value) -> Result<Event, Fault> {
    let name = event_type(&value)?;
    if EventType::parse(name).is_none() {
        let message = format!("AG-UI 1.0 has no event of type `{name}`");
        return Err(Fault::new("unknown_event_type", "/type", message));
    }
    check::check(&Event::SHAPE, &mut value, &Place::ROOT)?;
    read(value)
}

/// Reads any described value strictly: a message, an input, an interrupt.
pub fn strict_as<T: Wire>(text: &str) -> Result<T, Fault> {
    scan::check_event_depth(text)?;
    if let Ok(value) = serde_json::from_str(text) {
        return Ok(value);
    }
    let mut value = tree(text)?;
    check::check(&T::SHAPE, &mut value, &Place::ROOT)?;
    read(value)
}

/// Enforces an event that has been parsed: `None` means that it is dropped.
pub fn enforce(mut value: Value, warnings: &mut Vec<Warning>) -> Result<Option<Event>, Fault> {
    let name = event_type(&value)?;
    if EventType::parse(name).is_none() {
        let message = format!("dropped an event of unknown type `{name}`");
        warnings.push(Warning::at("unknown_event_type", "/type", message));
        return Ok(None);
    }
    enforce_shape(&Event::SHAPE, &mut value, warnings)?.then(|| read(value)).transpose()
}

/// Enforces any described value: `None` means that nothing of it is known.
pub fn enforce_as<T: Wire>(mut value: Value, warnings: &mut Vec<Warning>) -> Result<Option<T>, Fault> {
    enforce_shape(&T::SHAPE, &mut value, warnings)?.then(|| read(value)).transpose()
}

/// Checks a value against a shape without reading it.
pub fn check_shape(shape: &Shape, value: &mut Value) -> Result<(), Fault> {
    check::check(shape, value, &Place::ROOT)
}

fn enforce_shape(shape: &Shape, value: &mut Value, warnings: &mut Vec<Warning>) -> Result<bool, Fault> {
    if !strip::strip(shape, value, &Place::ROOT, warnings) {
        warnings.push(Warning::new("unknown_value", "dropped: a required member has an unknown value"));
        return Ok(false);
    }
    check::check(shape, value, &Place::ROOT)?;
    Ok(true)
}

/// Parses text into a tree. A tree holds less than text does: numbers within the range of a double. A conforming event
/// with more than that in a payload is read without a tree; one that has to be repaired is not, and the fault says so.
pub fn tree(text: &str) -> Result<Value, Fault> {
    scan::check_event_depth(text)?;
    tree_at_any_depth(text)
}

fn tree_at_any_depth(text: &str) -> Result<Value, Fault> {
    serde_json::from_str(text).map_err(|error| match serde_json::from_str::<&RawValue>(text) {
        Ok(_) => Fault::new("json_limits", "", format!("JSON beyond what can be repaired: {error}")),
        Err(_) => Fault::new("not_json", "", format!("not JSON: {error}")),
    })
}

/// The type of an event, which every event has to have.
pub fn event_type(value: &Value) -> Result<&str, Fault> {
    let Some(object) = value.as_object() else {
        return Err(Fault::new("wrong_type", "", "an event is a JSON object"));
    };
    match object.get("type").and_then(Value::as_str) {
        Some(name) if !name.is_empty() => Ok(name),
        _ => Err(Fault::new("missing_type", "", "the event has no type")),
    }
}

fn read<T: for<'de> Deserialize<'de>>(value: Value) -> Result<T, Fault> {
    T::deserialize(value).map_err(|error| Fault::new("unreadable", "", error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_for_an_optional_member_is_read_as_absent_and_told_and_strictly_it_is_a_fault() {
        for (with, without, path) in [
            (
                r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","parentRunId":null}"#,
                r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
                "/parentRunId",
            ),
            (
                r#"{"type":"RUN_ERROR","message":"no","code":null}"#,
                r#"{"type":"RUN_ERROR","message":"no"}"#,
                "/code",
            ),
            (
                r#"{"type":"TEXT_MESSAGE_END","messageId":"m","timestamp":null}"#,
                r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
                "/timestamp",
            ),
            (
                r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"assistant","id":"m","content":null}]}"#,
                r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"assistant","id":"m"}]}"#,
                "/messages/0/content",
            ),
        ] {
            let mut warnings = Vec::new();
            let event = enforce(tree(with).expect("JSON"), &mut warnings).expect(with).expect("it stays");
            assert_eq!(event.to_json(), without);
            let told: Vec<_> = warnings.iter().map(|it| (it.code, it.path.as_deref())).collect();
            assert_eq!(told, [("null_value", Some(path))], "{with}");
            let fault = strict(with).expect_err(with);
            assert_eq!((fault.code, fault.path.as_str()), ("null_value", path));
        }
    }

    #[test]
    fn null_for_a_required_member_is_a_fault_and_null_as_a_value_is_kept() {
        let fault =
            enforce(tree(r#"{"type":"TEXT_MESSAGE_END","messageId":null}"#).expect("JSON"), &mut Vec::new());
        assert_eq!(fault.expect_err("a message has an id").code, "null_value");
        for text in [
            r#"{"type":"CUSTOM","name":"n","value":null}"#,
            r#"{"type":"STATE_SNAPSHOT","snapshot":null}"#,
            r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a","value":null}]}"#,
            r#"{"type":"CUSTOM","metadata":{"a":null},"name":"n","value":{"a":null}}"#,
        ] {
            let mut warnings = Vec::new();
            let event = enforce(tree(text).expect("JSON"), &mut warnings).expect(text).expect("it stays");
            let value: Value = serde_json::from_str(&event.to_json()).expect("JSON");
            assert_eq!(value, tree(text).expect("JSON"));
            assert_eq!(warnings, []);
        }
    }

    #[test]
    fn payloads_keep_their_bytes_wherever_the_type_stands() {
        let payload = r#"[{"a":1e999},123456789012345678901234567890]"#;
        for text in [
            format!(r#"{{"type":"CUSTOM","name":"n","value":{payload}}}"#),
            format!(r#"{{ "type":"CUSTOM","name":"n","value":{payload}}}"#),
            format!(r#"{{"name":"n","value":{payload},"type":"CUSTOM"}}"#),
        ] {
            let event = strict(&text).expect("it conforms");
            assert!(event.to_json().contains(payload), "{text}");
        }
    }
}
