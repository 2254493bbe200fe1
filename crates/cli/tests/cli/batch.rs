//! `stream fold --batch`.

use serde_json::{Value, json};

use crate::support::{HELLO, file, jsonl, run, run_json, values};

fn task(events: &[&str], rest: Value) -> String {
    let stream: Vec<Value> = events.iter().map(|event| serde_json::from_str(event).unwrap()).collect();
    let mut task = json!({ "stream": stream });
    task.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    task.to_string()
}

#[test]
fn each_line_gets_its_result_in_order() {
    let lines = [
        task(&HELLO, json!({})),
        task(&HELLO[..1], json!({"name": "cut off"})),
        task(&HELLO, json!({"input": {"threadId": "other"}})),
    ];
    let (code, stdout, stderr) = run(&["stream", "fold", "--batch"], lines.join("\n"));
    assert_eq!((code, stderr.as_str()), (0, ""), "a refused stream is a result");
    let results = values(&stdout);
    let verdicts: Vec<&Value> = results.iter().map(|result| &result["error"]["code"]).collect();
    assert_eq!(verdicts, [&Value::Null, &json!("stream_truncated"), &json!("thread_id_mismatch")]);
    assert_eq!(results[0].get("request"), None);
    assert_eq!(results[2]["request"]["threadId"], "other");
}

#[test]
fn a_result_is_what_a_single_fold_prints() {
    let (_, single) = run_json(&["stream", "fold", "--json"], jsonl(&HELLO));
    let (_, batched) = run_json(&["stream", "fold", "--batch", "--json"], task(&HELLO, json!({})));
    assert_eq!(batched, single);
}

#[test]
fn a_line_can_pin_a_peer() {
    let subagent = r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"n"}"#;
    let events = [HELLO[0], subagent, HELLO[4]];
    let lines = [
        task(&events, json!({"maxProtocolVersion": "0.0.57"})),
        task(&events, json!({"maxProtocolVersion": ""})),
    ];
    let (_, stdout, _) = run(&["stream", "fold", "--batch"], lines.join("\n"));
    let results = values(&stdout);
    assert_eq!(results[0]["warnings"][0]["code"], "peer_predates");
    assert_eq!(results[1]["error"]["code"], "open_at_finish");
}

#[test]
fn the_command_line_stands_in_for_what_a_line_leaves_out() {
    let path = file("batch-input.json", r#"{"threadId":"other"}"#);
    let lines = [task(&HELLO, json!({})), task(&HELLO, json!({"input": {"threadId": "t"}}))];
    let args = ["stream", "fold", "--batch", "--input", path.to_str().unwrap()];
    let (code, stdout, _) = run(&args, lines.join("\n"));
    let results = values(&stdout);
    assert_eq!((code, &results[0]["ok"], &results[1]["ok"]), (0, &json!(false), &json!(true)));
}

#[test]
fn a_line_of_another_form_is_a_wrong_call_with_its_number() {
    for bad in ["{}", "[]", "hello", r#"{"stream":{}}"#, r#"{"stream":[],"maxProtocolVersion":"x"}"#] {
        let lines = format!("{}\n\n{bad}\n", task(&HELLO, json!({})));
        let (code, stdout, stderr) = run(&["stream", "fold", "--batch"], lines);
        assert_eq!((code, values(&stdout).len()), (2, 1), "{bad}");
        assert!(stderr.contains("line 3"), "{stderr}");
    }
}

#[test]
fn a_file_cannot_be_a_batch_of_standard_input() {
    assert_eq!(run(&["stream", "fold", "--batch", "recording.sse"], "").0, 2);
}
