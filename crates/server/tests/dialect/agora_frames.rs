//! Contract 001, frame by frame: every frame as a whole, with ids, times and texts of which no two are the same.

use std::sync::Arc;

use forestage_protocol::event::Event;
use forestage_runtime::{
    About, RunContext, agent_fn,
    house::HouseRules,
    tool::{Invocation, Tools, tool_fn},
    with_house,
};
use forestage_server::{
    Http, Keys,
    dialect::{Encode, agora::Encoder},
};
use forestage_store::InterruptQuery;
use serde_json::{Map, Value, json};

use crate::{agora_walk::*, support::*, wire::*};

/// An encoder that knows one tool.
fn encoder() -> Encoder {
    let tool =
        tool_fn("pay_out", |_: Invocation, _: Value| async { Ok("paid") }).description("Pays somebody");
    Encoder::new("general-agent", Arc::new(Tools::new().with(tool).unwrap()))
}

/// What a client sees of events.
fn encoded(mut encoder: Encoder, events: &[Value]) -> Vec<Value> {
    let read = |event: &Value| {
        Event::from_json(&event.to_string()).unwrap_or_else(|fault| panic!("{fault:?}: {event}"))
    };
    let events: Vec<_> = events.iter().map(read).collect();
    encoder.encode(&events)
}

/// Each frame as it is expected, so that a difference is told by its place.
#[track_caller]
fn same(frames: &[Value], expected: &[Value]) {
    for (at, (frame, expected)) in frames.iter().zip(expected).enumerate() {
        assert_eq!(frame, expected, "frame {at} of {frames:#?}");
    }
    assert_eq!(frames.len(), expected.len(), "{frames:#?}");
}

fn started(at: i64) -> Value {
    json!({ "type": "RUN_STARTED", "threadId": "t-1", "runId": "r-1", "timestamp": at })
}

fn finished(at: i64) -> Value {
    json!({ "type": "RUN_FINISHED", "threadId": "t-1", "runId": "r-1", "timestamp": at })
}

fn step(kind: &str, name: &str, at: i64) -> Value {
    json!({ "type": format!("STEP_{kind}"), "stepName": name, "timestamp": at })
}

fn snapshot(agent: &str, status: &str, more: Value, at: i64) -> Value {
    let mut snapshot = json!({ "threadId": "t-1", "runId": "r-1", "currentAgent": agent, "status": status });
    let Value::Object(more) = more else { panic!("{more}") };
    snapshot.as_object_mut().unwrap().extend(more);
    json!({ "type": "STATE_SNAPSHOT", "snapshot": snapshot, "timestamp": at })
}

fn processing(at: i64) -> Value {
    snapshot("general-agent", "processing", json!({}), at)
}

#[test]
fn every_event_is_one_whole_frame_with_its_own_ids_texts_and_time() {
    let facts = json!({ "usage": { "tokens": 7 } });
    let frames = encoded(
        encoder(),
        &[
            json!({ "type": "RUN_STARTED", "threadId": "t-1", "runId": "r-1", "parentRunId": "r-0", "timestamp": 1001 }),
            json!({ "type": "TEXT_MESSAGE_START", "messageId": "m-1", "role": "assistant", "timestamp": 1002, "metadata": facts }),
            json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m-1", "delta": "One, ", "timestamp": 1003 }),
            json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m-1", "delta": "", "timestamp": 1004 }),
            json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m-1", "delta": "two.", "timestamp": 1005 }),
            json!({ "type": "TEXT_MESSAGE_END", "messageId": "m-1", "timestamp": 1006, "metadata": facts }),
            json!({ "type": "TOOL_CALL_START", "toolCallId": "c-1", "toolCallName": "look", "parentMessageId": "m-1", "timestamp": 1007 }),
            json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c-1", "delta": "{\"q\":", "timestamp": 1008 }),
            json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c-1", "delta": "1}", "timestamp": 1009 }),
            json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c-1", "delta": "", "timestamp": 1010 }),
            json!({ "type": "TOOL_CALL_END", "toolCallId": "c-1", "timestamp": 1011 }),
            json!({ "type": "CUSTOM", "name": "forestage.tool", "value": { "toolCallId": "c-1" }, "timestamp": 1012 }),
            json!({ "type": "TOOL_CALL_RESULT", "messageId": "x-1", "toolCallId": "c-1", "content": "Found 5", "timestamp": 1013, "metadata": facts }),
            json!({ "type": "STATE_SNAPSHOT", "snapshot": { "currentAgent": "regulation-agent", "case": 7 }, "timestamp": 1014 }),
            json!({ "type": "STATE_DELTA", "delta": [{ "op": "replace", "path": "/case", "value": 8 }, { "op": "add", "path": "/mood", "value": "calm" }], "timestamp": 1015 }),
            json!({ "type": "STATE_DELTA", "delta": [{ "op": "replace", "path": "/currentAgent", "value": "reporting-agent" }], "timestamp": 1016 }),
            json!({ "type": "CUSTOM", "name": "applause", "value": { "hands": 2 }, "timestamp": 1017 }),
            json!({ "type": "CUSTOM", "name": "acme.progress", "value": 0.5, "timestamp": 1017 }),
            json!({ "type": "STEP_STARTED", "stepName": "checking", "timestamp": 1018 }),
            json!({ "type": "STEP_FINISHED", "stepName": "checking", "timestamp": 1019 }),
            json!({ "type": "RUN_FINISHED", "threadId": "t-1", "runId": "r-1", "result": { "ok": [1] }, "outcome": { "type": "success" }, "timestamp": 1020 }),
        ],
    );
    judge("agora", &frames);
    let text = |kind: &str, at: i64| json!({ "type": format!("TEXT_MESSAGE_{kind}"), "messageId": "m-1", "timestamp": at });
    let with = |mut frame: Value, name: &str, value: Value| {
        frame[name] = value;
        frame
    };
    let call =
        |kind: &str| json!({ "type": format!("TOOL_CALL_{kind}"), "toolCallId": "c-1", "timestamp": 1012 });
    let start = with(with(call("START"), "toolCallName", json!("look")), "parentMessageId", json!("m-1"));
    let expected = [
        started(1001),
        processing(1001),
        step("STARTED", "routing", 1002),
        step("FINISHED", "routing", 1002),
        step("STARTED", "thinking", 1002),
        with(text("START", 1002), "role", json!("assistant")),
        with(text("CONTENT", 1003), "delta", json!("One, ")),
        with(text("CONTENT", 1005), "delta", json!("two.")),
        text("END", 1006),
        step("FINISHED", "thinking", 1007),
        step("STARTED", "executing_tools", 1007),
        start,
        with(call("ARGS"), "delta", json!("{\"q\":")),
        with(call("ARGS"), "delta", json!("1}")),
        call("END"),
        json!({ "type": "TOOL_CALL_RESULT", "messageId": "x-1", "toolCallId": "c-1", "content": "Found 5", "role": "tool", "timestamp": 1013 }),
        step("FINISHED", "executing_tools", 1013),
        step("STARTED", "thinking", 1013),
        snapshot("regulation-agent", "processing", json!({ "case": 7 }), 1014),
        json!({ "type": "STATE_DELTA", "delta": [{ "op": "replace", "path": "/case", "value": 8 }, { "op": "add", "path": "/mood", "value": "calm" }], "timestamp": 1015 }),
        snapshot("reporting-agent", "processing", json!({ "case": 8, "mood": "calm" }), 1016),
        json!({ "type": "CUSTOM", "name": "applause", "value": { "hands": 2 }, "timestamp": 1017 }),
        json!({ "type": "CUSTOM", "name": "acme.progress", "value": 0.5, "timestamp": 1017 }),
        step("FINISHED", "thinking", 1018),
        step("STARTED", "checking", 1018),
        step("FINISHED", "checking", 1019),
        snapshot("reporting-agent", "completed", json!({ "case": 8, "mood": "calm" }), 1020),
        with(finished(1020), "result", json!({ "ok": [1] })),
    ];
    same(&frames, &expected);
}

