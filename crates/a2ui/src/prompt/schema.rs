//! The JSON Schema of a payload, for models and for providers that hold a model to one.
//!
//! It says what a catalog can draw. What a schema cannot say, that ids lead somewhere and that there is a root, a
//! [`Checker`](crate::check::Checker) says.

use serde_json::{Map, Value, json};

use crate::{
    Version,
    catalog::{Catalog, Component, Literal, Property, Shape},
};

/// The schema of a list of messages for a catalog.
#[must_use]
pub fn schema(catalog: &Catalog) -> Value {
    let messages = match catalog.version {
        Version::V0_8 => messages_0_8(catalog),
        _ => messages_0_9(catalog),
    };
    json!({ "$defs": definitions(catalog.version), "type": "array", "minItems": 1, "items": { "anyOf": messages } })
}

fn messages_0_8(catalog: &Catalog) -> Vec<Value> {
    let types =
        components(catalog, |component| closed_unless(component.is_open, properties(&component.properties)));
    let component = json!({ "type": "object", "properties": types, "minProperties": 1, "maxProperties": 1, "additionalProperties": false });
    let placed = closed(vec![
        ("id", true, text()),
        ("weight", false, json!({ "type": "number" })),
        ("component", true, component),
    ]);
    let message = |kind: &str, members| closed(vec![(kind, true, closed(members))]);
    let surface = || ("surfaceId", true, text());
    vec![
        message("surfaceUpdate", vec![surface(), ("components", true, some(placed))]),
        message(
            "dataModelUpdate",
            vec![
                surface(),
                ("path", false, text()),
                ("contents", true, json!({ "type": "array", "items": { "$ref": "#/$defs/Entry" } })),
            ],
        ),
        message(
            "beginRendering",
            vec![
                surface(),
                ("root", true, text()),
                ("catalogId", false, text()),
                ("styles", false, json!({ "type": "object" })),
            ],
        ),
        message("deleteSurface", vec![surface()]),
    ]
}

fn messages_0_9(catalog: &Catalog) -> Vec<Value> {
    let types = components(catalog, |component| {
        let mut members = vec![
            ("id", true, text()),
            ("component", true, json!({ "const": component.name })),
            ("weight", false, json!({ "type": "number" })),
            ("accessibility", false, json!({ "type": "object" })),
        ];
        members.extend(properties(&component.properties));
        closed_unless(component.is_open, members)
    });
    let types: Vec<_> = types.into_iter().map(|(_, schema)| schema).collect();
    let version = || ("version", true, json!({ "enum": ["v0.9", "v0.9.1"] }));
    let message = |kind: &str, members| closed(vec![version(), (kind, true, closed(members))]);
    let surface = || ("surfaceId", true, text());
    vec![
        message(
            "createSurface",
            vec![
                surface(),
                ("catalogId", true, json!({ "const": catalog.id })),
                ("theme", false, json!({ "type": "object" })),
                ("sendDataModel", false, json!({ "type": "boolean" })),
            ],
        ),
        message("updateComponents", vec![surface(), ("components", true, some(json!({ "anyOf": types })))]),
        message("updateDataModel", vec![surface(), ("path", false, text()), ("value", false, json!({}))]),
        message("deleteSurface", vec![surface()]),
    ]
}

fn components(catalog: &Catalog, schema: impl Fn(&Component) -> Value) -> Map<String, Value> {
    let names = catalog.component_names().into_iter();
    names.filter_map(|name| Some((name.to_owned(), schema(catalog.component(name)?)))).collect()
}

/// A member: its name, whether it has to be there, and what it is.
type Member<'n> = (&'n str, bool, Value);

fn properties(properties: &[Property]) -> Vec<Member<'_>> {
    properties.iter().map(|it| (it.name.as_str(), it.is_required, of(&it.shape))).collect()
}

fn closed(members: Vec<Member<'_>>) -> Value {
    closed_unless(false, members)
}

