//! An event as JSON text, through protobuf and back: the same event but for what protobuf cannot carry, which
//! [`lossy`](forestage_fuzz::lossy) lists.

#![no_main]

use forestage_fuzz::lossy::as_protobuf_has_it;
use forestage_protocol::{
    codec::proto::{Decoded, decode, encode},
    enforce,
    event::Event,
};
use libfuzzer_sys::{Corpus, fuzz_target};
use serde_json::Value;

/// Free JSON deeper than this has no protobuf form; the levels of the event around it are counted here too.
const MAX_DEPTH: usize = 100;

fuzz_target!(|text: &str| -> Corpus {
    let Ok(event) = Event::from_json(text) else { return Corpus::Reject };
    // A number beyond the range of a double has no protobuf form either, and a tree cannot hold it.
    if !enforce::tree(text).is_ok_and(|tree| depth(&tree) <= MAX_DEPTH) {
        return Corpus::Reject;
    }
    let mut bytes = Vec::new();
    encode(&event, &mut bytes);
    let Ok(Decoded::Event(again, notes)) = decode(&bytes) else { panic!("{:?}: {text}", decode(&bytes)) };
    assert_eq!(notes, [""; 0], "nothing of ours is unknown to us");
    assert_eq!(as_protobuf_has_it(&again), as_protobuf_has_it(&event), "{text}");
    Corpus::Keep
});

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
