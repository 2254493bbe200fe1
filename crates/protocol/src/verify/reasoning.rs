//! Reasoning spans and reasoning messages: two namespaces, one record of owners.

use super::{
    Rule, Violation,
    items::{Items, Kind},
    owner::{self, Owner},
};
use crate::{
    event::{
        ReasoningEnd, ReasoningMessageContent, ReasoningMessageEnd, ReasoningMessageStart, ReasoningStart,
    },
    id::{MessageId, SubagentRunId},
};

const SPAN: Kind = Kind {
    name: "reasoning span",
    opened_by: "REASONING_START",
    already_open: Rule::ReasoningSpanOpen,
    not_open: Rule::ReasoningSpanNotOpen,
};

const MESSAGE: Kind = Kind {
    name: "reasoning message",
    opened_by: "REASONING_MESSAGE_START",
    already_open: Rule::ReasoningMessageOpen,
    not_open: Rule::ReasoningMessageNotOpen,
};

/// A span and the message inside it often share an id, so whoever came first owns it for both.
#[derive(Clone, Debug, Default)]
pub(super) struct Reasoning {
    spans: Items<MessageId>,
    messages: Items<MessageId>,
    owners: Items<MessageId>,
}

impl Reasoning {
    pub(super) fn clear(&mut self) {
        self.spans.clear();
        self.messages.clear();
        self.owners.clear();
    }

    pub(super) fn owner(&self, id: &str) -> Option<&Owner> {
        self.owners.owner(id)
    }

    pub(super) fn owners_mut(&mut self) -> &mut Items<MessageId> {
        &mut self.owners
    }

    pub(super) fn all_closed(&self) -> Result<(), Violation> {
        self.messages.all_closed(&MESSAGE)?;
        self.spans.all_closed(&SPAN)
    }

    pub(super) fn start_span(&mut self, event: &ReasoningStart) -> Result<(), Violation> {
        let (id, tag) = (&event.message_id, event.subagent_run_id.as_ref());
        self.spans.refuse_open(&SPAN, "REASONING_START", id)?;
        self.claim("REASONING_START", id, tag)?;
        self.spans.open(id, None);
        Ok(())
    }

    pub(super) fn start_message(&mut self, event: &ReasoningMessageStart) -> Result<(), Violation> {
        let (id, tag) = (&event.message_id, event.subagent_run_id.as_ref());
        self.messages.refuse_open(&MESSAGE, "REASONING_MESSAGE_START", id)?;
        self.claim("REASONING_MESSAGE_START", id, tag)?;
        self.messages.open(id, None);
        Ok(())
    }

    fn claim(&mut self, event: &str, id: &MessageId, tag: Option<&SubagentRunId>) -> Result<(), Violation> {
        owner::check(event, tag, self.owners.owner(id), MESSAGE.name, id)?;
        self.owners.seed_owner(id, tag.cloned());
        Ok(())
    }

    pub(super) fn continue_message(&mut self, event: &ReasoningMessageContent) -> Result<(), Violation> {
        let (id, tag) = (&event.message_id, event.subagent_run_id.as_ref());
        self.messages.go_on(&MESSAGE, "REASONING_MESSAGE_CONTENT", id, None, false)?;
        owner::check("REASONING_MESSAGE_CONTENT", tag, self.owners.owner(id), MESSAGE.name, id)
    }

    pub(super) fn end_message(&mut self, event: &ReasoningMessageEnd) -> Result<(), Violation> {
        let (id, tag) = (&event.message_id, event.subagent_run_id.as_ref());
        self.messages.go_on(&MESSAGE, "REASONING_MESSAGE_END", id, None, true)?;
        owner::check("REASONING_MESSAGE_END", tag, self.owners.owner(id), MESSAGE.name, id)
    }

    pub(super) fn end_span(&mut self, event: &ReasoningEnd) -> Result<(), Violation> {
        let (id, tag) = (&event.message_id, event.subagent_run_id.as_ref());
        self.spans.go_on(&SPAN, "REASONING_END", id, None, true)?;
        owner::check("REASONING_END", tag, self.owners.owner(id), MESSAGE.name, id)
    }
}
