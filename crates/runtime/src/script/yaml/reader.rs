//! Serde over a tree that knows its places: every mistake is told with the innermost place.

use std::{cell::RefCell, collections::HashSet, slice};

use serde::{
    Deserializer,
    de::{
        DeserializeSeed, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
        VariantAccess, Visitor,
    },
    forward_to_deserialize_any,
};

use super::{
    fault::Fault,
    node::{Key, Kind, Node},
    placed::PLACED,
    scalar::Scalar,
};
use crate::script::error::{Place, meant};

/// A node to be read, the way to it, where mistakes in lists are noted, and the members that are left out because they
/// hold mistakes that are known.
#[derive(Clone)]
pub(super) struct At<'a> {
    pub(super) node: &'a Node,
    pub(super) path: String,
    pub(super) faults: &'a RefCell<Vec<Fault>>,
    pub(super) bad: &'a HashSet<String>,
}

impl<'a> At<'a> {
    fn place(&self) -> Place {
        Place { line: self.node.line, column: self.node.column, path: self.path.clone() }
    }

    fn element(&self, index: usize, node: &'a Node) -> Self {
        Self { node, path: format!("{}[{index}]", self.path), ..self.clone() }
    }

    fn member(&self, key: &Key, node: &'a Node) -> Self {
        Self { node, path: join(&self.path, &key.name), ..self.clone() }
    }

    pub(super) fn read<T: DeserializeSeed<'a>>(self, seed: T) -> Result<T::Value, Fault> {
        let here = self.clone();
        seed.deserialize(self).map_err(|fault| {
            let follows =
                fault.place.is_none() && fault.missing.is_some_and(|member| here.is_left_out(member));
            Fault { is_silent: fault.is_silent || follows, ..fault.or_at(|| here.place()) }
        })
    }

    /// Whether a member is missing only because we left it out, or because its name is misspelt.
    fn is_left_out(&self, member: &str) -> bool {
        let Kind::Map(entries) = &self.node.kind else { return false };
        let is_it = |key: &Key| meant(&key.name, [member]).is_some();
        entries.iter().any(|(key, _)| is_it(key) && self.bad.contains(&join(&self.path, &key.name)))
    }
}

impl<'a> Deserializer<'a> for At<'a> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        match &self.node.kind {
            Kind::Scalar(Scalar::Null) => visitor.visit_unit(),
            Kind::Scalar(Scalar::Bool(value)) => visitor.visit_bool(*value),
            Kind::Scalar(Scalar::Int(number)) => visitor.visit_i64(*number),
            Kind::Scalar(Scalar::Large(number)) => visitor.visit_u64(*number),
            Kind::Scalar(Scalar::Float(number)) => visitor.visit_f64(*number),
            Kind::Scalar(Scalar::Text(text)) => visitor.visit_str(text),
            Kind::List(items) => {
                visitor.visit_seq(Elements { items: items.iter(), next: 0, at: self.clone() })
            }
            Kind::Map(entries) => {
                visitor.visit_map(Members { entries: entries.iter(), value: None, at: self.clone() })
            }
        }
    }

    /// What is written is there: `null` is a value, and only what is absent is nothing.
    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        if name != PLACED {
            return visitor.visit_newtype_struct(self);
        }
        visitor.visit_seq(WithPlace { part: 0, at: self })
    }

    /// Members have names: a list of them in some order is a mistake.
    fn deserialize_struct<V: Visitor<'a>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match &self.node.kind {
            Kind::List(_) => Err(Fault::invalid_type(Unexpected::Seq, &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    /// One of several: a word, or a mapping with one key.
    fn deserialize_enum<V: Visitor<'a>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match &self.node.kind {
            Kind::Scalar(Scalar::Text(word)) => visitor.visit_enum(word.as_str().into_deserializer()),
            Kind::Map(entries) => match &entries[..] {
                [(key, value)] => visitor.visit_enum(One { key, at: self.member(key, value) }),
                [] => Err(Fault::new(format!("this is empty, expected one of: {}", variants.join(", ")))),
                [_, (second, _), ..] => Err(too_many(&self.path, second, entries, variants)),
            },
            _ => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        <V: Visitor<'a>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq
        tuple tuple_struct map identifier ignored_any
    }
}