#[test]
fn an_error_is_its_message_and_its_code_and_then_the_end() {
    for (code, told) in [(None, "processing_error"), (Some("out_of_breath"), "out_of_breath")] {
        let mut error = json!({ "type": "RUN_ERROR", "message": "It broke", "timestamp": 1002 });
        if let Some(code) = code {
            error["code"] = json!(code);
        }
        let expected = [
            started(1001),
            processing(1001),
            step("STARTED", "thinking", 1002),
            json!({ "type": "RUN_ERROR", "message": "It broke", "code": told, "timestamp": 1002 }),
            finished(1002),
        ];
        same(&encoded(encoder(), &[started(1001), error.clone()]), &expected);
        let mut with_null = expected.to_vec();
        with_null[4]["result"] = Value::Null;
        same(&encoded(encoder().with_nulls(true), &[started(1001), error]), &with_null);
    }
    let steps = ["routing", "executing_tools"].map(|name| step("STARTED", name, 1003));
    for open in steps {
        let error = json!({ "type": "RUN_ERROR", "message": "It broke", "code": "e", "timestamp": 1004 });
        let frames = encoded(encoder(), &[started(1001), open.clone(), error.clone()]);
        same(&frames, &[started(1001), processing(1001), open, error, finished(1004)]);
    }
}

#[test]
fn what_may_not_be_said_is_an_error_of_the_protocol_with_all_its_members() {
    let error = json!({ "type": "RUN_ERROR", "message": "Not here", "code": "moderation_violation", "timestamp": 1002 });
    let frames = encoded(encoder(), &[started(1001), error]);
    judge("agora", &frames);
    let details = json!({
        "reason": "moderation_violation",
        "explanation": "the moderation of this server refused it: Not here",
        "threadId": "t-1",
        "runId": "r-1",
    });
    let value = json!({ "errorCode": "moderation_violation", "message": "Not here", "details": details });
    let told = json!({ "type": "CUSTOM", "name": "agora:error", "value": value, "timestamp": 1002 });
    same(&frames, &[started(1001), processing(1001), told, finished(1002)]);
}

#[test]
fn a_run_says_how_it_ended_and_null_where_that_is_wanted() {
    for (outcome, status) in
        [(json!({ "type": "success" }), "completed"), (json!({ "type": "cancelled" }), "cancelled")]
    {
        let mut end = finished(1002);
        end["outcome"] = outcome;
        let mut expected = vec![
            started(1001),
            processing(1001),
            snapshot("general-agent", status, json!({}), 1002),
            finished(1002),
        ];
        same(&encoded(encoder(), &[started(1001), end.clone()]), &expected);
        expected[3]["result"] = Value::Null;
        same(&encoded(encoder().with_nulls(true), &[started(1001), end.clone()]), &expected);
        for result in [json!(7), json!("seven"), json!({ "n": [7, null] }), json!(false)] {
            end["result"] = result.clone();
            expected[3]["result"] = result;
            same(&encoded(encoder(), &[started(1001), end.clone()]), &expected);
        }
    }
}

