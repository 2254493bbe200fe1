//! Identifiers: opaque strings, each kind with a type of its own so that they cannot be mixed up.
//!
//! AG-UI never parses an id and allows any string, the empty one included. Ids are shared (`Arc<str>`), so a
//! thousand deltas of one message hold one allocation.

use std::{borrow::Borrow, fmt, ops::Deref, sync::Arc};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, Visitor},
};

use crate::{
    codec::proto::{self, Fields, Proto, ProtoError},
    wire::{Reader, Refused, Shape, Wire, write},
};

macro_rules! ids {
    ($($(#[doc = $doc:literal])* $name:ident,)*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text.into())
            }
        }

        impl From<&$name> for $name {
            fn from(id: &$name) -> Self {
                id.clone()
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(SharedText).map(Self)
            }
        }

        impl Wire for $name {
            const SHAPE: Shape = Shape::Text;

            fn write_json(&self, out: &mut Vec<u8>) {
                write::text(&self.0, out);
            }

            #[inline]
            fn read_json(reader: &mut Reader<'_>) -> Result<Self, Refused> {
                reader.string().map(|text| Self(text.into()))
            }
        }

        impl Proto for $name {
            fn put(&self, number: u32, out: &mut Vec<u8>) {
                proto::put_text(&self.0, number, out);
            }

            fn take(fields: &mut Fields<'_>, number: u32) -> Result<Option<Self>, ProtoError> {
                Ok(proto::take_text(fields, number)?.map(Self::from))
            }

            fn missing() -> Option<Self> {
                Some(Self::from(""))
            }
        }
    )*};
}

ids! {
    /// A conversation.
    ThreadId,
    /// One run of an agent on a thread.
    RunId,
    /// A message of a thread; reasoning spans use ids of the same form in a namespace of their own.
    MessageId,
    /// A tool call.
    ToolCallId,
    /// One invocation of a subagent; as a tag on other events it says who speaks.
    SubagentRunId,
    /// A question that a run ended on.
    InterruptId,
}

impl From<&ToolCallId> for MessageId {
    /// A call without a parent message is carried by a message with the call's own id.
    fn from(id: &ToolCallId) -> Self {
        Self(id.0.clone())
    }
}

/// Reads a string into one shared allocation.
struct SharedText;

impl Visitor<'_> for SharedText {
    type Value = Arc<str>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Arc<str>, E> {
        Ok(text.into())
    }
}
