//! What is on the screen of a thread, and how it changes.

use std::collections::HashMap;

use forestage_a2ui::{
    Messages,
    check::Checker,
    surface::{Surface, Surfaces},
    v0_9,
};
use forestage_protocol::{
    Fault,
    event::{ActivityDelta, Event},
    id::MessageId,
    message::{ActivityMessage, Message},
    patch::Patch,
};
use serde_json::{Value, json};

use super::{ACTIVITY, Client, OPERATIONS, PENDING, paint, settle::settle, status::snapshot};

/// So many messages make up a surface before it is said as a whole again.
const MAX_OPERATIONS: usize = 256;

/// The surfaces of a thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Screen {
    surfaces: Surfaces,
    places: HashMap<String, Place>,
}

/// Where a surface is drawn.
#[derive(Clone, Debug)]
struct Place {
    message_id: MessageId,
    operations: usize,
}

/// What came of drawing.
#[derive(Debug)]
pub(crate) struct Drawn {
    /// The surfaces that were drawn, changed or taken away.
    pub(crate) surface_ids: Vec<String>,
    /// What shows it.
    pub(crate) events: Vec<Event>,
}

impl Screen {
    /// What a conversation has drawn.
    pub(crate) fn of<'m>(messages: impl IntoIterator<Item = &'m Message>) -> Self {
        let mut screen = Self::default();
        for message in messages {
            if let Message::Activity(activity) = message
                && activity.activity_type == ACTIVITY
            {
                screen.recall(activity);
            }
        }
        screen
    }

    /// Takes in what an activity draws. It was checked when it was drawn.
    fn recall(&mut self, activity: &ActivityMessage) {
        for member in [OPERATIONS, PENDING] {
            let Some(operations) = activity.content.get(member).and_then(Value::as_array) else { continue };
            let Ok(messages) = Messages::from_value(&Value::Array(operations.clone())) else { continue };
            let changes = self.surfaces.fold(&messages).unwrap_or_default();
            for (surface_id, _) in changes {
                let (message_id, operations) = (activity.id.clone(), operations.len());
                self.places.insert(surface_id, Place { message_id, operations });
            }
        }
    }

    /// Whether a surface has begun.
    pub(crate) fn knows(&self, id: &str) -> bool {
        self.surfaces.get(id).is_some()
    }

    /// A surface that is on the screen.
    pub(crate) fn surface(&self, id: &str) -> Option<&Surface> {
        self.surfaces.get(id).filter(|surface| surface.is_shown())
    }

    /// All of them, each with its activity.
    pub(crate) fn shown(&self) -> impl Iterator<Item = (&Surface, &MessageId)> {
        let shown = self.surfaces.iter().filter(|surface| surface.is_shown());
        shown.filter_map(|surface| Some((surface, &self.places.get(&surface.id)?.message_id)))
    }

    /// Draws what messages say, wholly or not at all. The activity of the first
    /// new surface gets this id.
    pub(crate) fn draw(
        &mut self,
        payload: &Value,
        client: &Client,
        first: &MessageId,
    ) -> Result<Drawn, Vec<Fault>> {
        let read = Messages::from_value(payload).map_err(|fault| vec![fault])?;
        let mut surfaces = self.surfaces.clone();
        for id in created(&read) {
            surfaces.remove(id);
        }
        let report = Checker::new(&client.catalogs).with_surfaces(&surfaces).check(&payload.to_string());
        if !report.is_ok() {
            return Err(report.faults);
        }
        let changes = surfaces.fold(&read).map_err(|fault| vec![fault])?;
        let mut surface_ids: Vec<String> = Vec::new();
        for (id, _) in changes {
            if !surface_ids.contains(&id) {
                surface_ids.push(id);
            }
        }
        for id in &surface_ids {
            if let Some(surface) = surfaces.get_mut(id) {
                surface.catalog_id = Some(client.name_of(surface.catalog_id.as_deref()));
                settle(surface).map_err(|fault| vec![fault])?;
            }
        }
        let before = std::mem::replace(&mut self.surfaces, surfaces);
        let events =
            surface_ids.iter().filter_map(|id| self.show(id, before.get(id), payload, first)).collect();
        Ok(Drawn { surface_ids, events })
    }

    /// The event that shows how a surface has changed.
    fn show(
        &mut self,
        id: &str,
        before: Option<&Surface>,
        payload: &Value,
        first: &MessageId,
    ) -> Option<Event> {
        let Some(surface) = self.surfaces.get(id) else {
            let place = self.places.remove(id)?;
            let delete = v0_9::Message::DeleteSurface { surface_id: id.to_owned() };
            return Some(added(&place.message_id, &[delete.to_value()]));
        };
        let known = self.places.get(id).cloned();
        let message_id =
            known.as_ref().map_or_else(|| self.free_id(first, id), |place| place.message_id.clone());
        if !surface.is_shown() {
            self.places.insert(id.to_owned(), Place { message_id: message_id.clone(), operations: 0 });
            return Some(snapshot(&message_id, json!({ "status": "building", PENDING: payload })));
        }
        let said = known.map_or(0, |place| place.operations);
        let difference = before.filter(|before| before.is_shown() && said > 0);
        let difference = difference.and_then(|before| paint::difference(before, surface));
        let (event, operations) = match difference {
            Some(operations) if operations.is_empty() => return None,
            Some(operations) if said + operations.len() <= MAX_OPERATIONS => {
                (added(&message_id, &operations), said + operations.len())
            }
            _ => {
                let operations = paint::whole(surface);
                (snapshot(&message_id, json!({ OPERATIONS: operations })), operations.len())
            }
        };
        self.places.insert(id.to_owned(), Place { message_id, operations });
        Some(event)
    }

    /// Remembers what a person has typed, and tells those who look later.
    pub(crate) fn write(
        &mut self,
        id: &str,
        typed: &[(forestage_a2ui::surface::Path, Value)],
    ) -> Option<Event> {
        let (surface, place) = (self.surfaces.get_mut(id)?, self.places.get_mut(id)?);
        let mut operations = Vec::new();
        for (path, value) in typed {
            if surface.model.get(path) != Some(value) && surface.model.set(path, value.clone()).is_ok() {
                operations.push(paint::write(id, path, Some(value.clone())).to_value());
            }
        }
        place.operations += operations.len();
        (!operations.is_empty()).then(|| added(&place.message_id, &operations))
    }

    /// The first surface of a call is named after it, the others after themselves, too.
    fn free_id(&self, first: &MessageId, surface_id: &str) -> MessageId {
        if !self.places.values().any(|place| place.message_id == *first) {
            return first.clone();
        }
        let name = first.as_str();
        let name = name.strip_prefix(ACTIVITY).map_or(name, |name| name.trim_start_matches('-'));
        format!("{ACTIVITY}-{surface_id}-{name}").into()
    }
}

fn added(message_id: &MessageId, operations: &[Value]) -> Event {
    let path = format!("/{OPERATIONS}/-");
    let patch = operations.iter().map(|it| json!({ "op": "add", "path": path, "value": it }));
    let patch: Patch = serde_json::from_value(patch.collect()).unwrap_or_default();
    ActivityDelta::new(message_id, ACTIVITY, patch).into()
}

/// The surfaces that messages begin, or begin anew.
fn created(messages: &Messages) -> Vec<&str> {
    let Messages::V0_9(messages) = messages else { return Vec::new() };
    let created = messages.iter().filter(|it| matches!(it, v0_9::Message::CreateSurface { .. }));
    created.map(v0_9::Message::surface_id).collect()
}
