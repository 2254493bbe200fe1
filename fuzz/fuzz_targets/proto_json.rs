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

fuzz_target!(|text: &str| -> Corpus {
    // Opaque JSON that is deeper, or has larger numbers, than a tree holds has no protobuf form.
    let (Ok(event), Ok(_)) = (Event::from_json(text), enforce::tree(text)) else { return Corpus::Reject };
    let mut bytes = Vec::new();
    encode(&event, &mut bytes);
    let Ok(Decoded::Event(again, notes)) = decode(&bytes) else { panic!("{:?}: {text}", decode(&bytes)) };
    assert_eq!(notes, [""; 0], "nothing of ours is unknown to us");
    assert_eq!(as_protobuf_has_it(&again), as_protobuf_has_it(&event), "{text}");
    Corpus::Keep
});
