//! `stream convert`.

use crate::support::{HELLO, file, jsonl, run, run_bytes, run_of, types};

#[test]
fn every_format_leads_to_every_other_and_back() {
    let formats = ["json", "jsonl", "sse", "proto"];
    for from in formats {
        let (code, source, _) = run_bytes(&["stream", "convert", "--to", from], jsonl(&HELLO));
        assert_eq!(code, 0);
        for to in formats {
            let (code, target, _) = run_bytes(&["stream", "convert", "--to", to], &source);
            assert_eq!(code, 0, "{from} to {to}");
            let (_, back, _) = run(&["stream", "convert", "--to", "jsonl"], target);
            assert_eq!(back, jsonl(&HELLO), "{from} to {to}");
        }
    }
}

#[test]
fn between_json_formats_nothing_is_lost_and_nothing_judged() {
    let events = [
        r#"{"type":"FUTURE","n":12345678901234567890123,"deep":[1.00]}"#,
        r#"{"type":"TEXT_MESSAGE_END","newer":{"b":1,"a":2},"messageId":"never opened"}"#,
        r#"{"type":"CUSTOM","name":"x","value":1,"metadata":{"n":12345678901234567890123}}"#,
    ];
    for to in ["json", "jsonl", "sse"] {
        let (code, stdout, stderr) = run(&["stream", "convert", "--to", to], jsonl(&events));
        assert_eq!((code, stderr.as_str()), (0, ""), "{to}");
        assert_eq!(run(&["stream", "convert", "--to", "jsonl"], stdout).1, jsonl(&events), "{to}");
    }
}

#[test]
fn what_is_no_event_is_a_fault() {
    for (event, expected) in
        [("7", "wrong_type"), ("{}", "missing_type"), ("{", "not_json"), (r#"{"type":""}"#, "missing_type")]
    {
        let args = ["stream", "convert", "--to", "jsonl", "--from", "jsonl"];
        let (code, stdout, stderr) = run(&args, jsonl(&[HELLO[0], event]));
        assert_eq!((code, stdout), (1, jsonl(&HELLO[..1])), "{event}");
        assert!(stderr.starts_with(&format!("error[{expected}] event 1")), "{stderr}");
    }
}

#[test]
fn what_protobuf_cannot_carry_is_a_fault_with_its_place() {
    let extra = r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/a","note":1}]}"#;
    let big = r#"{"type":"CUSTOM","name":"x","value":{"n":9007199254740993}}"#;
    let huge = r#"{"type":"CUSTOM","name":"x","value":1e999}"#;
    for (event, expected) in [
        (r#"{"type":"FUTURE"}"#, "error[unknown_event_type] event 1 at /type: "),
        (r#"{"type":"TEXT_MESSAGE_END","messageId":"m","x":1}"#, "error[unknown_property] event 1: "),
        (extra, "error[proto_lossy] event 1 at /delta/0/note: "),
        (big, "error[proto_lossy] event 1 at /value/n: "),
        (huge, "error[proto_lossy] event 1: "),
    ] {
        let (code, _, stderr) = run_bytes(&["stream", "convert", "--to", "proto"], jsonl(&[HELLO[0], event]));
        assert_eq!(code, 1, "{event}");
        assert!(stderr.starts_with(expected), "{stderr}");
    }
}

#[test]
fn enforcing_drops_it_with_a_warning_instead() {
    let events = [
        r#"{"type":"FUTURE"}"#,
        r#"{"type":"TEXT_MESSAGE_END","messageId":"m","x":1}"#,
        r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/a","note":1}]}"#,
        r#"{"type":"THINKING_START"}"#,
    ];
    let (code, bytes, stderr) =
        run_bytes(&["stream", "convert", "--to", "proto", "--enforce"], run_of(&events));
    assert_eq!(code, 0, "{stderr}");
    for expected in ["[unknown_event_type] event 1", "[unknown_property] event 2", "[proto_lossy] event 3"] {
        assert!(stderr.contains(&format!("warning{expected}")), "{stderr}");
    }
    let (_, stdout, _) = run(&["stream", "convert", "--to", "jsonl"], bytes);
    let expected = ["RUN_STARTED", "TEXT_MESSAGE_END", "STATE_DELTA", "REASONING_START", "RUN_FINISHED"];
    assert_eq!(types(&stdout), expected);
}

#[test]
fn events_of_an_unknown_kind_pass_from_protobuf_to_protobuf_only() {
    // Field 1000 with an empty message in it, length in front.
    let unknown = [0, 0, 0, 3, 0xC2, 0x3E, 0];
    let (code, bytes, stderr) = run_bytes(&["stream", "convert", "--to", "proto"], unknown);
    assert_eq!((code, bytes.as_slice()), (0, unknown.as_slice()), "{stderr}");
    let (code, _, stderr) = run(&["stream", "convert", "--to", "jsonl"], unknown);
    assert_eq!(code, 1);
    assert!(stderr.starts_with("error[unknown_event_type] event 0: "), "{stderr}");
    let (code, stdout, stderr) = run(&["stream", "convert", "--to", "jsonl", "--enforce"], unknown);
    assert_eq!((code, stdout.as_str()), (0, ""));
    assert!(stderr.starts_with("warning[unknown_event_type] event 0: "), "{stderr}");
}

#[test]
fn ids_are_kept_or_counted() {
    let (_, stdout, _) = run(&["stream", "convert", "--to", "sse", "--with-ids"], jsonl(&HELLO[..2]));
    let expected = format!("id: 0\ndata: {}\n\nid: 1\ndata: {}\n\n", HELLO[0], HELLO[1]);
    assert_eq!(stdout, expected);
    assert_eq!(run(&["stream", "convert", "--to", "sse"], &expected).1, expected);
    assert_eq!(run(&["stream", "convert", "--to", "json", "--with-ids"], &expected).0, 2);
}

#[test]
fn the_output_can_be_a_file_but_not_the_one_that_is_read() {
    let source = file("convert.jsonl", jsonl(&HELLO));
    let target = source.with_extension("sse");
    let (source, target) = (source.to_str().unwrap(), target.to_str().unwrap());
    let (code, stdout, _) = run(&["stream", "convert", "--to", "sse", source, "-o", target], "");
    assert_eq!((code, stdout.as_str()), (0, ""));
    assert_eq!(run(&["stream", "convert", "--to", "jsonl", target], "").1, jsonl(&HELLO));
    let (code, _, _) = run(&["stream", "convert", "--to", "sse", source, "-o", source], "");
    assert_eq!((code, std::fs::read_to_string(source).unwrap()), (2, jsonl(&HELLO)));
}

#[test]
fn an_array_is_valid_json() {
    let (_, stdout, _) = run(&["stream", "convert", "--to", "json"], jsonl(&HELLO));
    let events: Vec<serde_json::Value> = serde_json::from_str(&stdout).unwrap();
    assert_eq!(events.len(), HELLO.len());
}
