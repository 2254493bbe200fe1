//! The rules of AGUI.Protocol.

use serde_json::{Value, json};

use super::{LEGAL, event, in_1_0, started};

fn finished(more: Value) -> Value {
    let mut event = event("RUN_FINISHED", more);
    (event["threadId"], event["runId"]) = (json!("t"), json!("r"));
    event
}

/// Events behind the start of a run. A legal stream gets its end.
fn check_after_start(cases: &[(&[&Value], &str)]) {
    let (start, end) = (started(), finished(json!({ "outcome": "success" })));
    for (events, expected) in cases {
        let ends = if *expected == LEGAL { &[&end][..] } else { &[] };
        super::check("net", &[(&[&[&start], *events, ends].concat(), expected)]);
    }
}

#[test]
fn an_outcome_is_a_word_and_an_interrupt_stands_beside_its_word_alone() {
    for (end, expected) in [
        (json!({}), LEGAL),
        (json!({ "outcome": "success" }), LEGAL),
        (json!({ "outcome": "interrupt", "interrupt": { "id": "i" } }), LEGAL),
        (json!({ "outcome": "cancelled" }), "net_outcome /outcome"),
        (json!({ "outcome": { "type": "success" } }), "net_outcome /outcome"),
        (json!({ "outcome": "interrupt" }), "net_interrupt /interrupt"),
        (json!({ "outcome": "success", "interrupt": { "id": "i" } }), "net_interrupt /interrupt"),
        (json!({ "interrupt": { "id": "i" } }), "net_interrupt /interrupt"),
        (json!({ "outcome": "interrupt", "interrupt": {} }), "net_interrupt /interrupt"),
    ] {
        super::check("net", &[(&[&started(), &finished(end)], expected)]);
    }
}

#[test]
fn words_for_outcomes_are_objects_in_1_0() {
    let outcome = |end: Value| in_1_0("net", &[&started(), &finished(end)])[1].clone().unwrap();
    let asked = json!({ "type": "interrupt", "interrupts": [{ "id": "i", "reason": "interrupt" }] });
    let interrupted = outcome(json!({ "outcome": "interrupt", "interrupt": { "id": "i" } }));
    assert_eq!(interrupted, finished(json!({ "outcome": asked })));
    assert_eq!(
        outcome(json!({ "outcome": "success" })),
        finished(json!({ "outcome": { "type": "success" } }))
    );
    assert_eq!(outcome(json!({})), finished(json!({})));
}

#[test]
fn one_answer_is_a_list_of_one_in_1_0() {
    let with = |input: Value| event("RUN_STARTED", json!({ "threadId": "t", "runId": "r", "input": input }));
    let start = with(json!({ "messages": [], "resume": { "interruptId": "i", "payload": 7 } }));
    let resume = json!([{ "interruptId": "i", "payload": 7, "status": "resolved" }]);
    let expected = with(json!({ "messages": [], "resume": resume }));
    assert_eq!(in_1_0("net", &[&start]), [Some(expected.clone())]);
    assert_eq!(in_1_0("net", &[&expected]), [Some(expected)], "a list is one already");
}

#[test]
fn there_are_only_events_of_the_contract() {
    check_after_start(&[
        (&[&event("NOTHING", json!({}))], "net_unknown_event /type"),
        (&[&event("SUBAGENT_STARTED", json!({ "subagentRunId": "s" }))], "net_unknown_event /type"),
        (&[&event("REASONING_ENCRYPTED_VALUE", json!({}))], "net_unknown_event /type"),
        (&[&event("RAW", json!({ "event": null }))], LEGAL),
        (&[&event("META", json!({ "metaType": "tag", "payload": {} }))], LEGAL),
    ]);
}

#[test]
fn what_is_absent_is_left_out() {
    check_after_start(&[
        (&[&event("STEP_STARTED", json!({ "stepName": "x", "timestamp": null }))], "net_null /timestamp"),
        (&[&event("STATE_SNAPSHOT", json!({ "snapshot": null }))], LEGAL),
    ]);
}

#[test]
fn text_and_reasoning_are_the_assistants_and_have_something_in_each_piece() {
    let open = |kind: &str, role: &str| event(kind, json!({ "messageId": "m", "role": role }));
    let piece = |kind: &str, delta: &str| event(kind, json!({ "messageId": "m", "delta": delta }));
    let end = |kind: &str| event(kind, json!({ "messageId": "m" }));
    let text = open("TEXT_MESSAGE_START", "assistant");
    let span = event("REASONING_START", json!({ "messageId": "m", "encryptedContent": "s" }));
    let thought = open("REASONING_MESSAGE_START", "assistant");
    check_after_start(&[
        (&[&text, &piece("TEXT_MESSAGE_CONTENT", "Hi"), &end("TEXT_MESSAGE_END")], LEGAL),
        (&[&open("TEXT_MESSAGE_START", "user")], "net_role /role"),
        (&[&text, &piece("TEXT_MESSAGE_CONTENT", "")], "net_empty_delta /delta"),
        (&[&span, &thought, &piece("REASONING_MESSAGE_CONTENT", "")], "net_empty_delta /delta"),
        (&[&span, &open("REASONING_MESSAGE_START", "reasoning")], "net_role /role"),
    ]);
    let in_1_0 = in_1_0("net", &[&span, &thought]);
    let role = open("REASONING_MESSAGE_START", "reasoning");
    assert_eq!(in_1_0, [Some(event("REASONING_START", json!({ "messageId": "m" }))), Some(role)]);
}

#[test]
fn meta_has_a_type_and_an_object() {
    check_after_start(&[
        (&[&event("META", json!({ "payload": {} }))], "net_meta /metaType"),
        (&[&event("META", json!({ "metaType": "tag", "payload": [] }))], "net_meta /payload"),
    ]);
    let meta = event("META", json!({ "metaType": "tag", "payload": { "by": "ada" } }));
    let custom = event("CUSTOM", json!({ "name": "meta:tag", "value": { "by": "ada" } }));
    assert_eq!(in_1_0("net", &[&meta]), [Some(custom)]);
}

#[test]
fn results_are_text_and_messages_have_roles_and_parts_of_the_contract() {
    let result = |content: Value| {
        event("TOOL_CALL_RESULT", json!({ "messageId": "m", "toolCallId": "c", "content": content }))
    };
    let of = |message: Value| event("MESSAGES_SNAPSHOT", json!({ "messages": [message] }));
    let parts = |part: Value| {
        let text = json!({ "type": "text", "text": "Look" });
        of(json!({ "id": "m", "role": "user", "content": [text, part] }))
    };
    let place = "net_content /messages/0/content/1";
    check_after_start(&[
        (&[&result(json!("found"))], LEGAL),
        (&[&result(json!([]))], "net_content /content"),
        (&[&of(json!({ "id": "m", "role": "user", "content": "Hi" }))], LEGAL),
        (&[&of(json!({ "id": "m", "role": "reasoning", "content": "hm" }))], "net_role /messages/0/role"),
        (&[&parts(json!({ "type": "binary", "mimeType": "image/png", "id": "f" }))], LEGAL),
        (&[&parts(json!({ "type": "binary", "mimeType": "image/png" }))], place),
        (&[&parts(json!({ "type": "image", "source": { "type": "url", "value": "x" } }))], place),
    ]);
    let input = json!({ "messages": [{ "id": "m", "role": "reasoning", "content": "hm" }] });
    let start = event("RUN_STARTED", json!({ "threadId": "t", "runId": "r", "input": input }));
    super::check("net", &[(&[&start], "net_role /input/messages/0/role")]);
}
