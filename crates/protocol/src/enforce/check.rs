//! Is the value exactly what its shape says?

use serde_json::{Map, Value};

use super::{Fault, place::Place};
use crate::{
    patch::Pointer,
    wire::{Field, Names, Shape, Struct, Union},
};

/// Fails at the first deviation. Whole numbers written with a fraction (`1.0`) are rewritten without.
pub(super) fn check(shape: &Shape, value: &mut Value, place: &Place<'_>) -> Result<(), Fault> {
    match shape {
        Shape::Any => Ok(()),
        Shape::Present if value.is_null() => Err(null(place)),
        Shape::Present => Ok(()),
        Shape::Object => value.is_object().then_some(()).ok_or_else(|| wrong_type(value, place, "an object")),
        Shape::Text => value.is_string().then_some(()).ok_or_else(|| wrong_type(value, place, "a string")),
        Shape::Bool => value.is_boolean().then_some(()).ok_or_else(|| wrong_type(value, place, "a boolean")),
        Shape::Pointer => check_pointer(value, place),
        Shape::Integer { min, max } => check_integer(*min, *max, value, place),
        Shape::Name(names) => check_name(names, value, place),
        Shape::List { item, min } => check_list(item, *min, value, place),
        Shape::TextOrParts(_) if value.is_string() => Ok(()),
        Shape::TextOrParts(item) if value.is_array() => check_list(item, 0, value, place),
        Shape::TextOrParts(_) => Err(wrong_type(value, place, "a string or a list of parts")),
        Shape::Struct(known) => check_members(known, object(value, place)?, place),
        Shape::Union(union) => check_union(union, value, place),
        Shape::Operation => check_operation(value, place),
    }
}

fn check_integer(min: i64, max: i64, value: &mut Value, place: &Place<'_>) -> Result<(), Fault> {
    if let Some(double) = value.as_f64().filter(|double| value.is_f64() && double.fract() == 0.0) {
        // Out-of-range doubles saturate, and fail the range below.
        *value = Value::from(double as i64);
    }
    let Value::Number(number) = value else {
        return Err(wrong_type(value, place, "a whole number"));
    };
    match number.as_i64() {
        Some(whole) if (min..=max).contains(&whole) => Ok(()),
        None if number.is_f64() => Err(wrong_type(value, place, "a whole number")),
        _ => {
            let message = format!("{number} is not within {min} and {max}");
            Err(Fault::new("out_of_range", place.to_string(), message))
        }
    }
}

fn check_name(names: &Names, value: &Value, place: &Place<'_>) -> Result<(), Fault> {
    let Some(text) = value.as_str() else {
        return Err(wrong_type(value, place, "a string"));
    };
    if names.members.contains(&text) {
        return Ok(());
    }
    let message = format!("`{text}` where {} is expected", names.members.join(" or "));
    Err(Fault::new("unknown_value", place.to_string(), named(place, message)))
}

fn check_list(item: &Shape, min: usize, value: &mut Value, place: &Place<'_>) -> Result<(), Fault> {
    let Value::Array(items) = value else {
        return Err(wrong_type(value, place, "a list"));
    };
    if items.len() < min {
        return Err(Fault::new("too_few_items", place.to_string(), format!("at least {min} expected")));
    }
    items.iter_mut().enumerate().try_for_each(|(index, value)| check(item, value, &place.item(index)))
}

fn check_union(union: &Union, value: &mut Value, place: &Place<'_>) -> Result<(), Fault> {
    let object = object(value, place)?;
    let tag = object.get(union.key).and_then(Value::as_str);
    let Some(known) = tag.and_then(|tag| union.member(tag)) else {
        let message = match tag {
            Some(tag) => format!("`{tag}` is not a known {} of a {}", union.key, union.name),
            None => format!("a {} needs a `{}`", union.name, union.key),
        };
        return Err(Fault::new("unknown_value", place.to_string(), message));
    };
    check_members(known, object, place)
}

fn check_members(known: &Struct, object: &mut Map<String, Value>, place: &Place<'_>) -> Result<(), Fault> {
    if let Some((key, tag)) = known.tag
        && object.get(key).and_then(Value::as_str) != Some(tag)
    {
        return Err(Fault::new("unknown_value", place.to_string(), format!("`{key}` has to be `{tag}`")));
    }
    let lacks = |field: &&Field| field.required && !object.contains_key(field.name);
    if let Some(field) = known.all_fields().find(lacks) {
        return Err(missing(field.name, place));
    }
    for (name, value) in object.iter_mut() {
        match known.field(name) {
            Some(field) => check_field(field, value, &place.member(name))?,
            None if known.tag.is_some_and(|(key, _)| key == name) => {}
            None => {
                let message = format!("unknown property `{name}` on {}", known.name);
                return Err(Fault::new("unknown_property", place.to_string(), message));
            }
        }
    }
    Ok(())
}

fn check_field(field: &Field, value: &mut Value, place: &Place<'_>) -> Result<(), Fault> {
    if value.is_null() && !matches!(field.shape, Shape::Any) {
        return Err(null(place));
    }
    check(&field.shape, value, place)
}

fn check_operation(value: &mut Value, place: &Place<'_>) -> Result<(), Fault> {
    let object = object(value, place)?;
    let op = object.get("op").and_then(Value::as_str).map(str::to_owned);
    let needs: &[&str] = match op.as_deref() {
        Some("remove") => &["path"],
        Some("add" | "replace" | "test") => &["path", "value"],
        Some("move" | "copy") => &["path", "from"],
        Some(other) => {
            let message = format!("`{other}` is not a JSON Patch operation");
            return Err(Fault::new("unknown_value", place.member("op").to_string(), message));
        }
        None => return Err(missing("op", place)),
    };
    if let Some(name) = needs.iter().find(|name| !object.contains_key(**name)) {
        return Err(missing(name, place));
    }
    let pointers = needs.iter().filter(|name| **name != "value");
    pointers.into_iter().try_for_each(|name| check_pointer(&object[*name], &place.member(name)))
}

fn check_pointer(value: &Value, place: &Place<'_>) -> Result<(), Fault> {
    let Some(text) = value.as_str() else {
        return Err(wrong_type(value, place, "a JSON Pointer"));
    };
    match Pointer::parse(text) {
        Ok(_) => Ok(()),
        Err(error) => Err(Fault::new("bad_pointer", place.to_string(), error.to_string())),
    }
}

fn object<'v>(value: &'v mut Value, place: &Place<'_>) -> Result<&'v mut Map<String, Value>, Fault> {
    match value {
        Value::Object(object) => Ok(object),
        other => Err(wrong_type(other, place, "an object")),
    }
}

fn null(place: &Place<'_>) -> Fault {
    let message = named(place, "null; leave it out instead");
    Fault::new("null_value", place.to_string(), message)
}

fn missing(name: &str, place: &Place<'_>) -> Fault {
    Fault::new("missing_field", place.to_string(), format!("`{name}` is missing"))
}

fn wrong_type(value: &Value, place: &Place<'_>, expected: &str) -> Fault {
    let found = match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    let message = named(place, format!("{found} where {expected} is expected"));
    Fault::new("wrong_type", place.to_string(), message)
}

/// Begins a sentence with the member it is about.
fn named(place: &Place<'_>, sentence: impl Into<String>) -> String {
    let sentence = sentence.into();
    match place {
        Place::Member(_, name) => format!("`{name}` is {sentence}"),
        _ => sentence,
    }
}
