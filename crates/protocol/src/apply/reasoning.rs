//! Reasoning messages, and sealed values.

use super::{Applied, MessageChange, ThreadView};
use crate::{
    event::{EncryptedValueSubtype, ReasoningEncryptedValue, ReasoningMessageStart},
    message::ReasoningMessage,
};

impl ThreadView {
    pub(super) fn start_reasoning(&mut self, event: &ReasoningMessageStart) -> Applied {
        if let Some(slot) = self.messages.find(&event.message_id) {
            return self.reopen("REASONING_MESSAGE_START", slot, &event.base);
        }
        let message = ReasoningMessage {
            subagent_run_id: event.subagent_run_id.clone(),
            ..ReasoningMessage::new(&event.message_id, "")
        };
        self.add(message.into(), &event.base)
    }

    /// Keeps a sealed value with what it belongs to. A new value replaces the old one and its kind together.
    pub(super) fn seal(&mut self, event: &ReasoningEncryptedValue) -> Applied {
        let (value, kind) = (Some(event.encrypted_value.clone()), event.encrypted_value_type.clone());
        let slot = match event.subtype {
            EncryptedValueSubtype::ToolCall => {
                let Some((place, call)) = self.tool_call_mut(&event.entity_id) else {
                    return unknown(event);
                };
                (call.encrypted_value, call.encrypted_value_type) = (value, kind);
                place.slot
            }
            EncryptedValueSubtype::Message => {
                let Some(slot) = self.messages.find(&event.entity_id) else {
                    return unknown(event);
                };
                let Some((old_value, old_kind)) = self.messages.get_mut(slot).encrypted_mut() else {
                    return unknown(event);
                };
                (*old_value, *old_kind) = (value, kind);
                slot
            }
        };
        Applied::message(slot, MessageChange::Updated)
    }
}

fn unknown(event: &ReasoningEncryptedValue) -> Applied {
    let message = format!("no {} `{}` can hold the encrypted value", event.subtype, event.entity_id);
    Applied::ignored("entity_missing", message)
}
