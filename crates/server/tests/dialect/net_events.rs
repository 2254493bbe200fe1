//! Contract 004, event by event and message by message: what the log has, and what a client of the contract sees.

use std::{collections::BTreeSet, slice::from_ref};

use forestage_protocol::event::Event;
use forestage_server::dialect::{
    Encode,
    net::{Encoder, decode},
};
use serde_json::{Value, json};

/// Every event of the contract, as it is written on either side; `None` where both are the same. Each with all that it may
/// have and with no more than it needs, and no two members of one with the same value.
fn events() -> Vec<(Value, Option<Value>)> {
    let same = |event: Value| (event, None);
    let other = |ours: Value, theirs: Value| (ours, Some(theirs));
    let mut all = lifecycle();
    all.extend([
        same(json!({ "type": "TEXT_MESSAGE_START", "messageId": "msg-1", "role": "assistant" })),
        other(
            json!({ "type": "TEXT_MESSAGE_START", "messageId": "msg-2", "role": "developer" }),
            json!({ "type": "TEXT_MESSAGE_START", "messageId": "msg-2", "role": "assistant" }),
        ),
        same(json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "msg-1", "delta": " Hel\nlo " })),
        same(json!({ "type": "TEXT_MESSAGE_END", "messageId": "msg-1" })),
        same(
            json!({ "type": "TEXT_MESSAGE_CHUNK", "messageId": "msg-3", "role": "system", "delta": "piece" }),
        ),
        same(json!({ "type": "TEXT_MESSAGE_CHUNK", "messageId": "msg-3", "role": "user" })),
        same(json!({ "type": "TEXT_MESSAGE_CHUNK", "delta": "piece" })),
        same(
            json!({ "type": "TOOL_CALL_START", "toolCallId": "call-1", "toolCallName": "look", "parentMessageId": "msg-1" }),
        ),
        same(json!({ "type": "TOOL_CALL_START", "toolCallId": "call-2", "toolCallName": "write" })),
        same(json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "call-1", "delta": "{\"a\"" })),
        same(json!({ "type": "TOOL_CALL_END", "toolCallId": "call-1" })),
        same(
            json!({ "type": "TOOL_CALL_RESULT", "messageId": "msg-4", "toolCallId": "call-1", "content": "found", "role": "tool" }),
        ),
        same(
            json!({ "type": "TOOL_CALL_RESULT", "messageId": "msg-5", "toolCallId": "call-2", "content": "{\"ok\":true}" }),
        ),
        other(
            json!({ "type": "TOOL_CALL_RESULT", "messageId": "msg-6", "toolCallId": "call-3", "content": [{ "type": "text", "text": "one " }, { "type": "text", "text": "two" }] }),
            json!({ "type": "TOOL_CALL_RESULT", "messageId": "msg-6", "toolCallId": "call-3", "content": "one two" }),
        ),
        same(
            json!({ "type": "TOOL_CALL_CHUNK", "toolCallId": "call-4", "toolCallName": "look", "parentMessageId": "msg-1", "delta": "{" }),
        ),
        same(json!({ "type": "TOOL_CALL_CHUNK", "toolCallId": "call-4", "toolCallName": "look" })),
        same(json!({ "type": "TOOL_CALL_CHUNK", "delta": "}" })),
    ]);
    all.extend(states());
    all
}

