//! The schemas in a schema: which members of one hold others.

use serde_json::{Map, Value};

const ONE: &[&str] = &[
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
const LIST: &[&str] = &["allOf", "anyOf", "items", "oneOf", "prefixItems"];
const MAP: &[&str] =
    &["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"];

/// Calls a function with each schema directly inside of this one. What only looks like a schema, such as a value of
/// `enum` or a property that is called `$ref`, is left alone.
pub(in crate::tool) fn each_schema<E>(
    schema: &mut Map<String, Value>,
    call: &mut impl FnMut(&mut Value) -> Result<(), E>,
) -> Result<(), E> {
    for (name, value) in schema {
        let name = name.as_str();
        match value {
            Value::Array(items) if LIST.contains(&name) => items.iter_mut().try_for_each(&mut *call)?,
            Value::Object(members) if MAP.contains(&name) => {
                members.values_mut().filter(|member| member.is_object()).try_for_each(&mut *call)?;
            }
            Value::Object(_) if ONE.contains(&name) => call(value)?,
            _ => {}
        }
    }
    Ok(())
}
