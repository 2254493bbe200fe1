//! `REASONING_MESSAGE_CHUNK`.

use super::{
    Expander, Origin, incomplete,
    lane::{Kind, Pending},
    owner,
};
use crate::{
    event::{Event, ReasoningMessageChunk, ReasoningMessageContent, ReasoningMessageStart, ReasoningRole},
    verify::Violation,
};

impl Expander {
    pub(super) fn expand_reasoning(
        &mut self,
        chunk: ReasoningMessageChunk,
        out: &mut Vec<Event>,
    ) -> Result<(), Violation> {
        let id = chunk.message_id.as_deref();
        let lane = self.lanes.of_chunk(Kind::Reasoning, id, chunk.subagent_run_id.as_ref())?;
        let origin = Origin::of(chunk.base);
        let mut opened = false;
        let pending = match self.lanes.get(&lane) {
            Some(pending @ Pending::Reasoning { .. }) if pending.is_continued_by(id) => pending.clone(),
            _ => {
                let id =
                    chunk.message_id.ok_or_else(|| incomplete("REASONING_MESSAGE_CHUNK", "messageId"))?;
                self.lanes.close(lane.as_ref(), out);
                let owner = chunk.subagent_run_id.clone();
                out.push(Event::ReasoningMessageStart(ReasoningMessageStart {
                    message_id: id.clone(),
                    role: ReasoningRole::Reasoning,
                    subagent_run_id: owner.clone(),
                    base: origin.opener(),
                }));
                opened = true;
                let pending = Pending::Reasoning { id, owner };
                self.lanes.open(lane, pending.clone());
                pending
            }
        };
        if let Some((delta, base)) = origin.content(chunk.delta, opened) {
            out.push(Event::ReasoningMessageContent(ReasoningMessageContent {
                message_id: pending.id().into(),
                delta,
                subagent_run_id: owner(chunk.subagent_run_id, &pending),
                base,
            }));
        }
        Ok(())
    }
}
