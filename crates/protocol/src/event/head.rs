//! The type of an event, wherever in its text it stands.

use std::{borrow::Cow, fmt};

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use crate::wire::Key;

/// The type of an event. Of two, the last counts, as everywhere in JSON.
pub(super) struct Head<'text>(pub(super) Cow<'text, str>);

impl<'de> Deserialize<'de> for Head<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct HeadVisitor;
        impl<'de> Visitor<'de> for HeadVisitor {
            type Value = Head<'de>;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an event")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Head<'de>, A::Error> {
                let mut found = None;
                while let Some(name) = map.next_key::<Key<'de>>()? {
                    if &*name == "type" {
                        found = Some(map.next_value::<Key<'de>>()?.0);
                    } else {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
                found.map(Head).ok_or_else(|| A::Error::missing_field("type"))
            }
        }
        deserializer.deserialize_map(HeadVisitor)
    }
}