/// The events of runs and steps.
fn lifecycle() -> Vec<(Value, Option<Value>)> {
    let same = |event: Value| (event, None);
    let other = |ours: Value, theirs: Value| (ours, Some(theirs));
    let ends = |more: Value| {
        let mut end = json!({ "type": "RUN_FINISHED", "threadId": "thread-1", "runId": "run-2" });
        end.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        end
    };
    let first = json!({ "id": "ask-1", "reason": "why", "message": "Name?" });
    let second = json!({ "id": "ask-2", "reason": "whence", "message": "Place?" });
    let asked = json!({ "type": "interrupt", "interrupts": [first, second] });
    let question = json!({ "id": "ask-1", "payload": { "prompt": "Name?", "inputType": "text" } });
    let silent = json!({ "type": "interrupt", "interrupts": [{ "id": "ask-3", "reason": "why" }] });
    let reason = json!({ "id": "ask-3", "payload": { "prompt": "why", "inputType": "text" } });
    vec![
        same(json!({ "type": "RUN_STARTED", "threadId": "thread-1", "runId": "run-2" })),
        same(
            json!({ "type": "RUN_STARTED", "threadId": "thread-1", "runId": "run-2", "parentRunId": "run-1" }),
        ),
        other(ends(json!({})), ends(json!({ "outcome": "success" }))),
        other(
            ends(json!({ "result": { "a": [1, null] }, "outcome": { "type": "success" } })),
            ends(json!({ "result": { "a": [1, null] }, "outcome": "success" })),
        ),
        other(
            ends(
                json!({ "result": false, "outcome": { "type": "success", "pendingToolCallIds": ["call-1"] } }),
            ),
            ends(json!({ "result": false, "outcome": "success" })),
        ),
        other(
            ends(json!({ "result": "so far", "outcome": asked })),
            ends(json!({ "result": "so far", "outcome": "interrupt", "interrupt": question })),
        ),
        other(
            ends(json!({ "outcome": silent })),
            ends(json!({ "outcome": "interrupt", "interrupt": reason })),
        ),
        other(
            ends(json!({ "outcome": { "type": "cancelled" } })),
            json!({ "type": "RUN_ERROR", "message": "the run was stopped", "code": "cancelled" }),
        ),
        other(
            json!({ "type": "RUN_STARTED", "threadId": "thread-1", "runId": "run-2", "protocolVersion": "1.0.0" }),
            json!({ "type": "RUN_STARTED", "threadId": "thread-1", "runId": "run-2" }),
        ),
        other(
            ends(json!({ "result": 0, "usage": [{ "provider": "p", "model": "m", "inputTokens": 1 }] })),
            ends(json!({ "result": 0, "outcome": "success" })),
        ),
        other(
            json!({ "type": "RUN_ERROR", "message": "It broke", "usage": [{ "provider": "p", "model": "m" }] }),
            json!({ "type": "RUN_ERROR", "message": "It broke" }),
        ),
        same(json!({ "type": "RUN_ERROR", "message": "It broke", "code": "broken" })),
        same(json!({ "type": "RUN_ERROR", "message": "It broke" })),
        same(json!({ "type": "STEP_STARTED", "stepName": "look" })),
        same(json!({ "type": "STEP_FINISHED", "stepName": "found" })),
        other(
            json!({ "type": "STEP_STARTED", "stepName": "think", "metadata": { "a": 1 }, "subagentRunId": "sub-1" }),
            json!({ "type": "STEP_STARTED", "stepName": "think" }),
        ),
    ]
}

