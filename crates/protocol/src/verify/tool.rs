//! Tool calls, and the sealed values that belong to calls and messages.

use super::{Rule, Verifier, Violation, items::Kind, owner};
use crate::{
    event::{EncryptedValueSubtype, ReasoningEncryptedValue, ToolCallStart},
    id::SubagentRunId,
};

pub(super) const KIND: Kind = Kind {
    name: "tool call",
    opened_by: "TOOL_CALL_START",
    already_open: Rule::ToolCallOpen,
    not_open: Rule::ToolCallNotOpen,
};

impl Verifier {
    pub(super) fn start_tool_call(&mut self, event: &ToolCallStart) -> Result<(), Violation> {
        let (id, tag) = (&event.tool_call_id, event.subagent_run_id.as_ref());
        let known = self.tool_calls.refuse_open(&KIND, "TOOL_CALL_START", id)?;
        let parent = event.parent_message_id.as_ref();
        let inherited = parent.and_then(|parent| self.messages.owner(parent)).cloned();
        if let (Some(tag), Some(owner)) = (tag, &inherited)
            && owner.as_ref() != Some(tag)
        {
            return Err(foreign(event, &format!("subagent `{tag}`"), owner.as_ref()));
        }
        owner::check("TOOL_CALL_START", tag, known, KIND.name, id)?;
        if let (None, Some(known), Some(owner)) = (tag, known, &inherited)
            && known != owner
        {
            return Err(foreign(event, &owner::name(known.as_ref()), owner.as_ref()));
        }
        // A call belongs to the message that carries it, so without a tag it is the message's owner's.
        self.tool_calls.open(id, tag.cloned().or(inherited.flatten()));
        Ok(())
    }

    pub(super) fn continue_tool_call(
        &mut self,
        event: &str,
        id: &str,
        tag: Option<&SubagentRunId>,
        close: bool,
    ) -> Result<(), Violation> {
        self.tool_calls.go_on(&KIND, event, id, tag, close)
    }

    pub(super) fn check_encrypted_value(&self, event: &ReasoningEncryptedValue) -> Result<(), Violation> {
        let id = &event.entity_id;
        let (owner, kind) = match event.subtype {
            EncryptedValueSubtype::ToolCall => (self.tool_calls.owner(id), KIND.name),
            EncryptedValueSubtype::Message => {
                (self.messages.owner(id).or_else(|| self.reasoning.owner(id)), "message")
            }
        };
        owner::check("REASONING_ENCRYPTED_VALUE", event.subagent_run_id.as_ref(), owner, kind, id)
    }
}

fn foreign(event: &ToolCallStart, caller: &str, owner: Option<&SubagentRunId>) -> Violation {
    let parent = event.parent_message_id.as_deref().unwrap_or_default();
    let message = format!(
        "TOOL_CALL_START: call `{}` is of {caller}, but its message `{parent}` is of {}",
        event.tool_call_id,
        owner::name(owner)
    );
    Violation::new(Rule::ParentOwnerMismatch, message)
}
