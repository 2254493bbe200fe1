//! `event check`, `message check`, `input check`.

use serde_json::{Value, json};

use crate::support::{HELLO, run, run_json};

const MESSAGE: &str = r#"{"role":"user","id":"u","content":"Hi"}"#;
const INPUT: &str = r#"{"threadId":"t","runId":"r","messages":[]}"#;

#[test]
fn conforming_values_are_a_yes_and_normalized() {
    for (kind, text) in [("event", HELLO[1]), ("message", MESSAGE), ("input", INPUT)] {
        let expected: Value = serde_json::from_str(text).unwrap();
        let expected = json!({"ok": true, "error": null, "warnings": [], "normalized": expected});
        for args in [&[kind, "check", "--json"][..], &[kind, "check", "--json", "--enforce"]] {
            assert_eq!(run_json(args, text), (0, expected.clone()), "{args:?}");
        }
    }
}

#[test]
fn strict_refuses_what_enforcing_strips() {
    for (kind, text, path) in [
        ("event", r#"{"type":"TEXT_MESSAGE_END","messageId":"m","x":1}"#, "/x"),
        ("message", r#"{"role":"user","id":"u","content":"Hi","x":1}"#, "/x"),
        ("input", r#"{"threadId":"t","runId":"r","messages":[],"x":1}"#, "/x"),
    ] {
        let (code, finding) = run_json(&[kind, "check", "--json"], text);
        assert_eq!((code, &finding["error"]["code"]), (1, &"unknown_property".into()), "{kind}");
        assert_eq!((&finding["ok"], &finding["normalized"]), (&json!(false), &Value::Null));
        let (code, finding) = run_json(&[kind, "check", "--json", "--enforce"], text);
        assert_eq!((code, &finding["error"]), (0, &Value::Null), "{kind}");
        assert_eq!(finding["warnings"][0]["path"], path);
        assert_eq!(finding["normalized"].get("x"), None);
    }
}

#[test]
fn a_value_that_is_nested_too_deep_is_a_no() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for (kind, deepest, text) in [
        ("event", 107, r#"{"type":"CUSTOM","name":"n","value":DEEP}"#),
        ("input", 99, r#"{"threadId":"t","runId":"r","messages":[],"state":DEEP}"#),
    ] {
        for enforce in [&["--json"][..], &["--json", "--enforce"]] {
            let args = [&[kind, "check"], enforce].concat();
            let (code, finding) = run_json(&args, text.replace("DEEP", &nested(deepest)));
            assert_eq!((code, &finding["error"]), (0, &Value::Null), "{kind}");
            let (code, finding) = run_json(&args, text.replace("DEEP", &nested(deepest + 1)));
            assert_eq!((code, &finding["error"]["code"]), (1, &"too_deep".into()), "{kind}");
        }
    }
}

#[test]
fn an_event_of_unknown_type_is_dropped_when_enforcing() {
    let (code, finding) = run_json(&["event", "check", "--json"], r#"{"type":"FUTURE"}"#);
    assert_eq!((code, &finding["error"]["code"]), (1, &"unknown_event_type".into()));
    let (code, finding) = run_json(&["event", "check", "--json", "--enforce"], r#"{"type":"FUTURE"}"#);
    assert_eq!((code, &finding["ok"], &finding["normalized"]), (0, &json!(true), &Value::Null));
    assert_eq!(finding["warnings"][0]["code"], "unknown_event_type");
}

#[test]
fn retired_shapes_are_translated_when_enforcing() {
    let binary = json!({"type": "binary", "mimeType": "image/png", "url": "https://example.com/cat.png"});
    let message = json!({"role": "user", "id": "u", "content": [binary]});
    let input = json!({"threadId": "t", "runId": "r", "messages": [message]});
    for (kind, text, path) in [
        ("message", message.to_string(), "/content/0"),
        ("input", input.to_string(), "/messages/0/content/0"),
        (
            "event",
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":null}"#.to_owned(),
            "/result",
        ),
    ] {
        assert_eq!(run(&[kind, "check"], &text).0, 1, "{kind} is not what we send");
        let (code, finding) = run_json(&[kind, "check", "--json", "--enforce"], &text);
        assert_eq!((code, &finding["warnings"][0]["code"]), (0, &"retired_shape".into()), "{finding}");
        assert_eq!(finding["warnings"][0]["path"], path);
    }
}

#[test]
fn malformed_values_are_a_no_either_way() {
    for args in [&["event", "check", "--json"][..], &["event", "check", "--json", "--enforce"]] {
        for (text, expected) in [
            (r#"{"type":"TEXT_MESSAGE_END","messageId":7}"#, "wrong_type"),
            ("{}", "missing_type"),
            ("[]", "wrong_type"),
            ("{\"type\":", "not_json"),
            ("", "not_json"),
        ] {
            let (code, finding) = run_json(args, text);
            assert_eq!((code, &finding["error"]["code"]), (1, &expected.into()), "{text}");
        }
    }
    let (code, finding) = run_json(&["event", "check", "--json"], b"{\"type\":\"\xFF\"}");
    assert_eq!((code, &finding["error"]["code"]), (1, &"not_json".into()));
}

#[test]
fn people_see_the_place_with_an_arrow() {
    let text = r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":7}"#;
    let (code, stdout, _) = run(&["event", "check"], text);
    let expected = " failed  not a valid event: wrong_type
     │ {
     │   \"type\": \"TOOL_CALL_START\",
     │   \"toolCallId\": \"c\",
   → │   \"toolCallName\": 7
     │   ^^^^^^^^^^^^^^^^^ `toolCallName` is a number where a string is expected
     │ }
";
    assert_eq!((code, stdout.as_str()), (1, expected));
}

#[test]
fn people_see_the_verdict() {
    assert_eq!(run(&["message", "check"], MESSAGE).1, " ok  a valid message\n");
    let (_, stdout, _) = run(&["event", "check", "--enforce"], r#"{"type":"FUTURE"}"#);
    assert!(stdout.starts_with("warning[unknown_event_type]: "), "{stdout}");
    assert!(stdout.ends_with(" ok  an unknown event, dropped\n"), "{stdout}");
}

#[test]
fn numbers_are_written_back_as_they_came() {
    let text = r#"{"type":"STATE_SNAPSHOT","snapshot":{"n":12345678901234567890123}}"#;
    let (_, stdout, _) = run(&["event", "check", "--json"], text);
    assert!(stdout.contains("12345678901234567890123"), "{stdout}");
}

#[test]
fn a_missing_file_is_a_wrong_call() {
    assert_eq!(run(&["event", "check", "no-such-file.json"], "").0, 2);
}
