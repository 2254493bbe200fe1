//! Activities.

use serde_json::Value;

use super::{Applied, MessageChange, ThreadView, merge};
use crate::{
    event::{ActivityDelta, ActivitySnapshot},
    json::Object,
    message::{ActivityMessage, Message},
    patch::Patch,
};

impl ThreadView {
    /// Creates an activity, or replaces one unless the event says otherwise. What the metadata has gathered
    /// stays; the owner is the event's.
    pub(super) fn set_activity(&mut self, event: &ActivitySnapshot) -> Applied {
        let mut fresh = ActivityMessage {
            subagent_run_id: event.subagent_run_id.clone(),
            ..ActivityMessage::new(&event.message_id, event.activity_type.as_str(), event.content.clone())
        };
        let replace = event.replace != Some(false);
        let Some(slot) = self.messages.find(&event.message_id) else {
            return self.add(fresh.into(), &event.base);
        };
        match self.messages.get_mut(slot) {
            Message::Activity(held) if replace => {
                fresh.metadata = held.metadata.take();
                *held = fresh;
                merge(&mut held.metadata, &event.base);
            }
            Message::Activity(held) => {
                if !merge(&mut held.metadata, &event.base) {
                    return Applied::nothing();
                }
            }
            other if replace => {
                merge(&mut fresh.metadata, &event.base);
                *other = fresh.into();
                // Calls that the old message carried are gone, and answers may no longer stand in a row.
                self.index_calls();
            }
            _ => return Applied::nothing(),
        }
        Applied::message(slot, MessageChange::Updated)
    }

    pub(super) fn patch_activity(&mut self, event: &ActivityDelta) -> Applied {
        let id = &event.message_id;
        let slot = self.messages.find(id);
        let Some((slot, Message::Activity(held))) = slot.map(|slot| (slot, self.messages.get_mut(slot)))
        else {
            return Applied::ignored(
                "activity_missing",
                format!("ACTIVITY_DELTA: no activity `{id}` to change"),
            );
        };
        let described = merge(&mut held.metadata, &event.base);
        match patch_object(&mut held.content, &event.patch) {
            Ok(()) => {
                held.activity_type.clone_from(&event.activity_type);
                Applied::message(slot, MessageChange::Updated)
            }
            Err(reason) => {
                let applied = match described {
                    true => Applied::message(slot, MessageChange::Updated),
                    false => Applied::nothing(),
                };
                applied.warn("patch_failed", format!("Failed to apply activity patch for `{id}`: {reason}"))
            }
        }
    }
}

/// Patches content in place, whole or not at all. A patch may not turn it into something that is not an object.
pub(crate) fn patch_object(content: &mut Object, patch: &Patch) -> Result<(), String> {
    let touches_root = patch.iter().any(|operation| operation.path().as_str().is_empty());
    let before = touches_root.then(|| content.clone());
    let mut document = Value::Object(std::mem::take(content).into_map());
    let result = patch.apply(&mut document).map_err(|error| error.to_string());
    match (document, before) {
        (Value::Object(map), _) => {
            *content = map.into();
            result
        }
        (_, before) => {
            *content = before.unwrap_or_default();
            Err("the content would no longer be an object".to_owned())
        }
    }
}
