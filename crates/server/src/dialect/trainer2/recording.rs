//! A whole stream, one turn after the other.

use forestage_protocol::event::Event;
use serde_json::Value;

use super::encode::{Drafts, Encoder};
use crate::dialect::Encode;

/// Writes a recording as a client would have seen it that was there for every turn. Drafts that nobody has let pass are
/// not in a recording, so they are shown empty.
#[derive(Debug)]
pub struct Recording(Encoder);

impl Default for Recording {
    fn default() -> Self {
        Self(Encoder::recorded())
    }
}

impl Recording {
    fn tell(&mut self, event: &Event, out: &mut Vec<Value>) {
        out.extend(self.0.encode(std::slice::from_ref(event), &Drafts::new()));
    }
}

impl Encode for Recording {
    fn event(&mut self, event: &Event, out: &mut Vec<Value>) {
        let begins = matches!(event, Event::RunStarted(_));
        if !(begins && self.0.is_over()) {
            self.tell(event, out);
        }
        // The run before is over, if only because this one has begun.
        if begins && self.0.is_over() {
            self.0 = Encoder::recorded();
            self.tell(event, out);
        }
    }
}
