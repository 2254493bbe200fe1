//! Texts: a text alone, or a mapping that says more.

use std::{borrow::Cow, fmt, marker::PhantomData};

use forestage_protocol::event::TextRole;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor, value::MapAccessDeserializer},
};

use crate::script::{
    value::{Chunk, Template, Time},
    yaml::Placed,
};

/// A message: a text, or a mapping that says more.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Message")]
pub(in crate::script) struct LongSay {
    /// The text.
    text: Template,
    /// The time between two pieces.
    #[serde(default)]
    pace: Option<Time>,
    /// How it is cut into pieces.
    #[serde(default)]
    chunk: Option<Chunk>,
    /// Who it is from; the assistant where absent.
    #[serde(default)]
    role: Option<Role>,
}

/// A thought: a text, or a mapping that says more.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Thought")]
pub(in crate::script) struct LongThink {
    /// The text.
    text: Template,
    /// The time between two pieces.
    #[serde(default)]
    pace: Option<Time>,
    /// How it is cut into pieces.
    #[serde(default)]
    chunk: Option<Chunk>,
}

/// Who a message is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(in crate::script) enum Role {
    /// The agent.
    Assistant,
    /// The person.
    User,
    /// Instructions of the system.
    System,
    /// Instructions of the developer.
    Developer,
}

impl From<Role> for TextRole {
    fn from(role: Role) -> Self {
        match role {
            Role::Assistant => Self::Assistant,
            Role::User => Self::User,
            Role::System => Self::System,
            Role::Developer => Self::Developer,
        }
    }
}

/// A message to say.
#[derive(Clone, Debug)]
pub(in crate::script) struct Say {
    pub(in crate::script) text: Template,
    pub(in crate::script) pace: Option<Time>,
    pub(in crate::script) chunk: Option<Chunk>,
    pub(in crate::script) role: Option<Role>,
}

/// A thought to think.
#[derive(Clone, Debug)]
pub(in crate::script) struct Think(pub(in crate::script) Say);

impl<'de> Deserialize<'de> for Say {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        form(deserializer, |long: LongSay| {
            let LongSay { text, pace, chunk, role } = long;
            Self { text, pace, chunk, role }
        })
    }
}

impl<'de> Deserialize<'de> for Think {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let say = form(deserializer, |long: LongThink| {
            let LongThink { text, pace, chunk } = long;
            Say { text, pace, chunk, role: None }
        });
        say.map(Self)
    }
}

/// Reads either form. The places in the long form are kept, because nothing is buffered.
fn form<'de, D, L>(deserializer: D, long: impl FnOnce(L) -> Say) -> Result<Say, D::Error>
where
    D: Deserializer<'de>,
    L: Deserialize<'de>,
{
    let Placed { place, value } = Placed::<Form<L>>::deserialize(deserializer)?;
    match value {
        Form::Long(value) => Ok(long(value)),
        Form::Short(value) => {
            let text = Placed { place, value }.try_into().map_err(D::Error::custom)?;
            Ok(Say { text, pace: None, chunk: None, role: None })
        }
    }
}

enum Form<L> {
    Short(String),
    Long(L),
}

impl<'de, L: Deserialize<'de>> Deserialize<'de> for Form<L> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Forms(PhantomData))
    }
}

struct Forms<L>(PhantomData<L>);

impl<'de, L: Deserialize<'de>> Visitor<'de> for Forms<L> {
    type Value = Form<L>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a text or a mapping with `text`")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Form<L>, E> {
        Ok(Form::Short(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Form<L>, A::Error> {
        L::deserialize(MapAccessDeserializer::new(members)).map(Form::Long)
    }
}

/// Either form, for the schema.
macro_rules! form_schema {
    ($($type:ty => $long:ty),*) => {
        $(impl JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                let (short, long) =
                    (generator.subschema_for::<Template>(), generator.subschema_for::<$long>());
                json_schema!({ "anyOf": [short, long] })
            }
        })*
    };
}

form_schema!(Say => LongSay, Think => LongThink);
