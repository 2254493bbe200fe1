//! The short way of a token: one event that is filled anew for every piece of a message.
//!
//! Nearly all events are pieces of text. An event is large, and so making one for each, with a text of its own, and handing
//! it from hand to hand costs more than writing it down.

use forestage_protocol::{
    event::{Event, TextMessageContent},
    id::{MessageId, SubagentRunId},
};

/// A piece of a message, ready to be filled with the next one.
#[derive(Debug)]
pub(super) struct Piece(Box<Event>);

impl Piece {
    /// Ready for what goes on from this event, if that is a piece of text and says nothing beside it.
    pub(super) fn like(event: &Event) -> Option<Self> {
        let Event::TextMessageContent(TextMessageContent { base, message_id, subagent_run_id, .. }) = event
        else {
            return None;
        };
        let is_plain = base.raw_event.is_none() && base.metadata.is_none();
        let subagent_run_id = subagent_run_id.clone();
        let empty = || TextMessageContent { subagent_run_id, ..TextMessageContent::new(message_id, "") };
        is_plain.then(|| Self(Box::new(empty().into())))
    }

    /// Whether it is of this message, and of whoever speaks.
    pub(super) fn is_of(&self, id: &MessageId, subagent: Option<&SubagentRunId>) -> bool {
        let Event::TextMessageContent(piece) = &*self.0 else { return false };
        piece.message_id == *id && piece.subagent_run_id.as_ref() == subagent
    }

    /// The event that says this.
    pub(super) fn fill(&mut self, delta: &str) -> &mut Event {
        if let Event::TextMessageContent(piece) = &mut *self.0 {
            piece.base.timestamp = None;
            piece.delta.clear();
            piece.delta.push_str(delta);
        }
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_the_event_that_would_have_been_made() {
        let event = |delta: &str| Event::from(TextMessageContent::new("m", delta));
        let mut piece = Piece::like(&event("one")).expect("a piece of text");
        assert!(piece.is_of(&"m".into(), None));
        assert!(!piece.is_of(&"n".into(), None) && !piece.is_of(&"m".into(), Some(&"s".into())));
        for delta in ["two", "", "three and more"] {
            assert_eq!(*piece.fill(delta), event(delta));
        }
    }

    #[test]
    fn what_says_more_than_its_text_is_made_each_time() {
        let mut event = Event::from(TextMessageContent::new("m", "one"));
        event.base_mut().raw_event = Some(serde_json::json!({}).into());
        assert!(Piece::like(&event).is_none());
    }
}
