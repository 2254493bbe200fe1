//! Any bytes as protobuf. An event that is read is written and reads back equal, without anything left to
//! drop; its JSON reads strictly, as the same event.

#![no_main]

use forestage_protocol::{
    codec::proto::{Decoded, decode, encode},
    event::Event,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(Decoded::Event(event, _notes)) = decode(bytes) else { return };
    let mut again = Vec::new();
    encode(&event, &mut again);
    assert_eq!(decode(&again), Ok(Decoded::Event(event.clone(), Vec::new())));
    let json = event.to_json();
    assert_eq!(Event::from_json(&json), Ok(*event), "{json}");
});
