//! Values that may be bound: `{literalString}` of 0.8 and bare values of 0.9.

use serde_json::{Map, Value};

use crate::surface::Path;

/// The members that carry literals in 0.8.
const LITERALS: [&str; 5] = ["literalString", "literalNumber", "literalBoolean", "literalArray", "literal"];

/// A value of 0.8, taken apart.
pub(super) struct Bound<'v> {
    pub(super) literal: Option<&'v Value>,
    pub(super) path: Option<&'v str>,
}

/// Takes a value of 0.8 apart, if it is one.
pub(super) fn bound(value: &Value) -> Option<Bound<'_>> {
    let members = value.as_object()?;
    let literal = LITERALS.iter().find_map(|name| members.get(*name));
    let path = members.get("path").and_then(Value::as_str);
    let count = usize::from(literal.is_some()) + usize::from(path.is_some());
    (count > 0 && members.len() == count).then_some(Bound { literal, path })
}

/// A path of 0.8 as 0.9 writes it: divided by slashes alone.
pub(super) fn raised_path(text: &str) -> String {
    if matches!(text, "" | "." | "/") {
        return text.to_owned();
    }
    let Ok(path) = Path::resolve_v0_8(text, &Path::root()) else { return text.to_owned() };
    let written = path.to_string();
    if text.starts_with('/') { written } else { written.trim_start_matches('/').to_owned() }
}

/// The member that carries such a literal in 0.8.
pub(super) fn literal_member(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "literalBoolean",
        Value::Number(_) => "literalNumber",
        Value::Array(_) => "literalArray",
        _ => "literalString",
    }
}

/// `{name: value}`.
pub(super) fn single(name: &str, value: Value) -> Value {
    Value::Object(Map::from_iter([(name.to_owned(), value)]))
}
