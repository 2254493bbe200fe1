//! The short way from an agent to the log, for pieces of text that nobody has to look at: nearly all of them.
//!
//! A run is plain while nothing that is said can be held back: no rule of the house looks at words, nobody reviews
//! them, nothing is open in chunks, and no message is in the middle of a drawing. None of these begins with a plain piece
//! of text, so it is enough to find out after what went the long way.

use std::sync::atomic::Ordering;

use forestage_protocol::{event::Event, id::MessageId};

use super::{Core, RunContext, lock};
use crate::error::Stop;

impl RunContext {
    /// Whether an event is a piece of text that nobody has to look at. An invited agent has rules of its own, and goes the
    /// long way.
    pub(super) fn is_plain(&self, event: &Event) -> bool {
        matches!(event, Event::TextMessageContent(piece) if self.is_plain_text(&piece.delta))
    }

    /// Says one more piece of a message, if nobody has to look at it and it was spoken last. Says false if it has to go the
    /// long way.
    pub(super) fn say_more(&self, id: &MessageId, delta: &str) -> Result<bool, Stop> {
        let is_short = self.is_plain_text(delta) && !self.is_muted();
        Ok(is_short && self.core.outbox.say_more(id, self.tag.as_ref(), delta)?)
    }

    fn is_plain_text(&self, delta: &str) -> bool {
        self.scene.is_none() && self.core.plain.load(Ordering::Acquire) && !delta.contains('<')
    }
}

/// Whether a run may be plain after this, or plain no more.
pub(super) fn may_change(event: &Event) -> bool {
    matches!(
        event,
        Event::TextMessageStart(_)
            | Event::TextMessageContent(_)
            | Event::TextMessageChunk(_)
            | Event::ToolCallChunk(_)
            | Event::ReasoningMessageChunk(_)
    )
}

impl Core {
    /// Finds out whether the run is plain. All that decides it is held meanwhile, so that nobody is overlooked.
    pub(super) fn note_plain(&self) {
        let (easel, chunks, draft) = (lock(&self.easel), lock(&self.chunks), lock(&self.draft));
        let part = lock(&self.part);
        let is_plain = !part.house.looks_at_words()
            && !draft.is_reviewed()
            && chunks.is_idle()
            && easel.texts.values().all(|text| text.tagged.passes(""));
        self.plain.store(is_plain, Ordering::Release);
    }

    /// Holds back what is said from now on, if somebody has to look at it.
    pub(crate) fn review_if(&self, wanted: bool) {
        let mut draft = lock(&self.draft);
        draft.review_if(wanted);
        self.plain.store(false, Ordering::Release);
    }
}
