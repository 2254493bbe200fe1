//! Where components refer to others.

use serde_json::{Map, Value};

/// Properties that hold the id of a component, in 0.8 and 0.9.
const CHILDREN: [&str; 5] = ["child", "trigger", "content", "entryPointChild", "contentChild"];

/// Calls a function with every reference in these properties.
pub(super) fn each_mut(properties: &mut Map<String, Value>, see: &mut impl FnMut(&mut String)) {
    for (name, value) in properties {
        match (name.as_str(), value) {
            (name, Value::String(id)) if CHILDREN.contains(&name) => see(id),
            ("children", children) => listed(children, see),
            ("tabs" | "tabItems", Value::Array(tabs)) => {
                let children = tabs.iter_mut().filter_map(|tab| tab.get_mut("child"));
                children.for_each(|child| text(child, see));
            }
            _ => {}
        }
    }
}

/// The ids to which these properties refer.
pub(crate) fn of(properties: &Map<String, Value>) -> Vec<String> {
    let (mut found, mut properties) = (Vec::new(), properties.clone());
    each_mut(&mut properties, &mut |id| found.push(id.clone()));
    found
}

fn listed(children: &mut Value, see: &mut impl FnMut(&mut String)) {
    match children {
        Value::Array(ids) => ids.iter_mut().for_each(|id| text(id, see)),
        Value::Object(members) => {
            for (name, value) in members {
                match name.as_str() {
                    "componentId" => text(value, see),
                    "explicitList" | "template" => listed(value, see),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

fn text(value: &mut Value, see: &mut impl FnMut(&mut String)) {
    if let Value::String(id) = value {
        see(id);
    }
}