/// The events of states, activities and reasoning, and the special ones.
fn states() -> Vec<(Value, Option<Value>)> {
    let same = |event: Value| (event, None);
    let other = |ours: Value, theirs: Value| (ours, Some(theirs));
    let patch = json!([
        { "op": "add", "path": "/a", "value": null },
        { "op": "remove", "path": "/b" },
        { "op": "replace", "path": "/c", "value": [1] },
        { "op": "move", "path": "/d", "from": "/e" },
        { "op": "copy", "path": "/f", "from": "/g" },
        { "op": "test", "path": "/h", "value": { "i": 2 } },
    ]);
    let shown = |more: Value| {
        let mut shown = json!({ "type": "ACTIVITY_SNAPSHOT", "messageId": "plan-1", "activityType": "PLAN", "content": { "a": [1] } });
        shown.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        shown
    };
    vec![
        same(json!({ "type": "STATE_SNAPSHOT", "snapshot": { "a": [null, 1.5], "b": {} } })),
        same(json!({ "type": "STATE_SNAPSHOT", "snapshot": "any" })),
        same(json!({ "type": "STATE_DELTA", "delta": patch })),
        same(
            json!({ "type": "MESSAGES_SNAPSHOT", "messages": [{ "id": "msg-1", "role": "user", "content": "Hi" }, { "id": "msg-2", "role": "assistant", "content": "Yes" }] }),
        ),
        same(shown(json!({}))),
        same(shown(json!({ "replace": true }))),
        same(shown(json!({ "replace": false }))),
        same(
            json!({ "type": "ACTIVITY_DELTA", "messageId": "plan-1", "activityType": "PLAN", "patch": patch }),
        ),
        same(json!({ "type": "REASONING_START", "messageId": "span-1" })),
        same(json!({ "type": "REASONING_END", "messageId": "span-1" })),
        other(
            json!({ "type": "REASONING_MESSAGE_START", "messageId": "thought-1", "role": "reasoning" }),
            json!({ "type": "REASONING_MESSAGE_START", "messageId": "thought-1", "role": "assistant" }),
        ),
        same(json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": "thought-1", "delta": "Hm" })),
        same(json!({ "type": "REASONING_MESSAGE_END", "messageId": "thought-1" })),
        same(json!({ "type": "REASONING_MESSAGE_CHUNK", "messageId": "thought-2", "delta": "Hm" })),
        same(json!({ "type": "REASONING_MESSAGE_CHUNK", "delta": "." })),
        same(json!({ "type": "REASONING_MESSAGE_CHUNK", "messageId": "thought-2" })),
        same(json!({ "type": "RAW", "event": { "any": [true] }, "source": "elsewhere" })),
        same(json!({ "type": "RAW", "event": "any" })),
        same(json!({ "type": "CUSTOM", "name": "confetti", "value": [1] })),
        same(json!({ "type": "CUSTOM", "name": "metal", "value": { "b": null } })),
        other(
            json!({ "type": "CUSTOM", "name": "meta:tag", "value": { "a": 1, "b": [2] } }),
            json!({ "type": "META", "metaType": "tag", "payload": { "a": 1, "b": [2] } }),
        ),
        other(
            json!({ "type": "CUSTOM", "name": "meta:count", "value": 7 }),
            json!({ "type": "META", "metaType": "count", "payload": { "value": 7 } }),
        ),
    ]
}

/// The types of the contract.
const TYPES: [&str; 28] = [
    "ACTIVITY_DELTA",
    "ACTIVITY_SNAPSHOT",
    "CUSTOM",
    "MESSAGES_SNAPSHOT",
    "META",
    "RAW",
    "REASONING_END",
    "REASONING_MESSAGE_CHUNK",
    "REASONING_MESSAGE_CONTENT",
    "REASONING_MESSAGE_END",
    "REASONING_MESSAGE_START",
    "REASONING_START",
    "RUN_ERROR",
    "RUN_FINISHED",
    "RUN_STARTED",
    "STATE_DELTA",
    "STATE_SNAPSHOT",
    "STEP_FINISHED",
    "STEP_STARTED",
    "TEXT_MESSAGE_CHUNK",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "TEXT_MESSAGE_START",
    "TOOL_CALL_ARGS",
    "TOOL_CALL_CHUNK",
    "TOOL_CALL_END",
    "TOOL_CALL_RESULT",
    "TOOL_CALL_START",
];

fn encoded(texts: &[Value]) -> Vec<Value> {
    let events: Vec<_> = texts.iter().map(|text| Event::from_json(&text.to_string()).unwrap()).collect();
    let mut encoder = Encoder::default();
    let mut frames = encoder.encode(&events);
    frames.extend(encoder.flush());
    frames
}

/// An event with when it was, and with what it was made of.
fn stamped(event: &Value) -> Value {
    let mut event = event.clone();
    event["timestamp"] = json!(1_700_000_000_123_u64);
    event["rawEvent"] = json!({ "provider": [null, 1] });
    event
}

#[test]
fn every_event_is_written_as_the_contract_has_it() {
    let mut types = BTreeSet::new();
    for (ours, theirs) in events() {
        let theirs = theirs.unwrap_or_else(|| ours.clone());
        assert_eq!(encoded(from_ref(&ours)), from_ref(&theirs), "{ours}");
        assert_eq!(encoded(&[stamped(&ours)]), [stamped(&theirs)], "{ours}");
        types.insert(theirs["type"].as_str().unwrap().to_owned());
    }
    assert_eq!(types, TYPES.map(str::to_owned).into(), "none is left out");
    let (ours, theirs): (Vec<_>, Vec<_>) =
        events().into_iter().map(|(ours, theirs)| (ours.clone(), theirs.unwrap_or(ours))).unzip();
    assert_eq!(encoded(&ours), theirs, "one behind the other");
}

#[test]
fn an_input_on_record_is_written_as_the_contract_has_it() {
    let part =
        json!({ "type": "image", "source": { "type": "data", "value": "AA==", "mimeType": "image/png" } });
    let answers = json!([
        { "interruptId": "ask-1", "status": "resolved", "payload": { "approved": true } },
        { "interruptId": "ask-2", "status": "resolved", "payload": { "response": "no" } },
    ]);
    let ours = json!({
        "threadId": "thread-1", "runId": "run-2", "parentRunId": "run-1", "state": { "a": [1] },
        "messages": [
            { "id": "msg-1", "role": "user", "content": [part, { "type": "text", "text": "look" }] },
            { "id": "msg-2", "role": "reasoning", "content": "hm" },
        ],
        "tools": [{ "name": "look", "description": "Looks", "parameters": { "type": "object" } }],
        "context": [{ "description": "where", "value": "here" }],
        "forwardedProps": { "theme": "dark" }, "resume": answers,
    });
    let mut theirs = ours.clone();
    let binary = json!({ "type": "binary", "mimeType": "image/png", "data": "AA==" });
    theirs["messages"] =
        json!([{ "id": "msg-1", "role": "user", "content": [binary, { "type": "text", "text": "look" }] }]);
    theirs["resume"] = json!({ "interruptId": "ask-1", "payload": { "approved": true } });
    let started = |input: Value| json!({ "type": "RUN_STARTED", "threadId": "thread-1", "runId": "run-2", "input": input });
    assert_eq!(encoded(&[started(ours)]), [started(theirs)]);
    let least = json!({ "threadId": "thread-1", "runId": "run-2", "messages": [] });
    let told = json!({
        "threadId": "thread-1", "runId": "run-2", "messages": [],
        "tools": [], "context": [], "state": {}, "forwardedProps": {},
    });
    assert_eq!(encoded(&[started(least)]), [started(told)], "the contract wants these members");
}

#[test]
fn what_the_contract_does_not_have_is_an_event_of_the_application() {
    let subagent =
        json!({ "type": "SUBAGENT_STARTED", "subagentRunId": "sub-1", "name": "helper", "timestamp": 5 });
    let sealed = json!({ "type": "REASONING_ENCRYPTED_VALUE", "subtype": "tool-call", "entityId": "call-1", "encryptedValue": "sealed" });
    let expected = [
        json!({ "type": "CUSTOM", "name": "SUBAGENT_STARTED", "value": { "subagentRunId": "sub-1", "name": "helper" }, "timestamp": 5 }),
        json!({ "type": "CUSTOM", "name": "REASONING_ENCRYPTED_VALUE", "value": { "subtype": "tool-call", "entityId": "call-1", "encryptedValue": "sealed" } }),
    ];
    assert_eq!(encoded(&[subagent, sealed]), expected);
    let own = json!({ "type": "CUSTOM", "name": "forestage.audit", "value": 1 });
    assert!(encoded(&[own]).is_empty(), "what the house notes is not for clients");
}

#[test]
fn a_question_about_a_call_has_the_name_and_the_arguments_of_that_call() {
    let start =
        |id: &str, name: &str| json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name });
    let piece = |id: &str, delta: &str| json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": delta });
    let calls = [
        start("call-1", "look"),
        start("call-2", "delete_file"),
        piece("call-1", "{\"at\""),
        piece("call-2", "{\"path\":"),
        piece("call-1", ":1}"),
        piece("call-2", "\"/important.txt\"}"),
        start("call-3", "write"),
        piece("call-3", "{}"),
    ];
    let end = |asked: Value| {
        let outcome = json!({ "type": "interrupt", "interrupts": [asked] });
        json!({ "type": "RUN_FINISHED", "threadId": "thread-1", "runId": "run-2", "outcome": outcome })
    };
    let ended = |asked: Value| {
        let mut events = calls.to_vec();
        events.push(end(asked));
        encoded(&events).pop().unwrap()
    };
    let expected = |id: &str, name: &str, arguments: Value| {
        let payload = json!({ "functionName": name, "functionArguments": arguments });
        json!({
            "type": "RUN_FINISHED", "threadId": "thread-1", "runId": "run-2", "outcome": "interrupt",
            "interrupt": { "id": id, "payload": payload },
        })
    };
    let path = json!({ "path": "/important.txt" });
    assert_eq!(
        ended(json!({ "id": "ask-1", "reason": "tool_call", "message": "May it?", "toolCallId": "call-2" })),
        expected("ask-1", "delete_file", path.clone())
    );
    let facts = json!({ "tool": "delete_all", "arguments": path });
    assert_eq!(
        ended(json!({ "id": "ask-2", "reason": "tool_call", "toolCallId": "call-1", "metadata": facts })),
        expected("ask-2", "delete_all", path.clone()),
        "what the house says that it asks about is what would be called"
    );
    assert_eq!(
        ended(json!({ "id": "ask-3", "reason": "draft_review", "message": "Fine?" })),
        expected("ask-3", "draft_review", json!({}))
    );
    let payload = json!({ "functionName": "pay", "functionArguments": { "amount": 7 }, "currency": "EUR" });
    let asked =
        json!({ "id": "ask-4", "reason": "tool_call", "metadata": { "net": { "payload": payload } } });
    assert_eq!(ended(asked)["interrupt"], json!({ "id": "ask-4", "payload": payload }), "as it came");
}

