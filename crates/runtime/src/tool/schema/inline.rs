//! Schemas from the network, made harmless.
//!
//! A reference can lead a validator in circles until the stack is full, or make a short text cost more than anybody can
//! pay. So each is replaced by what it refers to. One that leads back to itself is followed some levels deep, and below
//! that everything fits; what grows beyond all bounds is refused.

use serde_json::{Map, Value, json};

use super::each_schema;
use crate::tool::error::SchemaError;

/// The length of a schema as text, how deep it may be, and how many schemas may be in it with references replaced.
const BYTES: usize = 64 * 1024;
const DEPTH: usize = 64;
const SCHEMAS: usize = 5_000;

/// How many levels of a schema that refers to itself are checked, as many as we can pay for.
const LEVELS: [usize; 3] = [5, 2, 1];

/// The same schema without references.
pub(in crate::tool) fn inline(text: &str) -> Result<Map<String, Value>, SchemaError> {
    if text.len() > BYTES {
        return Err(SchemaError::TooLarge(format!("it has {} bytes, {BYTES} are allowed", text.len())));
    }
    let root = serde_json::from_str(text).map_err(|error| SchemaError::Invalid(error.to_string()))?;
    match root {
        Value::Object(_) => {}
        Value::Bool(true) => return Ok(Map::new()),
        other => return Err(SchemaError::Invalid(format!("it has to be an object, found {}", kind(&other)))),
    }
    let mut schema = Err(SchemaError::TooLarge(String::new()));
    for levels in LEVELS {
        if matches!(schema, Err(SchemaError::TooLarge(_))) {
            schema = Inliner { root: &root, levels, followed: Vec::new(), schemas: 0 }.inlined();
        }
    }
    schema
}

struct Inliner<'a> {
    root: &'a Value,
    levels: usize,
    /// The references that lead to this place.
    followed: Vec<String>,
    schemas: usize,
}

impl Inliner<'_> {
    fn inlined(mut self) -> Result<Map<String, Value>, SchemaError> {
        let mut schema = self.root.clone();
        self.replace(&mut schema, 0)?;
        Ok(schema.as_object_mut().map(std::mem::take).unwrap_or_default())
    }

    fn replace(&mut self, value: &mut Value, depth: usize) -> Result<(), SchemaError> {
        self.schemas += 1;
        if self.schemas > SCHEMAS || depth > DEPTH {
            return Err(SchemaError::TooLarge(format!(
                "with references replaced it has more than {SCHEMAS} parts or {DEPTH} levels"
            )));
        }
        let Value::Object(schema) = value else { return Ok(()) };
        if let Some(name) =
            ["$dynamicRef", "$recursiveRef"].into_iter().find(|name| schema.contains_key(*name))
        {
            return Err(SchemaError::Reference(format!("{name}: {}", schema[name])));
        }
        // What is referred to is taken from the whole. Names for it are of no use any more.
        for name in ["$defs", "definitions", "$id", "$anchor", "$dynamicAnchor"] {
            schema.remove(name);
        }
        each_schema(schema, &mut |inner| self.replace(inner, depth + 1))?;
        match schema.remove("$ref") {
            Some(Value::String(reference)) => self.follow(schema, reference, depth),
            Some(other) => Err(SchemaError::Invalid(format!("`$ref` has to be a text, found {other}"))),
            None => Ok(()),
        }
    }

    /// What is said beside a reference holds as well, so the two become parts of `allOf`.
    fn follow(
        &mut self,
        schema: &mut Map<String, Value>,
        reference: String,
        depth: usize,
    ) -> Result<(), SchemaError> {
        if self.followed.iter().filter(|followed| **followed == reference).count() >= self.levels {
            return Ok(());
        }
        let mut target = self.target(&reference)?;
        self.followed.push(reference);
        self.replace(&mut target, depth + 1)?;
        self.followed.pop();
        match target {
            Value::Object(target) if schema.is_empty() => *schema = target,
            target => match schema.get_mut("allOf") {
                Some(Value::Array(all)) => all.push(target),
                _ => drop(schema.insert("allOf".to_owned(), json!([target]))),
            },
        }
        Ok(())
    }

    fn target(&self, reference: &str) -> Result<Value, SchemaError> {
        let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(&decoded(pointer)));
        let is_schema = |target: &&Value| target.is_object() || target.is_boolean();
        let unknown = || SchemaError::Reference(reference.chars().take(200).collect());
        target.filter(is_schema).cloned().ok_or_else(unknown)
    }
}

/// A pointer in a reference is part of an address, in which some characters are written as `%xx`.
fn decoded(pointer: &str) -> String {
    let mut bytes = Vec::with_capacity(pointer.len());
    let mut rest = pointer.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).filter(|_| *first == b'%').and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => (bytes.push(byte), rest = &tail[2..]).1,
            None => (bytes.push(*first), rest = tail).1,
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
