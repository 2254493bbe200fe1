//! What a client sees: AG-UI as it is.

use forestage_protocol::event::Event;
use serde_json::Value;

use crate::dialect::Encode;

/// Leaves events as they are, since the contract asks for those of AG-UI.
#[derive(Clone, Copy, Debug, Default)]
pub struct Encoder;

impl Encode for Encoder {
    fn event(&mut self, event: &Event, out: &mut Vec<Value>) {
        out.push(serde_json::to_value(event).unwrap_or_default());
    }
}