#[test]
fn a_call_belongs_to_its_message_or_to_itself_and_has_its_arguments_or_the_empty_ones() {
    let frames = encoded(
        encoder(),
        &[
            started(1001),
            json!({ "type": "TOOL_CALL_START", "toolCallId": "c-1", "toolCallName": "look", "parentMessageId": "m-1", "timestamp": 1002 }),
            json!({ "type": "TOOL_CALL_START", "toolCallId": "c-2", "toolCallName": "listen", "timestamp": 1003 }),
            json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c-1", "delta": "{\"a\":1}", "timestamp": 1004 }),
            json!({ "type": "TOOL_CALL_END", "toolCallId": "c-2", "timestamp": 1005 }),
            json!({ "type": "TOOL_CALL_END", "toolCallId": "c-1", "timestamp": 1006 }),
            json!({ "type": "TOOL_CALL_RESULT", "messageId": "x-2", "toolCallId": "c-2", "content": "silence", "timestamp": 1007 }),
            json!({ "type": "TOOL_CALL_RESULT", "messageId": "x-1", "toolCallId": "c-1", "content": [{ "type": "text", "text": "a " }, { "type": "text", "text": "cat" }], "timestamp": 1008 }),
            finished(1009),
        ],
    );
    judge("agora", &frames);
    let call = |kind: &str, id: &str, more: Value, at: i64| {
        let mut frame = json!({ "type": format!("TOOL_CALL_{kind}"), "toolCallId": id, "timestamp": at });
        frame.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        frame
    };
    let none = json!({});
    let calls: Vec<_> =
        frames.iter().filter(|frame| frame["type"].as_str().unwrap().starts_with("TOOL")).cloned().collect();
    let result =
        |message: &str, content: &str| json!({ "messageId": message, "content": content, "role": "tool" });
    let expected = [
        call("START", "c-2", json!({ "toolCallName": "listen", "parentMessageId": "c-2" }), 1007),
        call("ARGS", "c-2", json!({ "delta": "{}" }), 1007),
        call("END", "c-2", none.clone(), 1007),
        call("RESULT", "c-2", result("x-2", "silence"), 1007),
        call("START", "c-1", json!({ "toolCallName": "look", "parentMessageId": "m-1" }), 1008),
        call("ARGS", "c-1", json!({ "delta": "{\"a\":1}" }), 1008),
        call("END", "c-1", none, 1008),
        call("RESULT", "c-1", result("x-1", "a cat"), 1008),
    ];
    same(&calls, &expected);
    let steps = kinds(&frames).into_iter().filter(|kind| kind.starts_with("STEP")).collect::<Vec<_>>();
    let started =
        ["STEP_STARTED routing", "STEP_FINISHED routing", "STEP_STARTED thinking", "STEP_FINISHED thinking"];
    let rest = [
        "STEP_STARTED executing_tools",
        "STEP_FINISHED executing_tools",
        "STEP_STARTED thinking",
        "STEP_FINISHED thinking",
    ];
    assert_eq!(steps, [started, rest].concat());
}

#[test]
fn one_step_ends_before_the_next_begins_each_at_its_own_time() {
    let text = |kind: &str, id: &str, at: i64| json!({ "type": format!("TEXT_MESSAGE_{kind}"), "messageId": id, "timestamp": at });
    let frames = encoded(
        encoder(),
        &[
            started(1001),
            step("STARTED", "outer", 1002),
            step("STARTED", "inner", 1003),
            step("FINISHED", "inner", 1004),
            text("START", "m-1", 1005),
            text("END", "m-1", 1006),
            step("FINISHED", "outer", 1007),
            step("STARTED", "routing", 1008),
            step("FINISHED", "routing", 1009),
            text("START", "m-2", 1010),
            text("END", "m-2", 1011),
            finished(1012),
        ],
    );
    judge("agora", &frames);
    let steps: Vec<_> = frames.iter().filter(|frame| frame["stepName"].is_string()).cloned().collect();
    let expected = [
        step("STARTED", "outer", 1002),
        step("FINISHED", "outer", 1003),
        step("STARTED", "inner", 1003),
        step("FINISHED", "inner", 1004),
        step("STARTED", "routing", 1008),
        step("FINISHED", "routing", 1009),
        step("STARTED", "thinking", 1010),
        step("FINISHED", "thinking", 1012),
    ];
    same(&steps, &expected);
}

#[test]
fn the_next_run_has_its_own_ids_and_steps_and_the_state_of_the_one_before() {
    let second = |mut frame: Value, at: i64| {
        frame["runId"] = json!("r-2");
        frame["timestamp"] = json!(at);
        frame
    };
    let state = json!({ "type": "STATE_SNAPSHOT", "snapshot": { "currentAgent": "history-agent", "case": 7 }, "timestamp": 1002 });
    let frames = encoded(
        encoder(),
        &[started(1001), state, finished(1003), second(started(0), 1004), second(finished(0), 1005)],
    );
    judge("agora", &frames);
    let snapshot_of = |run: &str, agent: &str, status: &str, more: Value, at: i64| {
        let mut frame = snapshot(agent, status, more, at);
        frame["snapshot"]["runId"] = json!(run);
        frame
    };
    let case = json!({ "case": 7 });
    let expected = [
        started(1001),
        snapshot_of("r-1", "general-agent", "processing", json!({}), 1001),
        snapshot_of("r-1", "history-agent", "processing", case.clone(), 1002),
        snapshot_of("r-1", "history-agent", "completed", case.clone(), 1003),
        finished(1003),
        second(started(0), 1004),
        snapshot_of("r-2", "history-agent", "processing", case.clone(), 1004),
        snapshot_of("r-2", "history-agent", "completed", case, 1005),
        second(finished(0), 1005),
    ];
    same(&frames, &expected);
    let begun = json!({ "currentAgent": "history-agent", "case": 8 });
    let frames = encoded(encoder().with_state(begun), &[started(1001)]);
    same(&frames, &[started(1001), snapshot("history-agent", "processing", json!({ "case": 8 }), 1001)]);
}

#[test]
fn a_change_that_does_not_fit_is_shown_as_the_state_that_is_known() {
    let state = json!({ "type": "STATE_SNAPSHOT", "snapshot": { "case": 7 }, "timestamp": 1002 });
    let patch = |path: &str, at: i64| json!({ "type": "STATE_DELTA", "delta": [{ "op": "replace", "path": path, "value": 8 }], "timestamp": at });
    let frames = encoded(encoder(), &[started(1001), state, patch("/nowhere", 1003), patch("/case", 1004)]);
    let known = |at: i64| snapshot("general-agent", "processing", json!({ "case": 7 }), at);
    same(&frames, &[started(1001), processing(1001), known(1002), known(1003), patch("/case", 1004)]);
}

