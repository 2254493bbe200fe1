//! Lanes: what each speaker has open.

use crate::{
    event::{Event, ReasoningMessageEnd, TextMessageEnd, TextRole, ToolCallEnd},
    id::{MessageId, SubagentRunId, ToolCallId},
    verify::{Rule, Violation},
};

/// The item that a lane assembles.
#[derive(Clone, Debug)]
pub(super) enum Pending {
    Text { id: MessageId, role: TextRole, name: Option<String>, owner: Option<SubagentRunId> },
    ToolCall { id: ToolCallId, name: String, parent: Option<MessageId>, owner: Option<SubagentRunId> },
    Reasoning { id: MessageId, owner: Option<SubagentRunId> },
}

/// The kinds of items.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    ToolCall,
    Reasoning,
}

impl Kind {
    fn chunk(self) -> &'static str {
        match self {
            Self::Text => "TEXT_MESSAGE_CHUNK",
            Self::ToolCall => "TOOL_CALL_CHUNK",
            Self::Reasoning => "REASONING_MESSAGE_CHUNK",
        }
    }
}

impl Pending {
    fn kind(&self) -> Kind {
        match self {
            Self::Text { .. } => Kind::Text,
            Self::ToolCall { .. } => Kind::ToolCall,
            Self::Reasoning { .. } => Kind::Reasoning,
        }
    }

    pub(super) fn id(&self) -> &str {
        match self {
            Self::Text { id, .. } | Self::Reasoning { id, .. } => id,
            Self::ToolCall { id, .. } => id,
        }
    }

    pub(super) fn owner(&self) -> Option<&SubagentRunId> {
        match self {
            Self::Text { owner, .. } | Self::ToolCall { owner, .. } | Self::Reasoning { owner, .. } => {
                owner.as_ref()
            }
        }
    }

    /// Whether a chunk with this id, or with none, continues it.
    pub(super) fn is_continued_by(&self, id: Option<&str>) -> bool {
        id.is_none_or(|id| id == self.id())
    }

    fn end(self) -> Event {
        match self {
            Self::Text { id, owner, .. } => {
                TextMessageEnd { subagent_run_id: owner, ..TextMessageEnd::new(id) }.into()
            }
            Self::ToolCall { id, owner, .. } => {
                ToolCallEnd { subagent_run_id: owner, ..ToolCallEnd::new(id) }.into()
            }
            Self::Reasoning { id, owner } => {
                ReasoningMessageEnd { subagent_run_id: owner, ..ReasoningMessageEnd::new(id) }.into()
            }
        }
    }
}

/// Who speaks in a lane: a subagent, or the parent agent.
pub(super) type Speaker = Option<SubagentRunId>;

/// The lanes that have something open, in order of opening.
#[derive(Clone, Debug, Default)]
pub(super) struct Lanes(Vec<(Speaker, Pending)>);

impl Lanes {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn get(&self, lane: &Speaker) -> Option<&Pending> {
        self.0.iter().find(|(speaker, _)| speaker == lane).map(|(_, pending)| pending)
    }

    pub(super) fn open(&mut self, lane: Speaker, pending: Pending) {
        self.0.push((lane, pending));
    }

    pub(super) fn close(&mut self, lane: Option<&SubagentRunId>, out: &mut Vec<Event>) {
        if let Some(at) = self.0.iter().position(|(speaker, _)| speaker.as_ref() == lane) {
            out.push(self.0.remove(at).1.end());
        }
    }

    pub(super) fn close_all(&mut self, out: &mut Vec<Event>) {
        out.extend(self.0.drain(..).map(|(_, pending)| pending.end()));
    }

    /// Which lane a chunk belongs to. An id that is open decides; then the tag; then the parent's open item
    /// of this kind; then the only open item of this kind.
    pub(super) fn of_chunk(
        &self,
        kind: Kind,
        id: Option<&str>,
        tag: Option<&SubagentRunId>,
    ) -> Result<Speaker, Violation> {
        let of_kind = || self.0.iter().filter(|(_, pending)| pending.kind() == kind);
        if let Some(id) = id {
            return match of_kind().find(|(_, pending)| pending.id() == id) {
                Some((speaker, _)) => same_speaker(kind, id, tag, speaker),
                None => Ok(tag.cloned()),
            };
        }
        if tag.is_some() || of_kind().any(|(speaker, _)| speaker.is_none()) {
            return Ok(tag.cloned());
        }
        let mut candidates = of_kind();
        let first = candidates.next();
        if candidates.next().is_some() {
            let message = format!("a {} without id and tag could continue several open items", kind.chunk());
            return Err(Violation::new(Rule::ChunkAmbiguous, message));
        }
        Ok(first.and_then(|(speaker, _)| speaker.clone()))
    }
}

fn same_speaker(
    kind: Kind,
    id: &str,
    tag: Option<&SubagentRunId>,
    speaker: &Speaker,
) -> Result<Speaker, Violation> {
    match tag {
        Some(tag) if speaker.as_ref() != Some(tag) => {
            let message = format!("{}: subagentRunId `{tag}` is not the opener's of `{id}`", kind.chunk());
            Err(Violation::new(Rule::OwnerMismatch, message))
        }
        _ => Ok(speaker.clone()),
    }
}
