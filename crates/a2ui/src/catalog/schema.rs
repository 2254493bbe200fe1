//! Catalogs that clients describe with JSON Schema.
//!
//! Two forms are in use: `{catalogId, components: {Name: schema}, functions}`, as capabilities carry it, and the same as the
//! text of a context entry, which is how CopilotKit sends it. What a schema says beyond the shapes we know is taken as any
//! value: a client's catalog is there to help a model, and no reason to refuse what the client may well draw.

use std::cell::Cell;

use serde_json::{Map, Value};

use super::{
    Catalog, Component, Function, Literal, Property, Shape,
    shape::{list, words},
};
use crate::{Fault, Version};

/// So many schemas are looked at; a schema may contain itself.
const MAX_SCHEMAS: usize = 50_000;

/// So deep a schema is followed.
const MAX_DEPTH: usize = 12;

/// What CopilotKit writes above the context entry that holds its catalog; the entry begins with it.
pub const CONTEXT_ENTRY: &str = "A2UI Component Schema";

impl Catalog {
    /// Reads a catalog that a client describes.
    pub fn from_schema(document: &Value, version: Version) -> Result<Self, Fault> {
        let id = document.get("catalogId").or_else(|| document.get("$id")).and_then(Value::as_str);
        let id =
            id.ok_or_else(|| Fault::new("missing_field", "", "a catalog needs `catalogId`, its name"))?;
        let components = document.get("components").and_then(Value::as_object);
        let components = components.ok_or_else(|| {
            Fault::new("missing_field", "", "a catalog needs `components`, an object from names to schemas")
        })?;
        let reader = Reader { document, left: Cell::new(MAX_SCHEMAS) };
        let components = components.iter().map(|(name, schema)| reader.component(name, schema)).collect();
        let functions = reader.functions(document.get("functions"));
        let knows_all_functions = !functions.is_empty();
        Ok(Self { knows_all_functions, ..Self::new(id, version) }.with(components).calling(functions))
    }

    /// Reads a catalog from the value of a context entry.
    pub fn from_context(value: &str, version: Version) -> Result<Self, Fault> {
        let document: Value = serde_json::from_str(value)
            .map_err(|error| Fault::new("not_json", "", format!("the catalog is not JSON: {error}")))?;
        Self::from_schema(&document, version)
    }
}

struct Reader<'d> {
    document: &'d Value,
    left: Cell<usize>,
}

impl<'d> Reader<'d> {
    fn component(&self, name: &str, schema: &'d Value) -> Component {
        let (properties, is_closed) = self.object(schema, 0);
        let own = ["id", "component", "weight", "accessibility"];
        let properties =
            properties.into_iter().filter(|property| !own.contains(&property.name.as_str())).collect();
        Component { name: name.to_owned(), properties, is_open: !is_closed }
    }

