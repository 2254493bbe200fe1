//! `TOOL_CALL_CHUNK`.

use super::{
    Expander, Origin, agree, incomplete,
    lane::{Kind, Pending},
    owner,
};
use crate::{
    event::{Event, ToolCallArgs, ToolCallChunk, ToolCallStart},
    verify::Violation,
};

impl Expander {
    pub(super) fn expand_tool_call(
        &mut self,
        chunk: ToolCallChunk,
        out: &mut Vec<Event>,
    ) -> Result<(), Violation> {
        let id = chunk.tool_call_id.as_deref();
        let lane = self.lanes.of_chunk(Kind::ToolCall, id, chunk.subagent_run_id.as_ref())?;
        let origin = Origin::of(chunk.base);
        let mut opened = false;
        let pending = match self.lanes.get(&lane) {
            Some(pending @ Pending::ToolCall { id: open, name, parent, .. })
                if pending.is_continued_by(id) =>
            {
                let item = format!("tool call `{open}`");
                agree(&item, "toolCallName", chunk.tool_call_name.as_deref(), Some(name))?;
                agree(&item, "parentMessageId", chunk.parent_message_id.as_deref(), parent.as_deref())?;
                pending.clone()
            }
            _ => {
                let id = chunk.tool_call_id.ok_or_else(|| incomplete("TOOL_CALL_CHUNK", "toolCallId"))?;
                let name =
                    chunk.tool_call_name.ok_or_else(|| incomplete("TOOL_CALL_CHUNK", "toolCallName"))?;
                self.lanes.close(lane.as_ref(), out);
                let (parent, owner) = (chunk.parent_message_id, chunk.subagent_run_id.clone());
                out.push(Event::ToolCallStart(ToolCallStart {
                    tool_call_id: id.clone(),
                    tool_call_name: name.clone(),
                    parent_message_id: parent.clone(),
                    subagent_run_id: owner.clone(),
                    base: origin.opener(),
                }));
                opened = true;
                let pending = Pending::ToolCall { id, name, parent, owner };
                self.lanes.open(lane, pending.clone());
                pending
            }
        };
        if let Some((delta, base)) = origin.content(chunk.delta, opened) {
            out.push(Event::ToolCallArgs(ToolCallArgs {
                tool_call_id: pending.id().into(),
                delta,
                subagent_run_id: owner(chunk.subagent_run_id, &pending),
                base,
            }));
        }
        Ok(())
    }
}