#[test]
fn a_state_takes_the_place_of_the_one_before_and_of_all_of_it() {
    let state =
        |state: Value, at: i64| json!({ "type": "STATE_SNAPSHOT", "snapshot": state, "timestamp": at });
    let first = state(json!({ "case": 7, "currentAgent": "history-agent", "mood": { "now": "calm" } }), 1002);
    let frames = encoded(
        encoder(),
        &[started(1001), first, state(json!({ "mood": { "then": "wet" } }), 1003), finished(1004)],
    );
    judge("agora", &frames);
    let expected = [
        started(1001),
        processing(1001),
        snapshot("history-agent", "processing", json!({ "case": 7, "mood": { "now": "calm" } }), 1002),
        snapshot("general-agent", "processing", json!({ "mood": { "then": "wet" } }), 1003),
        snapshot("general-agent", "completed", json!({ "mood": { "then": "wet" } }), 1004),
        finished(1004),
    ];
    same(&frames, &expected);
}

#[test]
fn a_call_that_waits_is_shown_when_the_run_ends_in_order_and_not_when_it_does_not() {
    let call = [
        json!({ "type": "TOOL_CALL_START", "toolCallId": "c-1", "toolCallName": "locate", "timestamp": 1002 }),
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c-1", "delta": "{\"precise\":true}", "timestamp": 1003 }),
        json!({ "type": "TOOL_CALL_END", "toolCallId": "c-1", "timestamp": 1004 }),
    ];
    let end = |outcome: &str| {
        let mut end = finished(1005);
        end["outcome"] = json!({ "type": outcome });
        end
    };
    let error = json!({ "type": "RUN_ERROR", "message": "It broke", "code": "e", "timestamp": 1005 });
    for (last, is_shown) in [(end("success"), true), (end("cancelled"), false), (error, false)] {
        let frames = encoded(encoder(), &[&[started(1001)], &call[..], std::slice::from_ref(&last)].concat());
        judge("agora", &frames);
        let shown: Vec<_> = frames.iter().filter(|frame| frame["toolCallId"].is_string()).cloned().collect();
        let mut expected = call.clone();
        expected.iter_mut().for_each(|frame| frame["timestamp"] = json!(1005));
        expected[0]["parentMessageId"] = json!("c-1");
        same(&shown, if is_shown { &expected } else { &[] });
    }
}

#[test]
fn a_call_waits_as_long_as_somebody_is_asked_about_another_one() {
    let mut events = asking(json!({}));
    let other = [
        json!({ "type": "TOOL_CALL_START", "toolCallId": "c-2", "toolCallName": "locate", "timestamp": 1005 }),
        json!({ "type": "TOOL_CALL_END", "toolCallId": "c-2", "timestamp": 1005 }),
    ];
    events.splice(5..5, other);
    same(&encoded(encoder(), &events), &asked("medium", json!({ "to": "ann", "amount": 7 })));
}

/// A run that asks, with these facts about its question.
fn asking(facts: Value) -> Vec<Value> {
    let question = json!({ "id": "i-1", "reason": "tool_call", "message": "Is it too much?", "toolCallId": "c-1", "metadata": facts });
    let mut end = finished(1006);
    end["outcome"] = json!({ "type": "interrupt", "interrupts": [question] });
    vec![
        started(1001),
        json!({ "type": "TOOL_CALL_START", "toolCallId": "c-1", "toolCallName": "pay_out", "parentMessageId": "m-1", "timestamp": 1002 }),
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c-1", "delta": "{\"to\":\"ann\",", "timestamp": 1003 }),
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c-1", "delta": "\"amount\":7}", "timestamp": 1004 }),
        json!({ "type": "TOOL_CALL_END", "toolCallId": "c-1", "timestamp": 1005 }),
        end,
    ]
}

/// The frames up to the request.
fn asked(risk: &str, parameters: Value) -> Vec<Value> {
    let value = json!({
        "toolName": "pay_out",
        "toolDescription": "Pays somebody",
        "parameters": parameters,
        "reasoning": "Is it too much?",
        "riskLevel": risk,
        "approvalId": "i-1",
    });
    vec![
        started(1001),
        processing(1001),
        step("STARTED", "routing", 1002),
        step("FINISHED", "routing", 1002),
        step("STARTED", "thinking", 1002),
        step("FINISHED", "thinking", 1002),
        step("STARTED", "executing_tools", 1002),
        json!({ "type": "CUSTOM", "name": "agora:tool_approval_request", "value": value, "timestamp": 1006 }),
    ]
}

#[test]
fn a_request_for_approval_has_every_member_from_the_call_that_it_is_about() {
    let parameters = json!({ "to": "ann", "amount": 7 });
    for (facts, risk) in [
        (json!({}), "medium"),
        (json!({ "risk": "low" }), "low"),
        (json!({ "risk": "medium" }), "medium"),
        (json!({ "risk": "high" }), "high"),
        (json!({ "risk": "critical" }), "critical"),
        (json!({ "risk": "huge" }), "medium"),
        (json!({ "tool": "pay_out", "risk": "high" }), "high"),
    ] {
        let frames = encoded(encoder(), &asking(facts));
        same(&frames, &asked(risk, parameters.clone()));
    }
    let facts = json!({ "tool": "pay_out", "arguments": { "to": "bob" }, "risk": "high" });
    same(&encoded(encoder(), &asking(facts)), &asked("high", json!({ "to": "bob" })));
    let facts = json!({ "arguments": [1, 2] });
    same(&encoded(encoder(), &asking(facts)), &asked("medium", json!({ "value": [1, 2] })));
}

