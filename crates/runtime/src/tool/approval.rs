//! The shape of an answer to "may I call this tool?".

use std::convert::Infallible;

use serde_json::{Map, Value, json};

use super::schema::each_schema;

/// Where the arguments stand in the schema of an answer.
const HERE: &str = "#/properties/editedArgs";

/// The response schema of an approval of a tool with these parameters. An answer has `approved`, and may have
/// `editedArgs`, which replace the arguments as a whole, a `reason`, and `remember` with the scope in which nobody needs
/// to be asked again. Nothing else is allowed: whoever misspells `editedArgs` would have the old arguments executed.
#[must_use]
pub fn approval_schema(parameters: &Map<String, Value>) -> Map<String, Value> {
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
    let properties = json!({
        "approved": { "type": "boolean", "description": "Whether the tool may be called." },
        "editedArgs": arguments,
        "reason": { "type": "string", "description": "Why, for the record and for the agent." },
        "remember": {
            "enum": ["thread", "always"],
            "description": "Where nobody needs to be asked about this tool again."
        }
    });
    schema.insert("properties".to_owned(), properties);
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
