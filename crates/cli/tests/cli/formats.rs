//! Every format is read, whether it is named or has to be guessed.

use crate::support::{HELLO, jsonl, run, run_bytes, run_json, run_of};

fn streams() -> Vec<(&'static str, Vec<u8>)> {
    let lines = jsonl(&HELLO);
    ["json", "jsonl", "sse", "proto"]
        .map(|format| (format, run_bytes(&["stream", "convert", "--to", format], &lines).1))
        .to_vec()
}

#[test]
fn all_four_formats_are_recognised() {
    for (format, bytes) in streams() {
        let (code, verdict) = run_json(&["stream", "verify", "--json"], &bytes);
        assert_eq!((code, &verdict["ok"]), (0, &true.into()), "{format}: {verdict}");
        let (code, result) = run_json(&["stream", "fold", "--json"], &bytes);
        assert_eq!((code, &result["messages"][0]["content"]), (0, &"Hello".into()), "{format}");
    }
}

#[test]
fn a_named_format_is_not_guessed() {
    for (format, bytes) in streams() {
        let (code, verdict) = run_json(&["stream", "verify", "--json", "--from", format], &bytes);
        assert_eq!((code, &verdict["ok"]), (0, &true.into()), "{format}: {verdict}");
    }
    let (code, verdict) = run_json(&["stream", "verify", "--json", "--from", "sse"], jsonl(&HELLO));
    assert_eq!(
        (code, &verdict["error"]["code"]),
        (1, &"stream_truncated".into()),
        "no data lines, no events"
    );
}

#[test]
fn pretty_printed_and_concatenated_objects_are_events() {
    let event: serde_json::Value = serde_json::from_str(HELLO[0]).unwrap();
    let pretty = format!("{event:#}\n");
    for (args, text) in [
        (&["stream", "convert", "--to", "jsonl"][..], pretty.clone()),
        (&["stream", "convert", "--to", "jsonl"], HELLO[0].to_owned()),
        (&["stream", "convert", "--to", "jsonl", "--from", "json"], HELLO[0].to_owned()),
    ] {
        let (code, stdout, _) = run(args, text);
        assert_eq!((code, stdout), (0, jsonl(&HELLO[..1])));
    }
    let (code, stdout, _) = run(&["stream", "convert", "--to", "jsonl"], pretty.repeat(3));
    assert_eq!((code, stdout), (0, jsonl(&HELLO[..1]).repeat(3)));
}

#[test]
fn nothing_is_a_stream_without_events() {
    for text in ["", "\n \n", "[]", "\u{feff}"] {
        let (code, stdout, _) = run(&["stream", "convert", "--to", "json"], text);
        assert_eq!((code, stdout.as_str()), (0, "[]\n"), "{text:?}");
        let (code, verdict) = run_json(&["stream", "verify", "--json"], text);
        assert_eq!((code, &verdict["error"]["code"]), (1, &"stream_truncated".into()), "{text:?}");
    }
}

#[test]
fn what_is_no_format_is_a_wrong_call() {
    let (code, stdout, stderr) = run(&["stream", "verify"], "<html>");
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("--from"), "{stderr}");
    let (code, _, stderr) = run(&["stream", "verify", "--from", "xml"], "");
    assert_eq!(code, 2, "{stderr}");
    let (code, _, stderr) = run(&["stream", "verify", "no-such-file.sse"], "");
    assert_eq!(code, 2);
    assert!(stderr.contains("no-such-file.sse"), "{stderr}");
}

#[test]
fn deep_nesting_is_no_reason_to_panic() {
    let deep = format!(r#"{{"type":"CUSTOM","name":"x","value":{}1{}}}"#, "[".repeat(5000), "]".repeat(5000));
    for args in [
        &["stream", "verify"][..],
        &["stream", "fold"],
        &["stream", "fold", "--json"],
        &["stream", "convert", "--to", "proto"],
        &["stream", "convert", "--to", "sse", "--enforce"],
        &["event", "check"],
        &["event", "check", "--enforce"],
    ] {
        let (code, _, stderr) = run_bytes(args, run_of(&[&deep]));
        assert!(code < 2 && !stderr.contains("panicked"), "{args:?}: {code} {stderr}");
    }
}

#[test]
fn broken_framing_is_a_fault_at_the_next_event() {
    let proto = streams().remove(3).1;
    let cases: [(&[u8], usize, &str); 4] = [
        (b"[{\"type\":\"RUN_ERROR\",\"message\":\"\"} x", 1, "framing_syntax"),
        (b"[{\"type\":\"RUN_ERROR\",\"message\":\"\"},", 1, "stream_truncated"),
        (b"{\"type\":\"RUN_ERROR\",\"message\":\"\"}\n{\"type\":\"\xFF\"}\n", 1, "not_json"),
        (&proto[..proto.len() - 1], 4, "stream_truncated"),
    ];
    for (bytes, index, expected) in cases {
        let (code, result) = run_json(&["stream", "fold", "--json"], bytes);
        assert_eq!(code, 1, "{result}");
        assert_eq!(result["error"]["index"], index, "{result}");
        assert_eq!(result["error"]["code"], expected, "{result}");
        assert_eq!(result["events"].as_array().unwrap().len(), index, "what came before stays");
    }
}