#[test]
fn after_a_yes_the_run_goes_on_as_itself_and_after_a_no_without_the_call() {
    let parameters = json!({ "to": "ann", "amount": 7 });
    let go_on = |status: &str, payload: Value| {
        let resume = json!([{ "interruptId": "i-1", "status": status, "payload": payload }]);
        let input = json!({ "threadId": "t-1", "runId": "r-2", "messages": [], "resume": resume });
        let mut rest = asking(json!({ "risk": "high" }));
        rest.extend([
            json!({ "type": "RUN_STARTED", "threadId": "t-1", "runId": "r-2", "input": input, "timestamp": 1007 }),
            json!({ "type": "TOOL_CALL_RESULT", "messageId": "x-1", "toolCallId": "c-1", "content": "paid", "timestamp": 1008 }),
            json!({ "type": "TEXT_MESSAGE_START", "messageId": "m-2", "timestamp": 1009 }),
            json!({ "type": "TEXT_MESSAGE_END", "messageId": "m-2", "timestamp": 1010 }),
            json!({ "type": "RUN_FINISHED", "threadId": "t-1", "runId": "r-2", "timestamp": 1011 }),
        ]);
        rest
    };
    let call = |kind: &str, more: Value| {
        let mut frame =
            json!({ "type": format!("TOOL_CALL_{kind}"), "toolCallId": "c-1", "timestamp": 1008 });
        frame.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_else(Map::new));
        frame
    };
    let shown = [
        call("START", json!({ "toolCallName": "pay_out", "parentMessageId": "m-1" })),
        call("ARGS", json!({ "delta": "{\"to\":\"ann\"," })),
        call("ARGS", json!({ "delta": "\"amount\":7}" })),
        call("END", json!({})),
        call("RESULT", json!({ "messageId": "x-1", "content": "paid", "role": "tool" })),
    ];
    let rest = [
        step("FINISHED", "executing_tools", 1008),
        step("STARTED", "thinking", 1008),
        json!({ "type": "TEXT_MESSAGE_START", "messageId": "m-2", "role": "assistant", "timestamp": 1009 }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": "m-2", "timestamp": 1010 }),
        step("FINISHED", "thinking", 1011),
        snapshot("general-agent", "completed", json!({}), 1011),
        finished(1011),
    ];
    let before = asked("high", parameters);
    let yes = [&before[..], &shown, &rest].concat();
    same(&encoded(encoder(), &go_on("resolved", json!({ "approved": true }))), &yes);
    judge("agora", &yes);
    let no = [&before[..], &rest].concat();
    same(&encoded(encoder(), &go_on("resolved", json!({ "approved": false, "reason": "no" }))), &no);
    same(&encoded(encoder(), &go_on("cancelled", json!({ "approved": true }))), &no);
    judge("agora", &no);
}

#[test]
fn a_run_whose_request_nobody_answers_is_finished_before_the_next_one_begins() {
    let said = json!([{ "id": "u-2", "role": "user", "content": "Never mind" }]);
    let input = json!({ "threadId": "t-1", "runId": "r-2", "messages": said });
    let next = json!({ "type": "RUN_STARTED", "threadId": "t-1", "runId": "r-2", "timestamp": 1007 });
    let mut events = asking(json!({ "risk": "high" }));
    events.push(next.clone());
    events.last_mut().unwrap()["input"] = input;
    let mut expected = asked("high", json!({ "to": "ann", "amount": 7 }));
    expected.extend([
        step("FINISHED", "executing_tools", 1007),
        snapshot("general-agent", "completed", json!({}), 1007),
        finished(1007),
    ]);
    let ended = expected.clone();
    let mut processing = processing(1007);
    processing["snapshot"]["runId"] = json!("r-2");
    expected.extend([next, processing]);
    same(&encoded(encoder(), &events), &expected);
    let mut alone = encoder();
    alone.end_with_this_run();
    same(&encoded(alone, &events), &ended);
}

/// Frames without their times, which go forward, with pieces in one and ids by the order in which they come.
fn told(frames: &[Value]) -> Vec<Value> {
    let times: Vec<_> = frames.iter().map(|frame| frame["timestamp"].as_i64().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    let mut names: Vec<(String, String)> = Vec::new();
    let mut out = Vec::new();
    for mut frame in compacted(frames) {
        frame.as_object_mut().unwrap().remove("timestamp");
        for (member, what) in
            [("messageId", "message"), ("toolCallId", "call"), ("parentMessageId", "message")]
        {
            let Some(id) = frame[member].as_str().map(str::to_owned) else { continue };
            let count = names.iter().filter(|(_, name)| name.starts_with(what)).count();
            if !names.iter().any(|(known, _)| *known == id) {
                names.push((id.clone(), format!("{what} {}", count + 1)));
            }
            frame[member] = names.iter().find(|(known, _)| *known == id).unwrap().1.clone().into();
        }
        out.push(frame);
    }
    out
}

fn untimed(frames: &[Value]) -> Vec<Value> {
    let mut frames = frames.to_vec();
    frames.iter_mut().for_each(|frame| drop(frame.as_object_mut().unwrap().remove("timestamp")));
    frames
}

async fn mock_run(thread: &str, run: &str, text: &str, until: &str) -> (Running, Socket, Vec<Value>) {
    let server = mock().await;
    let mut socket = Socket::open(&server, "/ws").await;
    let mut input = says(thread, text);
    input["runId"] = json!(run);
    socket.send(&input).await;
    let frames = socket.until(until).await;
    (server, socket, frames)
}

fn said(text: &str) -> [Value; 3] {
    [
        json!({ "type": "TEXT_MESSAGE_START", "messageId": "message 1", "role": "assistant" }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "message 1", "delta": text }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": "message 1" }),
    ]
}

#[tokio::test]
async fn the_flows_are_these_frames_on_the_socket_and_no_others() {
    let steps = |pairs: &[(&str, &str)]| -> Vec<Value> {
        let steps: Vec<_> = pairs.iter().map(|(kind, name)| step(kind, name, 0)).collect();
        untimed(&steps)
    };
    let first = untimed(&[started(0), processing(0)]);
    let last = untimed(&[snapshot("general-agent", "completed", json!({}), 0), finished(0)]);
    let (_server, _, frames) = mock_run("t-1", "r-1", "hello", "RUN_FINISHED").await;
    let routed = steps(&[("STARTED", "routing"), ("FINISHED", "routing"), ("STARTED", "thinking")]);
    let thought = steps(&[("FINISHED", "thinking")]);
    same(&told(&frames), &[&first[..], &routed, &said("You said hello"), &thought, &last].concat());

    let (_server, _, frames) = mock_run("t-1", "r-1", "search", "RUN_FINISHED").await;
    let working = steps(&[("FINISHED", "thinking"), ("STARTED", "executing_tools")]);
    let call = [
        json!({ "type": "TOOL_CALL_START", "toolCallId": "call 1", "toolCallName": "search_regulations", "parentMessageId": "call 1" }),
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "call 1", "delta": "{\"query\":\"food safety\",\"limit\":10}" }),
        json!({ "type": "TOOL_CALL_END", "toolCallId": "call 1" }),
        json!({ "type": "TOOL_CALL_RESULT", "messageId": "message 1", "toolCallId": "call 1", "content": "Found 5 relevant regulations", "role": "tool" }),
    ];
    let again = steps(&[("FINISHED", "executing_tools"), ("STARTED", "thinking")]);
    let mut answer = said("Based on the regulations, the kitchen is fine.");
    answer.iter_mut().for_each(|frame| frame["messageId"] = json!("message 2"));
    let expected = [&first[..], &routed, &working, &call, &again, &answer, &thought, &last].concat();
    same(&told(&frames), &expected);

    let (_server, _, frames) = mock_run("t-1", "r-1", "fail", "RUN_FINISHED").await;
    let failed = [
        json!({ "type": "STEP_STARTED", "stepName": "thinking" }),
        json!({ "type": "RUN_ERROR", "message": "Error processing request", "code": "processing_error" }),
    ];
    same(&told(&frames), &[&first[..], &failed, &untimed(&[finished(0)])].concat());

    let (_server, _, frames) = mock_run("t-1", "r-1", "prohibited", "RUN_FINISHED").await;
    let details = json!({
        "reason": "moderation_violation",
        "explanation": "the moderation of this server refused it: Your message contains prohibited content",
        "threadId": "t-1",
        "runId": "r-1",
    });
    let value = json!({ "errorCode": "moderation_violation", "message": "Your message contains prohibited content", "details": details });
    let refused = [json!({ "type": "CUSTOM", "name": "agora:error", "value": value })];
    same(&told(&frames), &[&first[..], &refused, &untimed(&[finished(0)])].concat());
}

