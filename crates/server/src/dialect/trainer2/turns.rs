//! One turn after the other.

use forestage_protocol::event::Event;
use serde_json::Value;

use super::encode::{Drafts, Encoder};

/// Encodes a thread for somebody who sees all its turns.
#[derive(Debug)]
pub(super) struct Turns(Encoder);

impl Turns {
    /// Begins with the turn that this encoder is for.
    pub(super) fn new(encoder: Encoder) -> Self {
        Self(encoder)
    }

    /// What the next event is.
    pub(super) fn encode(&mut self, event: &Event, drafts: &Drafts) -> Vec<Value> {
        let mut told = self.0.encode(std::slice::from_ref(event), drafts);
        // The turn before is over, if only because this one has begun.
        if matches!(event, Event::RunStarted(_)) && self.0.is_over() {
            self.0 = self.0.anew();
            told.extend(self.0.encode(std::slice::from_ref(event), drafts));
        }
        told
    }
}
