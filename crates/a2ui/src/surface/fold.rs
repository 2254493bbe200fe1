//! Messages change surfaces, each wholly or not at all.

use forestage_protocol::Fault;
use serde_json::{Map, Value};

use super::{Component, Data0_8, ModelError, Path, PathError, Surface, Surfaces};
use crate::{Messages, Version, bridge, check::MAX_COMPONENTS, v0_8, v0_9};

/// What a message changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A surface came, or its root, catalog or theme changed.
    Begun,
    /// These components came or changed.
    Components(Vec<String>),
    /// What stands at this path changed.
    Data(Path),
    /// The surface went.
    Deleted,
}

impl Surfaces {
    /// Takes messages in. What came before a message that cannot be taken in stays.
    pub fn fold(&mut self, messages: &Messages) -> Result<Vec<(String, Change)>, Fault> {
        let mut changes = Vec::new();
        match messages {
            Messages::V0_8(messages) => {
                for message in messages {
                    let changed = self.apply_0_8(message)?.into_iter();
                    changes.extend(changed.map(|change| (message.surface_id().to_owned(), change)));
                }
            }
            Messages::V0_9(messages) => {
                for message in messages {
                    let changed = self.apply_0_9(message)?.into_iter();
                    changes.extend(changed.map(|change| (message.surface_id().to_owned(), change)));
                }
            }
        }
        Ok(changes)
    }

    /// Takes a message of 0.9 in.
    pub fn apply_0_9(&mut self, message: &v0_9::Message) -> Result<Vec<Change>, Fault> {
        use v0_9::Message::{CreateSurface, DeleteSurface, UpdateComponents, UpdateDataModel};
        match message {
            CreateSurface { .. } => self.create(message),
            UpdateComponents { surface_id, components } => {
                let surface = self.known(surface_id)?;
                put_all(surface, components).map(|ids| vec![Change::Components(ids)])
            }
            UpdateDataModel { surface_id, path, value } => {
                let surface = self.known(surface_id)?;
                let path = Path::parse(path.as_deref().unwrap_or_default()).map_err(path_fault)?;
                write(surface, &path, value.clone())?;
                Ok(vec![Change::Data(path)])
            }
            DeleteSurface { surface_id } => Ok(self.deleted(surface_id)),
        }
    }

    fn create(&mut self, message: &v0_9::Message) -> Result<Vec<Change>, Fault> {
        let v0_9::Message::CreateSurface {
            surface_id,
            catalog_id,
            theme,
            send_data_model,
            components,
            data_model,
        } = message
        else {
            return Ok(Vec::new());
        };
        if self.get(surface_id).is_some() {
            let message = format!("there is a surface `{surface_id}` already; update it, or delete it first");
            return Err(Fault::new("surface_exists", "", message));
        }
        let mut surface = Surface::new(surface_id, Version::V0_9);
        surface.catalog_id.clone_from(catalog_id);
        surface.theme = theme.clone().unwrap_or_default();
        surface.send_data_model = send_data_model.unwrap_or_default();
        let mut changes = vec![Change::Begun];
        if !components.is_empty() {
            changes.push(Change::Components(put_all(&mut surface, components)?));
        }
        if let Some(data) = data_model {
            write(&mut surface, &Path::root(), Some(data.clone()))?;
            changes.push(Change::Data(Path::root()));
        }
        self.put(surface);
        Ok(changes)
    }

