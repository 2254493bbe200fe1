//! `stream expand`.

use serde_json::{Value, json};

use crate::support::{HELLO, jsonl, run, run_of, types};

#[test]
fn chunks_are_expanded_and_unknown_things_stripped() {
    let events =
        [r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hi","newer":1}"#, r#"{"type":"FUTURE"}"#];
    let (code, stdout, stderr) = run(&["stream", "expand"], run_of(&events));
    let expected =
        ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED"];
    assert_eq!((code, types(&stdout)), (0, expected.map(str::to_owned).to_vec()));
    assert!(stderr.contains("warning[unknown_property] event 1 at /newer"), "{stderr}");
    assert!(stderr.contains("warning[unknown_event_type] event 2"), "{stderr}");
}

#[test]
fn events_before_a_fault_stay_printed() {
    let (code, stdout, stderr) = run(&["stream", "expand"], jsonl(&[HELLO[0], HELLO[1], "{\"type\":"]));
    assert_eq!((code, stdout), (1, jsonl(&HELLO[..2])));
    assert!(stderr.starts_with("error[not_json] event 2: "), "{stderr}");
}

#[test]
fn programs_read_the_fault_as_json() {
    let (code, _, stderr) = run(&["stream", "expand", "--json"], jsonl(&[HELLO[0], r#"{"type":"FUTURE"}"#]));
    let said: Value = serde_json::from_str(&stderr).unwrap();
    assert_eq!((code, &said["ok"]), (1, &json!(false)));
    assert_eq!(said["error"]["code"], "stream_truncated");
    assert_eq!(said["error"]["index"], 2);
    assert_eq!(said["warnings"][0]["code"], "unknown_event_type");
}

#[test]
fn a_conforming_stream_passes_unchanged_and_in_silence() {
    assert_eq!(run(&["stream", "expand"], jsonl(&HELLO)), (0, jsonl(&HELLO), String::new()));
}
