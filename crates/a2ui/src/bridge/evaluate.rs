//! What a value comes to now, for clients that cannot work it out themselves.

use serde_json::Value;

use super::scope::Scope;
use crate::surface::{self, Surface};

/// The value of a literal, a binding or a call. What cannot be worked out is nothing.
pub(super) fn evaluate(surface: &Surface, scope: &Scope, value: &Value) -> Option<Value> {
    surface::Scope::new(&surface.model).in_item(scope.item.clone()).evaluate(value).value
}

/// A value as a text, as renderers put it into one.
pub(super) fn as_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
