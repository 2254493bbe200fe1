//! The format as a JSON Schema, for editors that complete and check while one types.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Value, json};

use super::file::File;

/// The JSON Schema of a script file. It is committed as `spec/schema/script.json`.
#[must_use]
pub fn schema() -> Value {
    schema_of::<File>()
}

/// The schema of a file that our reader reads.
pub fn schema_of<T: JsonSchema>() -> Value {
    let mut schema = SchemaSettings::draft07().into_generator().into_root_schema_for::<T>().to_value();
    refuse_null(&mut schema);
    schema
}

/// A member that may be left out is not one that may be null: the reader makes a difference, so the schema does.
fn refuse_null(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(refuse_null),
        Value::Object(members) => {
            members.retain(|name, value| !(name == "default" && value.is_null()));
            members.values_mut().for_each(refuse_null);
            if let Some(Value::Array(types)) = members.get_mut("type") {
                types.retain(|name| name != "null");
                if let [only] = &types[..] {
                    let only = only.clone();
                    members.insert("type".to_owned(), only);
                }
            }
            let Some(Value::Array(choices)) = members.get_mut("anyOf") else { return };
            choices.retain(|choice| *choice != json!({ "type": "null" }));
            lift_only_choice(members);
        }
        _ => {}
    }
}

/// A choice of one is no choice. What is said about the member goes before what is said about its type.
fn lift_only_choice(members: &mut serde_json::Map<String, Value>) {
    let Some(Value::Array(choices)) = members.get_mut("anyOf") else { return };
    let [Value::Object(choice)] = &mut choices[..] else { return };
    if choice.contains_key("$ref") {
        let choices = members.remove("anyOf").unwrap_or_default();
        members.insert("allOf".to_owned(), choices);
        return;
    }
    let choice = std::mem::take(choice);
    members.remove("anyOf");
    for (name, value) in choice {
        members.entry(name).or_insert(value);
    }
}