#[test]
fn encrypted_reasoning_stands_where_the_contract_wants_it() {
    let start = |id: &str| json!({ "type": "REASONING_START", "messageId": id });
    let begins =
        |id: &str, role: &str| json!({ "type": "REASONING_MESSAGE_START", "messageId": id, "role": role });
    let sealed = |id: &str, value: &str| json!({ "type": "REASONING_ENCRYPTED_VALUE", "subtype": "message", "entityId": id, "encryptedValue": value });
    let whole = |id: &str, content: &str| json!({ "type": "REASONING_START", "messageId": id, "encryptedContent": content });
    assert_eq!(encoded(&[start("span-1")]), [start("span-1")]);
    assert_eq!(encoded(&[start("span-1"), sealed("span-1", "secret")]), [whole("span-1", "secret")]);
    let ends = |id: &str| json!({ "type": "REASONING_END", "messageId": id });
    let two = [
        start("span-1"),
        begins("thought-1", "reasoning"),
        sealed("thought-1", "one"),
        ends("span-1"),
        start("span-2"),
        begins("thought-2", "reasoning"),
        sealed("thought-2", "two"),
        begins("thought-3", "reasoning"),
        ends("span-2"),
        start("span-3"),
        ends("span-3"),
    ];
    let expected = [
        whole("span-1", "one"),
        begins("thought-1", "assistant"),
        ends("span-1"),
        whole("span-2", "two"),
        begins("thought-2", "assistant"),
        begins("thought-3", "assistant"),
        ends("span-2"),
        start("span-3"),
        ends("span-3"),
    ];
    assert_eq!(encoded(&two), expected, "each span has its own");
}

