//! The shapes as JSON Schema 2020-12, under the names that AG-UI gives them.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::{
    capabilities::AgentCapabilities,
    event::Event,
    input::RunAgentInput,
    wire::{Field, Names, Shape, Struct, Union, Wire},
};

/// Everything reachable from these has a definition.
const ROOTS: [Shape; 3] = [Event::SHAPE, RunAgentInput::SHAPE, AgentCapabilities::SHAPE];

/// Where our short names are not the protocol's.
const NAMES: [(&str, &str); 9] = [
    ("RunOutcome", "RunFinishedOutcome"),
    ("SuccessOutcome", "RunFinishedSuccessOutcome"),
    ("InterruptOutcome", "RunFinishedInterruptOutcome"),
    ("CancelledOutcome", "RunFinishedCancelledOutcome"),
    ("SubagentOutcome", "SubagentFinishedOutcome"),
    ("SubagentSuccess", "SubagentFinishedSuccessOutcome"),
    ("SubagentSuspended", "SubagentFinishedSuspendedOutcome"),
    ("TextRole", "TextMessageRole"),
    ("EncryptedValueSubtype", "ReasoningEncryptedValueSubtype"),
];

/// One document with all definitions; on its own it describes an event.
#[must_use]
pub fn document() -> Value {
    let definitions: Map<String, Value> =
        shapes().into_iter().map(|(name, shape)| (name, define(&shape))).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "AG-UI 1.0",
        "$ref": "#/$defs/Event",
        "$defs": definitions,
    })
}

/// One definition, with those it refers to beside it.
#[must_use]
pub fn definition(name: &str) -> Option<Value> {
    let shape = shape(name)?;
    let mut needed = BTreeMap::new();
    collect(&shape, &mut needed);
    let definitions: Map<String, Value> =
        needed.into_iter().map(|(name, shape)| (name, define(&shape))).collect();
    Some(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": format!("#/$defs/{name}"),
        "$defs": definitions,
    }))
}

/// The names of all definitions.
#[must_use]
pub fn names() -> Vec<String> {
    shapes().into_keys().collect()
}

/// The shape of a definition.
#[must_use]
pub fn shape(name: &str) -> Option<Shape> {
    shapes().remove(name)
}

fn shapes() -> BTreeMap<String, Shape> {
    let mut found = BTreeMap::new();
    ROOTS.iter().for_each(|root| collect(root, &mut found));
    found
}

fn collect(shape: &Shape, found: &mut BTreeMap<String, Shape>) {
    let Some(name) = name_of(shape) else {
        if let Shape::List { item, .. } | Shape::TextOrParts(item) = shape {
            collect(item, found);
        }
        return;
    };
    if found.insert(name, *shape).is_some() {
        return;
    }
    match shape {
        Shape::Struct(known) => known.all_fields().for_each(|field| collect(&field.shape, found)),
        Shape::Union(union) => {
            union.members.iter().for_each(|member| collect(&Shape::Struct(member), found));
        }
        _ => {}
    }
}

/// The name under which a shape is defined; the others are written where they are used.
fn name_of(shape: &Shape) -> Option<String> {
    let name = match shape {
        Shape::Struct(known) if !known.shared.is_empty() => return Some(format!("{}Event", known.name)),
        Shape::Struct(known) => known.name,
        Shape::Union(union) => union.name,
        Shape::Name(names) if names.members.len() > 1 => names.name,
        Shape::Operation => "JsonPatchOperation",
        _ => return None,
    };
    Some(NAMES.iter().find(|(ours, _)| *ours == name).map_or(name, |(_, theirs)| theirs).to_owned())
}

fn refer(shape: &Shape) -> Value {
    match name_of(shape) {
        Some(name) => json!({ "$ref": format!("#/$defs/{name}") }),
        None => define(shape),
    }
}

fn define(shape: &Shape) -> Value {
    match shape {
        Shape::Any => json!({}),
        Shape::Present => json!({ "not": { "type": "null" } }),
        Shape::Object => json!({ "type": "object", "additionalProperties": true }),
        Shape::Text => json!({ "type": "string" }),
        Shape::Pointer => json!({ "type": "string", "pattern": "^(/([^/~]|~[01])*)*$" }),
        Shape::Bool => json!({ "type": "boolean" }),
        Shape::Integer { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Shape::Name(names) => define_names(names),
        Shape::List { item, min: 0 } => json!({ "type": "array", "items": refer(item) }),
        Shape::List { item, min } => json!({ "type": "array", "minItems": min, "items": refer(item) }),
        Shape::TextOrParts(item) => {
            json!({ "oneOf": [{ "type": "string" }, { "type": "array", "items": refer(item) }] })
        }
        Shape::Struct(known) => define_struct(known),
        Shape::Union(union) => define_union(union),
        Shape::Operation => define_operation(),
    }
}

fn define_names(names: &Names) -> Value {
    match names.members {
        [only] => json!({ "const": only }),
        members => describe(json!({ "type": "string", "enum": members }), names.doc),
    }
}

fn define_struct(known: &Struct) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    if let Some((key, tag)) = known.tag {
        properties.insert(key.to_owned(), json!({ "const": tag }));
        required.push(key);
    }
    for field in known.all_fields() {
        properties.insert(field.name.to_owned(), define_field(field));
        required.extend(field.required.then_some(field.name));
    }
    let mut schema = describe(json!({ "type": "object" }), known.doc);
    schema["properties"] = Value::Object(properties);
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema["additionalProperties"] = Value::Bool(false);
    schema
}

fn define_field(field: &Field) -> Value {
    describe(refer(&field.shape), field.doc)
}

fn define_union(union: &Union) -> Value {
    let members: Vec<Value> = union.members.iter().map(|member| refer(&Shape::Struct(member))).collect();
    describe(json!({ "oneOf": members }), union.doc)
}

/// Operations are open: RFC 6902 wants members that it does not define to be ignored.
fn define_operation() -> Value {
    let operation = |op: &str, needs: &[&str]| {
        let mut properties = Map::new();
        properties.insert("op".to_owned(), json!({ "const": op }));
        let mut required = vec!["op"];
        for name in needs {
            let shape = if *name == "value" { Shape::Any } else { Shape::Pointer };
            properties.insert((*name).to_owned(), define(&shape));
            required.push(name);
        }
        json!({ "type": "object", "properties": properties, "required": required })
    };
    json!({
        "description": "One operation of a JSON Patch. Members beside those of its kind are ignored, and kept.",
        "oneOf": [
            operation("add", &["path", "value"]),
            operation("remove", &["path"]),
            operation("replace", &["path", "value"]),
            operation("move", &["from", "path"]),
            operation("copy", &["from", "path"]),
            operation("test", &["path", "value"]),
        ],
    })
}

fn describe(mut schema: Value, doc: &str) -> Value {
    let doc = doc.split_whitespace().collect::<Vec<_>>().join(" ");
    if !doc.is_empty() {
        schema["description"] = doc.into();
    }
    schema
}
