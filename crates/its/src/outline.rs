//! A schema of ours, made ready for the common case: a value that fits.
//!
//! It is held against JSON while that is read, text or value, and keeps nothing of it. Whatever does not fit at once is
//! looked at again by [`shape`](crate::shape), which says what is wrong and where.

use serde::{
    Deserializer,
    de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::Value;
use std::fmt;

use crate::shape::{is_format, is_uri};

/// What a value has to be.
#[derive(Debug)]
pub(crate) enum Outline {
    Object { members: Vec<(String, Self)>, required: u64 },
    List(Box<Self>),
    Text { values: Option<Vec<String>>, format: Option<String> },
    Integer,
    Number,
    Boolean,
    Anything,
}

impl Outline {
    /// What a schema asks for.
    pub(crate) fn of(schema: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match schema["type"].as_str() {
            Some("object") => Self::object(schema),
            Some("array") => Self::List(Box::new(Self::of(&schema["items"]))),
            Some("string") => Self::Text {
                values: schema["enum"].as_array().map(|values| values.iter().map(text).collect()),
                format: schema["format"].as_str().map(str::to_owned),
            },
            Some("integer") => Self::Integer,
            Some("number") => Self::Number,
            Some("boolean") => Self::Boolean,
            _ => Self::Anything,
        }
    }

    fn object(schema: &Value) -> Self {
        let members = schema["properties"].as_object().into_iter().flatten();
        let members: Vec<_> = members.map(|(name, schema)| (name.clone(), Self::of(schema))).collect();
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        // A member that has no shape of its own, or no room in the mask, is never found: the value is looked at again.
        let bit = |name| members.iter().position(|(known, _)| known == name).map_or(63, |at| at.min(63));
        let required = required.fold(0, |mask, name| mask | 1 << bit(name));
        Self::Object { members, required }
    }

    /// Whether JSON fits, as it is.
    pub(crate) fn fits<'de>(&self, json: impl Deserializer<'de>) -> bool {
        self.deserialize(json).is_ok()
    }
}

/// It did not fit. Nobody reads why.
fn no<T, E: Error>() -> Result<T, E> {
    Err(E::custom("does not fit"))
}

fn yes_if<E: Error>(fits: bool) -> Result<(), E> {
    if fits { Ok(()) } else { no() }
}

impl<'de> DeserializeSeed<'de> for &Outline {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self {
            Outline::Anything => deserializer.deserialize_ignored_any(IgnoredAny).map(|_| ()),
            _ => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for &Outline {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("something that fits")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        yes_if(matches!(self, Outline::Boolean))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        yes_if(matches!(self, Outline::Integer | Outline::Number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        let fits = matches!(self, Outline::Integer) && i64::try_from(number).is_ok();
        yes_if(fits || matches!(self, Outline::Number))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        yes_if(matches!(self, Outline::Number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        let Outline::Text { values, format } = self else { return no() };
        let is_one = values.as_ref().is_none_or(|values| values.iter().any(|value| value == text));
        yes_if(is_one && format.as_deref().is_none_or(|format| is_of(format, text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Outline::List(item) = self else { return no() };
        while items.next_element_seed(&**item)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Outline::Object { members, required } = self else { return no() };
        let mut seen = 0_u64;
        while let Some(at) = map.next_key_seed(Names(members))? {
            match members.get(at) {
                Some((_, outline)) => {
                    seen |= 1 << at.min(63);
                    map.next_value_seed(outline)?;
                }
                None => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        yes_if(required & !seen == 0)
    }
}

fn is_of(format: &str, text: &str) -> bool {
    if format == "uri" { is_uri(text) } else { is_format(format, text).is_ok() }
}

/// The place of a name among the members; one past the end for a stranger.
struct Names<'m>(&'m [(String, Outline)]);

impl<'de> DeserializeSeed<'de> for Names<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Names<'_> {
    type Value = usize;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        Ok(self.0.iter().position(|(known, _)| known == name).unwrap_or(self.0.len()))
    }
}
