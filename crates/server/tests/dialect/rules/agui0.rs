//! The rules of the lines before 1.0, each where it begins or ends to count.

use serde_json::{Value, json};

use super::{LEGAL, check, event, failed, started, verdict};

/// Up to 0.0.36, 0.0.37 to 0.0.44, unstated, 0.0.45 to 0.0.53, and 0.0.59.
const LINES: [&str; 5] = ["agui-0.0.36", "agui-0.0.44", "agui-0.0.45", "agui-0.0.53", "agui-0.0.59"];

fn finished() -> Value {
    event("RUN_FINISHED", json!({ "threadId": "t", "runId": "r" }))
}

/// Holds what stands within a run against every line. Those from `since` on take it; the others refuse it with this fault.
fn check_since(since: usize, events: &[&Value], fault: &str) {
    let (start, end) = (started(), finished());
    let run = [&[&start], events, &[&end]].concat();
    for (at, line) in LINES.into_iter().enumerate() {
        check(line, &[(&run, if at >= since { LEGAL } else { fault })]);
    }
}

#[test]
fn a_line_has_the_events_that_came_with_it_or_before() {
    let unknown = "agui0_unknown_event /type";
    let thought = |kind: &str| event(&format!("REASONING_{kind}"), json!({ "messageId": "m" }));
    check_since(2, &[&thought("START"), &thought("END")], unknown);
    let activity = json!({ "messageId": "m", "activityType": "plan", "content": {} });
    check_since(1, &[&event("ACTIVITY_SNAPSHOT", activity)], unknown);
    let subagent =
        |kind: &str| event(&format!("SUBAGENT_{kind}"), json!({ "subagentRunId": "s", "name": "n" }));
    check_since(4, &[&subagent("STARTED"), &subagent("FINISHED")], unknown);
    check_since(LINES.len(), &[&event("NOTHING", json!({}))], unknown);
    let thinking = event("THINKING_START", json!({}));
    check(LINES[0], &[(&[&started(), &thinking], unknown)]);
    check(LINES[1], &[(&[&started(), &thinking, &event("THINKING_END", json!({})), &finished()], LEGAL)]);
}

#[test]
fn up_to_0_0_36_one_thing_is_open_at_a_time() {
    let text = |kind: &str, id: &str| {
        event(&format!("TEXT_MESSAGE_{kind}"), json!({ "messageId": id, "role": "assistant", "delta": "x" }))
    };
    let call = |kind: &str| {
        event(
            &format!("TOOL_CALL_{kind}"),
            json!({ "toolCallId": "c", "toolCallName": "look", "delta": "{}" }),
        )
    };
    let raw = &event("RAW", json!({ "event": {} }));
    let (start, piece, end) = (&text("START", "m"), &text("CONTENT", "m"), &text("END", "m"));
    let (call_start, call_args, call_end) = (&call("START"), &call("ARGS"), &call("END"));
    let state = &event("STATE_SNAPSHOT", json!({ "snapshot": {} }));
    check_since(0, &[start, raw, piece, end, call_start, raw, call_args, call_end, state], "");
    for mixed in [
        &[start, state, end][..],
        &[start, call_start, call_end, end],
        &[call_start, start, end, call_end],
        &[start, &text("START", "n"), &text("END", "n"), end],
        &[start, piece, state, end],
        &[call_start, call_args, state, call_end],
    ] {
        check_since(1, mixed, "agui0_interleaved");
    }
}

#[test]
fn a_run_follows_another_from_0_0_37_on_and_a_failed_one_from_0_0_59_on() {
    let (start, end, failed) = (&started(), &finished(), &failed());
    for (at, line) in LINES.into_iter().enumerate() {
        let next = |since: usize| if at >= since { LEGAL } else { "agui0_next_run" };
        check(line, &[(&[start, end, start, end], next(1)), (&[start, failed, start, end], next(4))]);
        // It is the beginning that is refused, not what comes after it.
        let open = |since: usize| if at >= since { "not AG-UI 1.0" } else { "agui0_next_run" };
        for (run, since) in [([start, end, start], 1), ([start, failed, start], 4)] {
            let run = run.map(Clone::clone);
            assert!(verdict(line, &run).starts_with(open(since)), "{line}: {run:#?}");
        }
    }
}

