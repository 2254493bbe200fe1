//! The rules of the coach's contract.

use serde_json::{Value, json};

use super::{LEGAL, check, in_1_0};

/// An event of the run `r`.
fn event(kind: &str, members: Value) -> Value {
    let mut event = super::event(kind, members);
    (event["threadId"], event["runId"]) = (json!("t"), json!("r"));
    event
}

fn started() -> Value {
    event("RUN_STARTED", json!({}))
}

fn finished() -> Value {
    event("RUN_FINISHED", json!({}))
}

fn says(id: &str, text: &str) -> Value {
    event("TEXT_MESSAGE_CHUNK", json!({ "messageId": id, "delta": text }))
}

/// An event about the call `c`.
fn call(kind: &str) -> Value {
    let about = json!({ "toolCallId": "c", "toolName": "pay", "label": "Paying", "args": { "amount": 5 } });
    event(&format!("TOOL_CALL_{kind}"), about)
}

fn error(code: &str) -> Value {
    event("RUN_ERROR", json!({ "message": "no", "code": code }))
}

fn staged() -> Value {
    event("RUN_STAGED", json!({ "payload": { "message": "Hi", "context": {} } }))
}

fn with(mut event: Value, name: &str, value: Value) -> Value {
    event[name] = value;
    event
}

fn without(mut event: Value, name: &str) -> Value {
    event.as_object_mut().unwrap().remove(name);
    event
}

/// Events behind the start of a run. A legal stream gets its end.
fn check_after_start(cases: &[(&[&Value], &str)]) {
    let (start, end) = (started(), finished());
    for (events, expected) in cases {
        let ends = if *expected == LEGAL { &[&end][..] } else { &[] };
        check("trainer2", &[(&[&[&start], *events, ends].concat(), expected)]);
    }
}

#[test]
fn there_are_only_events_of_the_contract_and_nothing_in_them_is_null() {
    check_after_start(&[
        (&[&event("STEP_STARTED", json!({ "stepName": "x" }))], "trainer2_unknown_event /type"),
        (&[&event("RUN_FINISHED", json!({ "reason": null }))], "trainer2_null /reason"),
        (
            &[&call("STARTED"), &event("TOOL_CALL_RESULT", json!({ "toolCallId": "c", "result": null }))],
            LEGAL,
        ),
    ]);
}

#[test]
fn events_name_the_run_that_is_open_and_come_between_its_beginning_and_its_end() {
    let (start, end) = (&started(), &finished());
    check_after_start(&[
        (&[&without(finished(), "runId")], "trainer2_ids /runId"),
        (&[&without(finished(), "threadId")], "trainer2_ids /threadId"),
        (&[&with(finished(), "runId", json!("other"))], "trainer2_ids /runId"),
        (&[&with(finished(), "threadId", json!("other"))], "trainer2_ids /runId"),
        (&[start], "trainer2_order"),
        (&[&staged()], "trainer2_order"),
        (&[end, &says("m", "late")], "trainer2_order"),
    ]);
    check("trainer2", &[(&[&says("m", "early")], "trainer2_order"), (&[start, end, start, end], LEGAL)]);
}

#[test]
fn a_message_is_one_piece_with_something_in_it_and_no_view() {
    check_after_start(&[
        (&[&says("m", "one"), &says("n", "two")], LEGAL),
        (&[&says("", "one")], "trainer2_text /messageId"),
        (&[&says("m", "")], "trainer2_text /delta"),
        (&[&says("m", "one"), &says("m", "two")], "trainer2_text /messageId"),
        (&[&says("m", "So:\n```a2ui\n{}\n```")], "trainer2_text /delta"),
    ]);
}

#[test]
fn a_call_has_an_id_a_name_a_label_and_an_object_and_begins_once() {
    let begun = &call("STARTED");
    for name in ["toolCallId", "toolName", "label"] {
        let expected = format!("trainer2_call /{name}");
        check_after_start(&[(&[&without(begun.clone(), name)], &expected)]);
    }
    check_after_start(&[
        (&[&with(begun.clone(), "args", json!("{}"))], "trainer2_call /args"),
        (&[&with(call("PROPOSED"), "args", json!("{}"))], "trainer2_call /args"),
        (&[begun, begun], "trainer2_call /toolCallId"),
    ]);
}

