//! A component as 0.8 writes it.

use forestage_protocol::Warning;
use serde_json::{Map, Value, json};

use super::{
    evaluate::{as_text, evaluate},
    raise::NAMES,
    scope::Scope,
    value::{literal_member, single},
};
use crate::{
    catalog::{Catalog, Literal, Property, Shape},
    surface::{Component, Surface},
    v0_8,
};

/// Writes components of a surface as 0.8 does, and notes what it cannot say.
pub(super) struct Lowering<'s> {
    pub(super) surface: &'s Surface,
    pub(super) catalog: Catalog,
    pub(super) losses: Vec<Warning>,
}

impl Lowering<'_> {
    /// A component with everything but its children, which are put in by whoever walks the tree.
    pub(super) fn component(&mut self, component: &Component, scope: &Scope) -> v0_8::Component {
        let (kind, properties) = renamed(component);
        let id = format!("{}{}", component.id, scope.suffix);
        let weight = component.properties.get("weight").and_then(Value::as_number).cloned();
        let Some(known) = self.catalog.component(&kind).cloned() else {
            self.lose(
                "custom_component",
                &component.id,
                format!("0.8 has no `{kind}`; it is passed on as it is"),
            );
            return v0_8::Component { id, weight, kind, properties };
        };
        let mut written = Map::new();
        for (name, value) in &properties {
            match known.property(name) {
                Some(property) => {
                    if let Some(value) = self.property(&component.id, property, value, scope) {
                        written.insert(name.clone(), value);
                    }
                }
                None if matches!(name.as_str(), "weight" | "accessibility") => {}
                None => self.lose("lost_prop", &component.id, format!("0.8 has no {kind}.{name}")),
            }
        }
        v0_8::Component { id, weight, kind, properties: written }
    }

    fn property(&mut self, id: &str, property: &Property, value: &Value, scope: &Scope) -> Option<Value> {
        match &property.shape {
            Shape::Word(words) if !words.iter().any(|word| value == word.as_str()) => {
                self.lose("lost_prop", id, format!("0.8 has no `{}` {}", property.name, value));
                None
            }
            shape => self.value(id, shape, value, scope),
        }
    }

    fn value(&mut self, id: &str, shape: &Shape, value: &Value, scope: &Scope) -> Option<Value> {
        match shape {
            Shape::Bound(literal) => Some(self.bound(id, *literal, value, scope)),
            Shape::BoundWord { .. } => Some(self.bound(id, Literal::Text, value, scope)),
            Shape::NamedAction => Some(self.action(id, value, scope)),
            Shape::List { item, .. } => {
                let items = value.as_array()?.iter();
                items.map(|value| self.value(id, item, value, scope)).collect()
            }
            Shape::Object { members, .. } => {
                let written = members.iter().filter_map(|member| {
                    let value = self.value(id, &member.shape, value.get(&member.name)?, scope)?;
                    Some((member.name.clone(), value))
                });
                Some(Value::Object(written.collect()))
            }
            Shape::Plain(_) if value.is_object() => evaluate(self.surface, scope, value),
            _ => Some(value.clone()),
        }
    }

    fn bound(&mut self, id: &str, literal: Literal, value: &Value, scope: &Scope) -> Value {
        if let Some(path) = value.get("path").and_then(Value::as_str) {
            return single("path", Value::String(self.path(path, scope)));
        }
        if value.get("call").is_some() {
            self.lose("frozen_call", id, "0.8 calls no functions; what it comes to now is shown".to_owned());
        }
        let found = evaluate(self.surface, scope, value).unwrap_or_default();
        let found = match literal {
            Literal::Text => Value::String(as_text(&found)),
            Literal::Number if !found.is_number() => json!(0),
            Literal::Flag if !found.is_boolean() => json!(false),
            Literal::Texts if !found.is_array() => json!([]),
            _ => found,
        };
        single(literal_member(&found), found)
    }

    /// A path where templates stay templates, and otherwise a path from the root.
    fn path(&self, text: &str, scope: &Scope) -> String {
        if scope.in_template || scope.is_surface() {
            return text.to_owned();
        }
        scope.path(text).map_or_else(|| text.to_owned(), |path| path.to_string())
    }

    fn action(&mut self, id: &str, value: &Value, scope: &Scope) -> Value {
        let (name, context) = match (value.get("event"), value.get("functionCall")) {
            (Some(event), _) => (event.get("name"), event.get("context")),
            (None, Some(call)) => {
                self.lose(
                    "lost_call",
                    id,
                    "0.8 calls no functions; the click is sent to the agent".to_owned(),
                );
                (call.get("call"), call.get("args"))
            }
            _ => (None, None),
        };
        let mut action = Map::from_iter([("name".to_owned(), name.cloned().unwrap_or_default())]);
        let entries = context.and_then(Value::as_object).into_iter().flatten();
        let entries: Vec<_> = entries.map(|(key, value)| self.context(id, key, value, scope)).collect();
        if !entries.is_empty() {
            action.insert("context".to_owned(), Value::Array(entries));
        }
        Value::Object(action)
    }

    fn context(&mut self, id: &str, key: &str, value: &Value, scope: &Scope) -> Value {
        let literal = match value {
            Value::Number(_) => Literal::Number,
            Value::Bool(_) => Literal::Flag,
            _ => Literal::Text,
        };
        json!({ "key": key, "value": self.bound(id, literal, value, scope) })
    }

    pub(super) fn lose(&mut self, code: &'static str, id: &str, message: String) {
        if self.losses.len() < 50 {
            self.losses.push(Warning::at(code, format!("/{id}"), message));
        }
    }
}

/// The names of 0.8, and what is not only a matter of names.
fn renamed(component: &Component) -> (String, Map<String, Value>) {
    let kind = if component.kind == "ChoicePicker" { "MultipleChoice" } else { &component.kind };
    let mut properties = Map::new();
    for (name, value) in &component.properties {
        let old = NAMES.iter().find(|(of, _, new)| *of == component.kind && new == name);
        properties.insert(old.map_or(name.as_str(), |(_, old, _)| old).to_owned(), value.clone());
    }
    match component.kind.as_str() {
        "Button" => match properties.shift_remove("variant") {
            Some(variant) if variant == "primary" => {
                drop(properties.insert("primary".to_owned(), json!(true)))
            }
            Some(variant) if variant != "default" => drop(properties.insert("variant".to_owned(), variant)),
            _ => {}
        },
        "Image" if properties.get("fit") == Some(&json!("scaleDown")) => {
            properties.insert("fit".to_owned(), json!("scale-down"));
        }
        "Icon" if properties.get("name").is_some_and(|name| name.get("svgPath").is_some()) => {
            properties.insert("name".to_owned(), json!("help"));
        }
        "ChoicePicker" => choice(&mut properties),
        _ => {}
    }
    (kind.to_owned(), properties)
}

fn choice(properties: &mut Map<String, Value>) {
    let variant = properties.shift_remove("variant");
    if variant.is_none_or(|variant| variant == "mutuallyExclusive") {
        properties.insert("maxAllowedSelections".to_owned(), json!(1));
    }
    if let Some(style) = properties.shift_remove("displayStyle") {
        properties.insert("variant".to_owned(), style);
    }
    let value = properties.shift_remove("value").unwrap_or_else(|| json!([]));
    properties.insert("selections".to_owned(), value);
}
