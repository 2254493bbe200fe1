//! JSON with templates in it.

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};

use super::{Env, Template};
use crate::script::yaml::{List, Placed};

/// A value whose texts are templates.
#[derive(Clone, Debug)]
pub(in crate::script) enum Shape {
    /// A text.
    Text(Template),
    /// Anything else without parts.
    Plain(Value),
    /// A list.
    List(Vec<Shape>),
    /// A mapping.
    Map(Vec<(String, Shape)>),
}

impl Shape {
    /// Fills it in.
    pub(in crate::script) fn value(&self, env: &Env) -> Value {
        match self {
            Self::Text(template) => template.value(env),
            Self::Plain(value) => value.clone(),
            Self::List(items) => items.iter().map(|item| item.value(env)).collect(),
            Self::Map(entries) => Value::Object(object(entries, env)),
        }
    }

    /// The value, if nothing has to be filled in.
    pub(in crate::script) fn constant(&self) -> Option<Value> {
        let mut is_constant = true;
        self.each_template(&mut |template| is_constant &= template.names().next().is_none());
        is_constant.then(|| self.value(&Env::default()))
    }

    /// Calls a function with each template in it.
    pub(in crate::script) fn each_template(&self, call: &mut impl FnMut(&Template)) {
        match self {
            Self::Text(template) => call(template),
            Self::Plain(_) => {}
            Self::List(items) => items.iter().for_each(|item| item.each_template(call)),
            Self::Map(entries) => entries.iter().for_each(|(_, item)| item.each_template(call)),
        }
    }
}

fn object(entries: &[(String, Shape)], env: &Env) -> Map<String, Value> {
    entries.iter().map(|(key, item)| (key.clone(), item.value(env))).collect()
}

/// A mapping, or one name that stands for a mapping.
#[derive(Clone, Debug)]
pub(in crate::script) struct Fields(pub(in crate::script) Shape);

impl Default for Fields {
    fn default() -> Self {
        Self(Shape::Map(Vec::new()))
    }
}

impl Fields {
    /// Fills it in; what turns out to be no mapping is handed back.
    pub(in crate::script) fn object(&self, env: &Env) -> Result<Map<String, Value>, Value> {
        match self.0.value(env) {
            Value::Object(object) => Ok(object),
            other => Err(other),
        }
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Shape::deserialize(deserializer)? {
            shape @ Shape::Map(_) => Ok(Self(shape)),
            Shape::Text(template) if template.is_one_name() => Ok(Self(Shape::Text(template))),
            _ => Err(D::Error::custom("expected a mapping, or one template such as \"{{answer.args}}\"")),
        }
    }
}

impl JsonSchema for Fields {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Fields".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A mapping; templates in its texts are filled in. One template may stand for the whole.",
            "anyOf": [{ "type": "object" }, { "type": "string", "pattern": r"^\{\{.*\}\}$" }]
        })
    }
}

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Placed { place, value } = Placed::<Raw>::deserialize(deserializer)?;
        match value {
            Raw::Text(text) => {
                Placed { place, value: text }.try_into().map(Self::Text).map_err(D::Error::custom)
            }
            Raw::Other(shape) => Ok(shape),
        }
    }
}

/// A shape whose outermost text does not know its place yet.
enum Raw {
    Text(String),
    Other(Shape),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Anything)
    }
}

struct Anything;

impl<'de> Visitor<'de> for Anything {
    type Value = Raw;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<Raw, E> {
        Ok(plain(Value::Null))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Raw, E> {
        Ok(plain(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Raw, E> {
        Ok(plain(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Raw, E> {
        Ok(plain(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Raw, E> {
        Ok(plain(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Raw, E> {
        Ok(Raw::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Raw, A::Error> {
        let items = List::deserialize(serde::de::value::SeqAccessDeserializer::new(items))?;
        Ok(Raw::Other(Shape::List(items.0)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Raw, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(Raw::Other(Shape::Map(map)))
    }
}

fn plain(value: impl Into<Value>) -> Raw {
    Raw::Other(Shape::Plain(value.into()))
}

impl JsonSchema for Shape {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Shape".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "Any value; templates in its texts are filled in." })
    }
}