/// Most often a member that is not indented far enough, or a second step without a dash.
fn too_many(path: &str, second: &Key, entries: &[(Key, Node)], variants: &[&str]) -> Fault {
    let place = Place { line: second.line, column: second.column, path: path.to_owned() };
    let names: Vec<_> = entries.iter().map(|(key, _)| format!("`{}`", key.name)).collect();
    let hint = if variants.contains(&second.name.as_str()) {
        "each begins with a dash of its own"
    } else {
        "what belongs to the first goes below it, indented"
    };
    Fault::at(place, format!("one key is allowed here, found {}; {hint}", names.join(" and ")))
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

struct Elements<'a> {
    items: slice::Iter<'a, Node>,
    next: usize,
    at: At<'a>,
}

impl<'a> SeqAccess<'a> for Elements<'a> {
    type Error = Fault;

    /// Notes the mistakes of an element, and stands behind it all the same.
    fn next_element_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let Some(node) = self.items.next() else {
            return Ok(None);
        };
        let at = self.at.element(self.next, node);
        self.next += 1;
        at.read(seed).map(Some).map_err(|fault| fault.note(self.at.faults))
    }
}

struct Members<'a> {
    entries: slice::Iter<'a, (Key, Node)>,
    value: Option<&'a (Key, Node)>,
    at: At<'a>,
}

impl<'a> MapAccess<'a> for Members<'a> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let At { path, bad, .. } = &self.at;
        let is_good = |key: &Key| bad.is_empty() || !bad.contains(&join(path, &key.name));
        let Some(entry) = self.entries.find(|(key, _)| is_good(key)) else {
            return Ok(None);
        };
        self.value = Some(entry);
        let name = read_key(&entry.0, path, seed);
        name.map(Some).map_err(|fault| fault.or_in(|| join(path, &entry.0.name)))
    }

    fn next_value_seed<V: DeserializeSeed<'a>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let (key, node) = self.value.take().ok_or_else(|| Fault::custom("a value without a key"))?;
        let member = self.at.member(key, node).read(seed);
        member.map_err(|fault| fault.or_in(|| join(&self.at.path, &key.name)))
    }
}

fn read_key<'a, K: DeserializeSeed<'a>>(key: &Key, path: &str, seed: K) -> Result<K::Value, Fault> {
    let name = seed.deserialize(key.name.as_str().into_deserializer());
    name.map_err(|fault: Fault| {
        fault.or_at(|| Place { line: key.line, column: key.column, path: join(path, &key.name) })
    })
}

/// A mapping with one key that chooses what the value is.
struct One<'a> {
    key: &'a Key,
    at: At<'a>,
}

impl<'a> EnumAccess<'a> for One<'a> {
    type Error = Fault;
    type Variant = At<'a>;

    fn variant_seed<V: DeserializeSeed<'a>>(self, seed: V) -> Result<(V::Value, At<'a>), Fault> {
        let path = self.at.path.strip_suffix(&self.key.name).unwrap_or_default().trim_end_matches('.');
        Ok((read_key(self.key, path, seed)?, self.at))
    }
}

impl<'a> VariantAccess<'a> for At<'a> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        Err(Fault::invalid_type(Unexpected::Map, &"a word"))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'a>>(self, seed: T) -> Result<T::Value, Fault> {
        self.read(seed)
    }

    fn tuple_variant<V: Visitor<'a>>(self, _length: usize, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'a>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_any(visitor)
    }
}

/// The parts of a [`Placed`](super::Placed) value.
struct WithPlace<'a> {
    part: u8,
    at: At<'a>,
}

impl<'a> SeqAccess<'a> for WithPlace<'a> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        self.part += 1;
        let value = match self.part {
            1 => seed.deserialize(self.at.node.line.into_deserializer()),
            2 => seed.deserialize(self.at.node.column.into_deserializer()),
            3 => seed.deserialize(self.at.path.as_str().into_deserializer()),
            _ => self.at.clone().read(seed),
        };
        value.map(Some)
    }
}
