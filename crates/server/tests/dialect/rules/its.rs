//! The rules of the tutoring contract.

use serde_json::{Value, json};

use super::{LEGAL, check, event, started};

fn call(name: &str) -> Value {
    event("TOOL_CALL_START", json!({ "toolCallId": "c", "toolCallName": name }))
}

fn piece(delta: &str) -> Value {
    event("TOOL_CALL_ARGS", json!({ "toolCallId": "c", "delta": delta }))
}

#[test]
fn there_are_no_events_but_those_of_ag_ui_and_times_are_numbers() {
    let mut at = started();
    at["timestamp"] = json!("2024-07-30T10:30:00Z");
    let mut in_time = started();
    in_time["timestamp"] = json!(1_722_335_400_000_u64);
    let end = event("RUN_FINISHED", json!({ "threadId": "t", "runId": "r" }));
    check(
        "its",
        &[
            (&[&in_time, &end], LEGAL),
            (&[&at], "its_timestamp /timestamp"),
            (&[&started(), &json!({ "type": "ITS_QUIZ" })], "its_private_event /type"),
        ],
    );
}

#[test]
fn a_component_has_a_name_and_arguments_that_can_be_shown() {
    let (start, end) = (&started(), &event("TOOL_CALL_END", json!({ "toolCallId": "c" })));
    let finished = &event("RUN_FINISHED", json!({ "threadId": "t", "runId": "r" }));
    let quiz = &call("its:render_quick_quiz");
    let unknown = &call("its:render_something_new");
    let shown = json!({ "quiz_id": "q", "question_text": "Is water wet?", "quiz_type": "true-false",
        "options": [{ "id": "yes", "text": "Yes" }, { "id": "no", "text": "No" }] });
    let shown = shown.to_string();
    let (half, rest) = (&piece("{\"quiz_id\":"), &piece("7}"));
    check(
        "its",
        &[
            (&[start, &call("its:")], "its_component_name /toolCallName"),
            (&[start, quiz, half, end], "its_arguments /toolCallId"),
            (&[start, quiz, half, rest, end], "its_arguments /toolCallId"),
            (&[start, quiz, &piece(&shown), end, finished], LEGAL),
            (&[start, unknown, half, end], "its_arguments /toolCallId"),
            (&[start, unknown, half, rest, end, finished], LEGAL),
            (&[start, &call("look"), half, end, finished], LEGAL),
        ],
    );
}
