//! Lines of anything, read leniently. Whatever a reader delivers is strictly valid: its JSON reads strictly,
//! as the same event. A failed reader says so, and every warning and fault has a place in the stream.

#![no_main]

use forestage_protocol::{compat::PeerVersion, event::Event, pipeline::Reader};
use libfuzzer_sys::fuzz_target;

const RUN_STARTED: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;

fuzz_target!(|text: &str| {
    read(text, Reader::default());
    read(text, Reader::default().with_peer(PeerVersion::parse("0.0.57")));
});

fn read(text: &str, mut reader: Reader) {
    reader.read_json(RUN_STARTED, |_| {}).expect("a run starts");
    for (line, index) in text.lines().zip(1..) {
        let result = reader.read_json(line, is_strictly_valid);
        assert!(reader.take_warnings().iter().all(|warning| warning.index == Some(index)));
        assert_eq!(result.is_err(), reader.has_failed());
        if let Err(error) = result {
            assert_eq!(error.index, index);
            return;
        }
        assert_eq!(reader.index(), index + 1);
    }
}

fn is_strictly_valid(event: Event) {
    let json = event.to_json();
    assert_eq!(Event::from_json(&json), Ok(event), "{json}");
}
