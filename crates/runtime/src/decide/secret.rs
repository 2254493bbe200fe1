//! Answers that nobody may keep: what a question asks for as a password reaches the agent and nothing else.

use forestage_protocol::{
    interrupt::{Interrupt, ResumeEntry},
    json::Json,
};
use serde_json::{Map, Value};

use super::check::payload;

/// What stands in the log where a secret was.
pub(crate) const NOT_KEPT: &str = "[not kept]";

/// How deep a schema is looked through.
const MAX_DEPTH: usize = 16;

/// Whether a question asks for something that may not be kept.
pub(crate) fn has_secrets(question: &Interrupt) -> bool {
    let schema = question.response_schema.as_ref();
    schema.is_some_and(|schema| asks_for_secret(&Value::Object((**schema).clone()), 0))
}

/// An answer as it may be kept.
pub(crate) fn redacted(question: &Interrupt, entry: &ResumeEntry) -> ResumeEntry {
    let Some(schema) = question.response_schema.as_ref().filter(|_| has_secrets(question)) else {
        return entry.clone();
    };
    let mut value = payload(entry);
    redact(&Value::Object((**schema).clone()), &mut value, 0);
    ResumeEntry { payload: entry.payload.as_ref().map(|_| Json::from(value)), ..entry.clone() }
}

/// Whether something is missing from an answer as it was kept, so that nobody can go on with it.
pub(crate) fn is_cut(question: &Interrupt, kept: &ResumeEntry) -> bool {
    let holds_gap = kept.payload.as_ref().is_some_and(|payload| payload.get().contains(NOT_KEPT));
    holds_gap && has_secrets(question)
}

fn is_secret(schema: &Value) -> bool {
    schema.get("format").and_then(Value::as_str) == Some("password")
        || schema.get("writeOnly") == Some(&Value::Bool(true))
}

fn asks_for_secret(schema: &Value, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        // Nobody can say, so nothing of it is kept.
        return true;
    }
    is_secret(schema) || parts(schema).any(|part| asks_for_secret(part, depth + 1))
}

/// The schemas that describe parts of a value, or the same value in another way.
fn parts(schema: &Value) -> impl Iterator<Item = &Value> {
    let members =
        ["properties", "$defs", "definitions"].iter().filter_map(|name| schema.get(name)?.as_object());
    let choices = ["anyOf", "oneOf", "allOf"].iter().filter_map(|name| schema.get(name)?.as_array());
    let items = schema.get("items").into_iter();
    members.flat_map(Map::values).chain(choices.flatten()).chain(items)
}

fn redact(schema: &Value, value: &mut Value, depth: usize) {
    if is_secret(schema) || depth > MAX_DEPTH {
        *value = Value::from(NOT_KEPT);
        return;
    }
    // Where a part is described in a roundabout way, the whole goes.
    let roundabout = ["anyOf", "oneOf", "allOf", "$ref"].iter().any(|name| schema.get(name).is_some());
    if roundabout {
        *value = Value::from(NOT_KEPT);
        return;
    }
    match value {
        Value::Object(map) => redact_members(schema, map, depth),
        Value::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter_mut().for_each(|item| redact(schema, item, depth + 1));
            }
        }
        _ => {}
    }
}

fn redact_members(schema: &Value, map: &mut Map<String, Value>, depth: usize) {
    let Some(Value::Object(members)) = schema.get("properties") else { return };
    for (name, schema) in members {
        if let Some(value) = map.get_mut(name) {
            redact(schema, value, depth + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn kept(schema: Value, answer: Value) -> Value {
        let Value::Object(schema) = schema else { unreachable!("a schema") };
        let question =
            Interrupt { response_schema: Some(schema.into()), ..Interrupt::new("i", "input_required") };
        let entry = ResumeEntry {
            payload: Some(answer.into()),
            ..ResumeEntry::new("i", forestage_protocol::interrupt::ResumeStatus::Resolved)
        };
        payload(&redacted(&question, &entry))
    }

    #[test]
    fn what_is_asked_for_as_a_password_is_not_kept() {
        let password = json!({ "type": "string", "format": "password" });
        assert_eq!(kept(password.clone(), json!("x")), json!(NOT_KEPT));
        let form =
            json!({ "type": "object", "properties": { "user": { "type": "string" }, "password": password } });
        let answer = json!({ "user": "ann", "password": "x" });
        assert_eq!(kept(form, answer), json!({ "user": "ann", "password": NOT_KEPT }));
        let list = json!({ "type": "array", "items": { "writeOnly": true } });
        assert_eq!(kept(list, json!(["a", "b"])), json!([NOT_KEPT, NOT_KEPT]));
    }

    #[test]
    fn an_answer_without_secrets_is_kept_as_it_is() {
        let form = json!({ "type": "object", "properties": { "user": { "type": "string" } } });
        assert_eq!(kept(form, json!({ "user": "ann" })), json!({ "user": "ann" }));
    }

    #[test]
    fn where_a_secret_may_be_anywhere_nothing_is_kept() {
        let choice = json!({ "anyOf": [{ "format": "password" }, { "type": "null" }] });
        assert_eq!(kept(choice, json!("x")), json!(NOT_KEPT));
    }
}