#[test]
fn pieces_of_nothing_are_not_written() {
    for kind in ["TEXT_MESSAGE_CONTENT", "REASONING_MESSAGE_CONTENT"] {
        let piece = |delta: &str| json!({ "type": kind, "messageId": "msg-1", "delta": delta });
        let pieces = [piece(""), piece(" "), piece(""), piece("\n"), piece("0")];
        assert_eq!(
            encoded(&pieces),
            [piece(" "), piece("\n"), piece("0")],
            "{kind}: white space is something"
        );
    }
}

#[test]
fn every_message_comes_back_as_it_was_sent() {
    let call = |id: &str, name: &str, arguments: &str| json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } });
    let messages = json!([
        { "id": "msg-1", "role": "developer", "content": "debug", "name": "dev" },
        { "id": "msg-2", "role": "developer", "content": "" },
        { "id": "msg-3", "role": "system", "content": "be kind", "name": "house" },
        { "id": "msg-4", "role": "system", "content": "be brief" },
        { "id": "msg-5", "role": "assistant", "content": "yes", "name": "bot", "toolCalls": [call("call-1", "look", "{\"a\":1}"), call("call-2", "write", "[2")] },
        { "id": "msg-6", "role": "assistant", "toolCalls": [call("call-3", "look", "")] },
        { "id": "msg-7", "role": "assistant", "content": "just words" },
        { "id": "msg-8", "role": "assistant" },
        { "id": "msg-9", "role": "user", "content": " hello ", "name": "ada" },
        { "id": "msg-10", "role": "user", "content": "again" },
        { "id": "msg-11", "role": "user", "name": "bob", "content": [
            { "type": "text", "text": "first" },
            { "type": "text", "text": "second" },
            { "type": "binary", "mimeType": "image/png", "data": "AA==", "id": "file-1", "url": "https://example.org/x.png", "filename": "x.png" },
            { "type": "binary", "mimeType": "audio/wav", "url": "https://example.org/y.wav", "id": "file-2", "filename": "y.wav" },
            { "type": "binary", "mimeType": "video/mp4", "data": "AAAA" },
            { "type": "binary", "mimeType": "application/pdf", "id": "file-3", "filename": "z.pdf" },
        ] },
        { "id": "msg-12", "role": "tool", "content": "found", "toolCallId": "call-1", "error": "late" },
        { "id": "msg-13", "role": "tool", "content": "", "toolCallId": "call-2" },
        { "id": "msg-14", "role": "activity", "activityType": "PLAN", "content": { "steps": [1, null], "content": "x" } },
    ]);
    let input = decode(&json!({ "threadId": "t", "runId": "r", "messages": messages }).to_string()).unwrap();
    let snapshot = json!({ "type": "MESSAGES_SNAPSHOT", "messages": input.messages });
    assert_eq!(encoded(&[snapshot]), [json!({ "type": "MESSAGES_SNAPSHOT", "messages": messages })]);
}

