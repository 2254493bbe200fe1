//! What a value comes to now, for clients that cannot work it out themselves.

use serde_json::Value;

use super::scope::Scope;
use crate::surface::Surface;

/// The value of a literal, a binding or a call. What cannot be worked out is nothing.
pub(super) fn evaluate(surface: &Surface, scope: &Scope, value: &Value) -> Option<Value> {
    match value.get("path").and_then(Value::as_str) {
        Some(path) => scope.get(surface, path).cloned(),
        None if value.get("call").is_some() => None,
        None => Some(value.clone()),
    }
}

/// A value as a text, as renderers put it into one.
pub(super) fn as_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