#[tokio::test]
async fn an_input_reaches_the_agent_as_it_was_sent_and_with_what_was_left_out() {
    let server = mirror().await;
    let mut socket = Socket::open(&server, "/ws").await;
    let messages =
        json!([{ "role": "user", "content": "Hello," }, { "role": "user", "content": "is anybody there?" }]);
    let context = json!({ "city": "Utrecht", "floor": 3, "open": true, "near": { "a": ["b", null] } });
    socket
        .send(&json!({ "threadId": "t-1", "runId": "r-1", "messages": messages, "context": context }))
        .await;
    let got = socket.until("RUN_FINISHED").await.pop().unwrap()["result"].take();
    let mut facts = got["context"].as_array().unwrap().clone();
    facts.sort_by_key(|fact| fact["description"].to_string());
    let fact = |name: &str, value: &str| json!({ "description": name, "value": value });
    let expected = [
        fact("city", "Utrecht"),
        fact("floor", "3"),
        fact("near", r#"{"a":["b",null]}"#),
        fact("open", "true"),
    ];
    assert_eq!(facts, expected);
    let expected = json!([
        { "id": "said-r-1-0", "role": "user", "content": "Hello," },
        { "id": "said-r-1-1", "role": "user", "content": "is anybody there?" },
    ]);
    assert_eq!(got["messages"], expected);
    assert_eq!((&got["threadId"], &got["runId"]), (&json!("t-1"), &json!("r-1")));

    let tool = json!({ "name": "locate", "description": "Where?", "parameters": { "type": "object" } });
    let whole = json!({
        "threadId": "t-1",
        "runId": "r-2",
        "parentRunId": "r-1",
        "messages": [{ "id": "m-2", "role": "user", "content": "Again" }],
        "tools": [tool],
        "context": [{ "description": "mood", "value": "calm" }],
        "state": { "case": 7 },
        "forwardedProps": { "theme": "dark" },
    });
    socket.send(&whole).await;
    let got = socket.until("RUN_FINISHED").await.pop().unwrap()["result"].take();
    for (name, value) in whole.as_object().unwrap() {
        match name.as_str() {
            "messages" => assert_eq!(got[name].as_array().unwrap().last(), Some(&value[0]), "{name}"),
            _ => assert_eq!(got[name], *value, "{name}"),
        }
    }
    // A client without ids tells everything again; what it says after the last word of somebody else is new.
    let says = |role: &str, text: &str| json!({ "role": role, "content": text });
    let history = [
        says("user", "one"),
        says("assistant", "two"),
        says("user", "three"),
        says("assistant", "four"),
        says("user", "five"),
        says("user", "six"),
    ];
    socket.send(&json!({ "threadId": "t-3", "runId": "r-3", "messages": history })).await;
    let got = socket.until("RUN_FINISHED").await.pop().unwrap()["result"].take();
    let expected = json!([
        { "id": "said-r-3-0", "role": "user", "content": "five" },
        { "id": "said-r-3-1", "role": "user", "content": "six" },
    ]);
    assert_eq!(got["messages"], expected);
    // Nothing but what has to be there.
    socket.send(&json!({ "threadId": "t-2", "messages": [{ "role": "user", "content": "Bare" }] })).await;
    let frames = socket.until("RUN_FINISHED").await;
    let run = &frames[0]["runId"];
    assert!(run.as_str().is_some_and(|id| id.len() > 8), "{run}");
    for frame in &frames {
        assert!(
            ["runId", "threadId"]
                .iter()
                .all(|name| frame.get(name).is_none_or(|id| id == run || id == "t-2")),
            "{frame}"
        );
        assert!(
            frame.get("snapshot").is_none_or(|state| state["runId"] == *run && state["threadId"] == "t-2"),
            "{frame}"
        );
    }
    let got = &frames.last().unwrap()["result"];
    assert_eq!((&got["runId"], &got["messages"][0]["content"]), (run, &json!("Bare")));
}

#[tokio::test]
async fn each_of_two_requests_is_decided_by_the_answer_that_names_it() {
    let paid = Arc::new(std::sync::Mutex::new(Vec::new()));
    let tool = |name: &'static str| {
        let paid = paid.clone();
        let call = move |_: Invocation, arguments: Value| {
            paid.lock().unwrap().push((name, arguments));
            async move { Ok(format!("{name} done")) }
        };
        tool_fn(name, call).description(&format!("Does {name}"))
    };
    let tools = Tools::new().with(tool("first_report")).unwrap().with(tool("second_report")).unwrap();
    let agent = agent_fn(About::new("reports twice"), |ctx: RunContext| async move {
        let calls = ["first_report", "second_report"].map(|name| (name.to_owned(), json!({ "of": name })));
        ctx.use_tools(calls.to_vec()).await?;
        Ok(())
    });
    let rules = "rules: [{ tools: [first_report], action: ask, risk: low, reason: One. }, { tools: [second_report], action: ask, risk: critical, reason: Two. }]";
    let house = HouseRules::parse("house", rules).unwrap_or_else(|errors| panic!("{errors:?}"));
    let server = serve_agent(with_house(agent, tools, house), Keys::default(), Http::default()).await;
    for (thread, first, second) in
        [("yes-no", true, false), ("no-yes", false, true), ("both", true, true), ("none", false, false)]
    {
        paid.lock().unwrap().clear();
        let mut socket = Socket::open(&server, "/ws").await;
        socket.send(&says(thread, "go")).await;
        let mut before = socket.until("agora:tool_approval_request").await;
        before.push(socket.next().await);
        let requests = of(&before, "CUSTOM").into_iter().cloned().collect::<Vec<_>>();
        for (request, (name, risk, reason)) in
            requests.iter().zip([("first_report", "low", "One."), ("second_report", "critical", "Two.")])
        {
            let expected = json!({
                "toolName": name,
                "toolDescription": format!("Does {name}"),
                "parameters": { "of": name },
                "reasoning": reason,
                "riskLevel": risk,
                "approvalId": request["value"]["approvalId"],
            });
            assert_eq!(request["value"], expected);
        }
        assert_ne!(requests[0]["value"]["approvalId"], requests[1]["value"]["approvalId"]);
        // The last that was asked is answered first.
        socket.send(&decision(&requests[1], second, "of the second")).await;
        socket.send(&decision(&requests[0], first, "of the first")).await;
        let after = socket.until("RUN_FINISHED").await;
        judge("agora", &[before, after.clone()].concat());
        let done: Vec<_> = [(first, "first_report"), (second, "second_report")]
            .into_iter()
            .filter(|(is_yes, _)| *is_yes)
            .collect();
        let called: Vec<_> =
            of(&after, "TOOL_CALL_START").iter().map(|frame| frame["toolCallName"].clone()).collect();
        assert_eq!(called, done.iter().map(|(_, name)| json!(name)).collect::<Vec<_>>(), "{thread}");
        let results: Vec<_> =
            of(&after, "TOOL_CALL_RESULT").iter().map(|frame| frame["content"].clone()).collect();
        let mut ran = paid.lock().unwrap().clone();
        ran.sort_by_key(|(name, _)| *name);
        assert_eq!(
            ran,
            done.iter().map(|(_, name)| (*name, json!({ "of": name }))).collect::<Vec<_>>(),
            "{thread}"
        );
        assert_eq!(results.len(), done.len(), "{thread}: {results:?}");
        for (_, name) in &done {
            assert!(results.contains(&json!(format!("{name} done"))), "{thread}: {results:?}");
        }
    }
}

