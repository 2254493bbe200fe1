//! Where a component is drawn: on the surface itself, or once for every item of a template.

use serde_json::Value;

use crate::surface::{Path, Surface};

/// So many components are drawn for the items of templates.
pub(super) const MAX_DRAWN: usize = 20_000;

/// Where a component is drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// The item that relative paths start from.
    pub(super) item: Path,
    /// What is put behind ids so that every item has its own components.
    pub(super) suffix: String,
    /// Whether this is within a template that stays one.
    pub(super) in_template: bool,
}

impl Scope {
    pub(super) fn is_surface(&self) -> bool {
        self.suffix.is_empty()
    }

    /// The path that a text means here.
    pub(super) fn path(&self, text: &str) -> Option<Path> {
        Path::resolve(text, &self.item).ok()
    }

    /// What is there.
    pub(super) fn get<'s>(&self, surface: &'s Surface, text: &str) -> Option<&'s Value> {
        surface.model.get(&self.path(text)?)
    }

    /// The scopes of the items at a path, with the part of the ids that tells them from each other.
    pub(super) fn items(&self, surface: &Surface, text: &str) -> Vec<Scope> {
        let Some(path) = self.path(text) else { return Vec::new() };
        let item = |key: String| {
            let suffix = format!("{}:{key}", self.suffix);
            Some(Scope { item: path.child(key).ok()?, suffix, in_template: false })
        };
        match surface.model.get(&path) {
            Some(Value::Array(items)) => {
                (0..items.len().min(MAX_DRAWN)).filter_map(|at| item(at.to_string())).collect()
            }
            Some(Value::Object(members)) => {
                members.keys().take(MAX_DRAWN).filter_map(|key| item(key.clone())).collect()
            }
            _ => Vec::new(),
        }
    }
}
