//! A surface for a client of 0.8.
//!
//! Such clients know only what one message says: a component that refers to one of an earlier message is refused, and data
//! replaces what was there. So everything is sent each time.

use std::collections::{HashMap, HashSet};

use forestage_protocol::Warning;
use serde_json::{Map, Value, json};

use super::{
    lower::Lowering,
    references,
    scope::{MAX_DRAWN, Scope},
};
use crate::{
    catalog::Catalog,
    surface::{Component, Surface},
    v0_8,
};

/// A surface as messages, and what they cannot say.
pub(super) struct Written {
    pub(super) messages: Vec<v0_8::Message>,
    pub(super) losses: Vec<Warning>,
}

/// Writes a surface that has a root.
pub(super) fn write(surface: &Surface, is_begun: bool) -> Option<Written> {
    let root = surface.root.as_deref().filter(|_| surface.is_shown())?;
    let lowering = Lowering { surface, catalog: Catalog::basic_0_8(), losses: Vec::new() };
    let mut writer = Writer { lowering, components: Vec::new(), written: HashSet::new() };
    writer.write(root, &Scope::default());
    let Writer { lowering: Lowering { losses, .. }, mut components, .. } = writer;
    let renames = avoid_words(&mut components);
    let root = renames.get(root).cloned().unwrap_or_else(|| root.to_owned());
    let surface_id = surface.id.clone();
    let mut messages = vec![v0_8::Message::SurfaceUpdate { surface_id: surface_id.clone(), components }];
    if let Value::Object(model) = surface.model.value()
        && (is_begun || !model.is_empty())
    {
        let contents = v0_8::write_contents(model);
        messages.push(v0_8::Message::DataModelUpdate {
            surface_id: surface_id.clone(),
            path: None,
            contents,
        });
    }
    if !is_begun {
        let styles = styles(&surface.theme);
        messages.push(v0_8::Message::BeginRendering { surface_id, root, catalog_id: None, styles });
    }
    Some(Written { messages, losses })
}

fn styles(theme: &Map<String, Value>) -> Option<Map<String, Value>> {
    let known = theme.iter().filter(|(name, _)| matches!(name.as_str(), "font" | "primaryColor"));
    let known: Map<_, _> = known.map(|(name, value)| (name.clone(), value.clone())).collect();
    (!known.is_empty()).then_some(known)
}

struct Writer<'s> {
    lowering: Lowering<'s>,
    components: Vec<v0_8::Component>,
    written: HashSet<String>,
}

