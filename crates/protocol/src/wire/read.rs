//! Helpers that the declarations' readers share.

use std::{borrow::Cow, fmt, ops::Deref, vec};

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor,
    value::StringDeserializer,
};
use serde_json::Value;

use super::Wire;

/// A member name or a tag, borrowed from the input where it has no escapes.
#[derive(Debug)]
pub struct Key<'de>(pub Cow<'de, str>);

impl Deref for Key<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a string")
            }
            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Borrowed(text)))
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
            fn visit_string<E: Error>(self, text: String) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(text)))
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

/// Reads the value of an optional member that is there: null is refused.
pub(crate) fn present<'de, T: Wire, A: MapAccess<'de>>(map: &mut A) -> Result<T, A::Error> {
    let value: T = map.next_value()?;
    if value.is_null() {
        return Err(A::Error::custom("null where an optional member should be left out"));
    }
    Ok(value)
}

pub(crate) fn unknown_member<E: Error>(name: &str, owner: &str) -> E {
    E::custom(format_args!("unknown member `{name}` on {owner}"))
}

pub(crate) fn wrong_tag<E: Error>(key: &str, expected: &str, found: &str) -> E {
    E::custom(format_args!("`{key}` is `{found}`, expected `{expected}`"))
}

/// A map whose tag was not its first member: the members before it were set aside and come first.
#[derive(Debug)]
pub struct LateTag<A> {
    early: vec::IntoIter<(String, Value)>,
    value: Option<Value>,
    rest: A,
}

impl<A> LateTag<A> {
    /// Reads until the member `key`, and returns its value beside the map that still holds everything else.
    pub fn find<'de>(first: Key<'de>, mut map: A, key: &str) -> Result<(String, Self), A::Error>
    where
        A: MapAccess<'de>,
    {
        let mut early = vec![(first.0.into_owned(), map.next_value()?)];
        while let Some(name) = map.next_key::<Key<'de>>()? {
            if &*name == key {
                let tag = map.next_value::<Key<'de>>()?.0.into_owned();
                return Ok((tag, LateTag { early: early.into_iter(), value: None, rest: map }));
            }
            early.push((name.0.into_owned(), map.next_value()?));
        }
        Err(A::Error::custom(format_args!("missing member `{key}`")))
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for LateTag<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let Some((name, value)) = self.early.next() else {
            return self.rest.next_key_seed(seed);
        };
        self.value = Some(value);
        let name: StringDeserializer<A::Error> = name.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        match self.value.take() {
            Some(value) => seed.deserialize(value).map_err(A::Error::custom),
            None => self.rest.next_value_seed(seed),
        }
    }
}
