//! Types as JSON Schemas in the manner of the contract: nothing is referred to, what may be left out may not be null, and
//! numbers say nothing about machines.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value, json};

/// The schema of a type.
pub(crate) fn of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    tidy(&mut schema);
    schema
}

fn tidy(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(tidy),
        Value::Object(members) => {
            members.values_mut().for_each(tidy);
            tidy_members(members);
        }
        _ => {}
    }
}

/// A member of an object may be called as a word of the schema; then it is an object and not a text or a list.
fn tidy_members(members: &mut Map<String, Value>) {
    members.retain(|name, value| match name.as_str() {
        "title" => !value.is_string(),
        "default" => !value.is_null(),
        "format" => !matches!(value.as_str(), Some("int64" | "double")),
        _ => true,
    });
    if let Some(Value::Array(types)) = members.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            members.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = members.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    lift(members, "anyOf");
    choices(members);
}

/// A choice between something and null is no choice.
fn lift(members: &mut Map<String, Value>, name: &str) {
    let Some(Value::Array(choices)) = members.get_mut(name) else { return };
    choices.retain(|choice| *choice != json!({ "type": "null" }));
    let [Value::Object(choice)] = &mut choices[..] else { return };
    let choice = std::mem::take(choice);
    members.remove(name);
    for (name, value) in choice {
        members.entry(name).or_insert(value);
    }
}

/// Values that are documented one by one are still one list of values.
fn choices(members: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = members.get("oneOf") else { return };
    let values: Vec<_> = choices.iter().filter_map(|choice| choice.get("const").cloned()).collect();
    if values.len() == choices.len() {
        members.remove("oneOf");
        members.insert("type".to_owned(), json!("string"));
        members.insert("enum".to_owned(), values.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is asked for")]
    struct Inner {
        name: Option<String>,
        size: Option<f64>,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is asked for")]
    enum Kind {
        /// The first.
        One,
        /// The other.
        Two,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is asked for")]
    struct Outer {
        #[serde(default)]
        inner: Option<Inner>,
        kind: Option<Kind>,
        title: String,
    }

    #[test]
    fn what_may_be_left_out_is_neither_a_choice_nor_null() {
        let inner = json!({
            "type": "object",
            "properties": { "name": { "type": "string" }, "size": { "type": "number" } },
        });
        let kind = json!({ "type": "string", "enum": ["One", "Two"] });
        let expected = json!({
            "type": "object",
            "properties": { "inner": inner, "kind": kind, "title": { "type": "string" } },
            "required": ["title"],
        });
        assert_eq!(of::<Outer>(), expected);
    }
}
