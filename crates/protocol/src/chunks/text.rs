//! `TEXT_MESSAGE_CHUNK`.

use super::{
    Expander, Origin, agree, incomplete,
    lane::{Kind, Pending},
    owner,
};
use crate::{
    event::{Event, TextMessageChunk, TextMessageContent, TextMessageStart, TextRole},
    verify::Violation,
};

impl Expander {
    pub(super) fn expand_text(
        &mut self,
        chunk: TextMessageChunk,
        out: &mut Vec<Event>,
    ) -> Result<(), Violation> {
        let id = chunk.message_id.as_deref();
        let lane = self.lanes.of_chunk(Kind::Text, id, chunk.subagent_run_id.as_ref())?;
        let origin = Origin::of(chunk.base);
        let mut opened = false;
        let pending = match self.lanes.get(&lane) {
            Some(pending @ Pending::Text { id: open, role, name, .. }) if pending.is_continued_by(id) => {
                let item = format!("text message `{open}`");
                agree(&item, "role", chunk.role.map(TextRole::as_str), Some(role.as_str()))?;
                agree(&item, "name", chunk.name.as_deref(), name.as_deref())?;
                pending.clone()
            }
            _ => {
                let id = chunk.message_id.ok_or_else(|| incomplete("TEXT_MESSAGE_CHUNK", "messageId"))?;
                self.lanes.close(lane.as_ref(), out);
                let role = chunk.role.unwrap_or(TextRole::Assistant);
                let (name, owner) = (chunk.name, chunk.subagent_run_id.clone());
                out.push(Event::TextMessageStart(TextMessageStart {
                    message_id: id.clone(),
                    role: Some(role),
                    name: name.clone(),
                    subagent_run_id: owner.clone(),
                    base: origin.opener(),
                }));
                opened = true;
                let pending = Pending::Text { id, role, name, owner };
                self.lanes.open(lane, pending.clone());
                pending
            }
        };
        if let Some((delta, base)) = origin.content(chunk.delta, opened) {
            out.push(Event::TextMessageContent(TextMessageContent {
                message_id: pending.id().into(),
                delta,
                subagent_run_id: owner(chunk.subagent_run_id, &pending),
                base,
            }));
        }
        Ok(())
    }
}