    /// Takes a message of 0.8 in. What a message about data does not name stays, unless it names the root or
    /// [`Data0_8::Replace`] is the rule.
    pub fn apply_0_8(&mut self, message: &v0_8::Message) -> Result<Vec<Change>, Fault> {
        use v0_8::Message::{BeginRendering, DataModelUpdate, DeleteSurface, SurfaceUpdate};
        match message {
            SurfaceUpdate { surface_id, components } => {
                let raised: Vec<_> = components.iter().map(bridge::raise).collect();
                let surface = self.start(surface_id);
                let mut changes = Vec::new();
                for (path, value) in raised.iter().flat_map(|raised| &raised.writes) {
                    let path = Path::parse(path).map_err(path_fault)?;
                    write(surface, &path, Some(value.clone()))?;
                    changes.push(Change::Data(path));
                }
                let ids = raised.iter().map(|raised| raised.component.id.clone()).collect();
                room_for(surface, raised.iter().map(|raised| raised.component.id.as_str()))?;
                raised.into_iter().for_each(|raised| surface.put(raised.component));
                changes.push(Change::Components(ids));
                Ok(changes)
            }
            DataModelUpdate { surface_id, path, contents } => {
                let text = path.as_deref().unwrap_or_default();
                let path = Path::resolve_v0_8(text, &Path::root()).map_err(path_fault)?;
                let replaces = self.data_0_8() == Data0_8::Replace;
                let (surface, value) = (self.start(surface_id), v0_8::fold_contents(contents));
                if text == "/" || replaces {
                    // Who names the root means all of it; who names nothing, what has changed.
                    write(surface, &path, Some(value))?;
                    return Ok(vec![Change::Data(path)]);
                }
                merge(surface, &path, value)
            }
            BeginRendering { surface_id, root, catalog_id, styles } => {
                let surface = self.start(surface_id);
                surface.root = Some(root.clone());
                surface.catalog_id = catalog_id.clone().or_else(|| surface.catalog_id.take());
                if let Some(styles) = styles {
                    surface.theme.clone_from(styles);
                }
                Ok(vec![Change::Begun])
            }
            DeleteSurface { surface_id } => Ok(self.deleted(surface_id)),
        }
    }

    fn deleted(&mut self, id: &str) -> Vec<Change> {
        self.remove(id).map(|_| Change::Deleted).into_iter().collect()
    }

    fn known(&mut self, id: &str) -> Result<&mut Surface, Fault> {
        let unknown =
            || Fault::new("unknown_surface", "", format!("there is no surface `{id}`; create it first"));
        self.get_mut(id).ok_or_else(unknown)
    }
}

fn put_all(surface: &mut Surface, components: &[v0_9::Component]) -> Result<Vec<String>, Fault> {
    let mut whole: Vec<Component> = Vec::with_capacity(components.len());
    for component in components {
        let before = || whole.iter().rev().find(|it| it.id == component.id).map(|it| it.kind.clone());
        let known = || surface.component(&component.id).map(|it| it.kind.clone());
        let kind = component.kind.clone().or_else(before).or_else(known);
        let Some(kind) = kind else {
            let message =
                format!("`{}` needs `component`, the name of a component such as \"Text\"", component.id);
            return Err(Fault::new("missing_component_type", "", message));
        };
        whole.push(Component { id: component.id.clone(), kind, properties: component.properties.clone() });
    }
    room_for(surface, whole.iter().map(|component| component.id.as_str()))?;
    let ids = whole.iter().map(|component| component.id.clone()).collect();
    whole.into_iter().for_each(|component| surface.put(component));
    Ok(ids)
}

fn room_for<'i>(surface: &Surface, ids: impl Iterator<Item = &'i str>) -> Result<(), Fault> {
    let new = ids.filter(|id| surface.component(id).is_none()).count();
    if surface.components().len() + new > MAX_COMPONENTS {
        let message = format!("a surface has at most {MAX_COMPONENTS} components");
        return Err(Fault::new("too_many_components", "", message));
    }
    Ok(())
}

fn write(surface: &mut Surface, path: &Path, value: Option<Value>) -> Result<(), Fault> {
    let written = match value {
        Some(value) => surface.model.set(path, value),
        None => surface.model.delete(path).map(drop),
    };
    written.map_err(model_fault)
}

/// Writes a map key by key, and anything else as it is.
fn merge(surface: &mut Surface, path: &Path, value: Value) -> Result<Vec<Change>, Fault> {
    let members = match value {
        Value::Object(members) if matches!(surface.model.get(path), Some(Value::Object(_))) => members,
        other => {
            write(surface, path, Some(other))?;
            return Ok(vec![Change::Data(path.clone())]);
        }
    };
    let mut merged = surface.model.get(path).and_then(Value::as_object).cloned().unwrap_or_default();
    let paths = members.keys().map(|key| path.child(key.as_str()).map(Change::Data));
    let changes = paths.collect::<Result<_, _>>().map_err(path_fault)?;
    merged.extend(members.into_iter().collect::<Map<_, _>>());
    write(surface, path, Some(Value::Object(merged)))?;
    Ok(changes)
}

fn path_fault(error: PathError) -> Fault {
    Fault::new("invalid_path", "", error.to_string())
}

fn model_fault(error: ModelError) -> Fault {
    Fault::new("invalid_write", "", error.to_string())
}
