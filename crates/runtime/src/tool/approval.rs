//! The shape of an answer to "may I call this tool?".

use std::convert::Infallible;

use serde_json::{Map, Value, json};

use super::schema::each_schema;

/// Where the arguments stand in the schema of an answer.
const HERE: &str = "#/properties/editedArgs";

/// What an answer to the question may do beside yes and no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leeway {
    /// Change the arguments.
    pub edit: bool,
    /// Be remembered, so that nobody needs to be asked again.
    pub remember: bool,
}

/// The response schema of an approval of a tool with these parameters. An answer has `approved`, and may have a `reason`
/// and, as far as there is leeway, `editedArgs`, which replace the arguments as a whole, and `remember` with the scope in
/// which nobody needs to be asked again. Nothing else is allowed: whoever misspells `editedArgs` would have the old
/// arguments executed.
#[must_use]
pub fn approval_schema(parameters: &Map<String, Value>, leeway: Leeway) -> Map<String, Value> {
    let mut arguments = parameters.clone();
    let mut schema = Map::from_iter([("type".to_owned(), json!("object"))]);
    if let Some(dialect) = arguments.remove("$schema") {
        schema.insert("$schema".to_owned(), dialect);
    }
    // A schema with an id of its own is a document of its own, and its references stay in it.
    if !arguments.contains_key("$id") {
        for name in ["$defs", "definitions"] {
            schema.extend(arguments.remove_entry(name));
        }
        move_references(&mut schema);
        move_references(&mut arguments);
    }
    let mut properties = Map::new();
    let mut offer = |name: &str, shape: Value| properties.insert(name.to_owned(), shape);
    offer("approved", json!({ "type": "boolean", "description": "Whether the tool may be called." }));
    if leeway.edit {
        offer("editedArgs", Value::Object(arguments));
    }
    offer("reason", json!({ "type": "string", "description": "Why, for the record and for the agent." }));
    if leeway.remember {
        let about = "Where nobody needs to be asked about this tool again.";
        offer("remember", json!({ "enum": ["thread", "always"], "description": about }));
    }
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("required".to_owned(), json!(["approved"]));
    schema.insert("additionalProperties".to_owned(), json!(false));
    schema
}

/// Definitions stand at the root as before; everything else has moved.
fn move_references(schema: &mut Map<String, Value>) {
    if let Some(Value::String(reference)) = schema.get_mut("$ref")
        && let Some(pointer) = reference.strip_prefix('#')
        && (pointer.is_empty() || pointer.starts_with('/'))
        && !pointer.starts_with("/$defs/")
        && !pointer.starts_with("/definitions/")
    {
        *reference = format!("{HERE}{pointer}");
    }
    let moved = each_schema(schema, &mut |inner| {
        if let Value::Object(inner) = inner {
            move_references(inner);
        }
        Ok::<_, Infallible>(())
    });
    moved.unwrap_or_else(|never| match never {});
}
