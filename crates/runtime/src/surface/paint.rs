//! From one state of a surface to the next, in as few words as it takes.
//!
//! A client works through everything that it is told, and forgets what a person has typed wherever data is set. So only
//! what differs is said.

use std::collections::HashMap;

use forestage_a2ui::{
    bridge::{whole_0_8, whole_0_9},
    catalog::BASIC_0_9,
    surface::{Path, Surface},
    v0_8,
    v0_9::{Component, Message},
};
use forestage_protocol::patch::Patch;
use serde_json::{Value, json};

use super::OPERATIONS;

/// Everything that draws a surface from nothing, for a client that calls the basic catalog so.
pub(super) fn whole(surface: &Surface, basic_catalog: &str) -> Vec<Value> {
    whole_0_9(surface, basic_catalog).iter().map(Message::to_value).collect()
}

/// The same in the words of 0.8.
pub(super) fn old(surface: &Surface) -> Vec<Value> {
    whole_0_8(surface).iter().map(v0_8::Message::to_value).collect()
}

/// What makes one state of a surface the other. Nothing if it can only be drawn anew.
pub(super) fn difference(old: &Surface, new: &Surface) -> Option<Vec<Value>> {
    if (&old.catalog_id, &old.theme) != (&new.catalog_id, &new.theme) {
        return None;
    }
    let (old, now) = (Parts::of(old), Parts::of(new));
    let known: HashMap<_, _> = old.components.iter().map(|component| (&component.id, component)).collect();
    let changed = now.components.into_iter().filter(|it| known.get(&it.id).is_none_or(|known| *known != it));
    let components: Vec<_> = changed.collect();
    let mut messages = Vec::new();
    if !components.is_empty() {
        messages.push(Message::UpdateComponents { surface_id: new.id.clone(), components });
    }
    data(&new.id, &Path::root(), &old.data, &now.data, &mut messages)?;
    Some(messages.iter().map(Message::to_value).collect())
}

/// The patch that adds messages to what draws a surface.
pub(super) fn appended(operations: &[Value]) -> Patch {
    let path = format!("/{OPERATIONS}/-");
    let patch: Vec<_> =
        operations.iter().map(|it| json!({ "op": "add", "path": path, "value": it })).collect();
    serde_json::from_value(patch.into()).unwrap_or_default()
}

/// A surface as 0.9 has it.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) components: Vec<Component>,
    pub(super) data: Value,
}

impl Parts {
    pub(super) fn of(surface: &Surface) -> Self {
        let mut parts = Self::default();
        for message in whole_0_9(surface, BASIC_0_9) {
            match message {
                Message::UpdateComponents { components, .. } => parts.components.extend(components),
                Message::UpdateDataModel { value, .. } => parts.data = value.unwrap_or_default(),
                _ => {}
            }
        }
        parts
    }
}

/// The writes that make one value the other. Nothing if a path cannot be written down.
fn data(id: &str, path: &Path, old: &Value, new: &Value, messages: &mut Vec<Message>) -> Option<()> {
    if old == new {
        return Some(());
    }
    let (Value::Object(before), Value::Object(after)) = (old, new) else {
        messages.push(write(id, path, Some(new.clone())));
        return Some(());
    };
    for key in before.keys().filter(|key| !after.contains_key(*key)) {
        messages.push(write(id, &path.child(key).ok()?, None));
    }
    for (key, value) in after {
        let path = path.child(key).ok()?;
        match before.get(key) {
            Some(before) => data(id, &path, before, value, messages)?,
            None => messages.push(write(id, &path, Some(value.clone()))),
        }
    }
    Some(())
}

/// Writes a value, or deletes what is there.
fn write(id: &str, path: &Path, value: Option<Value>) -> Message {
    let path = if path.is_root() { "/".to_owned() } else { path.to_string() };
    Message::UpdateDataModel { surface_id: id.to_owned(), path: Some(path), value }
}