impl Writer<'_> {
    /// Writes a component and what is in it, and says under which id. No recursion: a surface may be deep.
    fn write(&mut self, root: &str, scope: &Scope) {
        let mut open = vec![(root.to_owned(), scope.clone())];
        while let Some((id, scope)) = open.pop() {
            if self.components.len() >= MAX_DRAWN || !self.written.insert(format!("{id}{}", scope.suffix)) {
                continue;
            }
            let Some(component) = self.lowering.surface.component(&id) else {
                self.components.push(nothing(format!("{id}{}", scope.suffix)));
                continue;
            };
            let mut written = self.lowering.component(component, &scope);
            let inside = self.children(component, &mut written, &scope);
            self.components.push(written);
            open.extend(inside.into_iter().rev());
        }
    }

    /// Puts the children in, and says which there are.
    fn children(
        &self,
        component: &Component,
        written: &mut v0_8::Component,
        scope: &Scope,
    ) -> Vec<(String, Scope)> {
        let mut inside = Vec::new();
        if let Some(children) = component.properties.get("children") {
            let listed = match children.as_array() {
                Some(ids) => {
                    let ids: Vec<_> = ids.iter().filter_map(Value::as_str).collect();
                    inside.extend(ids.iter().map(|id| ((*id).to_owned(), scope.clone())));
                    json!({ "explicitList": ids.iter().map(|id| format!("{id}{}", scope.suffix)).collect::<Vec<_>>() })
                }
                None => self.template(children, scope, &mut inside),
            };
            written.properties.insert("children".to_owned(), listed);
            return inside;
        }
        references::each_mut(&mut written.properties, &mut |id| {
            inside.push((id.clone(), scope.clone()));
            id.push_str(&scope.suffix);
        });
        inside
    }

    /// A template stays one if everything in it starts from its item. Otherwise its items are drawn one by one.
    fn template(&self, children: &Value, scope: &Scope, inside: &mut Vec<(String, Scope)>) -> Value {
        let text = |name| children.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (id, path) = (text("componentId"), text("path"));
        if scope.in_template || scope.is_surface() && self.starts_from_its_item(&id) {
            inside.push((id.clone(), Scope { in_template: true, ..scope.clone() }));
            return json!({ "template": { "componentId": id, "dataBinding": path } });
        }
        let items = scope.items(self.lowering.surface, &path);
        let ids: Vec<_> = items.iter().map(|item| format!("{id}{}", item.suffix)).collect();
        inside.extend(items.into_iter().map(|item| (id.clone(), item)));
        json!({ "explicitList": ids })
    }

    fn starts_from_its_item(&self, id: &str) -> bool {
        let (mut open, mut seen) = (vec![id.to_owned()], HashSet::new());
        while let Some(id) = open.pop() {
            let Some(component) = self.lowering.surface.component(&id).filter(|_| seen.insert(id.clone()))
            else {
                continue;
            };
            if component.properties.values().any(starts_elsewhere) {
                return false;
            }
            open.extend(references::of(&component.properties));
        }
        true
    }
}

/// Whether something in it is computed, or bound to a path from the root.
fn starts_elsewhere(value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            members.contains_key("call")
                || members.get("path").and_then(Value::as_str).is_some_and(|path| path.starts_with('/'))
                    && !members.contains_key("componentId")
                || members.values().any(starts_elsewhere)
        }
        Value::Array(items) => items.iter().any(starts_elsewhere),
        _ => false,
    }
}

/// What stands where a component has not come yet.
fn nothing(id: String) -> v0_8::Component {
    let properties = Map::from_iter([("children".to_owned(), json!({ "explicitList": [] }))]);
    v0_8::Component { id, weight: None, kind: "Column".to_owned(), properties }
}

/// Clients of 0.8 take any text that is the id of a component for a reference to it, so no id may be such a text.
fn avoid_words(components: &mut [v0_8::Component]) -> HashMap<String, String> {
    let words: HashSet<_> = components.iter().flat_map(words_of).collect();
    let mut taken: HashSet<_> = components.iter().map(|component| component.id.clone()).collect();
    let mut renames = HashMap::new();
    for component in components.iter_mut().filter(|component| words.contains(&component.id)) {
        let mut id = format!("{}_", component.id);
        while words.contains(&id) || !taken.insert(id.clone()) {
            id.push('_');
        }
        renames.insert(std::mem::replace(&mut component.id, id.clone()), id);
    }
    for component in components {
        references::each_mut(&mut component.properties, &mut |id| {
            if let Some(new) = renames.get(id) {
                id.clone_from(new);
            }
        });
    }
    renames
}

/// The texts of a component that are no references, but are taken for some where they are the id of a component.
pub(super) fn words_of(component: &v0_8::Component) -> HashSet<String> {
    let (mut properties, mut words) = (component.properties.clone(), HashSet::new());
    properties.shift_remove("action");
    references::each_mut(&mut properties, &mut String::clear);
    properties.values().for_each(|value| collect(value, &mut words));
    words
}

fn collect(value: &Value, words: &mut HashSet<String>) {
    match value {
        Value::String(text) => drop(words.insert(text.clone())),
        Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
        Value::Object(members) => members.values().for_each(|member| collect(member, words)),
        _ => {}
    }
}
