//! Tool calls and their answers.

use super::{Applied, MessageChange, Place, ThreadView, merge, order::Slot};
use crate::{
    event::{ToolCallArgs, ToolCallEnd, ToolCallResult, ToolCallStart},
    id::{MessageId, ToolCallId},
    message::{AssistantMessage, Message, ToolMessage},
    tool::{FunctionCall, ToolCall, ToolCallType},
};

impl ThreadView {
    pub(super) fn tool_call_mut(&mut self, id: &str) -> Option<(Place, &mut ToolCall)> {
        let place = *self.calls.get(id)?;
        match self.messages.get_mut(place.slot) {
            Message::Assistant(message) => Some((place, message.tool_calls.as_mut()?.get_mut(place.call)?)),
            _ => None,
        }
    }

    /// Opens a call. One that exists is continued; at most its name changes.
    pub(super) fn start_tool_call(&mut self, event: &ToolCallStart) -> Applied {
        self.tally.start(&event.tool_call_id);
        if self.calls.get(&event.tool_call_id).is_some() {
            return self.reopen_tool_call(event);
        }
        let (slot, collision) = self.carrier(event);
        let mut call = ToolCall::new(
            &event.tool_call_id,
            ToolCallType::Function,
            FunctionCall::new(event.tool_call_name.as_str(), ""),
        );
        merge(&mut call.metadata, &event.base);
        let at = self.attach(slot, call);
        self.calls.insert(&event.tool_call_id, Place { slot, call: at });
        let applied = Applied::message(slot, MessageChange::ToolCallAdded { call: at });
        match collision {
            Some(parent) => {
                let message = format!(
                    "TOOL_CALL_START: message `{parent}` is not the assistant's, so it cannot carry the call"
                );
                applied.warn("id_collision", message)
            }
            None => applied,
        }
    }

    fn attach(&mut self, slot: Slot, call: ToolCall) -> usize {
        let Message::Assistant(message) = self.messages.get_mut(slot) else {
            return 0;
        };
        let calls = message.tool_calls.get_or_insert_default();
        calls.push(call);
        calls.len() - 1
    }

    fn reopen_tool_call(&mut self, event: &ToolCallStart) -> Applied {
        let Some((place, call)) = self.tool_call_mut(&event.tool_call_id) else {
            return Applied::nothing();
        };
        let renamed = call.function.name != event.tool_call_name;
        let old_name =
            renamed.then(|| std::mem::replace(&mut call.function.name, event.tool_call_name.clone()));
        let changed = merge(&mut call.metadata, &event.base) || renamed;
        let applied = match changed {
            true => Applied::message(place.slot, MessageChange::Updated),
            false => Applied::nothing(),
        };
        match old_name {
            Some(old_name) => {
                let message =
                    format!("TOOL_CALL_START: call `{}` was `{old_name}` before", event.tool_call_id);
                applied.warn("tool_call_renamed", message)
            }
            None => applied,
        }
    }

    /// The assistant message that carries the call: the named one, or a new one. A named message that is not
    /// the assistant's cannot carry it and is returned beside.
    fn carrier(&mut self, event: &ToolCallStart) -> (Slot, Option<MessageId>) {
        let mut id = MessageId::from(&event.tool_call_id);
        let mut collision = None;
        if let Some(parent) = &event.parent_message_id {
            match self.messages.find(parent).map(|slot| (slot, self.messages.get(slot))) {
                Some((slot, Message::Assistant(_))) => return (slot, None),
                Some(_) => collision = Some(parent.clone()),
                None => id = parent.clone(),
            }
        }
        // An id that is held already has its owner.
        let owner = event.subagent_run_id.clone().filter(|_| self.messages.find(&id).is_none());
        let message = AssistantMessage { subagent_run_id: owner, ..AssistantMessage::new(id) };
        (self.messages.push(message.into()), collision)
    }

    pub(super) fn continue_tool_call(&mut self, event: &ToolCallArgs) -> Applied {
        let Some((place, call)) = self.tool_call_mut(&event.tool_call_id) else {
            return is_gone("TOOL_CALL_ARGS", &event.tool_call_id);
        };
        call.function.arguments.push_str(&event.delta);
        merge(&mut call.metadata, &event.base);
        Applied::message(place.slot, MessageChange::Arguments { call: place.call })
    }

    pub(super) fn end_tool_call(&mut self, event: &ToolCallEnd) -> Applied {
        let Some((place, call)) = self.tool_call_mut(&event.tool_call_id) else {
            return is_gone("TOOL_CALL_END", &event.tool_call_id);
        };
        merge(&mut call.metadata, &event.base);
        Applied::message(place.slot, MessageChange::Completed)
    }

    /// Adds the answer right behind the message that made the call and the answers already there. An answer
    /// with an id that we hold already is the same answer again and replaces it where it stands.
    pub(super) fn answer_tool_call(&mut self, event: &ToolCallResult) -> Applied {
        self.tally.answer(&event.tool_call_id);
        let mut message = ToolMessage {
            subagent_run_id: event.subagent_run_id.clone(),
            ..ToolMessage::new(&event.message_id, event.content.clone(), &event.tool_call_id)
        };
        if let Some(slot) = self.messages.find(&event.message_id)
            && let Message::Tool(held) = self.messages.get_mut(slot)
        {
            message.metadata = held.metadata.take();
            merge(&mut message.metadata, &event.base);
            *held = message;
            return Applied::message(slot, MessageChange::Updated);
        }
        merge(&mut message.metadata, &event.base);
        let slot = match self.calls.get(&event.tool_call_id).map(|place| place.slot) {
            Some(owner) => self.insert_answer(owner, message.into()),
            None => self.messages.push(message.into()),
        };
        Applied::message(slot, MessageChange::Added)
    }

    /// The last answer behind each message is remembered, so many answers to one message stay cheap.
    fn insert_answer(&mut self, owner: Slot, message: Message) -> Slot {
        let mut behind = self.answers.get(&owner).copied().unwrap_or(owner);
        while let Some(next) = self.messages.next(behind) {
            match self.messages.get(next) {
                Message::Tool(_) => behind = next,
                _ => break,
            }
        }
        let slot = self.messages.insert_after(behind, message);
        self.answers.insert(owner, slot);
        slot
    }
}

fn is_gone(event: &str, id: &ToolCallId) -> Applied {
    Applied::ignored("tool_call_missing", format!("{event}: no message carries tool call `{id}` any more"))
}
