//! Text messages.

use super::{Rule, Verifier, Violation, items::Kind, owner};
use crate::{event::TextMessageStart, id::SubagentRunId};

pub(super) const KIND: Kind = Kind {
    name: "text message",
    opened_by: "TEXT_MESSAGE_START",
    already_open: Rule::TextMessageOpen,
    not_open: Rule::TextMessageNotOpen,
};

impl Verifier {
    pub(super) fn start_text(&mut self, event: &TextMessageStart) -> Result<(), Violation> {
        let (id, tag) = (&event.message_id, event.subagent_run_id.as_ref());
        let known = self.messages.refuse_open(&KIND, "TEXT_MESSAGE_START", id)?;
        owner::check("TEXT_MESSAGE_START", tag, known, "message", id)?;
        self.messages.open(id, tag.cloned());
        Ok(())
    }

    pub(super) fn continue_text(
        &mut self,
        event: &str,
        id: &str,
        tag: Option<&SubagentRunId>,
        close: bool,
    ) -> Result<(), Violation> {
        self.messages.go_on(&KIND, event, id, tag, close)
    }
}
