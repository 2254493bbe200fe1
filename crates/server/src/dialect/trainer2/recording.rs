//! A whole stream, one turn after the other.

use forestage_protocol::event::Event;
use serde_json::Value;

use super::{
    encode::{Drafts, Encoder},
    turns::Turns,
};
use crate::dialect::Encode;

/// Writes a recording as a client would have seen it that was there for every turn. Drafts that nobody has let pass are
/// not in a recording, so they are shown empty.
#[derive(Debug)]
pub struct Recording(Turns);

impl Default for Recording {
    fn default() -> Self {
        Self(Turns::new(Encoder::recorded()))
    }
}

impl Encode for Recording {
    fn event(&mut self, event: &Event, out: &mut Vec<Value>) {
        out.extend(self.0.encode(event, &Drafts::new()));
    }
}
