//! How a type is declared for the wire.
//!
//! A `wire!` declaration lists a struct's required and optional members once, with their documentation and
//! their protobuf numbers. From it come the struct, a constructor for the required members, serde in both
//! directions, the [`Shape`] that enforcement and the JSON Schemas use, and the protobuf form.
//!
//! ```text
//! wire! {
//!     /// A piece of a text message.
//!     event "TEXT_MESSAGE_CONTENT" TextMessageContent {
//!         required {
//!             /// The open message it continues.
//!             2 message_id: MessageId,
//!             /// The text to append; may be empty.
//!             3 delta: String,
//!         }
//!         optional {
//!             /// Who speaks, where it is not the parent agent.
//!             4 subagent_run_id: SubagentRunId,
//!         }
//!     }
//! }
//! ```
//!
//! Reading is strict: unknown members, nulls in optional places and wrong tags are errors. The lenient level
//! is [`enforce`](crate::enforce), which repairs a value by its shape and then reads it strictly.

pub(crate) mod case;
mod declare;
pub(crate) mod quick;
mod read;
mod shape;
pub(crate) mod write;

pub(crate) use self::{
    case::{camel, member},
    declare::{names, union, wire},
    read::{present, unknown_member, wrong_tag},
};
pub use self::{
    quick::{Reader, Refused},
    read::{Key, LateTag},
    shape::{Field, Names, Shape, Struct, Union},
};

use std::borrow::Cow;

use serde::{
    Serialize,
    de::{DeserializeOwned, MapAccess},
};

/// A type with a wire form.
pub trait Wire: Serialize + DeserializeOwned {
    /// What it looks like.
    const SHAPE: Shape;

    /// Whether it is the JSON value null, which an optional member may not hold.
    fn is_null(&self) -> bool {
        false
    }

    /// Appends it as JSON, byte for byte what serde writes.
    fn write_json(&self, out: &mut Vec<u8>) {
        write::with_serde(self, out);
    }

    /// Reads it from JSON.
    fn read_json(reader: &mut Reader<'_>) -> Result<Self, Refused> {
        Self::deserialize(reader)
    }
}

/// A struct that one member tells from its siblings.
pub trait Tagged: Sized {
    /// That member's value.
    const TAG: &'static str;
    /// The struct's description.
    const STRUCT: &'static Struct;

    /// Reads the members behind the tag, up to the end of the text, if they are written as we write them. Our own
    /// order is the quickest.
    fn read_written(reader: &mut Reader<'_>) -> Result<Self, Refused>;

    /// Reads the members from a map whose tag has been read already (`tag_seen`), or not yet.
    fn read_members<'de, A: MapAccess<'de>>(map: A, tag_seen: bool) -> Result<Self, A::Error>;
}

impl Wire for String {
    const SHAPE: Shape = Shape::Text;

    fn write_json(&self, out: &mut Vec<u8>) {
        write::text(self, out);
    }

    #[inline]
    fn read_json(reader: &mut Reader<'_>) -> Result<Self, Refused> {
        reader.string().map(Cow::into_owned)
    }
}

impl Wire for bool {
    const SHAPE: Shape = Shape::Bool;
}

impl<T: Wire> Wire for Vec<T> {
    const SHAPE: Shape = Shape::List { item: &T::SHAPE, min: 0 };

    fn write_json(&self, out: &mut Vec<u8>) {
        write::list(self, out, T::write_json);
    }
}

impl<T: Wire> Wire for Box<T> {
    const SHAPE: Shape = T::SHAPE;

    fn write_json(&self, out: &mut Vec<u8>) {
        T::write_json(self, out);
    }

    fn read_json(reader: &mut Reader<'_>) -> Result<Self, Refused> {
        T::read_json(reader).map(Box::new)
    }
}

impl Wire for crate::patch::Patch {
    const SHAPE: Shape = Shape::List { item: &Shape::Operation, min: 0 };

    fn write_json(&self, out: &mut Vec<u8>) {
        write::list(self, out, crate::patch::Operation::write_json);
    }
}