#[tokio::test]
async fn a_decision_is_kept_with_what_was_said_to_it() {
    for (approved, feedback) in
        [(true, Some("Looks good")), (false, Some("too early")), (true, None), (false, None)]
    {
        let (server, mut socket, frames) =
            mock_run("t-1", "r-1", "report", "agora:tool_approval_request").await;
        let mut value =
            json!({ "approvalId": frames.last().unwrap()["value"]["approvalId"], "approved": approved });
        let mut kept = json!({ "approved": approved });
        if let Some(feedback) = feedback {
            value["feedback"] = json!(feedback);
            kept["reason"] = json!(feedback);
        }
        socket
            .send(&json!({ "type": "CUSTOM", "name": "agora:tool_approval_response", "value": value }))
            .await;
        let after = socket.until("RUN_FINISHED").await;
        let query =
            InterruptQuery { thread_id: Some("t-1".into()), decided: true, ..InterruptQuery::of("local") };
        let records = server.stage.store().interrupts(query).await.unwrap();
        let [record] = &records[..] else { panic!("{records:?}") };
        let decision = record.decision.as_ref().unwrap();
        let entry: Value = serde_json::from_slice(&decision.json).unwrap();
        assert_eq!((decision.status.as_str(), &entry["payload"]), ("resolved", &kept));
        let said = text(&after);
        match approved {
            true => assert_eq!(said, "The report is ready: /reports/INS-2024-001/pdf"),
            false => assert_eq!(said.contains("too early"), feedback.is_some(), "{said}"),
        }
        assert_eq!(of(&after, "TOOL_CALL_RESULT").len(), usize::from(approved), "{after:#?}");
    }
}

