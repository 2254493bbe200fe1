//! What protobuf cannot carry: whether an optional list is empty or absent, members of patch operations that
//! RFC 6902 does not define, and numbers other than doubles.

use forestage_protocol::event::Event;
use serde_json::{Map, Number, Value};

/// The optional lists of events, inputs and messages.
const LISTS: [&str; 7] =
    ["pendingToolCallIds", "interruptIds", "tools", "context", "resume", "toolCalls", "usage"];

/// An event as JSON without what protobuf cannot carry.
pub fn as_protobuf_has_it(event: &Event) -> Value {
    let mut tree = serde_json::from_str(&event.to_json()).expect("an event is JSON");
    simplify(&mut tree);
    for patch in ["delta", "patch"] {
        if let Some(Value::Array(operations)) = tree.get_mut(patch) {
            operations.iter_mut().filter_map(Value::as_object_mut).for_each(without_extras);
        }
    }
    tree
}

fn simplify(value: &mut Value) {
    match value {
        Value::Number(number) => *number = as_double(number),
        Value::Array(items) => items.iter_mut().for_each(simplify),
        Value::Object(members) => {
            members.retain(|name, value| !(LISTS.contains(&name.as_str()) && is_empty_list(value)));
            members.values_mut().for_each(simplify);
        }
        _ => {}
    }
}

fn is_empty_list(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty)
}

fn as_double(number: &Number) -> Number {
    number.as_f64().and_then(Number::from_f64).expect("a JSON number is a finite double")
}

fn without_extras(operation: &mut Map<String, Value>) {
    let own: &[&str] = match operation.get("op").and_then(Value::as_str) {
        Some("add" | "replace" | "test") => &["op", "path", "value"],
        Some("move" | "copy") => &["op", "path", "from"],
        _ => &["op", "path"],
    };
    operation.retain(|name, _| own.contains(&name.as_str()));
}
