//! JSON in which nothing is said twice.
//!
//! What a repeated member means depends on who reads it: the first or the last. A server that takes one of them for a
//! person's yes may have been shown the other, so such a text is refused.

use std::{borrow::Cow, collections::HashSet, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};

use crate::error::ApiError;

/// Reads a text.
pub(crate) fn read(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str::<Once>(text).map(|Once(value)| value)
}

/// Looks through a text that somebody else reads, if it is JSON at all.
pub(crate) fn check(text: &str) -> Result<(), ApiError> {
    match serde_json::from_str::<Looked>(text) {
        Err(error) if error.is_data() => Err(ApiError::bad_request("invalid_json", error.to_string())),
        _ => Ok(()),
    }
}

/// A value without repeated members.
struct Once(Value);

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader).map(Self)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Once(value)) = list.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((name, Once(value))) = members.next_entry::<String, Once>()? {
            if object.contains_key(&name) {
                return Err(twice(&name));
            }
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

fn twice<E: Error>(name: &str) -> E {
    E::custom(format!("twice the member `{name}`"))
}

/// A value that was looked through, and nothing of it kept.
struct Looked;

impl<'de> Deserialize<'de> for Looked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Looker).map(|()| Self)
    }
}

struct Looker;

impl<'de> Visitor<'de> for Looker {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element::<Looked>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut names = Names::default();
        while let Some(name) = members.next_key::<Cow<'de, str>>()? {
            if let Err(name) = names.add(name) {
                return Err(twice(&name));
            }
            members.next_value::<Looked>()?;
        }
        Ok(())
    }
}

/// The names of one object. Most have few, and those are compared one by one.
#[derive(Default)]
struct Names<'a> {
    few: Vec<Cow<'a, str>>,
    many: HashSet<Cow<'a, str>>,
}

const FEW: usize = 16;

impl<'a> Names<'a> {
    /// Gives the name back if it was there.
    fn add(&mut self, name: Cow<'a, str>) -> Result<(), Cow<'a, str>> {
        if self.few.contains(&name) || self.many.contains(&name) {
            return Err(name);
        }
        if self.few.len() < FEW {
            self.few.push(name);
        } else {
            self.many.insert(name);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_said_once_is_read_as_ever() {
        let text =
            r#"{"a":[1,-2,0.5,true,null,"x\n"],"b":{"a":{}},"18446744073709551615":18446744073709551615}"#;
        assert_eq!(read(text).expect("legal"), serde_json::from_str::<Value>(text).expect("legal"));
    }

    #[test]
    fn a_member_that_comes_twice_is_told() {
        for text in [r#"{"a":1,"a":1}"#, r#"[{"b":{"a":1,"\u0061":2}}]"#] {
            let told = read(text).expect_err(text).to_string();
            assert!(told.starts_with("twice the member `a`"), "{told}");
            assert!(check(text).is_err(), "{text}");
        }
    }

    #[test]
    fn looking_through_keeps_quiet_about_all_else() {
        let many: Vec<_> =
            (0..40).map(|at| format!("\"m{at}\":{{\"a\":[1,-2,0.5,true,null,\"x\"]}}")).collect();
        let many = many.join(",");
        assert!(check(&format!("{{{many}}}")).is_ok());
        assert!(check(&format!("{{{many},\"m0\":1}}")).is_err());
        assert!(check(&format!("{{{many},\"m39\":1}}")).is_err());
        for text in ["", "{", "nonsense", "[]", "7"] {
            assert!(check(text).is_ok(), "{text} is for whoever reads it");
        }
    }
}
