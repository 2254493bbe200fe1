//! Chunks become start, content and end.
//!
//! A producer may spell an item as a row of `*_CHUNK` events: the first opens it, the others continue it, and
//! it closes when something else happens in its lane. A *lane* is who speaks: the parent agent, or one
//! subagent; each lane assembles one item at a time.
//!
//! ```
//! use forestage_protocol::{chunks::Expander, event::{Event, TextMessageChunk}};
//!
//! let mut expander = Expander::default();
//! let mut out = Vec::new();
//! let chunk = TextMessageChunk { message_id: Some("m1".into()), delta: Some("Hi".into()), ..TextMessageChunk::new() };
//! expander.expand(chunk.into(), &mut out)?;
//! let types: Vec<_> = out.iter().map(Event::event_type).map(|t| t.as_str()).collect();
//! assert_eq!(types, ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"]);
//! # Ok::<(), forestage_protocol::verify::Violation>(())
//! ```

mod lane;
mod reasoning;
mod text;
mod tool;

use self::lane::{Lanes, Pending};
use crate::{
    event::{Base, Event},
    id::SubagentRunId,
    json::{Json, Metadata},
    verify::{Rule, Violation},
};

/// Expands the chunks of one stream. Events that are not chunks pass through, after the ends they cause.
#[derive(Clone, Debug, Default)]
pub struct Expander {
    lanes: Lanes,
}

impl Expander {
    /// Whether the next event would pass through alone, as it is: nearly always, where nobody sends chunks.
    #[must_use]
    pub fn passes(&self, event: &Event) -> bool {
        let is_chunk = matches!(
            event,
            Event::TextMessageChunk(_) | Event::ToolCallChunk(_) | Event::ReasoningMessageChunk(_)
        );
        self.lanes.is_empty() && !is_chunk
    }

    /// Whether nothing is open.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.lanes.is_empty()
    }

    /// Takes the next event and appends what it becomes; nothing is appended where it fails.
    pub fn expand(&mut self, event: Event, out: &mut Vec<Event>) -> Result<(), Violation> {
        match event {
            Event::TextMessageChunk(chunk) => return self.expand_text(chunk, out),
            Event::ToolCallChunk(chunk) => return self.expand_tool_call(chunk, out),
            Event::ReasoningMessageChunk(chunk) => return self.expand_reasoning(chunk, out),
            event if self.lanes.is_empty() => out.push(event),
            event => {
                self.close_for(&event, out);
                out.push(event);
            }
        }
        Ok(())
    }

    /// Closes the lanes that an event ends.
    fn close_for(&mut self, event: &Event, out: &mut Vec<Event>) {
        match event {
            Event::RunStarted(_)
            | Event::RunFinished(_)
            | Event::RunError(_)
            | Event::MessagesSnapshot(_) => {
                self.lanes.close_all(out);
            }
            Event::SubagentFinished(event) => self.lanes.close(Some(&event.subagent_run_id), out),
            Event::SubagentError(event) => self.lanes.close(Some(&event.subagent_run_id), out),
            Event::TextMessageStart(_)
            | Event::TextMessageContent(_)
            | Event::TextMessageEnd(_)
            | Event::ToolCallStart(_)
            | Event::ToolCallArgs(_)
            | Event::ToolCallEnd(_)
            | Event::ToolCallResult(_)
            | Event::StateSnapshot(_)
            | Event::StateDelta(_)
            | Event::Custom(_)
            | Event::StepStarted(_)
            | Event::StepFinished(_)
            | Event::ReasoningStart(_)
            | Event::ReasoningMessageStart(_)
            | Event::ReasoningMessageContent(_)
            | Event::ReasoningMessageEnd(_)
            | Event::ReasoningEnd(_) => self.lanes.close(event.attribution(), out),
            Event::Raw(_)
            | Event::ActivitySnapshot(_)
            | Event::ActivityDelta(_)
            | Event::ReasoningEncryptedValue(_)
            | Event::SubagentStarted(_)
            | Event::TextMessageChunk(_)
            | Event::ToolCallChunk(_)
            | Event::ReasoningMessageChunk(_) => {}
        }
    }
}

/// What of a chunk goes where: its metadata onto every event made from it, the provider's event onto the
/// content only, the timestamp nowhere.
struct Origin {
    raw_event: Option<Json>,
    metadata: Option<Metadata>,
}

impl Origin {
    fn of(base: Base) -> Self {
        Self { raw_event: base.raw_event, metadata: base.metadata }
    }

    fn opener(&self) -> Base {
        Base { metadata: self.metadata.clone(), ..Base::default() }
    }

    /// A chunk says something if it has text or an event of the provider's, or, where it opened nothing, at
    /// least metadata.
    fn content(self, delta: Option<String>, opened: bool) -> Option<(String, Base)> {
        let says = delta.is_some() || self.raw_event.is_some() || (!opened && self.metadata.is_some());
        let base = Base { timestamp: None, raw_event: self.raw_event, metadata: self.metadata };
        says.then(|| (delta.unwrap_or_default(), base))
    }
}

fn incomplete(chunk: &str, member: &str) -> Violation {
    Violation::new(Rule::ChunkIncomplete, format!("the first {chunk} of an item needs a {member}"))
}

/// What a later chunk repeats has to be what the first said; an absence in the first counts as well.
fn agree(item: &str, member: &str, repeated: Option<&str>, first: Option<&str>) -> Result<(), Violation> {
    match repeated {
        Some(text) if Some(text) != first => {
            let message = format!(
                "{item}: {member} `{text}` of a later chunk differs from the first chunk's, {}",
                first.map_or_else(|| "which has none".to_owned(), |first| format!("`{first}`"))
            );
            Err(Violation::new(Rule::ChunkConflict, message))
        }
        _ => Ok(()),
    }
}

/// The owner of what a chunk adds: its own tag, else the opener's.
fn owner(tag: Option<SubagentRunId>, pending: &Pending) -> Option<SubagentRunId> {
    tag.or_else(|| pending.owner().cloned())
}
