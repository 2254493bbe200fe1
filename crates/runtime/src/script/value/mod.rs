//! What a script's members are made of: times, patterns, templates.

mod chunk;
mod pattern;
mod shape;
mod template;
mod time;

pub(crate) use self::pattern::{Glob, Regex, compile};
pub use self::time::Time;
pub(super) use self::{
    chunk::{Chunk, pieces},
    shape::{Fields, Shape},
    template::{Env, Name, Template},
};

/// A type that is written as text, for the schema of the format.
macro_rules! text_schema {
    ($type:ty, $about:literal $(, $key:literal: $value:expr)*) => {
        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "description": $about $(, $key: $value)* })
            }
        }
    };
}
use text_schema;
