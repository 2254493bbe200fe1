//! `stream compact`.

use serde_json::{Value, json};

use crate::support::{HELLO, jsonl, run, run_json, run_of};

const CHUNKS: [&str; 3] = [
    r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hel"}"#,
    r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"l"}"#,
    r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"o"}"#,
];

#[test]
fn the_shorter_stream_makes_the_same_conversation() {
    let (code, stdout, stderr) = run(&["stream", "compact"], run_of(&CHUNKS));
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(stdout.matches("TEXT_MESSAGE_CONTENT").count(), 1, "{stdout}");
    let (_, before) = run_json(&["stream", "fold", "--json"], run_of(&CHUNKS));
    let (code, after) = run_json(&["stream", "fold", "--json"], stdout);
    assert_eq!((code, &after["messages"]), (0, &before["messages"]));
}

#[test]
fn a_stream_without_an_end_is_compacted_with_a_warning() {
    let (code, stdout, stderr) = run(&["stream", "compact"], jsonl(&HELLO[..4]));
    assert_eq!(code, 0);
    assert!(stdout.contains("Hello"), "{stdout}");
    assert!(stderr.starts_with("warning[stream_truncated] event 4: "), "{stderr}");
}

#[test]
fn any_other_fault_is_a_no() {
    let (code, stdout, stderr) = run(&["stream", "compact"], jsonl(&[HELLO[0], HELLO[3]]));
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(stderr.starts_with("error[text_message_not_open] event 1: "), "{stderr}");
}

#[test]
fn stats_say_what_went_in_and_what_came_out() {
    let stream = run_of(&CHUNKS);
    let (_, stdout, stderr) = run(&["stream", "compact", "--stats"], &stream);
    let expected = format!("5 events, {} bytes -> 5 events, {} bytes\n", stream.len(), stdout.len());
    assert_eq!(stderr, expected);
    let (_, stdout, stderr) = run(&["stream", "compact", "--stats", "--json"], &stream);
    let said: Value = serde_json::from_str(&stderr).unwrap();
    let expected = json!({
        "before": {"events": 5, "bytes": stream.len()},
        "after": {"events": 5, "bytes": stdout.len()},
    });
    assert_eq!((&said["ok"], &said["stats"]), (&json!(true), &expected));
}