#[test]
fn a_result_names_its_call_and_says_what_came_of_it() {
    let (begun, result) = (&call("STARTED"), |members: Value| event("TOOL_CALL_RESULT", members));
    check_after_start(&[
        (&[begun, &result(json!({ "result": 7 }))], "trainer2_call /toolCallId"),
        (&[begun, &result(json!({ "toolCallId": "c" }))], "trainer2_call /result"),
    ]);
    let in_1_0 = |members: Value| in_1_0("trainer2", &[&started(), begun, &result(members)])[2].clone();
    let expected = |message: &str, content: &str| {
        let members = json!({ "messageId": message, "toolCallId": "c", "content": content });
        Some(super::event("TOOL_CALL_RESULT", members))
    };
    assert_eq!(
        in_1_0(json!({ "toolCallId": "c", "result": { "paid": 5 } })),
        expected("c-result", "{\"paid\":5}")
    );
    let named = json!({ "toolCallId": "c", "result": 7, "content": "seven", "messageId": "m" });
    assert_eq!(in_1_0(named), expected("m", "seven"));
}

#[test]
fn custom_events_show_a_view_or_close_it() {
    let custom = |name: &str, value: Value| event("CUSTOM", json!({ "name": name, "value": value }));
    check_after_start(&[
        (&[&custom("A2UI_RENDER", json!({ "view": null }))], LEGAL),
        (&[&custom("A2UI_RENDER", json!({}))], "trainer2_view /value"),
        (&[&custom("confetti", json!({ "view": {} }))], "trainer2_view /name"),
    ]);
}

#[test]
fn what_waits_at_a_gate_is_whole_and_goes_on_when_it_is_answered() {
    let (proposed, approved, begun) = (&call("PROPOSED"), &call("APPROVED"), &call("STARTED"));
    let draft = |members: Value| event("ASSISTANT_DRAFT_PROPOSED", members);
    let shown = &draft(json!({ "draftText": "Dear" }));
    let final_approved = &event("ASSISTANT_FINAL_APPROVED", json!({}));
    check_after_start(&[
        (&[proposed, approved, begun], LEGAL),
        (&[proposed, &call("DENIED")], LEGAL),
        (&[proposed, begun], "trainer2_gate /toolCallId"),
        (&[approved], "trainer2_gate /type"),
        (&[&call("DENIED")], "trainer2_gate /type"),
        (&[proposed, approved, approved], "trainer2_gate /type"),
        (&[proposed, &with(approved.clone(), "toolCallId", json!("d"))], "trainer2_gate /type"),
        (&[shown, final_approved], LEGAL),
        (&[shown, &event("ASSISTANT_FINAL_DENIED", json!({}))], LEGAL),
        (&[&draft(json!({ "mayDecide": false })), final_approved], LEGAL),
        (&[&draft(json!({}))], "trainer2_gate /draftText"),
        (&[&draft(json!({ "mayDecide": true }))], "trainer2_gate /draftText"),
        (&[final_approved], "trainer2_gate /type"),
        (&[&event("ASSISTANT_FINAL_DENIED", json!({}))], "trainer2_gate /type"),
        (&[&event("RUN_STAGE_APPROVED", json!({}))], "trainer2_gate /type"),
    ]);
}

#[test]
fn a_run_that_waits_at_its_first_gate_begins_when_it_may() {
    let (start, end, staged) = (&started(), &finished(), &staged());
    let (approved, denied) = (&event("RUN_STAGE_APPROVED", json!({})), &event("RUN_STAGE_DENIED", json!({})));
    let payload = |payload: Value| event("RUN_STAGED", json!({ "payload": payload }));
    check(
        "trainer2",
        &[
            (&[staged, approved, start, end], LEGAL),
            (&[staged, approved, start, start], "trainer2_order"),
            (&[staged, denied, end], LEGAL),
            (&[staged, start], "trainer2_gate /type"),
            (&[&payload(json!({ "message": "Hi" }))], "trainer2_gate /payload"),
            (&[&payload(json!({ "context": {} }))], "trainer2_gate /payload"),
        ],
    );
    let bare = |kind: &str| Some(event(kind, json!({})));
    let in_1_0 = in_1_0("trainer2", &[staged, approved, start, end]);
    assert_eq!(in_1_0, [bare("RUN_STARTED"), None, None, bare("RUN_FINISHED")]);
}

#[test]
fn an_error_is_the_end_of_its_run_unless_that_waits() {
    let (start, end, proposed) = (&started(), &finished(), &call("PROPOSED"));
    let (refused, lost) = (&error("invalid_answer"), &error("run_lost"));
    let elsewhere = &with(error("no_such_run"), "runId", json!("other"));
    let approved = &call("APPROVED");
    check(
        "trainer2",
        &[
            (&[start, refused], LEGAL),
            (&[start, refused, end], "trainer2_order"),
            (&[start, elsewhere, end], LEGAL),
            (&[start, proposed, refused, approved, end], LEGAL),
            (&[start, proposed, lost, end], "trainer2_order"),
            (&[start, proposed, lost, start, approved, end], LEGAL),
            (&[start, proposed, lost, start, approved, approved], "trainer2_gate /type"),
            (&[start, &without(error("x"), "code")], "trainer2_error /code"),
            (&[start, &without(error("x"), "message")], "trainer2_error /message"),
        ],
    );
}
