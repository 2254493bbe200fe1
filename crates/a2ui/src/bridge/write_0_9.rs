//! A surface for a client of 0.9.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{
    maps::{self, Maps},
    references,
};
use crate::{
    Version,
    catalog::{BASIC_0_8, is_basic},
    surface::{Change, Component, Path, ROOT, Surface},
    v0_9,
};

/// Writes surfaces for a client that has registered the basic catalog under this name.
pub(super) struct Writer<'s> {
    surface: &'s Surface,
    basic: &'s str,
    maps: Maps,
    renames: HashMap<String, String>,
    /// What is drawn for the items of templates, by which path.
    items: HashMap<String, Vec<Path>>,
}

impl<'s> Writer<'s> {
    pub(super) fn new(surface: &'s Surface, basic: &'s str) -> Self {
        let is_old = surface.version == Version::V0_8;
        let maps = if is_old { maps::find(surface) } else { Maps::new() };
        let items = if is_old { in_templates(surface) } else { HashMap::new() };
        Self { surface, basic, maps, renames: renames(surface), items }
    }

    /// Everything.
    pub(super) fn whole(&self) -> Vec<v0_9::Message> {
        let surface_id = self.surface.id.clone();
        let mut messages = vec![self.create()];
        if !self.surface.components().is_empty() {
            let components =
                self.surface.components().iter().map(|component| self.component(component)).collect();
            messages.push(v0_9::Message::UpdateComponents { surface_id: surface_id.clone(), components });
        }
        let model = maps::as_lists(&self.surface.model, &self.maps);
        if model.as_object().is_none_or(|model| !model.is_empty()) {
            messages.push(v0_9::Message::UpdateDataModel {
                surface_id,
                path: Some("/".to_owned()),
                value: Some(model),
            });
        }
        messages
    }

    /// What changed.
    pub(super) fn changed(&self, change: &Change) -> Option<v0_9::Message> {
        let surface_id = self.surface.id.clone();
        match change {
            Change::Components(ids) => {
                let components = ids.iter().filter_map(|id| self.surface.component(id));
                let components = components.map(|component| self.component(component)).collect();
                Some(v0_9::Message::UpdateComponents { surface_id, components })
            }
            Change::Data(path) => {
                let path = maps::around(path, &self.maps).unwrap_or(path);
                let model = maps::as_lists(&self.surface.model, &self.maps);
                let path = maps::counted(path, &self.maps);
                let value =
                    path.segments().iter().try_fold(&model, |value, step| value.pointer(&pointer(step)));
                let path = Some(path.to_string());
                Some(v0_9::Message::UpdateDataModel { surface_id, path, value: value.cloned() })
            }
            Change::Begun | Change::Deleted => None,
        }
    }

    fn create(&self) -> v0_9::Message {
        let surface = self.surface;
        let named = surface.catalog_id.as_deref().filter(|id| *id != BASIC_0_8 && !is_basic(id));
        v0_9::Message::CreateSurface {
            surface_id: surface.id.clone(),
            catalog_id: Some(named.unwrap_or(self.basic).to_owned()),
            theme: (!surface.theme.is_empty()).then(|| surface.theme.clone()),
            send_data_model: surface.send_data_model.then_some(true),
            components: Vec::new(),
            data_model: None,
        }
    }

    fn component(&self, component: &Component) -> v0_9::Component {
        let mut properties = component.properties.clone();
        references::each_mut(&mut properties, &mut |id| self.rename(id));
        let items = self.items.get(&component.id);
        properties.values_mut().for_each(|value| self.paths(value, items));
        let mut id = component.id.clone();
        self.rename(&mut id);
        v0_9::Component { id, kind: Some(component.kind.clone()), properties }
    }

    fn rename(&self, id: &mut String) {
        if let Some(new) = self.renames.get(id) {
            id.clone_from(new);
        }
    }

    /// Paths within templates of 0.8 start from the item, however they are written; paths elsewhere may go through a map.
    fn paths(&self, value: &mut Value, items: Option<&Vec<Path>>) {
        match value {
            Value::Object(members) => {
                if let Some(Value::String(path)) = members.get_mut("path") {
                    self.path(path, items);
                }
                members.values_mut().for_each(|member| self.paths(member, items));
            }
            Value::Array(list) => list.iter_mut().for_each(|item| self.paths(item, items)),
            _ => {}
        }
    }

    fn path(&self, text: &mut String, items: Option<&Vec<Path>>) {
        let Some(rest) = text.strip_prefix('/').filter(|rest| !rest.is_empty()) else { return };
        let relative = rest.strip_prefix("item/").unwrap_or(rest).to_owned();
        let is_in = |item: &Path| {
            Path::resolve(&relative, item).is_ok_and(|path| self.surface.model.get(&path).is_some())
        };
        if items.is_some_and(|items| items.iter().any(is_in)) {
            *text = relative;
        } else if let Ok(path) = Path::parse(text)
            && maps::around(&path, &self.maps).is_some()
        {
            *text = maps::counted(&path, &self.maps).to_string();
        }
    }
}

/// The outermost component is called `root` in 0.9.
fn renames(surface: &Surface) -> HashMap<String, String> {
    let Some(root) = surface.root.as_deref().filter(|root| *root != ROOT) else { return HashMap::new() };
    let mut renames = HashMap::from([(root.to_owned(), ROOT.to_owned())]);
    if surface.component(ROOT).is_some() {
        let mut other = format!("{ROOT}_");
        while surface.component(&other).is_some() {
            other.push('_');
        }
        renames.insert(ROOT.to_owned(), other);
    }
    renames
}

/// The items for which a component is drawn, where it is drawn by a template; a few of them tell enough.
fn in_templates(surface: &Surface) -> HashMap<String, Vec<Path>> {
    let (mut found, mut seen) = (HashMap::<_, Vec<_>>::new(), HashSet::new());
    let root = surface.root.clone().unwrap_or_else(|| ROOT.to_owned());
    let mut open = vec![(root, super::scope::Scope::default())];
    while let Some((id, scope)) = open.pop() {
        let Some(component) =
            surface.component(&id).filter(|_| seen.insert((id.clone(), scope.item.clone())))
        else {
            continue;
        };
        if !scope.is_surface() {
            found.entry(id).or_default().push(scope.item.clone());
        }
        let inside = references::of(&component.properties);
        match component
            .properties
            .get("children")
            .and_then(|children| children.get("path"))
            .and_then(Value::as_str)
        {
            Some(path) => {
                let items = scope.items(surface, path).into_iter().take(3);
                open.extend(items.flat_map(|item| inside.iter().map(move |id| (id.clone(), item.clone()))));
            }
            None => open.extend(inside.into_iter().map(|id| (id, scope.clone()))),
        }
    }
    found
}

fn pointer(segment: &str) -> String {
    format!("/{}", segment.replace('~', "~0").replace('/', "~1"))
}
