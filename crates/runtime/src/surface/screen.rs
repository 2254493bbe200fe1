//! What is on the screen of a thread, and how it changes.

use std::collections::HashMap;

use forestage_a2ui::{
    Messages, Version,
    act::Typed,
    catalog::BASIC_0_9,
    check::Checker,
    surface::{Data0_8, Surface, Surfaces},
    v0_9,
};
use forestage_protocol::{
    Fault, Warning,
    event::{ActivityDelta, Event},
    id::MessageId,
    message::{ActivityMessage, Message},
    patch::{Operation, Pointer},
};
use serde_json::{Value, json};

use super::{
    ACTIVITY, Client, OLD_OPERATIONS, OPERATIONS, PENDING, Underway, paint,
    status::{is_unfinished, snapshot},
};

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
    /// What the agent should know all the same.
    pub(crate) warnings: Vec<Warning>,
    /// Whether all of them can be seen.
    pub(crate) is_shown: bool,
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

    /// The same with another rule for data of 0.8 that comes from now on.
    pub(crate) fn with_data_0_8(self, data: Data0_8) -> Self {
        Self { surfaces: self.surfaces.with_data_0_8(data), ..self }
    }

    /// Takes in what an activity draws. It was checked when it was drawn.
    fn recall(&mut self, activity: &ActivityMessage) {
        let list =
            |member: &str| activity.content.get(member).and_then(Value::as_array).filter(|it| !it.is_empty());
        if is_unfinished(&activity.activity_type, &activity.content) && list(PENDING).is_none() {
            return;
        }
        let said = list(OPERATIONS).map_or(0, Vec::len);
        let Some(drawn) = [OLD_OPERATIONS, OPERATIONS, PENDING].into_iter().find_map(list) else { return };
        let Ok(messages) = Messages::from_value(&Value::Array(drawn.clone())) else { return };
        for (surface_id, _) in self.surfaces.fold(&messages).unwrap_or_default() {
            self.places.insert(surface_id, Place { message_id: activity.id.clone(), operations: said });
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
        self.draw_over(None, payload, client, first)
    }

    /// The same where people have seen some of it already, in the activity with that id.
    pub(crate) fn draw_over(
        &mut self,
        underway: Option<&Underway>,
        payload: &Value,
        client: &Client,
        first: &MessageId,
    ) -> Result<Drawn, Vec<Fault>> {
        let read = Messages::from_value(payload).map_err(|fault| vec![fault])?;
        let mut surfaces = self.surfaces.clone();
        let again: Vec<_> =
            created_again(&read, &surfaces).map(|(index, id)| warn_created(index, id)).collect();
        for id in created(&read) {
            surfaces.remove(id);
        }
        let mut report = Checker::new(&client.catalogs).with_surfaces(&surfaces).check(&payload.to_string());
        if !report.is_ok() {
            return Err(report.faults);
        }
        report.warnings.extend(again);
        let changes = surfaces.fold(&read).map_err(|fault| vec![fault])?;
        let mut surface_ids: Vec<String> = Vec::new();
        for (id, _) in changes {
            if !surface_ids.contains(&id) {
                surface_ids.push(id);
            }
        }
        for id in &surface_ids {
            if let Some(surface) = surfaces.get_mut(id).filter(|surface| surface.version != Version::V0_8) {
                surface.catalog_id = Some(client.name_of(surface.catalog_id.as_deref()));
            }
        }
        let before = std::mem::replace(&mut self.surfaces, surfaces);
        let basic = client.name_of(None);
        let show = |id: &String| {
            let painted = underway.and_then(|it| it.painted(id));
            self.show(id, before.get(id), painted, payload, first, &basic)
        };
        let events = surface_ids.iter().filter_map(show).collect();
        let is_shown = surface_ids.iter().all(|id| self.surfaces.get(id).is_none_or(Surface::is_shown));
        Ok(Drawn { surface_ids, events, warnings: report.warnings, is_shown })
    }

    /// The event that shows how a surface has changed.
    fn show(
        &mut self,
        id: &str,
        before: Option<&Surface>,
        painted: Option<(&Surface, usize)>,
        payload: &Value,
        first: &MessageId,
        basic_catalog: &str,
    ) -> Option<Event> {
        let Some(surface) = self.surfaces.get(id) else {
            let place = self.places.remove(id)?;
            let delete = v0_9::Message::DeleteSurface { surface_id: id.to_owned() };
            return Some(snapshot(&place.message_id, json!({ OPERATIONS: [delete.to_value()] })));
        };
        let known = self.places.get(id).cloned();
        let message_id =
            known.as_ref().map_or_else(|| self.free_id(first, id), |place| place.message_id.clone());
        if !surface.is_shown() {
            self.places.insert(id.to_owned(), Place { message_id: message_id.clone(), operations: 0 });
            return Some(snapshot(&message_id, json!({ "status": "building", PENDING: payload })));
        }
        let painted = painted.filter(|_| known.is_none());
        let said = known.map_or(0, |place| place.operations);
        let (before, said) = painted.map_or((before, said), |(surface, said)| (Some(surface), said));
        let difference = before.filter(|before| before.is_shown() && said > 0);
        let difference = difference.and_then(|before| paint::difference(before, surface));
        let (event, operations) = match difference {
            Some(operations) if operations.is_empty() && painted.is_none() => return None,
            Some(operations) if said + operations.len() <= MAX_OPERATIONS => {
                (added(&message_id, &operations, surface, painted.is_some()), said + operations.len())
            }
            _ => {
                let operations = paint::whole(surface, basic_catalog);
                let mut content = json!({ OPERATIONS: operations });
                if surface.version == Version::V0_8 {
                    content[OLD_OPERATIONS] = paint::old(surface).into();
                }
                (snapshot(&message_id, content), operations.len())
            }
        };
        self.places.insert(id.to_owned(), Place { message_id, operations });
        Some(event)
    }

    /// Remembers what a person has typed, and tells those who look later.
    pub(crate) fn write(&mut self, id: &str, typed: &Typed) -> Option<Event> {
        let surface = self.surfaces.get_mut(id)?;
        let before = surface.clone();
        for (path, value) in typed {
            // What cannot be kept was sent all the same.
            let _ = surface.model.set(path, value.clone());
        }
        let first = self.places.get(id)?.message_id.clone();
        self.show(id, Some(&before), None, &Value::Null, &first, BASIC_0_9)
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

/// What is added to an activity, which may be complete by that. In the words of 0.8 it is said as a whole.
fn added(message_id: &MessageId, operations: &[Value], surface: &Surface, completes: bool) -> Event {
    let mut patch = paint::appended(operations);
    if surface.version == Version::V0_8 {
        patch.0.push(Operation::add(Pointer::from_tokens([OLD_OPERATIONS]), paint::old(surface)));
    }
    if completes {
        patch.0.push(Operation::remove(Pointer::from_tokens(["status"])));
    }
    ActivityDelta::new(message_id, ACTIVITY, patch).into()
}

/// The surfaces that messages create though they are on the screen, each with the place of its message.
fn created_again<'m>(messages: &'m Messages, on_screen: &Surfaces) -> impl Iterator<Item = (usize, &'m str)> {
    let messages = match messages {
        Messages::V0_9(messages) => &messages[..],
        Messages::V0_8(_) => &[],
    };
    let is_deleted = |index: usize, id: &str| {
        let mut before = messages[..index].iter();
        before.any(|it| matches!(it, v0_9::Message::DeleteSurface { surface_id } if surface_id == id))
    };
    messages.iter().enumerate().filter_map(move |(index, message)| {
        let v0_9::Message::CreateSurface { surface_id: id, .. } = message else { return None };
        (on_screen.get(id).is_some_and(Surface::is_shown) && !is_deleted(index, id))
            .then_some((index, id.as_str()))
    })
}

/// What an agent should know that meant to draw a new surface, or to change one.
fn warn_created(index: usize, id: &str) -> Warning {
    let message = format!(
        "there is a surface `{id}` already, and this draws it anew; give a new surface an id of its own, and leave \
         `createSurface` out to change `{id}`"
    );
    Warning::at("surface_exists", format!("/{index}/createSurface"), message)
}

/// The surfaces that messages begin, or begin anew.
fn created(messages: &Messages) -> Vec<&str> {
    let Messages::V0_9(messages) = messages else { return Vec::new() };
    let created = messages.iter().filter(|it| matches!(it, v0_9::Message::CreateSurface { .. }));
    created.map(v0_9::Message::surface_id).collect()
}