#[tokio::test]
async fn an_answer_to_nothing_is_told_with_what_it_named() {
    let (_server, mut socket, frames) = mock_run("t-1", "r-1", "report", "agora:tool_approval_request").await;
    let request = frames.last().unwrap().clone();
    let mut unknown = request.clone();
    unknown["value"]["approvalId"] = json!("invented");
    socket.send(&decision(&unknown, true, "")).await;
    let told = socket.next().await;
    assert_eq!((&told["type"], &told["name"]), (&json!("CUSTOM"), &json!("agora:error")));
    assert!(told["timestamp"].as_i64().is_some_and(|at| at > 1_700_000_000_000));
    assert_eq!(told["value"]["errorCode"], "unknown_interrupt");
    assert!(told["value"]["message"].as_str().is_some_and(|text| text.contains("invented")), "{told}");
    assert_eq!(told["value"]["details"]["approvalId"], "invented");
    socket.send(&decision(&request, false, "no")).await;
    socket.until("RUN_FINISHED").await;
    socket.send(&decision(&request, true, "after all")).await;
    let told = socket.next().await;
    assert_eq!(told["value"]["errorCode"], "already_decided");
    assert_eq!(told["value"]["details"]["approvalId"], request["value"]["approvalId"]);
}

#[tokio::test]
async fn what_is_wrong_with_a_frame_is_told_with_its_place_and_nothing_begins() {
    let server = mirror().await;
    let mut socket = Socket::open(&server, "/ws").await;
    let message = json!({ "role": "user", "content": "hi" });
    let cases = [
        (json!([1]), "invalid_frame", json!({}), "frame"),
        (
            json!({ "type": "RUN_STARTED", "threadId": "t-1" }),
            "unknown_event",
            json!({ "path": "type" }),
            "RUN_STARTED",
        ),
        (
            json!({ "type": "CUSTOM", "name": "applause" }),
            "unknown_event",
            json!({ "path": "name" }),
            "agora:tool_approval_response",
        ),
        (json!({ "messages": [message] }), "missing_field", json!({}), "threadId"),
        (json!({ "threadId": "t-1" }), "missing_field", json!({}), "messages"),
        (
            json!({ "threadId": 7, "messages": [message] }),
            "wrong_type",
            json!({ "path": "threadId" }),
            "string",
        ),
        (json!({ "threadId": "t-1", "messages": "hi" }), "wrong_type", json!({ "path": "messages" }), "list"),
        (
            json!({ "threadId": "t-1", "messages": [message, { "content": "hi" }] }),
            "unknown_value",
            json!({ "path": "messages[1]" }),
            "role",
        ),
        (
            json!({ "threadId": "t-1", "messages": [{ "role": "user", "content": 7 }] }),
            "wrong_type",
            json!({ "path": "messages[0].content" }),
            "list of parts",
        ),
        (
            json!({ "threadId": "t-1", "messages": [message], "context": 7 }),
            "wrong_type",
            json!({ "path": "context" }),
            "list",
        ),
        (
            json!({ "threadId": "t-1", "thread_id": "t-2", "messages": [message] }),
            "ambiguous_member",
            json!({ "path": "threadId" }),
            "thread_id",
        ),
    ];
    let mut told_of = Vec::new();
    for (frame, _, _, word) in &cases {
        socket.send(frame).await;
        let told = socket.next().await;
        assert!(told["timestamp"].as_i64().is_some_and(|at| at > 1_700_000_000_000), "{told}");
        assert_eq!((&told["type"], &told["name"]), (&json!("CUSTOM"), &json!("agora:error")));
        let said = told["value"]["message"].as_str().unwrap().to_owned();
        let members: Vec<_> = told["value"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(members, ["errorCode", "message", "details"], "{told}");
        told_of.push((
            told["value"]["errorCode"].clone(),
            told["value"]["details"].clone(),
            said.contains(word),
            said,
        ));
    }
    for ((frame, code, details, _), (told, place, has_word, said)) in cases.iter().zip(&told_of) {
        assert_eq!(
            (told, place, has_word),
            (&json!(code), details, &true),
            "{frame}: {said}; all: {told_of:#?}"
        );
    }
    assert!(server.stage.thread("local", &"t-1".into()).await.is_err(), "nothing began");
    // The socket is still good, and one that is refused on a thread says on which.
    socket.send(&says("t-1", "hi")).await;
    socket.until("RUN_FINISHED").await;
    let forged = json!({ "id": "a-1", "role": "tool", "toolCallId": "made-up", "content": "x" });
    socket.send(&json!({ "threadId": "t-1", "runId": "r-9", "messages": [forged] })).await;
    let told = socket.next().await;
    let (code, details) = (&told["value"]["errorCode"], &told["value"]["details"]);
    assert_eq!(
        (code, &details["path"]),
        (&json!("forged_message"), &json!("messages[0].toolCallId")),
        "{told}"
    );
    assert_eq!((&details["threadId"], &details["runId"]), (&json!("t-1"), &json!("r-9")), "{told}");
}

#[tokio::test]
async fn a_later_connection_has_every_word_that_was_said_before() {
    let server = mirror().await;
    for (at, text) in ["one", "two", "three"].into_iter().enumerate() {
        let mut socket = Socket::open(&server, "/ws").await;
        let mut input = says("t-1", text);
        input["runId"] = json!(format!("r-{at}"));
        socket.send(&input).await;
        socket.until("RUN_FINISHED").await;
    }
    let mut other = Socket::open(&server, "/ws").await;
    other.send(&says("t-2", "elsewhere")).await;
    other.until("RUN_FINISHED").await;
    let said = |thread: &'static str| {
        let stage = server.stage.clone();
        async move {
            let thread = stage.thread("local", &thread.into()).await.unwrap();
            let messages = stage.conversation(&thread, None).await.unwrap().messages;
            let messages = serde_json::to_value(&messages).unwrap();
            messages
                .as_array()
                .unwrap()
                .iter()
                .map(|it| (it["role"].clone(), it["content"].clone()))
                .collect::<Vec<_>>()
        }
    };
    let words = |texts: &[&str]| texts.iter().map(|text| (json!("user"), json!(text))).collect::<Vec<_>>();
    assert_eq!(said("t-1").await, words(&["one", "two", "three"]));
    assert_eq!(said("t-2").await, words(&["elsewhere"]));
}
