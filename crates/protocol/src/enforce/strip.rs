//! Takes away what AG-UI 1.0 does not describe.
//!
//! An unknown member is removed, and so is a null in the place of an optional member: many producers write one where they
//! have nothing to say, and it can mean nothing else. An unknown alternative (a role, a part, an outcome, a name from a closed set)
//! takes its optional member with it, or the list item it is, or, where it is required, whatever contains it.
//! Values of the wrong kind are left for the check that follows.

use serde_json::{Map, Value};

use super::{Warning, place::Place};
use crate::wire::{Shape, Struct};

const OPS: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];

/// Whether the value stays.
pub(super) fn strip(
    shape: &Shape,
    value: &mut Value,
    place: &Place<'_>,
    warnings: &mut Vec<Warning>,
) -> bool {
    match (shape, value) {
        (Shape::Struct(known), Value::Object(object)) => strip_members(known, object, place, warnings),
        (Shape::Union(union), Value::Object(object)) => {
            // Without a readable tag it is malformed, not unknown: an outcome of `{}` is not a success.
            match object.get(union.key).and_then(Value::as_str).map(|tag| union.member(tag)) {
                Some(Some(known)) => strip_members(known, object, place, warnings),
                Some(None) => false,
                None => true,
            }
        }
        (Shape::Operation, Value::Object(object)) => {
            object.get("op").and_then(Value::as_str).is_none_or(|op| OPS.contains(&op))
        }
        (Shape::List { item, .. } | Shape::TextOrParts(item), Value::Array(items)) => {
            strip_items(item, items, place, warnings);
            true
        }
        (Shape::Name(names), Value::String(text)) => !names.is_unknown(text),
        _ => true,
    }
}

fn strip_members(
    known: &Struct,
    object: &mut Map<String, Value>,
    place: &Place<'_>,
    warnings: &mut Vec<Warning>,
) -> bool {
    let mut stays = true;
    object.retain(|name, value| {
        if known.tag.is_some_and(|(key, _)| key == name) || !stays {
            return true;
        }
        let place = place.member(name);
        let Some(field) = known.field(name) else {
            warnings.push(Warning::at("unknown_property", place.to_string(), "removed an unknown property"));
            return false;
        };
        if value.is_null() && !field.required && !matches!(field.shape, Shape::Any) {
            let message = format!("read `{name}: null` as absent");
            warnings.push(Warning::at("null_value", place.to_string(), message));
            return false;
        }
        let mark = warnings.len();
        if strip(&field.shape, value, &place, warnings) {
            return true;
        }
        warnings.truncate(mark);
        stays = !field.required;
        if stays {
            warnings.push(Warning::at("unknown_value", place.to_string(), "removed an unknown value"));
        }
        !stays
    });
    stays
}

/// What was removed, by the name that it goes by.
fn unknown_item(item: &Value) -> String {
    let named = ["role", "type"].into_iter().find_map(|name| Some((name, item.get(name)?.as_str()?)));
    match named {
        Some((member, name)) => format!("removed an item of unknown {member} `{name}`"),
        None => "removed an unknown item".to_owned(),
    }
}

fn strip_items(shape: &Shape, items: &mut Vec<Value>, place: &Place<'_>, warnings: &mut Vec<Warning>) {
    let mut index = 0;
    items.retain_mut(|item| {
        let place = place.item(index);
        index += 1;
        let mark = warnings.len();
        let stays = strip(shape, item, &place, warnings);
        if !stays {
            warnings.truncate(mark);
            warnings.push(Warning::at("unknown_value", place.to_string(), unknown_item(item)));
        }
        stays
    });
}
