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
fn a_stream_that_cannot_be_converted_to_its_end_leaves_the_file_as_it_was() {
    let source = file("convert-partial.jsonl", format!("{}{{\"type\":\"NONE", jsonl(&HELLO[..2])));
    let (target, partial) = (source.with_extension("sse"), source.with_extension("sse.partial"));
    for to in ["sse", "agui-0.0.45"] {
        std::fs::write(&target, "before").unwrap();
        let _ = std::fs::remove_file(&partial);
        let (source, path) = (source.to_str().unwrap(), target.to_str().unwrap());
        let (code, _, stderr) = run(&["stream", "convert", "--to", to, source, "-o", path], "");
        assert_eq!(
            (code, std::fs::read_to_string(&target).unwrap().as_str()),
            (1, "before"),
            "{to}: {stderr}"
        );
        assert!(std::fs::read_to_string(&partial).unwrap().contains("RUN_STARTED"), "{to}");
        assert!(stderr.contains("convert-partial.sse.partial"), "{to}: {stderr}");
    }
}

#[test]
fn an_array_is_valid_json() {
    let (_, stdout, _) = run(&["stream", "convert", "--to", "json"], jsonl(&HELLO));
    let events: Vec<serde_json::Value> = serde_json::from_str(&stdout).unwrap();
    assert_eq!(events.len(), HELLO.len());
}

/// A history as AGUI.Protocol stores it: an array of events in its own shapes.
fn net_history() -> String {
    let input = r#"{"threadId":"t","runId":"r","state":{},"tools":[],"context":[],"messages":[{"id":"u","role":"user","content":[{"type":"text","text":"Look:"},{"type":"binary","mimeType":"image/png","id":"file-1"}]}]}"#;
    let events = [
        format!(r#"{{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{input}}}"#),
        r#"{"type":"REASONING_START","messageId":"s","encryptedContent":"sealed"}"#.to_owned(),
        r#"{"type":"REASONING_MESSAGE_START","messageId":"h","role":"assistant"}"#.to_owned(),
        r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"h","delta":"Hm."}"#.to_owned(),
        r#"{"type":"REASONING_MESSAGE_END","messageId":"h"}"#.to_owned(),
        r#"{"type":"REASONING_END","messageId":"s"}"#.to_owned(),
        r#"{"type":"META","metaType":"tag","payload":{"a":1}}"#.to_owned(),
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":"interrupt","interrupt":{"id":"q","payload":{"functionName":"pay","functionArguments":{"amount":7}}}}"#.to_owned(),
    ];
    format!("[{}]", events.join(",\n"))
}

#[test]
fn a_history_of_agui_protocol_becomes_ag_ui_that_is_legal() {
    let (code, stdout, stderr) = run(&["stream", "convert", "--from", "net", "--to", "jsonl"], net_history());
    assert_eq!(code, 0, "{stderr}");
    let expected = [
        "RUN_STARTED",
        "REASONING_START",
        "REASONING_MESSAGE_START",
        "REASONING_ENCRYPTED_VALUE",
        "REASONING_MESSAGE_CONTENT",
        "REASONING_MESSAGE_END",
        "REASONING_END",
        "CUSTOM",
        "RUN_FINISHED",
    ];
    assert_eq!(types(&stdout), expected);
    for said in ["upload:file-1", r#""name":"meta:tag""#, r#""role":"reasoning""#, r#""type":"interrupt""#] {
        assert!(stdout.contains(said), "{said}: {stdout}");
    }
    assert_eq!(stderr.matches("warning[retired_shape]").count(), 5, "{stderr}");
    assert_eq!(run(&["stream", "verify", "--quiet"], &stdout).0, 0);
    assert_eq!(run(&["stream", "verify", "--quiet", "--from", "net"], net_history()).0, 0);
    assert_eq!(
        run(&["stream", "verify", "--quiet"], net_history()).0,
        1,
        "without the word it is no AG-UI 1.0"
    );
    let (code, expanded, _) = run(&["stream", "expand", "--from", "net"], net_history());
    assert_eq!((code, types(&expanded)), (0, types(&stdout)));
}

#[test]
fn what_is_read_from_agui_protocol_is_written_back_as_it_was() {
    let (_, stdout, stderr) = run(&["stream", "convert", "--from", "net", "--to", "net"], net_history());
    let written: Vec<serde_json::Value> = stdout
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).unwrap())
        .collect();
    let mut history: Vec<serde_json::Value> = serde_json::from_str(&net_history()).unwrap();
    // What the contract requires of an input is written, also where it was left out.
    history[0]["input"]["forwardedProps"] = serde_json::json!({});
    assert_eq!(written, history, "{stderr}");
}

#[test]
fn what_protobuf_cannot_carry_of_it_is_a_fault_and_an_illegal_history_is_one_too() {
    let to_proto = ["stream", "convert", "--from", "net", "--to", "proto"];
    let (code, _, stderr) = run_bytes(&to_proto, net_history());
    assert_eq!(code, 1, "an empty list is nothing in protobuf");
    assert!(stderr.contains("error[proto_lossy] event 0 at /input/tools"), "{stderr}");
    let spare = net_history().replace(r#""tools":[],"context":[],"#, "");
    let (code, bytes, stderr) = run_bytes(&to_proto, spare);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(types(&run(&["stream", "convert", "--to", "jsonl"], bytes).1).len(), 9);
    let cut = net_history().replace(r#"{"type":"REASONING_END","messageId":"s"},"#, "");
    let (code, _, stderr) = run(&["stream", "convert", "--from", "net", "--to", "jsonl"], cut);
    assert_eq!(code, 1);
    assert!(stderr.contains("error["), "{stderr}");
}
