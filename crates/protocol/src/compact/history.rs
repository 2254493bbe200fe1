//! Messages that a run start repeats although the stream has them already.

use crate::{
    apply::{Change, ThreadView},
    event::{Event, RunStarted},
    message::Message,
};

/// What the stream has said so far.
#[derive(Debug, Default)]
pub(super) struct History {
    view: ThreadView,
}

impl History {
    /// Takes the next event, and says whether it changed anything.
    pub(super) fn note(&mut self, event: &Event) -> bool {
        self.view.apply(event).change != Change::Nothing
    }

    /// Whether an activity takes the place of a message of another kind.
    pub(super) fn is_replaced_by(&self, event: &Event) -> bool {
        let Event::ActivitySnapshot(event) = event else {
            return false;
        };
        let held = self.view.message(&event.message_id);
        held.is_some_and(|message| !matches!(message, Message::Activity(_)))
    }

    /// Leaves out messages that applying would skip. Those of subagents stay: verification reads from them who
    /// owns an id, and for the parent agent that is what it assumes anyway.
    pub(super) fn forget_known(&self, event: &mut RunStarted) {
        if let Some(input) = &mut event.input {
            input.messages.retain(|message| {
                message.subagent_run_id().is_some() || self.view.message(message.id()).is_none()
            });
        }
    }
}
