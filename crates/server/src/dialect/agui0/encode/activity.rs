//! Activities as snapshots.
//!
//! assistant-ui reads no `ACTIVITY_DELTA`, and a snapshot says the same to everybody else. Deltas that follow each other
//! become one snapshot.

use forestage_protocol::{
    apply::ThreadView,
    event::{ActivitySnapshot, Event},
    id::MessageId,
    message::Message,
};
use serde_json::Value;

use super::value_of;

/// The activities of a conversation, as they stand.
#[derive(Debug, Default)]
pub(super) struct Activities {
    view: ThreadView,
    changed: Vec<MessageId>,
}

impl Activities {
    /// Takes up the activities among messages.
    pub(super) fn know(&mut self, messages: &[Message]) {
        let activities = messages.iter().filter(|message| matches!(message, Message::Activity(_)));
        self.view = ThreadView::new(activities.cloned().collect(), Value::Null);
    }

    pub(super) fn holds(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Takes an event of an activity. Whether it will come as a snapshot.
    pub(super) fn take(&mut self, event: &Event) -> bool {
        let delta = match event {
            Event::ActivityDelta(delta) => Some(&delta.message_id),
            _ => None,
        };
        let is_known = delta.is_none_or(|id| self.view.message(id).is_some());
        // What cannot be applied is for the client to refuse, as it would have been in 1.0.
        let applied = self.view.apply(event).warning.is_none();
        match delta {
            Some(id) if is_known && applied => {
                if !self.changed.contains(id) {
                    self.changed.push(id.clone());
                }
                true
            }
            _ => false,
        }
    }

    /// Snapshots of what has changed since they were asked for last.
    pub(super) fn changed(&mut self) -> Vec<Value> {
        let changed = std::mem::take(&mut self.changed);
        changed.iter().filter_map(|id| self.view.message(id)).filter_map(snapshot).collect()
    }
}

fn snapshot(message: &Message) -> Option<Value> {
    let Message::Activity(activity) = message else { return None };
    let snapshot = ActivitySnapshot {
        replace: Some(true),
        subagent_run_id: activity.subagent_run_id.clone(),
        ..ActivitySnapshot::new(&activity.id, activity.activity_type.as_str(), activity.content.clone())
    };
    Some(value_of(&Event::from(snapshot)))
}
