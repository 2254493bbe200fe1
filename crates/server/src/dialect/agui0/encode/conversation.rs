//! The conversation as the client has it, to leave out what would say it again.
//!
//! - assistant-ui reads no `ACTIVITY_DELTA`, and a snapshot says the same to everybody else. Deltas that follow each other
//!   become one snapshot.
//! - A `MESSAGES_SNAPSHOT` that repeats what was streamed makes clients up to 0.0.49 forget activities and reasoning, and
//!   assistant-ui lose sight of a question. It is left out.

use forestage_protocol::{
    apply::ThreadView,
    event::{ActivitySnapshot, Event, MessagesSnapshot},
    id::MessageId,
    message::Message,
};
use serde_json::Value;

use super::value_of;
use crate::dialect::agui0::Line;

/// The messages that the client has, as far as they are known here.
#[derive(Debug)]
pub(super) struct Conversation {
    view: ThreadView,
    /// Whether all of them are known: not for a stream that goes on behind a cursor.
    is_whole: bool,
    /// Activities that have changed since they were sent.
    changed: Vec<MessageId>,
}

impl Conversation {
    /// One that begins with these messages; without them, nothing is known.
    pub(super) fn new(messages: Option<Vec<Message>>) -> Self {
        let is_whole = messages.is_some();
        let view = ThreadView::new(messages.unwrap_or_default(), Value::Null);
        Self { view, is_whole, changed: Vec::new() }
    }

    pub(super) fn view(&self) -> &ThreadView {
        &self.view
    }

    /// Takes nothing for known until the next snapshot.
    pub(super) fn forget(&mut self) {
        self.is_whole = false;
    }

    pub(super) fn has_changes(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Whether a snapshot says nothing that the client does not have.
    pub(super) fn is_repeated_by(&self, snapshot: &MessagesSnapshot) -> bool {
        self.is_whole && self.view.messages().eq(&snapshot.messages)
    }

    /// Takes the next event. Whether it is a change of an activity that will come as a snapshot, if the line has any.
    pub(super) fn take(&mut self, event: &Event, line: Line) -> bool {
        // What cannot be applied is for the client to refuse, as it would have been in 1.0.
        let is_applied = self.view.apply(event).warning.is_none();
        match event {
            Event::MessagesSnapshot(_) => self.is_whole = true,
            Event::ActivityDelta(delta) if is_applied && line.has_activities() => {
                if !self.changed.contains(&delta.message_id) {
                    self.changed.push(delta.message_id.clone());
                }
                return true;
            }
            _ => {}
        }
        false
    }

    /// Snapshots of the activities that have changed since they were asked for last.
    pub(super) fn changes(&mut self) -> Vec<Value> {
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
