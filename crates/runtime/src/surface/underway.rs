//! A surface that is painted while the call that draws it still comes in.
//!
//! A component is painted when it is complete and fits its catalog, once there is a root to see it under. All the while
//! the activity says `building`, so nobody takes it for finished: what is painted counts when the call is complete and
//! was checked as a whole, and is taken away when it is not. Only a surface that is new is painted, and of several the
//! first; one that people already work with changes at once or not at all. Those of 0.8 say last what to show.
//!
//! Every part is said once. How many have to come together grows with what is painted, so that the number of events
//! stays small however large the surface is.

use forestage_a2ui::{
    check::Checker,
    stream::{Form, Piece, Stream},
    surface::{Path, ROOT, Surface, Surfaces},
    v0_9::Message,
};
use forestage_protocol::{
    event::{ActivityDelta, Event},
    id::MessageId,
};
use serde_json::{Value, json};

use super::{ACTIVITY, Client, OPERATIONS, Screen, paint, status::snapshot};

/// So many messages make up what is painted before the call is complete.
const MAX_OPERATIONS: usize = 200;

/// For every so many parts that are painted, the next have to be one more.
const SHARE: usize = 32;

/// What the parts that are still to come may mend.
const OPEN: [&str; 2] = ["unresolved_child", "unresolved_binding"];

/// What has been painted of a call so far.
#[derive(Debug, Default)]
pub(crate) struct Underway {
    stream: Stream,
    /// The surface that is painted, once it is begun.
    surface_id: Option<String>,
    /// It, as people see it.
    surfaces: Surfaces,
    waiting: Vec<Message>,
    /// How many parts wait, and how many are painted.
    parts: (usize, usize),
    operations: usize,
    has_root: bool,
    /// Nothing more is painted.
    is_over: bool,
}

impl Underway {
    /// Takes the next piece of the arguments. Returns what people see of it.
    pub(crate) fn push(
        &mut self,
        text: &str,
        screen: &Screen,
        client: &Client,
        at: &MessageId,
    ) -> Option<Event> {
        if self.is_over {
            return None;
        }
        let pieces = self.stream.push(text);
        let taken = pieces.into_iter().try_for_each(|piece| self.take(piece, screen, client));
        let event =
            taken.and_then(|()| if self.is_due() { self.paint(client, at).map(Some) } else { Some(None) });
        self.is_over = event.is_none();
        event.flatten()
    }

    /// The surface with this name as people see it, and how many messages make it up.
    pub(super) fn painted(&self, id: &str) -> Option<(&Surface, usize)> {
        Some((self.surfaces.get(id)?, self.operations))
    }

    /// The surface that people see.
    pub(crate) fn surface_id(&self) -> Option<&str> {
        self.surface_id.as_deref().filter(|_| self.operations > 0)
    }

    /// Nothing if this is no surface that can be painted before it is complete.
    fn take(&mut self, piece: Piece, screen: &Screen, client: &Client) -> Option<()> {
        match piece {
            Piece::Component { source, component } => {
                let id = source.surface_id.as_deref()?;
                match source.form {
                    Form::SurfaceUpdate => return None,
                    Form::Render => self.begin(id, screen, client)?,
                    Form::UpdateComponents => {}
                }
                let version = source.version.as_deref().unwrap_or("v0.9");
                let body = json!({ "surfaceId": id, "components": [component] });
                self.add(&json!({ "version": version, "updateComponents": body }), screen)
            }
            Piece::Data { source, path, value } => {
                let id = source.surface_id.as_deref()?;
                self.begin(id, screen, client)?;
                self.add(&write(id, &path, &value), screen)
            }
            Piece::Message { message, .. } if message.get("updateComponents").is_some() => Some(()),
            Piece::Message { message, .. } => self.add(&message, screen),
            Piece::Rendered { .. } | Piece::Rest(_) => Some(()),
        }
    }

    /// Who draws one surface need not begin it.
    fn begin(&mut self, id: &str, screen: &Screen, client: &Client) -> Option<()> {
        if self.surface_id.is_some() {
            return Some(());
        }
        let body = json!({ "surfaceId": id, "catalogId": client.name_of(None) });
        self.add(&json!({ "version": "v0.9", "createSurface": body }), screen)
    }

    fn add(&mut self, message: &Value, screen: &Screen) -> Option<()> {
        let message = Message::read(message, "").ok()?;
        match (&message, &self.surface_id) {
            (Message::CreateSurface { surface_id, .. }, None) if !screen.knows(surface_id) => {
                self.surface_id = Some(surface_id.clone());
            }
            (_, None) => return None,
            (message, Some(id)) if message.surface_id() != id => return Some(()),
            (Message::UpdateComponents { .. } | Message::UpdateDataModel { .. }, _) => {}
            _ => return None,
        }
        self.parts.0 += 1;
        self.has_root |= has_root(&message);
        match (self.waiting.last_mut(), message) {
            (
                Some(Message::UpdateComponents { components, .. }),
                Message::UpdateComponents { components: new, .. },
            ) => {
                components.extend(new);
            }
            (_, message) => self.waiting.push(message),
        }
        Some(())
    }

    fn is_due(&self) -> bool {
        let (waiting, painted) = self.parts;
        self.has_root && waiting > painted / SHARE && self.operations + self.waiting.len() <= MAX_OPERATIONS
    }

    /// Paints what waits. Nothing if it cannot be: then the call is wrong, and will be told so.
    fn paint(&mut self, client: &Client, at: &MessageId) -> Option<Event> {
        let messages = std::mem::take(&mut self.waiting);
        let operations: Vec<_> = messages.iter().map(Message::to_value).collect();
        let checker = Checker::new(&client.catalogs).with_surfaces(&self.surfaces);
        let report = checker.check(&Value::from(operations.clone()).to_string());
        if report.faults.iter().any(|fault| !OPEN.contains(&fault.code)) {
            return None;
        }
        for message in &messages {
            self.surfaces.apply_0_9(message).ok()?;
        }
        self.parts = (0, self.parts.0 + self.parts.1);
        if self.operations > 0 {
            self.operations += operations.len();
            return Some(ActivityDelta::new(at, ACTIVITY, paint::appended(&operations)).into());
        }
        let surface = self.surfaces.get_mut(self.surface_id.as_deref()?)?;
        surface.catalog_id = Some(client.name_of(surface.catalog_id.as_deref()));
        let operations = paint::whole(surface, &client.name_of(None));
        self.operations = operations.len();
        Some(snapshot(at, json!({ "status": "building", OPERATIONS: operations })))
    }
}

fn has_root(message: &Message) -> bool {
    match message {
        Message::CreateSurface { components, .. } | Message::UpdateComponents { components, .. } => {
            components.iter().any(|component| component.id == ROOT)
        }
        _ => false,
    }
}

fn write(id: &str, path: &Path, value: &Value) -> Value {
    let path = if path.is_root() { "/".to_owned() } else { path.to_string() };
    json!({ "version": "v0.9", "updateDataModel": { "surfaceId": id, "path": path, "value": value } })
}
