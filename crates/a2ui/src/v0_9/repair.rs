//! Mistakes that have one meaning only.

use serde_json::{Map, Value, json};

/// What a check says where nothing was said.
const UNSAID: &str = "Please check this.";

/// Writes checks `{call, args, message}` as `{condition: {call, args}, message}`.
pub(super) fn checks(checks: &mut Value) {
    for check in checks.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        if check.contains_key("call") && !check.contains_key("condition") {
            let mut condition = std::mem::take(check);
            let message = condition.shift_remove("message").unwrap_or_else(|| json!(UNSAID));
            *check = Map::from_iter([
                ("condition".to_owned(), Value::Object(condition)),
                ("message".to_owned(), message),
            ]);
        }
    }
}
