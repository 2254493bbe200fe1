//! Templates over maps, which 0.8 has and 0.9 has not: the map becomes a list, and its keys are remembered.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use super::{
    references,
    scope::{MAX_DRAWN, Scope},
};
use crate::surface::{DataModel, Path, ROOT, Surface};

/// The keys of every map that is shown as a list, by the path of the map.
pub(super) type Maps = BTreeMap<Path, Vec<String>>;

/// Finds the maps over which the templates of a surface go.
pub(super) fn find(surface: &Surface) -> Maps {
    let (mut maps, mut seen) = (Maps::new(), HashSet::new());
    let root = surface.root.as_deref().unwrap_or(ROOT);
    let mut open = vec![(root.to_owned(), Scope::default())];
    while let Some((id, scope)) = open.pop() {
        let Some(component) = surface.component(&id) else { continue };
        if seen.len() >= MAX_DRAWN || !seen.insert(format!("{id}{}", scope.suffix)) {
            continue;
        }
        let path = component.properties.get("children").and_then(|children| children.get("path"));
        match path.and_then(Value::as_str) {
            Some(path) => {
                if let (Some(Value::Object(map)), Some(path)) = (scope.get(surface, path), scope.path(path)) {
                    maps.insert(path, map.keys().cloned().collect());
                }
                let items = scope.items(surface, path).into_iter();
                let template = references::of(&component.properties);
                open.extend(items.flat_map(|item| template.iter().map(move |id| (id.clone(), item.clone()))));
            }
            None => {
                open.extend(references::of(&component.properties).into_iter().map(|id| (id, scope.clone())))
            }
        }
    }
    maps
}

/// The data with every such map as a list.
pub(super) fn as_lists(model: &DataModel, maps: &Maps) -> Value {
    turned(model.value(), &Path::root(), maps)
}

fn turned(value: &Value, path: &Path, maps: &Maps) -> Value {
    let inner = |key: &str, value: &Value| {
        path.child(key).map_or_else(|_| value.clone(), |path| turned(value, &path, maps))
    };
    match value {
        Value::Object(members) if maps.contains_key(path) => {
            members.iter().map(|(key, value)| inner(key, value)).collect()
        }
        Value::Object(members) => {
            Value::Object(members.iter().map(|(key, value)| (key.clone(), inner(key, value))).collect())
        }
        Value::Array(items) => {
            items.iter().enumerate().map(|(at, item)| inner(&at.to_string(), item)).collect()
        }
        other => other.clone(),
    }
}

/// A path into the data, with the places in lists instead of the keys of maps.
pub(super) fn counted(path: &Path, maps: &Maps) -> Path {
    let (mut known, mut written) = (Path::root(), Path::root());
    for segment in path.segments() {
        let place = maps.get(&known).and_then(|keys| keys.iter().position(|key| key == segment));
        let step = place.map_or_else(|| segment.clone(), |place| place.to_string());
        let (Ok(next), Ok(next_written)) = (known.child(segment.as_str()), written.child(step)) else {
            return path.clone();
        };
        (known, written) = (next, next_written);
    }
    written
}

/// The path of the outermost list in which a path lies, if it lies in one.
pub(super) fn around<'m>(path: &Path, maps: &'m Maps) -> Option<&'m Path> {
    maps.keys().find(|map| path.starts_with(map))
}
