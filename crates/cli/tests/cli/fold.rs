//! `stream fold`.

use serde_json::{Value, json};

use crate::support::{HELLO, empty_fold, file, finish, forestage, jsonl, run, run_json, run_of, values};

fn with_input(name: &str, input: &Value, args: &[&str], stdin: &str) -> (i32, Value) {
    let path = file(name, input.to_string());
    let args = [&["stream", "fold", "--json", "--input", path.to_str().unwrap()], args].concat();
    run_json(&args, stdin)
}

#[test]
fn the_result_holds_everything_there_is_to_know() {
    let (code, result) = run_json(&["stream", "fold", "--json"], jsonl(&HELLO));
    let mut expected = empty_fold();
    expected["messages"] = json!([{"role": "assistant", "id": "m", "content": "Hello"}]);
    expected["outcome"] = json!({"type": "success"});
    expected["events"] = json!(values(&jsonl(&HELLO)));
    assert_eq!((code, result), (0, expected));
}

#[test]
fn what_was_delivered_before_a_fault_stays() {
    let (code, result) = run_json(&["stream", "fold", "--json"], jsonl(&[&HELLO[..3], &["{}"]].concat()));
    assert_eq!(code, 1);
    assert_eq!(result["error"]["index"], 3);
    assert_eq!(result["error"]["code"], "missing_type");
    assert_eq!(result["messages"][0]["content"], "Hello");
    assert_eq!(result["events"].as_array().unwrap().len(), 3);
    assert_eq!(result["outcome"], Value::Null, "no run has ended");
    assert_eq!(result.get("request"), None, "no input was given");
}

#[test]
fn an_outcome_from_before_a_fault_stays() {
    let (code, result) = run_json(&["stream", "fold", "--json"], jsonl(&[&HELLO[..], &HELLO[3..4]].concat()));
    assert_eq!((code, &result["error"]["code"]), (1, &"run_finished".into()));
    assert_eq!(result["outcome"], json!({"type": "success"}));
}

#[test]
fn an_input_is_where_the_fold_begins() {
    let input = json!({
        "threadId": "t",
        "messages": [{"id": "u", "role": "user", "content": "Hi"}],
        "state": {"step": 1},
    });
    let delta = r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/step","value":2}]}"#;
    let (code, result) = with_input("begin.json", &input, &[], &run_of(&[delta]));
    assert_eq!((code, &result["state"]), (0, &json!({"step": 2})));
    assert_eq!(result["messages"][0]["content"], "Hi");
    assert_eq!(
        result["request"],
        json!({
            "threadId": "t", "runId": "run", "protocolVersion": "1.0", "state": {"step": 1},
            "messages": [{"id": "u", "role": "user", "content": "Hi"}],
            "tools": [], "context": [], "forwardedProps": {},
        })
    );
}

#[test]
fn the_stream_has_to_be_on_the_thread_of_the_input() {
    let (code, result) = with_input("thread.json", &json!({"threadId": "other"}), &[], &jsonl(&HELLO));
    assert_eq!((code, &result["error"]["code"]), (1, &"thread_id_mismatch".into()));
    let (code, _) = with_input("any.json", &json!({}), &[], &jsonl(&HELLO));
    assert_eq!(code, 0, "an input without a thread asks for none");
}

#[test]
fn binary_parts_of_the_input_are_upgraded_silently_and_activities_are_not_sent() {
    let binary = json!({"type": "binary", "mimeType": "image/png", "url": "https://example.com/cat.png"});
    let input = json!({"messages": [
        {"id": "u", "role": "user", "content": [binary]},
        {"id": "a", "role": "activity", "activityType": "PLAN", "content": {}},
    ]});
    let (code, result) = with_input("binary.json", &input, &[], &jsonl(&HELLO));
    assert_eq!((code, &result["warnings"]), (0, &json!([])));
    assert_eq!(result["messages"][0]["content"][0]["type"], "image");
    assert_eq!(result["messages"][1]["role"], "activity");
    assert_eq!(result["request"]["messages"].as_array().unwrap().len(), 1);
}

