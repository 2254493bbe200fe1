//! One conversation, in everybody's own types.

use forestage_protocol::event::Event;

use super::typed;
use crate::{floor::one_pass::parsed, mix};

pub(crate) struct Material {
    /// The conversation as one body of server-sent events.
    pub(crate) body: Vec<u8>,
    pub(crate) ours: Vec<Event>,
    pub(crate) theirs: Vec<ag_ui::Event>,
    pub(crate) floor: Vec<parsed::Event>,
}

impl Material {
    /// Reads the stream for everybody, and makes sure that all arrive at the same conversation.
    pub(crate) fn new(events: usize) -> Self {
        let texts = mix::stream(events);
        let material = Self {
            body: mix::event_stream(&texts),
            ours: texts.iter().map(|text| Event::from_json(text).expect("the stream is legal")).collect(),
            theirs: texts.iter().map(|text| serde_json::from_str(text).expect("the peer reads it")).collect(),
            floor: texts.iter().map(|text| serde_json::from_str(text).expect("the floor reads it")).collect(),
        };
        typed::check(&material);
        material
    }

    pub(crate) fn len(&self) -> usize {
        self.ours.len()
    }
}
