//! Deciding what is released when a value is complete.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::piece::{Form, Piece, Source};
use crate::surface::Path;

/// Members whose value is a list of messages, or a string of them.
const WRAPPERS: [&str; 4] = ["a2ui_json", "a2ui_operations", "operations", "messages"];

/// What a container means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Nothing but a part of the value around it.
    Plain,
    /// The outermost object: a message, a wrapper of messages, or the arguments of `render_a2ui`.
    Top,
    /// A list of messages.
    List,
    /// An object in such a list.
    Message,
    /// The body of a message that brings components.
    Update,
    /// A list of components.
    Components,
    /// The object `data` of `render_a2ui`.
    Data,
    /// A list in it.
    DataList,
}

/// Whether the members of a wrapper are messages.
pub(super) fn wraps(role: Role, key: &str) -> bool {
    role == Role::Top && WRAPPERS.contains(&key)
}

#[derive(Debug)]
enum Held {
    Component(Value),
    Data(Path, Value),
}

/// What is known of the message that is being read, and what was released.
#[derive(Debug, Default)]
pub(super) struct Release {
    form: Option<Form>,
    surface_id: Option<String>,
    version: Option<String>,
    source: Option<Arc<Source>>,
    /// What waits for the name of its surface.
    held: Vec<Held>,
    components: usize,
    /// The place of the list in the data that is being read.
    list: Option<Path>,
    items: usize,
    pub(super) pieces: Vec<Piece>,
}

impl Release {
    /// The meaning of a container that opens inside of another one.
    pub(super) fn role_in(&mut self, around: Role, key: Option<&str>, is_object: bool) -> Role {
        match (around, key, is_object) {
            (Role::Plain, ..) => Role::Plain,
            (Role::List, _, true) => self.begin(Role::Message),
            (Role::Top | Role::Message, Some("surfaceUpdate"), true) => self.update(Form::SurfaceUpdate),
            (Role::Top | Role::Message, Some("updateComponents"), true) => {
                self.update(Form::UpdateComponents)
            }
            (Role::Top, Some(key), false) if WRAPPERS.contains(&key) => Role::List,
            (Role::Top, Some("a2ui_json"), true) => self.begin(Role::Top),
            (Role::Top, Some("components"), false) => self.rendering(Role::Components),
            (Role::Top, Some("data"), true) => self.data(),
            (Role::Update, Some("components"), false) => Role::Components,
            (Role::Data, Some(key), false) => self.data_list(key),
            _ => Role::Plain,
        }
    }

    /// A message begins.
    pub(super) fn begin(&mut self, role: Role) -> Role {
        let pieces = std::mem::take(&mut self.pieces);
        *self = Self { pieces, ..Self::default() };
        role
    }

    fn update(&mut self, form: Form) -> Role {
        (self.form, self.surface_id, self.source) = (Some(form), None, None);
        Role::Update
    }

    fn rendering(&mut self, role: Role) -> Role {
        self.form = Some(Form::Render);
        role
    }

    fn data(&mut self) -> Role {
        self.release_data(Path::root(), Value::Object(Map::new()));
        self.rendering(Role::Data)
    }

    fn data_list(&mut self, key: &str) -> Role {
        let Some(path) = data_path(key) else { return Role::Plain };
        self.release_data(path.clone(), Value::Array(Vec::new()));
        (self.list, self.items) = (Some(path), 0);
        Role::DataList
    }

    /// A member of an object that is read for its meaning is complete. Returns it unless it was released.
    pub(super) fn member(&mut self, role: Role, key: &str, value: Value) -> Option<Value> {
        match (role, key) {
            (Role::Data, _) => match data_path(key) {
                Some(path) => {
                    self.release_data(path, value);
                    return None;
                }
                None => return Some(value),
            },
            (Role::Update | Role::Top, "surfaceId") => self.name(value.as_str()),
            (Role::Top | Role::Message, "version") => self.version = value.as_str().map(str::to_owned),
            _ => {}
        }
        Some(value)
    }

    /// An item of a list that is read for its meaning is complete. Returns it unless it was released.
    pub(super) fn item(&mut self, role: Role, item: Value) -> Option<Value> {
        match role {
            Role::List => self.pieces.push(Piece::Message { message: item, released: 0 }),
            Role::Components if item.is_object() => {
                self.components += 1;
                self.release(Held::Component(item));
            }
            Role::DataList => {
                let path = self.list.as_ref().and_then(|list| list.child(self.items.to_string()).ok());
                self.items += 1;
                self.release_data(path?, item);
            }
            _ => return Some(item),
        }
        None
    }

    /// An object with a meaning of its own is closed. Returns it if it belongs to the value around it.
    pub(super) fn closed(&mut self, role: Role, members: Map<String, Value>, wrapped: bool) -> Option<Value> {
        let rest = Value::Object(members);
        match role {
            Role::Update => {
                self.flush();
                return Some(rest);
            }
            Role::Top if wrapped => {
                self.flush();
                if rest.as_object().is_some_and(|rest| !rest.is_empty()) {
                    self.pieces.push(Piece::Rest(rest));
                }
            }
            Role::Top if self.form == Some(Form::Render) => {
                self.flush();
                self.pieces.push(Piece::Rendered { arguments: rest, released: self.components });
            }
            Role::Top | Role::Message => {
                self.pieces.push(Piece::Message { message: rest, released: self.components });
            }
            _ => return Some(rest),
        }
        self.begin(role);
        None
    }

    fn name(&mut self, surface_id: Option<&str>) {
        if self.surface_id.is_none() {
            self.surface_id = surface_id.map(str::to_owned);
            self.source = None;
        }
        if self.surface_id.is_some() {
            self.flush();
        }
    }

    fn release_data(&mut self, path: Path, value: Value) {
        self.release(Held::Data(path, value));
    }

    fn release(&mut self, held: Held) {
        self.held.push(held);
        if self.surface_id.is_some() {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.held.is_empty() {
            return;
        }
        let source = self.source();
        self.pieces.extend(self.held.drain(..).map(|held| {
            let source = Arc::clone(&source);
            match held {
                Held::Component(component) => Piece::Component { source, component },
                Held::Data(path, value) => Piece::Data { source, path, value },
            }
        }));
    }

    fn source(&mut self) -> Arc<Source> {
        let (form, version) = (self.form.unwrap_or(Form::Render), &self.version);
        match &self.source {
            Some(source) if source.form == form && source.version == *version => Arc::clone(source),
            _ => {
                let source = Source { form, surface_id: self.surface_id.clone(), version: version.clone() };
                Arc::clone(self.source.insert(Arc::new(source)))
            }
        }
    }
}

/// Where a member of the data belongs. Names that a path cannot have stay where they are.
fn data_path(key: &str) -> Option<Path> {
    Path::root().child(key).ok().filter(|path| !path.is_root())
}
