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
mod read;
mod shape;

pub(crate) use self::{
    case::camel,
    declare::{names, union, wire},
    read::{present, unknown_member, wrong_tag},
};
pub use self::{
    read::{Key, LateTag},
    shape::{Field, Names, Shape, Struct, Union},
};

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
}

/// A struct that one member tells from its siblings.
pub trait Tagged: Sized {
    /// That member's value.
    const TAG: &'static str;
    /// The struct's description.
    const STRUCT: &'static Struct;

    /// Reads the members from a map whose tag has been read already (`tag_seen`), or not yet.
    fn read_members<'de, A: MapAccess<'de>>(map: A, tag_seen: bool) -> Result<Self, A::Error>;
}

impl Wire for String {
    const SHAPE: Shape = Shape::Text;
}

impl Wire for bool {
    const SHAPE: Shape = Shape::Bool;
}

impl<T: Wire> Wire for Vec<T> {
    const SHAPE: Shape = Shape::List { item: &T::SHAPE, min: 0 };
}

impl<T: Wire> Wire for Box<T> {
    const SHAPE: Shape = T::SHAPE;
}

impl Wire for crate::patch::Patch {
    const SHAPE: Shape = Shape::List { item: &Shape::Operation, min: 0 };
}