#[test]
fn content_in_parts_is_text_where_the_contract_has_no_parts() {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let image = json!({ "type": "image", "source": { "type": "url", "value": "https://example.org/a.png", "mimeType": "image/png" } });
    let binary = json!({ "type": "binary", "mimeType": "image/png", "url": "https://example.org/a.png" });
    let snapshot = |messages: Value| json!({ "type": "MESSAGES_SNAPSHOT", "messages": messages });
    let ours = json!([
        { "id": "msg-1", "role": "tool", "toolCallId": "call-1", "content": [text("one "), image, text("two")] },
        { "id": "msg-2", "role": "user", "content": [text("only")], "metadata": { "a": 1 } },
        { "id": "msg-3", "role": "user", "content": [text("look"), image, text("there")] },
        { "id": "msg-4", "role": "user", "content": [image] },
    ]);
    let theirs = json!([
        { "id": "msg-1", "role": "tool", "toolCallId": "call-1", "content": "one two" },
        { "id": "msg-2", "role": "user", "content": "only" },
        { "id": "msg-3", "role": "user", "content": [text("look"), binary, text("there")] },
        { "id": "msg-4", "role": "user", "content": [binary] },
    ]);
    assert_eq!(encoded(&[snapshot(ours)]), [snapshot(theirs)]);
}

#[test]
fn thoughts_are_no_messages_of_the_contract() {
    let messages = json!([{ "id": "x", "role": "reasoning", "content": "hm" }, { "id": "y", "role": "user", "content": [] }]);
    let snapshot = json!({ "type": "MESSAGES_SNAPSHOT", "messages": messages });
    let expected = json!([{ "id": "y", "role": "user", "content": "" }]);
    assert_eq!(encoded(&[snapshot])[0]["messages"], expected);
}

