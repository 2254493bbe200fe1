//! What a person can enter, and where.

use std::collections::HashMap;

use serde_json::Value;

use super::tree::Instance;
use crate::surface::{Component, Path};

/// The components that people enter something into, by the place where it is kept.
#[derive(Debug)]
pub(super) struct Inputs<'s>(HashMap<Path, &'s Component>);

impl<'s> Inputs<'s> {
    /// Those on a surface.
    pub(super) fn of(instances: &[Instance<'s>]) -> Self {
        let inputs = instances.iter().filter(|it| is_input(&it.component.kind));
        let bound = inputs.filter_map(|it| {
            let path = it.component.properties.get("value")?.get("path")?.as_str()?;
            Some((Path::resolve(path, &it.item).ok()?, it.component))
        });
        Self(bound.collect())
    }

    /// Those that are bound to a place, or to something in what stands there.
    pub(super) fn below(&self, path: &Path) -> impl Iterator<Item = (&Path, &'s Component)> {
        self.0.iter().filter(move |(at, _)| at.starts_with(path)).map(|(at, input)| (at, *input))
    }

    /// Whether a place lies in what is entered somewhere.
    pub(super) fn is_inside(&self, path: &Path) -> bool {
        self.0.keys().any(|input| input != path && path.starts_with(input))
    }

    /// Whether somebody can change what stands at a place, above it or below it.
    pub(super) fn is_within(&self, path: &Path) -> bool {
        self.0.keys().any(|input| input.starts_with(path) || path.starts_with(input))
    }
}

fn is_input(kind: &str) -> bool {
    matches!(kind, "TextField" | "CheckBox" | "ChoicePicker" | "Slider" | "DateTimeInput")
}

/// Whether this can have been entered.
pub(super) fn check(input: &Component, value: &Value) -> Result<(), String> {
    let id = &input.id;
    let is_fine = match input.kind.as_str() {
        "CheckBox" => value.is_boolean() || value.is_null(),
        "Slider" => value.is_null() || value.as_f64().is_some_and(|number| is_on(input, number)),
        "ChoicePicker" => return chosen(input, value),
        "TextField" => value.is_string() || value.is_number() || value.is_null(),
        _ => value.is_string() || value.is_null(),
    };
    if is_fine { Ok(()) } else { Err(format!("{value} cannot be entered into {} `{id}`", input.kind)) }
}

/// Whether a slider can stand there. A limit that is bound to something is not held against it.
fn is_on(slider: &Component, number: f64) -> bool {
    let limit = |name: &str, otherwise: f64| match slider.properties.get(name) {
        Some(Value::Number(limit)) => limit.as_f64().unwrap_or(otherwise),
        Some(_) => otherwise,
        None if name == "min" => 0.0,
        None => otherwise,
    };
    (limit("min", f64::MIN)..=limit("max", f64::MAX)).contains(&number)
}

fn chosen(picker: &Component, value: &Value) -> Result<(), String> {
    let id = &picker.id;
    let options = picker.properties.get("options").and_then(Value::as_array);
    let offers = |choice: &str| {
        // Options that come from the data are whatever the data says.
        options.is_none_or(|options| options.iter().any(|option| option["value"] == *choice))
    };
    let choices: Vec<_> = match value {
        Value::Null => Vec::new(),
        Value::Array(choices) => choices.iter().collect(),
        one => vec![one],
    };
    let is_one = picker.properties.get("variant").is_none_or(|variant| variant == "mutuallyExclusive");
    if is_one && choices.len() > 1 {
        return Err(format!("only one can be chosen in `{id}`"));
    }
    match choices.iter().find(|choice| !choice.as_str().is_some_and(offers)) {
        Some(choice) => Err(format!("{choice} cannot be chosen in `{id}`")),
        None => Ok(()),
    }
}
