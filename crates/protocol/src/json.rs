//! Opaque JSON: payloads that pass through us unread.
//!
//! [`Json`] keeps the text of a value as it came, big integers and all, so that what an agent put into a
//! `CUSTOM` event or a state snapshot leaves us byte for byte. [`Object`] is a parsed map for the places where
//! keys are merged or patched: metadata and activity content.

use std::{fmt, ops::Deref, ops::DerefMut, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{
    Map, Value,
    value::{RawValue, to_raw_value},
};

use crate::wire::{Reader, Refused, Shape, Wire, write};

/// Any JSON value, kept as text on one line.
#[derive(Clone)]
pub struct Json(Box<RawValue>);

impl Json {
    /// The text.
    #[must_use]
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// The value null.
    #[must_use]
    pub fn null() -> Self {
        Self::from(Value::Null)
    }

    /// Parses the text. It fails where the text, though well formed, is more than a [`Value`] holds: nested
    /// deeper than 128 levels, or a number beyond the range of a double.
    pub fn to_value(&self) -> Result<Value, serde_json::Error> {
        serde_json::from_str(self.get())
    }

    /// Takes any text that is one JSON value.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Raw text may hold line breaks between tokens, which would break JSONL and SSE framing further on.
    fn on_one_line(raw: Box<RawValue>) -> Box<RawValue> {
        if memchr::memchr2(b'\n', b'\r', raw.get().as_bytes()).is_none() {
            return raw;
        }
        RawValue::from_string(without_line_breaks(raw.get())).unwrap_or(raw)
    }
}

/// Line breaks can only stand between tokens: inside strings JSON wants them escaped.
fn without_line_breaks(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }).collect()
}

impl fmt::Debug for Json {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Json({})", self.get())
    }
}

impl PartialEq for Json {
    /// Equal texts, or texts of equal values.
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
            || matches!((self.to_value(), other.to_value()), (Ok(left), Ok(right)) if left == right)
    }
}

impl From<Box<RawValue>> for Json {
    fn from(raw: Box<RawValue>) -> Self {
        Self(Self::on_one_line(raw))
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        Self::from(&value)
    }
}

impl From<&Value> for Json {
    fn from(value: &Value) -> Self {
        Self(to_raw_value(value).expect("a value prints as one JSON text"))
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self::on_one_line).map(Self)
    }
}

impl Wire for Json {
    const SHAPE: Shape = Shape::Any;

    fn is_null(&self) -> bool {
        self.get() == "null"
    }

    fn write_json(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.get().as_bytes());
    }

    fn read_json(reader: &mut Reader<'_>) -> Result<Self, Refused> {
        reader.raw().map(|raw| Self(Self::on_one_line(raw.to_owned())))
    }
}

/// An open JSON object. Clones share it until one of them is changed: what an event says about a message is mostly
/// kept with both.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object(Arc<Map<String, Value>>);

/// Out-of-band facts about an event or a message: open by key, null is a value, `ag-ui` is reserved.
pub type Metadata = Object;

impl Object {
    /// Writes every key of `other` over ours; values are replaced, not merged.
    pub fn overwrite(&mut self, other: &Object) {
        let map = &mut **self;
        for (key, value) in other.iter() {
            match map.get_mut(key) {
                Some(held) => assign(held, value),
                None => drop(map.insert(key.clone(), value.clone())),
            }
        }
    }

    /// The map itself.
    #[must_use]
    pub fn into_map(self) -> Map<String, Value> {
        Arc::unwrap_or_clone(self.0)
    }
}

impl Deref for Object {
    type Target = Map<String, Value>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Object {
    fn deref_mut(&mut self) -> &mut Self::Target {
        Arc::make_mut(&mut self.0)
    }
}

/// Makes one value like another. Most that come again are strings, for which there is room already.
fn assign(held: &mut Value, value: &Value) {
    match (held, value) {
        (Value::String(held), Value::String(value)) => held.clone_from(value),
        (held, value) => *held = value.clone(),
    }
}

impl From<Map<String, Value>> for Object {
    fn from(map: Map<String, Value>) -> Self {
        Self(Arc::new(map))
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Map::deserialize(deserializer).map(Self::from)
    }
}

impl Wire for Object {
    const SHAPE: Shape = Shape::Object;

    fn write_json(&self, out: &mut Vec<u8>) {
        write::object(self, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_kept_as_it_came() {
        let text = r#"{"n":123456789012345678901234567890,"f":1e3}"#;
        let json: Json = serde_json::from_str(text).expect("valid");
        assert_eq!(serde_json::to_string(&json).expect("prints"), text);
    }

    #[test]
    fn line_breaks_between_tokens_become_spaces() {
        let json = Json::parse("{\n\"a\":\r\n\"b\\nc\"}").expect("valid");
        assert_eq!(json.get(), "{ \"a\":  \"b\\nc\"}");
    }
}