#[test]
fn what_a_message_a_call_a_part_or_a_fact_needs_is_asked_for_at_its_place() {
    let call = |function: Value| json!({ "id": "c", "type": "function", "function": function });
    let fine = [
        json!({ "id": "a", "role": "assistant" }),
        json!({ "id": "a", "role": "assistant", "toolCalls": [call(json!({ "name": "n", "arguments": "{}" }))] }),
        json!({ "id": "a", "role": "user", "content": "" }),
        json!({ "id": "a", "role": "tool", "content": "", "toolCallId": "c" }),
    ];
    let input = |message: &Value| json!({ "threadId": "t", "runId": "r", "messages": [message] }).to_string();
    for message in fine {
        decode(&input(&message)).unwrap_or_else(|told| panic!("{message}: {told:?}"));
    }
    for (message, place) in [
        (json!({ "role": "user", "content": "x" }), "id"),
        (json!({ "id": "a", "role": "developer" }), "content"),
        (json!({ "id": "a", "role": "system" }), "content"),
        (json!({ "id": "a", "role": "user" }), "content"),
        (json!({ "id": "a", "role": "tool", "content": "x" }), "toolCallId"),
        (json!({ "id": "a", "role": "tool", "toolCallId": "c" }), "content"),
        (json!({ "id": "a", "role": "activity", "content": {} }), "activityType"),
        (json!({ "id": "a", "role": "activity", "activityType": "PLAN" }), "content"),
        (json!({ "id": "a", "role": "activity", "activityType": "PLAN", "content": "text" }), "content"),
        (json!({ "id": "a", "role": "user", "content": [{ "type": "text" }] }), "text"),
        (
            json!({ "id": "a", "role": "assistant", "toolCalls": [call(json!({ "arguments": "{}" }))] }),
            "name",
        ),
        (
            json!({ "id": "a", "role": "assistant", "toolCalls": [call(json!({ "name": "n", "arguments": {} }))] }),
            "arguments",
        ),
    ] {
        let told = format!("{:?}", decode(&input(&message)).expect_err("it lacks something"));
        assert!(told.contains("messages[0]") && told.contains(place), "{message}: {told}");
    }
    for (name, value, place) in [
        ("context", json!([{ "description": "d" }]), "context[0]"),
        ("context", json!([{ "description": "d", "value": 7 }]), "context[0].value"),
        ("tools", json!([{ "description": "d" }]), "tools[0]"),
    ] {
        let mut input = json!({ "threadId": "t", "runId": "r", "messages": [] });
        input[name] = value;
        let told = format!("{:?}", decode(&input.to_string()).expect_err("it lacks something"));
        assert!(told.contains(place), "{input}: {told}");
    }
}

#[test]
fn a_question_says_what_kind_of_value_it_wants() {
    for (schema, expected) in [
        (json!({ "type": "number" }), "number"),
        (json!({ "type": "boolean" }), "boolean"),
        (json!({ "type": "string" }), "text"),
        (json!({ "type": "string", "format": "password" }), "password"),
        (json!({ "type": "object", "properties": { "response": { "type": "number" } } }), "number"),
        (json!({ "type": "integer" }), "integer"),
        (json!({ "type": "array" }), "array"),
        (json!({ "type": "string", "format": "email" }), "text"),
        (json!({}), "text"),
        (
            json!({ "type": "object", "properties": { "response": { "type": "string", "format": "password" } } }),
            "password",
        ),
        (
            json!({ "type": "object", "properties": { "other": { "type": "number" }, "response": { "type": "string" } } }),
            "text",
        ),
    ] {
        let asked = json!({ "id": "i", "reason": "x", "message": "How many?", "responseSchema": schema });
        let outcome = json!({ "type": "interrupt", "interrupts": [asked] });
        let ours = json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": outcome });
        let payload = json!({ "prompt": "How many?", "inputType": expected });
        assert_eq!(encoded(&[ours])[0]["interrupt"]["payload"], payload);
    }
}
