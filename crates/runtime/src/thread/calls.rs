//! The calls of a conversation, for answers to be held against. Looking one up takes no longer in a long conversation, so
//! that many answers at once do not.

use std::collections::{HashMap, HashSet};

use forestage_protocol::{
    apply::ThreadView,
    id::ToolCallId,
    message::{Message, ToolMessage},
    tool::ToolCall,
};

use crate::{error::Refusal, tool::Tools};

/// The calls of a conversation, and those of them that have an answer.
pub(super) struct Calls<'v> {
    by_id: HashMap<&'v ToolCallId, Vec<&'v ToolCall>>,
    answered: HashSet<ToolCallId>,
}

impl<'v> Calls<'v> {
    pub(super) fn of(view: &'v ThreadView) -> Self {
        let mut by_id: HashMap<_, Vec<_>> = HashMap::new();
        for call in view.messages().flat_map(Message::tool_calls) {
            by_id.entry(&call.id).or_default().push(call);
        }
        Self { by_id, answered: answered(view).cloned().collect() }
    }

    /// What a tool of ours says is said by us alone, above all while a person decides whether it may run.
    pub(super) fn refuse_our_results(
        &self,
        view: &ThreadView,
        answer: &ToolMessage,
        at: usize,
        tools: &Tools,
    ) -> Result<(), Refusal> {
        let id = &answer.tool_call_id;
        let asked = view.pending_interrupts().iter().any(|asked| asked.tool_call_id.as_ref() == Some(id));
        let mut calls = self.by_id.get(id).into_iter().flatten();
        let ours = calls.any(|call| tools.get(&call.function.name).is_some());
        if !asked && !ours {
            return Ok(());
        }
        let text = format!("the result of tool call `{id}` is the server's to say");
        let refusal = Refusal::invalid("forged_message", text).at(format!("messages[{at}]"));
        Err(refusal.hint("answer the question about the call with `resume`, and leave its result out"))
    }

    /// The call that an answer is for. It has one from now on.
    pub(super) fn answer(&mut self, answer: &ToolMessage, at: usize) -> Result<&'v ToolCall, Refusal> {
        let id = &answer.tool_call_id;
        let refused =
            |code, text: String| Refusal::invalid(code, text).at(format!("messages[{at}].toolCallId"));
        match self.by_id.get(id).and_then(|calls| calls.first()) {
            None => Err(refused("forged_message", format!("there is no tool call `{id}` on this thread"))),
            Some(_) if !self.answered.insert(id.clone()) => {
                Err(refused("already_answered", format!("tool call `{id}` has been answered already")))
            }
            Some(call) => Ok(call),
        }
    }
}

fn answered(view: &ThreadView) -> impl Iterator<Item = &ToolCallId> {
    view.messages().filter_map(|message| match message {
        Message::Tool(message) => Some(&message.tool_call_id),
        _ => None,
    })
}
