//! Text messages; reasoning messages are filled and closed the same way.

use super::{Applied, MessageChange, ThreadView, merge, order::Slot};
use crate::{
    event::{Base, TextMessageStart, TextRole},
    id::MessageId,
    message::Message,
};

impl ThreadView {
    /// Opens a message. One that exists is continued as it is: its role, name and owner stand.
    pub(super) fn start_text(&mut self, event: &TextMessageStart) -> Applied {
        if let Some(slot) = self.messages.find(&event.message_id) {
            return self.reopen("TEXT_MESSAGE_START", slot, &event.base);
        }
        let mut message = Message::open(event.role.unwrap_or(TextRole::Assistant), &event.message_id);
        message.set_subagent_run_id(event.subagent_run_id.clone());
        if let Some(name) = message.name_mut() {
            name.clone_from(&event.name);
        }
        self.add(message, &event.base)
    }

    pub(super) fn add(&mut self, mut message: Message, base: &Base) -> Applied {
        merge(message.metadata_mut(), base);
        Applied::message(self.messages.push(message), MessageChange::Added)
    }

    pub(super) fn reopen(&mut self, event: &str, slot: Slot, base: &Base) -> Applied {
        let message = self.messages.get_mut(slot);
        if let Message::Activity(activity) = message {
            return is_activity(event, &activity.id);
        }
        let changed = merge(message.metadata_mut(), base);
        if changed { Applied::message(slot, MessageChange::Updated) } else { Applied::nothing() }
    }

    pub(super) fn continue_text(&mut self, event: &str, id: &MessageId, delta: &str, base: &Base) -> Applied {
        let Some(slot) = self.messages.find(id) else {
            return is_gone(event, id);
        };
        let message = self.messages.get_mut(slot);
        if !message.push_text(delta) {
            return is_activity(event, id);
        }
        merge(message.metadata_mut(), base);
        Applied::message(slot, MessageChange::Text)
    }

    pub(super) fn end_text(&mut self, event: &str, id: &MessageId, base: &Base) -> Applied {
        let Some(slot) = self.messages.find(id) else {
            return is_gone(event, id);
        };
        let message = self.messages.get_mut(slot);
        if matches!(message, Message::Activity(_)) {
            return is_activity(event, id);
        }
        merge(message.metadata_mut(), base);
        Applied::message(slot, MessageChange::Completed)
    }
}

fn is_activity(event: &str, id: &str) -> Applied {
    Applied::ignored("id_collision", format!("{event}: message `{id}` is an activity and takes no text"))
}

fn is_gone(event: &str, id: &str) -> Applied {
    Applied::ignored("message_missing", format!("{event}: there is no message `{id}` any more"))
}
