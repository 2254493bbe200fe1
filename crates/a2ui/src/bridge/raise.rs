//! A component of 0.8 as 0.9 writes it.

use serde_json::{Map, Value, json};

use super::value::{bound, raised_path, single};
use crate::{surface::Component, v0_8};

/// A component, and what it puts into the data model before it is drawn.
#[derive(Debug)]
pub(crate) struct Raised {
    pub(crate) component: Component,
    pub(crate) writes: Vec<(String, Value)>,
}

/// Properties that have another name in 0.9: component, 0.8, 0.9. A star stands for every component.
pub(super) const NAMES: [(&str, &str, &str); 15] = [
    ("Text", "usageHint", "variant"),
    ("Image", "usageHint", "variant"),
    ("Image", "altText", "description"),
    ("Row", "distribution", "justify"),
    ("Row", "alignment", "align"),
    ("Column", "distribution", "justify"),
    ("Column", "alignment", "align"),
    ("List", "alignment", "align"),
    ("Tabs", "tabItems", "tabs"),
    ("Modal", "entryPointChild", "trigger"),
    ("Modal", "contentChild", "content"),
    ("TextField", "text", "value"),
    ("TextField", "textFieldType", "variant"),
    ("Slider", "minValue", "min"),
    ("Slider", "maxValue", "max"),
];

/// Writes a component of 0.8 as 0.9 does.
pub(crate) fn raise(component: &v0_8::Component) -> Raised {
    let mut writes = Vec::new();
    let mut properties = Map::new();
    for (name, value) in &component.properties {
        let value = match name.as_str() {
            "children" => children(value),
            "action" => action(value),
            _ => raised(value, &mut writes),
        };
        properties.insert(new_name(&component.kind, name).to_owned(), value);
    }
    let kind = finish(&component.kind, &mut properties);
    if let Some(weight) = &component.weight {
        properties.insert("weight".to_owned(), Value::Number(weight.clone()));
    }
    Raised { component: Component { id: component.id.clone(), kind, properties }, writes }
}

fn new_name<'n>(kind: &str, name: &'n str) -> &'n str {
    NAMES
        .iter()
        .find(|(component, old, _)| *component == kind && *old == name)
        .map_or(name, |(_, _, new)| new)
}

/// Literals stand for themselves; a literal with a path is written there first.
fn raised(value: &Value, writes: &mut Vec<(String, Value)>) -> Value {
    if let Some(found) = bound(value) {
        let Some(path) = found.path else { return found.literal.cloned().unwrap_or_default() };
        let path = raised_path(path);
        if let Some(literal) = found.literal.filter(|_| path.starts_with('/')) {
            writes.push((path.clone(), literal.clone()));
        }
        return single("path", Value::String(path));
    }
    match value {
        Value::Array(items) => items.iter().map(|item| raised(item, writes)).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), raised(value, writes))).collect())
        }
        other => other.clone(),
    }
}

fn children(value: &Value) -> Value {
    if let Some(list) = value.get("explicitList") {
        return list.clone();
    }
    let Some(template) = value.get("template") else { return value.clone() };
    let path = template.get("dataBinding").and_then(Value::as_str).map(raised_path);
    json!({ "componentId": template.get("componentId"), "path": path })
}

fn action(value: &Value) -> Value {
    let mut event = Map::from_iter([("name".to_owned(), value.get("name").cloned().unwrap_or_default())]);
    if let Some(entries) = value.get("context").and_then(Value::as_array) {
        // A context is evaluated when somebody acts; it puts nothing into the data model.
        let entry = |entry: &Value| {
            let value = entry.get("value").map(|value| raised(value, &mut Vec::new()));
            Some((entry.get("key")?.as_str()?.to_owned(), value?))
        };
        event.insert("context".to_owned(), Value::Object(entries.iter().filter_map(entry).collect()));
    }
    single("event", Value::Object(event))
}

/// What is not only a matter of names.
fn finish(kind: &str, properties: &mut Map<String, Value>) -> String {
    match kind {
        "Button" => {
            if let Some(primary) = properties.shift_remove("primary") {
                let variant = if primary == Value::Bool(true) { "primary" } else { "default" };
                properties.insert("variant".to_owned(), json!(variant));
            }
        }
        "Image" if properties.get("fit") == Some(&json!("scale-down")) => {
            properties.insert("fit".to_owned(), json!("scaleDown"));
        }
        "Slider" => {
            properties.entry("max").or_insert(json!(100));
        }
        // Clients of 0.9 refuse tabs without a tab.
        "Tabs" if properties.get("tabs").and_then(Value::as_array).is_some_and(Vec::is_empty) => {
            *properties = Map::from_iter([("children".to_owned(), json!([]))]);
            return "Column".to_owned();
        }
        "DateTimeInput" => {
            properties.shift_remove("outputFormat");
        }
        "TextField" if properties.get("variant") == Some(&json!("date")) => return date(properties),
        "MultipleChoice" => return choice(properties),
        _ => {}
    }
    kind.to_owned()
}

fn date(properties: &mut Map<String, Value>) -> String {
    properties.shift_remove("variant");
    properties.shift_remove("validationRegexp");
    properties.insert("enableDate".to_owned(), json!(true));
    properties.entry("value").or_insert(json!(""));
    "DateTimeInput".to_owned()
}

fn choice(properties: &mut Map<String, Value>) -> String {
    let most = properties.shift_remove("maxAllowedSelections");
    let variant = if most.as_ref().and_then(Value::as_f64) == Some(1.0) {
        "mutuallyExclusive"
    } else {
        "multipleSelection"
    };
    let style = properties.shift_remove("variant").or_else(|| properties.shift_remove("type"));
    let value = properties.shift_remove("selections").unwrap_or_else(|| json!([]));
    properties.insert("value".to_owned(), value);
    properties.insert("variant".to_owned(), json!(variant));
    properties.entry("options").or_insert(json!([]));
    if let Some(style) = style {
        properties.insert("displayStyle".to_owned(), style);
    }
    "ChoicePicker".to_owned()
}
