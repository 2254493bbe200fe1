//! What is on the screen: every component that the root leads to, once for each item that it is drawn for.

use serde_json::Value;

use crate::surface::{Component, Path, Surface};

/// So many components are looked at. A surface that draws more is not checked beyond.
const MAX_INSTANCES: usize = 20_000;

/// So deep components may lie in each other.
const MAX_DEPTH: usize = 64;

/// A component where it is drawn.
#[derive(Debug)]
pub(super) struct Instance<'s> {
    pub(super) component: &'s Component,
    /// The item that it is drawn for; the whole data where there is none.
    pub(super) item: Path,
}

/// Everything that is drawn.
pub(super) fn instances(surface: &Surface) -> Vec<Instance<'_>> {
    let mut found = Vec::new();
    let root = surface.root.as_deref().and_then(|root| surface.component(root));
    let mut rest: Vec<_> = root.map(|root| (root, Path::root(), 0)).into_iter().collect();
    while let Some((component, item, depth)) = rest.pop() {
        if found.len() >= MAX_INSTANCES || depth > MAX_DEPTH {
            continue;
        }
        for (child, item) in children(surface, component, &item) {
            rest.extend(surface.component(child).map(|child| (child, item, depth + 1)));
        }
        found.push(Instance { component, item });
    }
    found
}

/// The components that one leads to, and the item that each is drawn for.
fn children<'s>(surface: &Surface, component: &'s Component, item: &Path) -> Vec<(&'s str, Path)> {
    let mut children = Vec::new();
    let mut add = |value: Option<&'s Value>| {
        children.extend(value.and_then(Value::as_str).map(|child| (child, item.clone())));
    };
    for name in ["child", "trigger", "content"] {
        add(component.properties.get(name));
    }
    let tabs = component.properties.get("tabs").and_then(Value::as_array);
    tabs.into_iter().flatten().for_each(|tab| add(tab.get("child")));
    match component.properties.get("children") {
        Some(Value::Array(list)) => list.iter().for_each(|child| add(Some(child))),
        Some(template) => children.extend(copies(surface, template, item)),
        None => {}
    }
    children
}

/// A template is drawn once for each item of its list.
fn copies<'s>(surface: &Surface, template: &'s Value, item: &Path) -> Vec<(&'s str, Path)> {
    let (Some(child), Some(path)) = (template["componentId"].as_str(), template["path"].as_str()) else {
        return Vec::new();
    };
    let Ok(path) = Path::resolve(path, item) else { return Vec::new() };
    let keys: Vec<String> = match surface.model.get(&path) {
        Some(Value::Array(items)) => {
            (0..items.len().min(MAX_INSTANCES)).map(|index| index.to_string()).collect()
        }
        Some(Value::Object(items)) => items.keys().cloned().collect(),
        _ => Vec::new(),
    };
    keys.into_iter().filter_map(|key| Some((child, path.child(key).ok()?))).collect()
}