#[test]
fn from_0_0_37_on_an_input_has_lists_of_tools_and_context() {
    let with = |input: Value| {
        let mut whole = json!({ "threadId": "t", "runId": "r", "messages": [], "tools": [], "context": [] });
        whole.as_object_mut().unwrap().extend(input.as_object().unwrap().clone());
        event("RUN_STARTED", json!({ "threadId": "t", "runId": "r", "input": whole }))
    };
    for name in ["tools", "context"] {
        let fault = format!("agui0_input /input/{name}");
        let mut start = with(json!({}));
        start["input"].as_object_mut().unwrap().remove(name);
        check(LINES[0], &[(&[&start, &finished()], LEGAL)]);
        for line in &LINES[1..] {
            check(line, &[(&[&start], &fault), (&[&with(json!({})), &finished()], LEGAL)]);
        }
    }
    let start = with(json!({ "messages": [{ "id": "m", "role": "reasoning", "content": "hm" }] }));
    check(LINES[1], &[(&[&start], "agui0_role /input/messages/0/role")]);
    check(LINES[2], &[(&[&start, &finished()], LEGAL)]);
}

#[test]
fn an_outcome_is_success_or_questions_and_nothing_beside_them() {
    let asked = json!([{ "id": "i", "reason": "approval" }]);
    for (outcome, expected) in [
        (json!({ "type": "success" }), LEGAL),
        (json!({ "type": "interrupt", "interrupts": asked }), LEGAL),
        (json!({ "type": "success", "more": 1 }), "agui0_outcome /outcome"),
        (json!({ "type": "interrupt", "interrupts": asked, "more": 1 }), "agui0_outcome /outcome"),
        (json!({ "type": "interrupt", "interrupts": {} }), "agui0_outcome /outcome"),
        (json!({ "type": "cancelled" }), "agui0_outcome /outcome"),
    ] {
        let mut end = finished();
        end["outcome"] = outcome;
        check("agui-0.0.59", &[(&[&started(), &end], expected)]);
    }
}

#[test]
fn a_text_has_a_role_and_something_in_each_piece() {
    let start = |role: Value| event("TEXT_MESSAGE_START", json!({ "messageId": "m", "role": role }));
    let end = &event("TEXT_MESSAGE_END", json!({ "messageId": "m" }));
    check_since(0, &[&start(json!("assistant")), end], "");
    check_since(1, &[&start(json!("user")), end], "agui0_role /role");
    check_since(LINES.len(), &[&start(json!("")), end], "agui0_role /role");
    for kind in ["TEXT_MESSAGE_CONTENT", "REASONING_MESSAGE_CONTENT"] {
        let piece = event(kind, json!({ "messageId": "m", "delta": "" }));
        check("agui-0.0.45", &[(&[&started(), &piece], "agui0_empty_delta /delta")]);
    }
    let thought = event("THINKING_TEXT_MESSAGE_CONTENT", json!({ "delta": "" }));
    check("agui-0.0.44", &[(&[&started(), &thought], "agui0_empty_delta /delta")]);
}

#[test]
fn results_are_text_and_messages_have_roles_and_parts_of_the_line() {
    let result = |content: Value| {
        event("TOOL_CALL_RESULT", json!({ "messageId": "m", "toolCallId": "c", "content": content }))
    };
    check_since(0, &[&result(json!("found"))], "");
    check_since(LINES.len(), &[&result(json!([]))], "agui0_content /content");

    let of = |message: Value| event("MESSAGES_SNAPSHOT", json!({ "messages": [message] }));
    let place = "agui0_role /messages/0/role";
    check_since(0, &[&of(json!({ "id": "m", "role": "user", "content": "Hi" }))], "");
    check_since(2, &[&of(json!({ "id": "m", "role": "reasoning", "content": "hm" }))], place);
    let activity = json!({ "id": "m", "role": "activity", "activityType": "plan", "content": {} });
    check_since(1, &[&of(activity)], place);

    let parts = |role: &str, part: Value| of(json!({ "id": "m", "role": role, "content": [part] }));
    let text = json!({ "type": "text", "text": "Look" });
    let place = "agui0_content /messages/0/content";
    check_since(1, &[&parts("user", text.clone())], place);
    check_since(LINES.len(), &[&parts("developer", text)], place);
    let image = |kind: &str| {
        let source = json!({ "type": kind, "value": "x", "mimeType": "image/png" });
        parts("user", json!({ "type": "image", "source": source }))
    };
    check_since(3, &[&image("url")], place);
    check_since(LINES.len(), &[&image("file")], place);
}
