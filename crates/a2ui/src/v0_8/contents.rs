//! Values as 0.8 writes them: entries with a key and a value of one type.

use forestage_protocol::Fault;
use serde::{Serialize, ser::SerializeMap};
use serde_json::{Map, Number, Value};

use crate::object::{Object, wrong};

/// So deep maps lie in each other for every client; what is deeper is written as JSON in a text.
const MAX_MAPS: usize = 5;

/// An entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name. A single `.` means the place itself.
    pub key: String,
    /// What is there.
    pub value: EntryValue,
}

/// What is in an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum EntryValue {
    /// A text. One that looks like JSON is read as such.
    Text(String),
    /// A number.
    Number(Number),
    /// True or false.
    Flag(bool),
    /// Entries.
    Map(Vec<Entry>),
}

impl Entry {
    pub(super) fn read_all(entries: &[Value], path: &str) -> Result<Vec<Self>, Fault> {
        let entries = entries.iter().enumerate();
        entries.map(|(index, entry)| Self::read(entry, &format!("{path}/{index}"))).collect()
    }

    fn read(value: &Value, path: &str) -> Result<Self, Fault> {
        let object = Object::new(path, value)?;
        let key = object.text("key")?;
        let mut values = object.members().iter().filter(|(name, _)| *name != "key");
        let (Some((name, value)), None) = (values.next(), values.next()) else {
            let message = format!("the entry `{key}` needs exactly one value");
            return Err(Fault::new("invalid_value", path, message));
        };
        let value = match (name.as_str(), value) {
            ("valueString", Value::String(text)) => EntryValue::Text(text.clone()),
            ("valueNumber", Value::Number(number)) => EntryValue::Number(number.clone()),
            ("valueBoolean", Value::Bool(flag)) => EntryValue::Flag(*flag),
            ("valueMap", Value::Array(entries)) => {
                EntryValue::Map(Self::read_all(entries, &object.at("valueMap"))?)
            }
            (_, other) => return Err(wrong(object.at(name), "what its name says", other)),
        };
        Ok(Self { key, value })
    }
}

impl Serialize for Entry {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(2))?;
        map.serialize_entry("key", &self.key)?;
        match &self.value {
            EntryValue::Text(text) => map.serialize_entry("valueString", text)?,
            EntryValue::Number(number) => map.serialize_entry("valueNumber", number)?,
            EntryValue::Flag(flag) => map.serialize_entry("valueBoolean", flag)?,
            EntryValue::Map(entries) => map.serialize_entry("valueMap", entries)?,
        }
        map.end()
    }
}

/// The entries as one value. A single entry `.` is the value itself.
#[must_use]
pub fn fold_contents(entries: &[Entry]) -> Value {
    if let [Entry { key, value }] = entries
        && key == "."
    {
        return fold(value);
    }
    Value::Object(entries.iter().map(|entry| (entry.key.clone(), fold(&entry.value))).collect())
}

fn fold(value: &EntryValue) -> Value {
    match value {
        EntryValue::Text(text) => json_in(text).unwrap_or_else(|| Value::String(text.clone())),
        EntryValue::Number(number) => Value::Number(number.clone()),
        EntryValue::Flag(flag) => Value::Bool(*flag),
        EntryValue::Map(entries) => {
            Value::Object(entries.iter().map(|entry| (entry.key.clone(), fold(&entry.value))).collect())
        }
    }
}

/// Lists have no other way to come than as JSON in a text.
fn json_in(text: &str) -> Option<Value> {
    let trimmed = text.trim();
    let looks_like = |open, close| trimmed.starts_with(open) && trimmed.ends_with(close);
    (looks_like('{', '}') || looks_like('[', ']')).then(|| serde_json::from_str(trimmed).ok())?
}

/// The members of a map as entries. Null has no way to be said and is left out.
#[must_use]
pub fn write_contents(members: &Map<String, Value>) -> Vec<Entry> {
    entries(members, 1)
}

fn entries(members: &Map<String, Value>, depth: usize) -> Vec<Entry> {
    let entry =
        |(key, value): (&String, &Value)| Some(Entry { key: key.clone(), value: entry_value(value, depth)? });
    members.iter().filter_map(entry).collect()
}

fn entry_value(value: &Value, depth: usize) -> Option<EntryValue> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(flag) => EntryValue::Flag(*flag),
        Value::Number(number) => EntryValue::Number(number.clone()),
        Value::String(text) => EntryValue::Text(text.clone()),
        // A dot in a key would be taken for a path.
        Value::Object(members)
            if depth < MAX_MAPS && !members.keys().any(|key| key.contains(['.', '/', '['])) =>
        {
            EntryValue::Map(entries(members, depth + 1))
        }
        Value::Object(_) | Value::Array(_) => EntryValue::Text(value.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let value = json!({
            "s": "x", "n": 1.5, "b": true, "list": [1, { "a": null }],
            "m": { "m": { "m": { "m": { "m": { "deep": [] } } } } }, "dotted": { "a.b": 1 },
        });
        let entries = write_contents(value.as_object().expect("is one"));
        let written = serde_json::to_value(&entries).expect("prints");
        let read = Entry::read_all(written.as_array().expect("is one"), "").expect("can be read");
        assert_eq!((fold_contents(&read), &read), (value, &entries));
    }

    #[test]
    fn a_dot_is_the_place_itself() {
        let entry = |value| Entry { key: ".".to_owned(), value };
        assert_eq!(fold_contents(&[entry(EntryValue::Text("hi".to_owned()))]), json!("hi"));
        assert_eq!(fold_contents(&[entry(EntryValue::Text("[1]".to_owned()))]), json!([1]));
        assert_eq!(fold_contents(&[entry(EntryValue::Text("[1".to_owned()))]), json!("[1"));
    }

    #[test]
    fn an_entry_with_two_values_or_none_is_refused() {
        for wrong in [
            json!({ "key": "a" }),
            json!({ "key": "a", "valueString": "x", "valueNumber": 1 }),
            json!({ "key": "a", "valueString": 1 }),
            json!({ "valueString": "x" }),
        ] {
            assert!(Entry::read_all(std::slice::from_ref(&wrong), "").is_err(), "{wrong}");
        }
    }
}
