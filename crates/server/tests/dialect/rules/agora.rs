//! The rules of AGORA.

use serde_json::{Value, json};

use super::{LEGAL, event, failed, in_1_0, started};

fn snapshot(status: &str) -> Value {
    let state = json!({ "threadId": "t", "runId": "r", "currentAgent": "a", "status": status });
    event("STATE_SNAPSHOT", json!({ "snapshot": state }))
}

fn finished() -> Value {
    event("RUN_FINISHED", json!({ "threadId": "t", "runId": "r", "result": null }))
}

fn custom(name: &str, value: Value) -> Value {
    event("CUSTOM", json!({ "name": format!("agora:{name}"), "value": value }))
}

fn error() -> Value {
    custom("error", json!({ "errorCode": "no", "message": "No", "details": {} }))
}

/// Whole runs, from their first event to their last.
fn check_runs(cases: &[(&[&Value], &str)]) {
    super::check("agora", cases);
}

/// What stands between the first and the last snapshot of a run.
fn check_within(cases: &[(&[&Value], &str)]) {
    let (start, first, last, end) = (started(), snapshot("processing"), snapshot("completed"), finished());
    for (events, expected) in cases {
        let run = [&[&start, &first], *events, &[&last, &end]].concat();
        check_runs(&[(&run, expected)]);
    }
}

#[test]
fn a_run_begins_and_ends_with_a_snapshot_or_ends_with_an_error() {
    let (start, first, last, end) =
        (&started(), &snapshot("processing"), &snapshot("completed"), &finished());
    let failed = &failed();
    check_runs(&[
        (&[start, first, last, end], LEGAL),
        (&[start, first, last, end, start, first, last, end], LEGAL),
        (&[start, last, end], "agora_no_first_snapshot"),
        (&[start, failed, end], "agora_no_first_snapshot"),
        (&[start, first, end], "agora_no_last_snapshot"),
        (&[start, first, &snapshot("processing"), end], "agora_no_last_snapshot"),
        (&[start, first, failed, end], LEGAL),
        (&[start, first, failed], "agora_run_not_finished"),
        (&[start, first, failed, last, end], "agora_run_not_finished"),
        (&[start, first, &error(), end], LEGAL),
        (&[start, first, &custom("note", json!({})), end], "agora_no_last_snapshot"),
    ]);
}

#[test]
fn an_error_and_the_end_behind_it_are_one_event_in_1_0() {
    let (start, first, end) = (started(), snapshot("processing"), finished());
    let refused = event("RUN_ERROR", json!({ "message": "refused" }));
    assert_eq!(in_1_0("agora", &[&start, &first, &failed(), &end])[2..], [Some(failed()), None]);
    assert_eq!(in_1_0("agora", &[&start, &first, &error(), &end])[2..], [Some(error()), Some(refused)]);
    assert_eq!(in_1_0("agora", &[&start, &first, &snapshot("completed"), &end])[3..], [Some(end)]);
}

#[test]
fn a_snapshot_names_thread_run_agent_and_status() {
    for name in ["threadId", "runId", "currentAgent"] {
        let mut first = snapshot("processing");
        first["snapshot"][name] = json!(7);
        check_runs(&[(&[&started(), &first], "agora_snapshot /snapshot")]);
    }
    for name in ["threadId", "runId", "currentAgent", "status"] {
        let mut late = snapshot("completed");
        late["snapshot"].as_object_mut().unwrap().remove(name);
        check_within(&[(&[&late], "agora_snapshot /snapshot")]);
    }
}

#[test]
fn one_step_is_open_at_a_time() {
    let step = |kind: &str, name: &str| event(kind, json!({ "stepName": name }));
    let (one, two) = (&step("STEP_STARTED", "one"), &step("STEP_STARTED", "two"));
    let (one_ends, two_ends) = (&step("STEP_FINISHED", "one"), &step("STEP_FINISHED", "two"));
    check_within(&[(&[one, one_ends, two, two_ends], LEGAL), (&[one, two], "agora_step_open")]);
    let (start, first, end) = (&started(), &snapshot("processing"), &finished());
    let failed = &failed();
    check_runs(&[(&[start, first, one, failed, end, start, first, two, failed, end], LEGAL)]);
}

