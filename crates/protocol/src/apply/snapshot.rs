//! The conversation restated, reconciled by id.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{Applied, Change, ThreadView};
use crate::{event::MessagesSnapshot, id::MessageId, message::Message};

impl ThreadView {
    /// A message we hold and the snapshot has is replaced where it stands; one it lacks goes, unless it is of
    /// a kind that the snapshot does not speak of; new ones come last, in the snapshot's order.
    pub(super) fn reconcile(&mut self, event: &MessagesSnapshot) -> Applied {
        let scope = Scope::of(event);
        let mut given: HashMap<&MessageId, &Message> =
            event.messages.iter().map(|message| (message.id(), message)).collect();
        let newest = given.clone();
        let mut messages = Vec::with_capacity(event.messages.len());
        for held in self.messages.drain() {
            match newest.get(held.id()) {
                Some(message) => {
                    given.remove(held.id());
                    messages.push((*message).clone());
                }
                None if scope.leaves(&held) => messages.push(held),
                None => {}
            }
        }
        let mut seen = HashSet::new();
        for message in event.messages.iter().filter(|message| seen.insert(message.id())) {
            messages.extend(given.remove(message.id()).cloned());
        }
        self.messages = messages.into_iter().collect();
        self.index_calls();
        Change::Messages.into()
    }
}

/// What a snapshot speaks of beside the conversation proper.
struct Scope {
    activities: Activities,
    reasoning: bool,
}

/// Which activities it owns. Without a word in the metadata it owns all if it has any.
enum Activities {
    All,
    None,
    OfTypes(Vec<String>),
}

impl Scope {
    fn of(event: &MessagesSnapshot) -> Self {
        let has = |wanted: fn(&Message) -> bool| event.messages.iter().any(wanted);
        let activities = declared(event).unwrap_or_else(|| {
            if has(|message| matches!(message, Message::Activity(_))) {
                Activities::All
            } else {
                Activities::None
            }
        });
        Self { activities, reasoning: has(|message| matches!(message, Message::Reasoning(_))) }
    }

    /// Whether a message that the snapshot lacks stays.
    fn leaves(&self, message: &Message) -> bool {
        match message {
            Message::Reasoning(_) => !self.reasoning,
            Message::Activity(activity) => match &self.activities {
                Activities::All => false,
                Activities::None => true,
                Activities::OfTypes(types) => !types.contains(&activity.activity_type),
            },
            _ => false,
        }
    }
}

/// The official client's extension: a snapshot may name the activity types it owns, or own all with null.
fn declared(event: &MessagesSnapshot) -> Option<Activities> {
    let scope = event.base.metadata.as_ref()?.get("@ag-ui/client")?;
    let Value::Object(scope) = scope else {
        return Some(Activities::None);
    };
    Some(match scope.get("authoritativeActivityTypes")? {
        Value::Null => Activities::All,
        Value::Array(types) => {
            let types = types.iter().map(|name| name.as_str().map(str::to_owned));
            types.collect::<Option<_>>().map_or(Activities::None, Activities::OfTypes)
        }
        _ => Activities::None,
    })
}