    /// The properties of an object with everything that `allOf` adds, and whether there are no others.
    fn object(&self, schema: &'d Value, depth: usize) -> (Vec<Property>, bool) {
        if !self.may_look(depth) {
            return (Vec::new(), false);
        }
        let schema = self.resolve(schema);
        let closed = |name| schema.get(name) == Some(&Value::Bool(false));
        let mut is_closed = closed("additionalProperties") || closed("unevaluatedProperties");
        let mut properties = self.properties(schema, depth);
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            if reference(part) == Some("Checkable") {
                properties.push(Property {
                    name: "checks".to_owned(),
                    shape: Shape::Checks,
                    is_required: false,
                });
            }
            let (more, closes) = self.object(part, depth + 1);
            is_closed |= closes;
            properties.extend(more);
        }
        (properties, is_closed)
    }

    fn properties(&self, schema: &'d Value, depth: usize) -> Vec<Property> {
        let required: Vec<_> =
            schema.get("required").and_then(Value::as_array).into_iter().flatten().collect();
        let named = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let property = |(name, schema): (&String, &'d Value)| Property {
            name: name.clone(),
            shape: self.shape(schema, depth + 1),
            is_required: required.iter().any(|it| it.as_str() == Some(name)),
        };
        named.map(property).collect()
    }

    fn shape(&self, schema: &'d Value, depth: usize) -> Shape {
        if !self.may_look(depth) {
            return Shape::Any;
        }
        if let Some(known) = reference(schema).and_then(named) {
            return known;
        }
        let schema = self.resolve(schema);
        if let Some(shape) = schema.get("properties").and_then(Value::as_object).and_then(written_as_in_0_8) {
            return shape;
        }
        if let Some(allowed) = schema.get("enum").and_then(Value::as_array) {
            let allowed: Option<Vec<_>> = allowed.iter().map(Value::as_str).collect();
            return allowed.map_or(Shape::Any, |allowed| words(&allowed));
        }
        if let Some(options) = schema.get("oneOf").or_else(|| schema.get("anyOf")).and_then(Value::as_array) {
            return Shape::Either(options.iter().map(|option| self.shape(option, depth + 1)).collect());
        }
        match schema.get("type").and_then(Value::as_str) {
            Some("string") => Shape::Plain(Literal::Text),
            Some("number" | "integer") => Shape::Plain(Literal::Number),
            Some("boolean") => Shape::Plain(Literal::Flag),
            Some("array") => {
                list(schema.get("items").map_or(Shape::Any, |items| self.shape(items, depth + 1)), 0)
            }
            Some("object") if schema.get("properties").is_some() => {
                let (members, is_closed) = self.object(schema, depth + 1);
                Shape::Object { members, is_open: !is_closed }
            }
            _ => Shape::Any,
        }
    }

    fn may_look(&self, depth: usize) -> bool {
        self.left.set(self.left.get().saturating_sub(1));
        depth <= MAX_DEPTH && self.left.get() > 0
    }

    /// Follows one reference into the document itself.
    fn resolve(&self, schema: &'d Value) -> &'d Value {
        let local = schema.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix('#'));
        local.and_then(|pointer| self.document.pointer(pointer)).unwrap_or(schema)
    }

    fn functions(&self, functions: Option<&'d Value>) -> Vec<Function> {
        match functions {
            Some(Value::Array(list)) => list.iter().filter_map(|it| self.listed_function(it)).collect(),
            Some(Value::Object(named)) => {
                named.iter().map(|(name, it)| self.named_function(name, it)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn listed_function(&self, function: &'d Value) -> Option<Function> {
        let name = function.get("name").and_then(Value::as_str)?;
        let arguments = function.get("parameters").map(|it| self.object(it, 0).0).unwrap_or_default();
        Some(Function::new(name, arguments))
    }

    fn named_function(&self, name: &str, function: &'d Value) -> Function {
        let arguments =
            function.pointer("/properties/args").map(|it| self.object(it, 0).0).unwrap_or_default();
        Function::new(name, arguments)
    }
}

/// The last part of a reference, which may also stand in a description.
fn reference(schema: &Value) -> Option<&str> {
    let written = schema.get("$ref").and_then(Value::as_str);
    let described =
        || schema.get("description").and_then(Value::as_str)?.strip_prefix("REF:")?.split('|').next();
    written.or_else(described)?.rsplit('/').next()
}

fn named(name: &str) -> Option<Shape> {
    Some(match name {
        "DynamicString" => Shape::Dynamic(Literal::Text),
        "DynamicNumber" => Shape::Dynamic(Literal::Number),
        "DynamicBoolean" => Shape::Dynamic(Literal::Flag),
        "DynamicStringList" => Shape::Dynamic(Literal::Texts),
        "DynamicValue" => Shape::Dynamic(Literal::Value),
        "ComponentId" => Shape::Child,
        "ChildList" => Shape::Children,
        "Action" => Shape::Action,
        _ => return None,
    })
}

fn written_as_in_0_8(members: &Map<String, Value>) -> Option<Shape> {
    let has = |name| members.contains_key(name);
    if has("explicitList") && has("template") {
        return Some(Shape::ListedChildren);
    }
    if let (true, Some(words)) = (has("path"), members.get("literalString").and_then(words_of)) {
        return Some(Shape::BoundWord { words, later: Vec::new() });
    }
    let literals = [Literal::Text, Literal::Number, Literal::Flag, Literal::Texts];
    literals.into_iter().find(|literal| has("path") && has(literal.member())).map(Shape::Bound)
}

/// The words that a schema lists.
fn words_of(schema: &Value) -> Option<Vec<String>> {
    let words = schema.get("enum").and_then(Value::as_array)?.iter();
    words.map(|word| word.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn catalog() -> Value {
        json!({
            "catalogId": "acme.com:charts",
            "components": {
                "Chart": { "allOf": [
                    { "$ref": "common_types.json#/$defs/ComponentCommon" },
                    {
                        "properties": {
                            "component": { "const": "Chart" },
                            "title": { "$ref": "common_types.json#/$defs/DynamicString" },
                            "legend": { "description": "REF:common_types.json#/$defs/ComponentId|The legend." },
                            "kind": { "type": "string", "enum": ["bar", "line"] },
                            "points": { "$ref": "#/$defs/points" },
                        },
                        "required": ["component", "title", "kind"],
                    },
                ] },
            },
            "functions": [{ "name": "mean", "parameters": { "properties": { "of": {} }, "required": ["of"] } }],
            "$defs": { "points": { "type": "array", "items": { "type": "number" } } },
        })
    }

    #[test]
    fn a_catalog_is_read_in_both_forms() {
        for read in [
            Catalog::from_schema(&catalog(), Version::V0_9),
            Catalog::from_context(&catalog().to_string(), Version::V0_9),
        ] {
            let read = read.expect("is a catalog");
            assert_eq!(read.id, "acme.com:charts");
            let chart = read.component("Chart").expect("is in it");
            let wanted: Vec<_> = chart
                .properties
                .iter()
                .map(|it| (it.name.as_str(), it.is_required, it.shape.wanted()))
                .collect();
            let text = Shape::Dynamic(Literal::Text).wanted();
            let expected = [
                ("title", true, text),
                ("legend", false, "the id of a component".to_owned()),
                ("kind", true, "one of `bar`, `line`".to_owned()),
                ("points", false, "a list, each item a number".to_owned()),
            ];
            assert_eq!(wanted, expected);
            assert!(read.function("mean").is_some() && read.knows_all_functions());
        }
    }

    #[test]
    fn words_of_0_8_are_read_from_its_catalogs() {
        let name = json!({ "properties": { "literalString": { "enum": ["sun", "rain"] }, "path": {} } });
        let document =
            json!({ "catalogId": "c", "components": { "Weather": { "properties": { "name": name } } } });
        let read = Catalog::from_schema(&document, Version::V0_8).expect("is a catalog");
        let shape = &read.component("Weather").expect("is in it").properties[0].shape;
        assert!(matches!(shape, Shape::BoundWord { words, .. } if *words == ["sun", "rain"]), "{shape:?}");
    }

    #[test]
    fn a_schema_that_contains_itself_comes_to_an_end() {
        let again = json!({ "$ref": "#/$defs/node" });
        let node = json!({ "oneOf": vec![again.clone(); 40], "allOf": vec![again.clone(); 40] });
        let document = json!({ "catalogId": "c", "components": { "A": again }, "$defs": { "node": node } });
        assert!(Catalog::from_schema(&document, Version::V0_9).is_ok());
    }

    #[test]
    fn what_is_no_catalog_is_told() {
        let fault =
            Catalog::from_schema(&json!({ "components": {} }), Version::V0_9).expect_err("has no name");
        assert_eq!((fault.code, fault.path.as_str()), ("missing_field", ""));
        assert_eq!(
            Catalog::from_context("{", Version::V0_9).expect_err("is not valid JSON").code,
            "not_json"
        );
    }
}
