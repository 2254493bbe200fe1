//! Every legal stream of `spec/streams`, written in each dialect and held against the rules of that dialect.

use std::{fs, path::PathBuf};

use forestage_protocol::{event::Event, pipeline::Reader};
use forestage_server::dialect::PROFILES;
use serde_json::Value;

use crate::wire::judge;

/// The events of a stream as they reach an application, if all of it is legal.
fn legal(case: &Value) -> Option<Vec<Event>> {
    let (mut reader, mut events) = (Reader::default(), Vec::new());
    for event in case["stream"].as_array()? {
        reader.read_json(&event.to_string(), |event| events.push(event)).ok()?;
    }
    reader.finish().ok()?;
    Some(events)
}

#[test]
fn what_is_legal_is_legal_in_every_dialect_it_is_written_in() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../spec/streams");
    let mut written = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let case: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let Some(events) = legal(&case) else { continue };
        for profile in PROFILES {
            // Event by event and all at once come to the same.
            let mut encoder = (profile.encoder)();
            let mut frames: Vec<Value> =
                events.iter().flat_map(|event| encoder.encode(std::slice::from_ref(event))).collect();
            frames.extend(encoder.flush());
            let mut encoder = (profile.encoder)();
            let mut at_once = encoder.encode(&events);
            at_once.extend(encoder.flush());
            assert_eq!(frames, at_once, "{} {}", profile.name, path.display());
            // On a socket a run that waits is open, so there it is no whole stream.
            let ends =
                frames.iter().any(|frame| frame["type"] == "RUN_FINISHED" || frame["type"] == "RUN_ERROR");
            if ends {
                judge(profile.name, &frames);
                written += 1;
            }
        }
    }
    assert!(written > 30, "{written}");
}