#[test]
fn times_are_whole_and_members_are_in_camel_case() {
    let step = |at: Value| event("STEP_FINISHED", json!({ "timestamp": at }));
    check_within(&[
        (&[&step(json!("2025-01-01T00:00:00Z"))], "agora_timestamp /timestamp"),
        (&[&step(json!(1.5))], "agora_timestamp /timestamp"),
        (&[&event("RAW", json!({ "event": {}, "timestamp": -1 }))], LEGAL),
        (&[&event("RAW", json!({ "event": {}, "timestamp": 1_705_318_200_000_u64 }))], LEGAL),
        (&[&event("STEP_STARTED", json!({ "step_name": "x" }))], "agora_snake_case /step_name"),
    ]);
}

#[test]
fn a_text_is_the_assistants_and_no_piece_of_it_is_empty() {
    let start = |role: &str| event("TEXT_MESSAGE_START", json!({ "messageId": "m", "role": role }));
    let piece = |delta: &str| event("TEXT_MESSAGE_CONTENT", json!({ "messageId": "m", "delta": delta }));
    let end = &event("TEXT_MESSAGE_END", json!({ "messageId": "m" }));
    check_within(&[
        (&[&start("assistant"), &piece("Hi"), end], LEGAL),
        (&[&start("user")], "agora_role /role"),
        (&[&start("assistant"), &piece("")], "agora_empty_delta /delta"),
    ]);
}

#[test]
fn a_call_is_start_arguments_end_and_result() {
    let call = |kind: &str, members: Value| {
        let mut event = event(&format!("TOOL_CALL_{kind}"), members);
        event["toolCallId"] = json!("c");
        event
    };
    let start = &call("START", json!({ "toolCallName": "look" }));
    let (piece, end) = (&call("ARGS", json!({ "delta": "{" })), &call("END", json!({})));
    let rest = &call("ARGS", json!({ "delta": "}" }));
    let result = &call("RESULT", json!({ "messageId": "m", "content": "x", "role": "tool" }));
    let mut unsigned = result.clone();
    unsigned["role"] = json!("assistant");
    check_within(&[
        (&[start, piece, rest, end, result, result], LEGAL),
        (&[start, piece, rest, end, start, piece, rest, end], LEGAL),
        (&[start, start], "agora_tool_order"),
        (&[piece], "agora_tool_order"),
        (&[start, end], "agora_tool_order"),
        (&[start, piece, result], "agora_tool_order"),
        (&[start, piece, end, piece], "agora_tool_order"),
        (&[start, piece, end, end], "agora_tool_order"),
        (&[result], "agora_tool_order"),
        (&[start, piece, end, &unsigned], "agora_role /role"),
        (&[start, piece, &call("END", json!({ "result": "x" }))], "agora_result_in_end"),
        (&[start, piece, &call("END", json!({ "content": "x" }))], "agora_result_in_end"),
        (&[&call("CHUNK", json!({ "toolCallName": "look", "delta": "{}" }))], LEGAL),
    ]);
}

#[test]
fn requests_and_errors_are_whole_and_answers_come_from_clients() {
    let request = |risk: &str| {
        let whole = json!({ "toolName": "x", "toolDescription": "", "parameters": {}, "reasoning": "",
            "riskLevel": risk, "approvalId": "a" });
        custom("tool_approval_request", whole)
    };
    check_within(&[
        (&[&request("low"), &request("medium"), &request("high"), &request("critical")], LEGAL),
        (&[&request("huge")], "agora_payload /value/riskLevel"),
        (&[&custom("error", json!({ "message": "x" }))], "agora_payload /value/errorCode"),
        (&[&custom("tool_approval_response", json!({}))], "agora_direction /name"),
        (&[&custom("note", json!(7))], LEGAL),
    ]);
    let wholes = [(request("low"), &[][..]), (error(), &["details"])];
    for (whole, optional) in wholes {
        for name in whole["value"].as_object().unwrap().keys() {
            let expected = format!("agora_payload /value/{name}");
            let mut less = whole.clone();
            less["value"].as_object_mut().unwrap().remove(name);
            let is_optional = optional.contains(&name.as_str());
            if !is_optional {
                check_within(&[(&[&less], &expected)]);
            }
            let mut other = whole.clone();
            other["value"][name] = json!(7);
            check_within(&[(&[&other], &expected)]);
        }
    }
}
