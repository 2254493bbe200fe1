//! What the contenders start from, each in their own types.

use forestage_protocol::{codec::proto, event::Event};
use serde_json::{Map, Value};

use crate::{floor::one_pass::raw, mix};

pub(crate) struct Material {
    pub(crate) texts: Vec<String>,
    /// The texts as somebody else may write them: `type` first, then the members from last to first.
    pub(crate) reversed: Vec<String>,
    /// The texts as one body of server-sent events.
    pub(crate) body: Vec<u8>,
    pub(crate) ours: Vec<Event>,
    pub(crate) ours_in_protobuf: Vec<Vec<u8>>,
    pub(crate) theirs: Vec<ag_ui::Event>,
    pub(crate) floor: Vec<raw::Event>,
}

impl Material {
    /// Reads the stream for everybody, and makes sure that everybody kept all of it.
    pub(crate) fn new(events: usize) -> Self {
        let texts = mix::stream(events);
        let ours: Vec<Event> = each(&texts, |text| Event::from_json(text).expect("the stream is legal"));
        let theirs: Vec<ag_ui::Event> =
            each(&texts, |text| serde_json::from_str(text).expect("the peer reads it"));
        let floor: Vec<raw::Event> =
            each(&texts, |text| serde_json::from_str(text).expect("the floor reads it"));
        for (index, text) in texts.iter().enumerate() {
            assert_eq!(ours[index].to_json(), *text);
            assert_eq!(written(&floor[index]), *text);
            // The peer writes the base members first.
            assert_eq!(tree(&written(&theirs[index])), tree(text));
        }
        Self {
            body: mix::event_stream(&texts),
            ours_in_protobuf: ours.iter().map(in_protobuf).collect(),
            reversed: each(&texts, reversed),
            texts,
            ours,
            theirs,
            floor,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    pub(crate) fn mean_bytes(&self) -> usize {
        self.texts.iter().map(String::len).sum::<usize>() / self.texts.len()
    }
}

fn each<T>(texts: &[String], read: impl Fn(&str) -> T) -> Vec<T> {
    texts.iter().map(|text| read(text)).collect()
}

fn written(event: &impl serde::Serialize) -> String {
    serde_json::to_string(event).expect("an event is JSON")
}

fn tree(text: &str) -> Value {
    serde_json::from_str(text).expect("an event is JSON")
}

fn reversed(text: &str) -> String {
    let mut members: Map<String, Value> = serde_json::from_str(text).expect("an event is an object");
    let event_type = members.shift_remove("type");
    let rest = members.into_iter().rev();
    let all: Map<String, Value> =
        event_type.map(|name| ("type".to_owned(), name)).into_iter().chain(rest).collect();
    Value::Object(all).to_string()
}

fn in_protobuf(event: &Event) -> Vec<u8> {
    let mut bytes = Vec::new();
    proto::encode(event, &mut bytes);
    let proto::Decoded::Event(read, notes) = proto::decode(&bytes).expect("what we write, we read") else {
        panic!("a known event stays known");
    };
    let read: &Event = &read;
    assert_eq!((read, notes.len()), (event, 0));
    bytes
}
