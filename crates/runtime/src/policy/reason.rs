//! The reason that a rule gives for its decision, about the call at hand.
//!
//! `{{args.amount}}` stands for an argument, so that a question can name what it is about: `Refund €{{args.amount}}?`.

use serde_json::Value;

const OPEN: &str = "{{args.";
const CLOSE: &str = "}}";

/// A reason with the arguments of a call in their places. An argument that is not there leaves nothing behind.
pub(super) fn about(reason: &str, arguments: &Value) -> String {
    let mut text = String::new();
    let mut rest = reason;
    while let Some((before, after)) = rest.split_once(OPEN)
        && let Some((path, next)) = after.split_once(CLOSE)
    {
        text.push_str(before);
        text.push_str(&shown(arguments, path.trim()));
        rest = next;
    }
    text + rest
}

fn shown(arguments: &Value, path: &str) -> String {
    let pointer: String = path.split('.').map(|member| format!("/{member}")).collect();
    match arguments.pointer(&pointer) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_take_their_places_and_missing_ones_leave_nothing() {
        let arguments = json!({ "order": "B-4", "amount": 200, "to": { "name": "Ann" }, "note": null });
        let check = |reason: &str, expected: &str| assert_eq!(about(reason, &arguments), expected);
        check("Refund €{{args.amount}} for order {{args.order}}?", "Refund €200 for order B-4?");
        check("Pay {{ args.amount }}", "Pay {{ args.amount }}");
        check("To {{args.to.name }}.", "To Ann.");
        check("[{{args.note}}{{args.nobody}}]", "[]");
        check("{{args.amount", "{{args.amount");
        check("Money.", "Money.");
    }
}
