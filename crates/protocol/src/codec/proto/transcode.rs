//! JSON text to `google.protobuf.Value` and back, without a tree in between.

use std::fmt;

use serde::{
    Serialize, Serializer,
    de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor},
    ser::{self, SerializeMap, SerializeSeq},
};

use super::{
    Slot, fields, put_nested, put_text, put_varint, utf8,
    value::{BOOL, LIST, MAX_DEPTH, NULL, NUMBER, OBJECT, TEXT, number_of, put_double},
};
use crate::wire::Key;

/// Appends the value that the text spells. On an error what was appended is of no use.
pub(super) fn text(text: &str, out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    Transcoder(out).deserialize(&mut deserializer)?;
    deserializer.end()
}

struct Transcoder<'o>(&'o mut Vec<u8>);

impl<'de> DeserializeSeed<'de> for Transcoder<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Transcoder<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("any JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        put_varint(0, NULL, self.0);
        Ok(())
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<(), E> {
        put_varint(u64::from(truth), BOOL, self.0);
        Ok(())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.visit_f64(number as f64)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        self.visit_f64(number as f64)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        put_double(number, self.0);
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        put_text(text, TEXT, self.0);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        put_nested(LIST, self.0, |out| {
            while items.next_element_seed(Nested { number: 1, out })?.is_some() {}
            Ok(())
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        put_nested(OBJECT, self.0, |out| {
            while let Some(key) = members.next_key::<Key<'de>>()? {
                put_nested(1, out, |out| {
                    put_text(&key, 1, out);
                    members.next_value_seed(Nested { number: 2, out })
                })?;
            }
            Ok(())
        })
    }
}

/// A value as a field of what is around it.
struct Nested<'o> {
    number: u32,
    out: &'o mut Vec<u8>,
}

impl<'de> DeserializeSeed<'de> for Nested<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        put_nested(self.number, self.out, |out| deserializer.deserialize_any(Transcoder(out)))
    }
}

/// A value as serde sees it. Only what is usual is accepted; whatever is refused here is to be read as a tree.
pub(super) struct AsJson<'a> {
    bytes: &'a [u8],
    depth: usize,
}

impl<'a> AsJson<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, depth: 0 }
    }
}

impl Serialize for AsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rest = self.bytes;
        let field = fields::next(&mut rest).map_err(refused)?;
        if self.depth > MAX_DEPTH || !rest.is_empty() {
            return Err(refused(""));
        }
        match field {
            (NULL, Slot::Varint(_)) => serializer.serialize_unit(),
            (NUMBER, Slot::Fixed64(bits)) => number_of(f64::from_bits(bits)).serialize(serializer),
            (TEXT, Slot::Bytes(text)) => serializer.serialize_str(utf8(text, TEXT).map_err(refused)?),
            (BOOL, Slot::Varint(truth)) => serializer.serialize_bool(truth != 0),
            (OBJECT, Slot::Bytes(bytes)) => self.serialize_members(bytes, serializer),
            (LIST, Slot::Bytes(bytes)) => self.serialize_items(bytes, serializer),
            _ => Err(refused("")),
        }
    }
}

impl AsJson<'_> {
    fn serialize_items<S: Serializer>(&self, mut rest: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        while !rest.is_empty() {
            let (1, Slot::Bytes(item)) = fields::next(&mut rest).map_err(refused)? else {
                return Err(refused(""));
            };
            list.serialize_element(&AsJson { bytes: item, depth: self.depth + 1 })?;
        }
        list.end()
    }

    /// Of two members with one name the last counts, which only a tree can tell; so no name may come twice.
    fn serialize_members<S: Serializer>(&self, mut rest: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        let (mut names, mut count) = ([""; MAX_NAMES], 0);
        let mut map = serializer.serialize_map(None)?;
        while !rest.is_empty() {
            let (1, Slot::Bytes(mut entry)) = fields::next(&mut rest).map_err(refused)? else {
                return Err(refused(""));
            };
            let (name, value) = (next_bytes(&mut entry, 1)?, next_bytes(&mut entry, 2)?);
            let name = utf8(name, 1).map_err(refused)?;
            if !entry.is_empty() || count == MAX_NAMES || names[..count].contains(&name) {
                return Err(refused(""));
            }
            names[count] = name;
            count += 1;
            map.serialize_entry(name, &AsJson { bytes: value, depth: self.depth + 1 })?;
        }
        map.end()
    }
}

/// How many members an object may have to be written without a tree.
const MAX_NAMES: usize = 16;

fn next_bytes<'a, E: ser::Error>(rest: &mut &'a [u8], wanted: u32) -> Result<&'a [u8], E> {
    match fields::next(rest).map_err(refused)? {
        (number, Slot::Bytes(bytes)) if number == wanted => Ok(bytes),
        _ => Err(refused("")),
    }
}

fn refused<E: ser::Error>(why: impl fmt::Display) -> E {
    E::custom(why)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::value::put_value;

    #[test]
    fn text_and_tree_give_the_same_bytes() {
        let long = "x".repeat(300);
        for value in [
            json!(null),
            json!([true, false, 0, -1, 1.5, 1e300, "", "a\"b\n"]),
            json!({"a": {"b": [{"c": long}, []]}, "d": {}, "é": long}),
        ] {
            let (mut from_tree, mut from_text) = (Vec::new(), Vec::new());
            put_value(&value, 3, &mut from_tree);
            super::put_nested(3, &mut from_text, |out| super::text(&value.to_string(), out)).expect("JSON");
            assert_eq!(from_text, from_tree, "{value}");
            let json = serde_json::to_string(&super::AsJson::new(inner(&from_tree))).expect("a value");
            assert_eq!(json, value.to_string());
        }
    }

    fn inner(mut field: &[u8]) -> &[u8] {
        match super::fields::next(&mut field).expect("a field") {
            (3, super::Slot::Bytes(bytes)) => bytes,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_name_that_comes_twice_needs_a_tree() {
        let mut twice = Vec::new();
        super::put_nested(super::OBJECT, &mut twice, |out| {
            for value in [1, 2] {
                super::put_nested(1, out, |out| {
                    super::put_text("a", 1, out);
                    put_value(&json!(value), 2, out);
                });
            }
        });
        assert!(serde_json::to_string(&super::AsJson::new(&twice)).is_err());
    }
}
