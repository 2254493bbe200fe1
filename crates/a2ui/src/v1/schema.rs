//! Views and actions as JSON Schema, for those who check them elsewhere.
//!
//! The schemas accept what [`View::read`](super::View::read) and [`Action::read`](super::Action::read) accept, but for the
//! two limits of a view, depth and size, which JSON Schema cannot count.

use serde_json::{Value, json};

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The names of the schemas: the `kind` of what they describe.
pub const NAMES: [&str; 2] = [super::view::VIEW, super::action::ACTION];

/// The schema of a kind, `a2ui.v1` or `a2ui.action.v1`; `None` for any other.
///
/// ```
/// let schema = forestage_a2ui::v1::schema("a2ui.v1").expect("it is published");
/// assert_eq!(schema["properties"]["kind"]["const"], "a2ui.v1");
/// assert!(forestage_a2ui::v1::schema("a2ui.v2").is_none());
/// ```
#[must_use]
pub fn schema(kind: &str) -> Option<Value> {
    match kind {
        super::view::VIEW => Some(view()),
        super::action::ACTION => Some(action()),
        _ => None,
    }
}

fn view() -> Value {
    let node = json!({ "oneOf": [
        reference("screen"), reference("section"), reference("text"), reference("form"),
    ] });
    let field = json!({ "oneOf": [reference("textField"), reference("numberField")] });
    let children = json!({ "type": "array", "items": reference("node") });
    let fields = json!({ "type": "array", "items": reference("field") });
    json!({
        "$schema": DIALECT,
        "title": "a2ui.v1",
        "description": "A view: what an agent shows. Members that are not named here are ignored.",
        "type": "object",
        "properties": {
            "kind": { "const": super::view::VIEW },
            "viewId": name("Its name; an action says which view it answers."),
            "title": text("What stands above it."),
            "root": reference("node"),
        },
        "required": ["kind", "viewId", "root"],
        "$defs": {
            "node": node,
            "screen": tagged("screen", "The outermost part.", json!({ "children": children }), &["children"]),
            "section": tagged(
                "section",
                "Parts that belong together.",
                json!({ "title": text("What they are."), "children": children }),
                &["children"],
            ),
            "text": tagged(
                "text",
                "Plain text; its spaces and lines count.",
                json!({ "text": text("What it says.") }),
                &["text"],
            ),
            "form": tagged(
                "form",
                "Something to fill in.",
                json!({
                    "id": name("Its name; an action says which form was sent."),
                    "fields": fields,
                    "submitLabel": text("What stands on the button; `Save` where it is not given."),
                }),
                &["id", "fields"],
            ),
            "field": field,
            "textField": field_of("field.text", "For text.", json!({ "type": "string" })),
            "numberField": field_of("field.number", "For a number.", json!({ "type": "number" })),
        },
    })
}

fn action() -> Value {
    let submit = tagged(
        "form.submit",
        "A form was sent.",
        json!({
            "formId": name("The form."),
            "values": { "type": "object", "description": "What was filled in, by the names of the fields." },
        }),
        &["formId", "values"],
    );
    json!({
        "$schema": DIALECT,
        "title": "a2ui.action.v1",
        "description": "What a person did with a view. Members that are not named here are ignored.",
        "type": "object",
        "properties": {
            "kind": { "const": super::action::ACTION },
            "viewId": name("The view."),
            "action": submit,
        },
        "required": ["kind", "viewId", "action"],
    })
}

fn field_of(tag: &str, description: &str, value: Value) -> Value {
    let members = json!({
        "name": name("Under which name its value is sent."),
        "label": name("What stands beside it."),
        "required": { "type": "boolean", "description": "Whether it has to be filled in." },
        "value": value,
    });
    tagged(tag, description, members, &["name", "label"])
}

/// An object that its `type` tells from its siblings.
fn tagged(tag: &str, description: &str, mut members: Value, required: &[&str]) -> Value {
    let required: Vec<&str> = std::iter::once("type").chain(required.iter().copied()).collect();
    members["type"] = json!({ "const": tag });
    json!({ "type": "object", "description": description, "properties": members, "required": required })
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

/// A text that is not empty.
fn name(description: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "description": description })
}
