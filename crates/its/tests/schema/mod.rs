//! Schemas, to be compared.

use serde_json::Value;

/// A schema without what is said about it in words.
pub(crate) fn bare(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let is_said = |(name, value): &(&String, &Value)| *name == "description" && value.is_string();
            let kept = members.iter().filter(|member| !is_said(member));
            kept.map(|(name, value)| (name.clone(), bare(value))).collect()
        }
        Value::Array(items) => items.iter().map(bare).collect(),
        other => other.clone(),
    }
}