#[test]
fn a_pinned_peer_gets_what_it_can_read() {
    let image = json!({"type": "image", "source": {"type": "url", "value": "https://example.com/cat.png"}});
    let input = json!({"messages": [{"id": "u", "role": "user", "content": [{"type": "text", "text": "Hi"}, image]}]});
    let (code, result) =
        with_input("pinned.json", &input, &["--max-protocol-version", "0.0.39"], &jsonl(&HELLO));
    assert_eq!(code, 0);
    assert_eq!(result["request"]["messages"][0]["content"], "Hi");
    assert_eq!(result["request"].get("protocolVersion"), None);
    assert_eq!(result["warnings"][0]["code"], "peer_predates");
}

#[test]
fn the_environment_can_say_it_and_empty_says_nothing() {
    let path = file("environment.json", r#"{"threadId":"other"}"#);
    let mut command = forestage(&["stream", "fold", "--json"]);
    command.env("AGUI_INPUT", &path).env("AGUI_MAX_PROTOCOL_VERSION", "");
    let (code, stdout, _) = finish(&mut command, jsonl(&HELLO));
    let result: Value = serde_json::from_slice(&stdout).unwrap();
    assert_eq!((code, &result["error"]["code"]), (1, &"thread_id_mismatch".into()));
    let mut command = forestage(&["stream", "fold", "--json"]);
    command.env("AGUI_INPUT", "");
    assert_eq!(finish(&mut command, jsonl(&HELLO)).0, 0);
}

#[test]
fn an_unreadable_input_is_a_wrong_call() {
    for (name, content) in [
        ("list.json", "[]"),
        ("text.json", "hello"),
        ("malformed.json", r#"{"messages":[{"role":"user","id":1}]}"#),
        ("role.json", r#"{"threadId":7}"#),
    ] {
        let path = file(name, content);
        let (code, stdout, stderr) =
            run(&["stream", "fold", "--json", "--input", path.to_str().unwrap()], jsonl(&HELLO));
        assert_eq!((code, stdout.as_str()), (2, ""), "{name}");
        assert!(stderr.contains(name), "{stderr}");
    }
    assert_eq!(run(&["stream", "fold", "--input", "no-such.json"], "").0, 2);
    assert_eq!(run(&["stream", "fold", "--input", "-"], "{}").0, 2, "both cannot be standard input");
    assert_eq!(run(&["stream", "fold", "--max-protocol-version", "new"], jsonl(&HELLO)).0, 2);
}

#[test]
fn people_read_a_conversation() {
    let events = [
        r#"{"type":"REASONING_START","messageId":"s"}"#,
        r#"{"type":"REASONING_MESSAGE_START","messageId":"th","role":"reasoning"}"#,
        r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"th","delta":"Weather, so a tool."}"#,
        r#"{"type":"REASONING_MESSAGE_END","messageId":"th"}"#,
        r#"{"type":"REASONING_END","messageId":"s"}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"weather","parentMessageId":"a"}"#,
        r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\"city\":\"Rome\"}"}"#,
        r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
        r#"{"type":"TOOL_CALL_RESULT","messageId":"tr","toolCallId":"c","content":"sunny"}"#,
        r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"PLAN","content":{"steps":[]}}"#,
        r#"{"type":"STATE_SNAPSHOT","snapshot":{"done":true}}"#,
    ];
    let (code, stdout, _) = run(&["stream", "fold"], run_of(&events));
    let expected = "\
reasoning th
  Weather, so a tool.

assistant a
  calls weather c
    {
      \"city\": \"Rome\"
    }

  tool result of weather tr
    sunny

activity PLAN p
  {
    \"steps\": []
  }

state
  {
    \"done\": true
  }

outcome success

 ok  13 events, 4 messages, no warnings
";
    assert_eq!((code, stdout.as_str()), (0, expected));
}

#[test]
fn people_read_warnings_and_the_fault() {
    let (code, stdout, _) = run(&["stream", "fold"], jsonl(&[HELLO[0], r#"{"type":"FUTURE"}"#, HELLO[3]]));
    assert_eq!(code, 1);
    assert!(stdout.contains("event 1: warning[unknown_event_type]: "), "{stdout}");
    assert!(stdout.contains("event 2: error[text_message_not_open]: "), "{stdout}");
    assert!(stdout.contains("outcome none"), "{stdout}");
}