fn closed_unless(is_open: bool, members: Vec<Member<'_>>) -> Value {
    let required: Vec<_> =
        members.iter().filter(|(_, is_required, _)| *is_required).map(|(name, ..)| *name).collect();
    let mut schema = json!({ "type": "object", "required": required });
    let properties: Map<_, _> =
        members.into_iter().map(|(name, _, schema)| (name.to_owned(), schema)).collect();
    schema["properties"] = Value::Object(properties);
    if !is_open {
        schema["additionalProperties"] = json!(false);
    }
    schema
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn some(items: Value) -> Value {
    json!({ "type": "array", "minItems": 1, "items": items })
}

fn of(shape: &Shape) -> Value {
    match shape {
        Shape::Any => json!({}),
        Shape::Plain(literal) => plain(*literal),
        Shape::Word(words) => json!({ "enum": words }),
        Shape::Dynamic(literal) => json!({ "anyOf": [plain(*literal), refers("Binding"), refers("Call")] }),
        Shape::Bound(literal) => bound(*literal),
        Shape::BoundWord { words, .. } => {
            let mut schema = bound(Literal::Text);
            schema["properties"]["literalString"] = json!({ "enum": words });
            schema
        }
        Shape::Child => text(),
        Shape::Children => refers("Children"),
        Shape::ListedChildren => refers("ListedChildren"),
        Shape::Action => refers("Action"),
        Shape::NamedAction => refers("NamedAction"),
        Shape::Checks => refers("Checks"),
        Shape::Object { members, is_open } => closed_unless(*is_open, properties(members)),
        Shape::List { item, at_least } => json!({ "type": "array", "minItems": at_least, "items": of(item) }),
        Shape::Either(shapes) => json!({ "anyOf": shapes.iter().map(of).collect::<Vec<_>>() }),
    }
}

fn refers(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn plain(literal: Literal) -> Value {
    match literal {
        Literal::Text => text(),
        Literal::Number => json!({ "type": "number" }),
        Literal::Count => json!({ "type": "integer", "minimum": 0 }),
        Literal::Flag => json!({ "type": "boolean" }),
        Literal::Texts => json!({ "type": "array", "items": text() }),
        Literal::Value => json!({ "type": ["string", "number", "boolean", "array"] }),
    }
}

fn bound(literal: Literal) -> Value {
    let members = vec![(literal.member(), false, plain(literal)), ("path", false, text())];
    let mut schema = closed(members);
    schema["minProperties"] = json!(1);
    schema
}

/// What several properties have in common.
fn definitions(version: Version) -> Value {
    if version == Version::V0_8 {
        let value = json!({ "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
            "properties": { "path": text(), "literalString": text(), "literalNumber": { "type": "number" }, "literalBoolean": { "type": "boolean" } } });
        let context = closed(vec![("key", true, text()), ("value", true, value)]);
        let template = closed(vec![("componentId", true, text()), ("dataBinding", true, text())]);
        return json!({
            "ListedChildren": { "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
                "properties": { "explicitList": { "type": "array", "items": text() }, "template": template } },
            "NamedAction": closed(vec![("name", true, text()), ("context", false, json!({ "type": "array", "items": context }))]),
            "Entry": { "type": "object", "required": ["key"], "minProperties": 2, "maxProperties": 2, "additionalProperties": false,
                "properties": { "key": text(), "valueString": text(), "valueNumber": { "type": "number" },
                    "valueBoolean": { "type": "boolean" }, "valueMap": { "type": "array", "items": { "$ref": "#/$defs/Entry" } } } },
        });
    }
    let call = closed(vec![
        ("call", true, text()),
        ("args", false, json!({ "type": "object" })),
        ("returnType", false, text()),
    ]);
    let event = closed(vec![("name", true, text()), ("context", false, json!({ "type": "object" }))]);
    let check = closed(vec![
        ("condition", true, json!({ "anyOf": [{ "type": "boolean" }, refers("Binding"), refers("Call")] })),
        ("message", true, text()),
    ]);
    json!({
        "Binding": closed(vec![("path", true, text())]),
        "Call": call,
        "Children": { "anyOf": [
            { "type": "array", "items": text() },
            closed(vec![("componentId", true, text()), ("path", true, text())]),
        ] },
        "Action": { "anyOf": [closed(vec![("event", true, event)]), closed(vec![("functionCall", true, refers("Call"))])] },
        "Checks": { "type": "array", "items": check },
    })
}
