//! Contract 004 as far as the library goes: what it is made of, its common tasks, its chunks, its compaction. What a server
//! does with it is in `crates/server/tests/dialect/net_*.rs`, and what is read of older shapes in `net.rs`.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

use std::{collections::BTreeSet, fs, path::PathBuf};

use forestage_protocol::{
    apply::ThreadView,
    chunks::Expander,
    codec::sse,
    compact::compact,
    enforce,
    event::{
        AnyEvent, Event, EventType, RunError, RunFinished, RunStarted, StepFinished, StepStarted,
        TextMessageContent,
    },
    input::{Context, RunAgentInput},
    message::{Message, UserMessage},
    patch::Patch,
    schema,
    tool::Tool,
    wire::{Field, Shape, Struct},
};
use serde_json::{Value, json};

fn file(path: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn event(value: Value) -> Event {
    Event::from_json(&value.to_string()).unwrap_or_else(|fault| panic!("{}: {value}", fault.message))
}

fn values(events: &[Event]) -> Vec<Value> {
    events.iter().map(|event| serde_json::to_value(event).unwrap()).collect()
}

#[test]
fn the_library_is_a_crate_of_its_own_without_any_framework() {
    let manifest = file("Cargo.toml");
    assert!(
        manifest.contains("name = \"forestage-protocol\"")
            && manifest.contains("rust-version.workspace = true")
    );
    let dependencies = manifest.split("[dependencies]").nth(1).unwrap().split('[').next().unwrap();
    let names: BTreeSet<&str> = dependencies
        .lines()
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| !name.is_empty())
        .collect();
    let known = BTreeSet::from(["bytes", "memchr", "prost", "serde", "serde_json", "thiserror"]);
    assert!(names.is_subset(&known), "no agent framework, no runtime, no transport: {names:?}");
}

#[test]
fn reading_and_writing_is_decided_when_it_is_compiled() {
    // What is known at compile time can be a constant. No type is looked up by name at run time but by one `match`.
    const SHAPE: Shape = <Event as forestage_protocol::wire::Wire>::SHAPE;
    const NAME: &str = EventType::RunStarted.as_str();
    assert!(matches!(SHAPE, Shape::Union(_)));
    assert_eq!(NAME, "RUN_STARTED");
}

#[test]
fn one_event_is_written_in_camel_case_and_what_is_absent_is_left_out() {
    let event = Event::from(TextMessageContent::new("msg_123", "Hello world"));
    let json = event.to_json();
    assert_eq!(json, r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_123","delta":"Hello world"}"#);
    assert_eq!(serde_json::to_string(&event).unwrap(), json, "serde writes the same");
    assert_eq!(Event::from_json(&json).unwrap(), event);
    for (event, written) in [
        (Event::from(RunStarted::new("t", "r")), r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#),
        (RunFinished::new("t", "r").into(), r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#),
        (RunError::new("m").into(), r#"{"type":"RUN_ERROR","message":"m"}"#),
    ] {
        assert_eq!(event.to_json(), written, "no null for what is not there");
    }
}

#[test]
fn an_event_is_a_frame_of_an_event_stream() {
    let mut frame = Vec::new();
    sse::encode(Event::from(RunError::new("It broke")).to_json().as_bytes(), None, &mut frame);
    assert_eq!(frame, b"data: {\"type\":\"RUN_ERROR\",\"message\":\"It broke\"}\n\n");
}

#[test]
fn an_array_of_mixed_events_comes_back_with_its_types() {
    let events: Vec<Event> = vec![
        RunStarted::new("thread_abc", "run_001").into(),
        StepStarted::new("look it up").into(),
        event(json!({ "type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant" })),
        TextMessageContent::new("m", "Hello!").into(),
        event(json!({ "type": "TEXT_MESSAGE_END", "messageId": "m" })),
        StepFinished::new("look it up").into(),
        RunFinished::new("thread_abc", "run_001").into(),
    ];
    let json = serde_json::to_string(&events).unwrap();
    let restored: Vec<Event> = serde_json::from_str(&json).unwrap();
    assert_eq!(restored, events);
    assert!(
        matches!(restored[1], Event::StepStarted(_)) && matches!(restored[3], Event::TextMessageContent(_))
    );
    let mut view = ThreadView::default();
    for event in &restored {
        view.apply(event);
    }
    assert_eq!(messages(&view), json!([{ "id": "m", "role": "assistant", "content": "Hello!" }]));

    let every: Vec<Value> = schema::names()
        .iter()
        .filter_map(|name| match schema::shape(name) {
            Some(Shape::Struct(known))
                if known.tag.is_some_and(|(_, tag)| EventType::parse(tag).is_some()) =>
            {
                Some(object(known, 1, 0))
            }
            _ => None,
        })
        .collect();
    assert_eq!(every.len(), EventType::ALL.len());
    let restored: Vec<Event> = serde_json::from_str(&json!(every).to_string()).unwrap();
    let types: Vec<_> = restored.iter().map(|event| event.event_type().as_str()).collect();
    assert!(every.iter().zip(&types).all(|(event, kind)| event["type"] == *kind), "{types:?}");
    assert_eq!(serde_json::to_value(&restored).unwrap(), json!(every), "one of each, with all that it has");
}

#[test]
fn events_are_told_apart_by_type_and_messages_by_role_and_others_are_told() {
    assert!(matches!(event(json!({ "type": "STEP_STARTED", "stepName": "s" })), Event::StepStarted(_)));
    let fault = |text: &str| Event::from_json(text).unwrap_err();
    let unknown = fault(r#"{"type":"TOMORROW"}"#);
    assert_eq!((unknown.code, unknown.path.as_str()), ("unknown_event_type", "/type"));
    assert!(unknown.message.contains("TOMORROW"), "it is named: {}", unknown.message);
    assert_eq!(fault(r#"{"stepName":"s"}"#).code, "missing_type");
    let kept: AnyEvent = serde_json::from_str(r#"{"type":"TOMORROW","x":1}"#).unwrap();
    assert_eq!(
        (kept.event_type(), serde_json::to_string(&kept).unwrap().as_str()),
        ("TOMORROW", r#"{"type":"TOMORROW","x":1}"#)
    );

    let message = |text: &str| enforce::strict_as::<Message>(text);
    assert!(matches!(message(r#"{"id":"m1","role":"user","content":"Hi"}"#), Ok(Message::User(_))));
    let unknown = message(r#"{"id":"m1","role":"oracle","content":"Hi"}"#).unwrap_err();
    assert!(unknown.code == "unknown_value" && unknown.message.contains("oracle"), "{unknown:?}");
    let missing = message(r#"{"id":"m1","content":"Hi"}"#).unwrap_err();
    assert!(missing.message.contains("role"), "{missing:?}");
}

#[test]
fn what_is_malformed_is_told_with_its_place_and_what_was_wanted() {
    for (value, code, path, named) in [
        (json!({ "type": "STEP_STARTED" }), "missing_field", "", "stepName"),
        (json!({ "type": "STEP_STARTED", "stepName": 7 }), "wrong_type", "/stepName", "string"),
        (
            json!({ "type": "TEXT_MESSAGE_START", "messageId": "m", "role": "king" }),
            "unknown_value",
            "/role",
            "king",
        ),
        (
            json!({ "type": "STEP_STARTED", "stepName": "s", "step_name": "s" }),
            "unknown_property",
            "",
            "step_name",
        ),
    ] {
        let fault = Event::from_json(&value.to_string()).unwrap_err();
        assert!(
            fault.code == code && fault.path == path && fault.message.contains(named),
            "{value}: {fault:?}"
        );
    }
}

#[test]
fn an_input_is_made_in_one_expression() {
    let tool = Tool::new("get_weather", "Get weather info");
    let input = RunAgentInput {
        context: Some(vec![Context::new("user_timezone", "Europe/Paris")]),
        parent_run_id: Some("run_455".into()),
        tools: Some(vec![tool]),
        ..RunAgentInput::new("thread_123", "run_456", vec![UserMessage::new("msg_1", "Hello").into()])
    };
    let json = serde_json::to_value(&input).unwrap();
    let expected = json!({
        "threadId": "thread_123", "runId": "run_456", "parentRunId": "run_455",
        "messages": [{ "role": "user", "id": "msg_1", "content": "Hello" }],
        "tools": [{ "name": "get_weather", "description": "Get weather info" }],
        "context": [{ "description": "user_timezone", "value": "Europe/Paris" }],
    });
    assert_eq!(json, expected);
    assert_eq!(serde_json::from_value::<RunAgentInput>(json).unwrap(), input);
}

#[test]
fn the_six_operations_of_a_patch_do_what_the_contract_says() {
    let before = json!({
        "user": { "name": "ada" }, "conversation_state": "open", "temporary_data": 1,
        "pending_items": ["first", "second", "third"], "current": { "a": [1] }, "version": 2,
    });
    let after = |operations: Value| {
        let mut state = before.clone();
        let applied = serde_json::from_value::<Patch>(operations).unwrap().apply(&mut state);
        applied.map(|()| state.clone()).map_err(|_| state)
    };
    // The whole state, with this member changed, or gone.
    let with = |changes: &[(&str, Option<Value>)]| {
        let mut state = before.clone();
        for (name, value) in changes {
            match value {
                Some(value) => state[*name] = value.clone(),
                None => drop(state.as_object_mut().unwrap().remove(*name)),
            }
        }
        state
    };
    let theme = json!({ "theme": "dark" });
    for (operation, expected) in [
        (
            json!({ "op": "add", "path": "/user/preferences", "value": theme }),
            with(&[("user", Some(json!({ "name": "ada", "preferences": theme })))]),
        ),
        (
            json!({ "op": "add", "path": "/pending_items/1", "value": "new" }),
            with(&[("pending_items", Some(json!(["first", "new", "second", "third"])))]),
        ),
        (
            json!({ "op": "add", "path": "/pending_items/-", "value": null }),
            with(&[("pending_items", Some(json!(["first", "second", "third", null])))]),
        ),
        (json!({ "op": "add", "path": "/version", "value": 3 }), with(&[("version", Some(json!(3)))])),
        (
            json!({ "op": "replace", "path": "/conversation_state", "value": "paused" }),
            with(&[("conversation_state", Some(json!("paused")))]),
        ),
        (
            json!({ "op": "replace", "path": "/pending_items/1", "value": [2] }),
            with(&[("pending_items", Some(json!(["first", [2], "third"])))]),
        ),
        (json!({ "op": "remove", "path": "/temporary_data" }), with(&[("temporary_data", None)])),
        (
            json!({ "op": "remove", "path": "/pending_items/0" }),
            with(&[("pending_items", Some(json!(["second", "third"])))]),
        ),
        (
            json!({ "op": "move", "path": "/completed_items", "from": "/pending_items/0" }),
            with(&[
                ("pending_items", Some(json!(["second", "third"]))),
                ("completed_items", Some(json!("first"))),
            ]),
        ),
        (
            json!({ "op": "move", "path": "/pending_items/2", "from": "/pending_items/0" }),
            with(&[("pending_items", Some(json!(["second", "third", "first"])))]),
        ),
        (
            json!({ "op": "copy", "path": "/backup", "from": "/current" }),
            with(&[("backup", Some(json!({ "a": [1] })))]),
        ),
        (json!({ "op": "test", "path": "/version", "value": 2 }), before.clone()),
        (json!({ "op": "test", "path": "/current", "value": { "a": [1] } }), before.clone()),
        (
            json!({ "op": "add", "path": "/user/a~1b~01", "value": 1 }),
            with(&[("user", Some(json!({ "name": "ada", "a/b~1": 1 })))]),
        ),
        (json!({ "op": "replace", "path": "", "value": [] }), json!([])),
    ] {
        assert_eq!(after(json!([operation])), Ok(expected), "{operation}");
    }
    for wrong in [
        json!({ "op": "test", "path": "/version", "value": 3 }),
        json!({ "op": "test", "path": "/current", "value": { "a": [1, 2] } }),
        json!({ "op": "replace", "path": "/nowhere", "value": 3 }),
        json!({ "op": "remove", "path": "/nowhere" }),
        json!({ "op": "remove", "path": "/pending_items/3" }),
        json!({ "op": "add", "path": "/pending_items/4", "value": 1 }),
        json!({ "op": "add", "path": "/nowhere/there", "value": 1 }),
        json!({ "op": "move", "path": "/x", "from": "/nowhere" }),
        json!({ "op": "copy", "path": "/x", "from": "/nowhere" }),
    ] {
        let first = json!({ "op": "replace", "path": "/version", "value": 9 });
        assert_eq!(after(json!([first, wrong])), Err(before.clone()), "{wrong}: all of it or nothing");
    }
    let both = json!([
        { "op": "copy", "path": "/backup", "from": "/current" },
        { "op": "add", "path": "/current/a/-", "value": 2 },
        { "op": "test", "path": "/backup", "value": { "a": [1] } },
    ]);
    let expected = with(&[("backup", Some(json!({ "a": [1] }))), ("current", Some(json!({ "a": [1, 2] })))]);
    assert_eq!(after(both), Ok(expected), "one behind the other, and a copy is a copy");
}

/// What chunks become, between the start and the end of a run.
fn expanded(chunks: &[Value]) -> Result<Vec<Value>, &'static str> {
    let (mut expander, mut out) = (Expander::default(), Vec::new());
    let end = [json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" })];
    for chunk in chunks.iter().chain(&end) {
        expander.expand(event(chunk.clone()), &mut out).map_err(|violation| violation.rule.code())?;
    }
    out.pop();
    Ok(values(&out))
}

#[test]
fn chunks_of_text_become_a_start_contents_and_an_end() {
    let chunk = |more: Value| {
        let mut chunk = json!({ "type": "TEXT_MESSAGE_CHUNK" });
        chunk.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        chunk
    };
    let start = |id: &str, role: &str| json!({ "type": "TEXT_MESSAGE_START", "messageId": id, "role": role });
    let content =
        |id: &str, delta: &str| json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": delta });
    let end = |id: &str| json!({ "type": "TEXT_MESSAGE_END", "messageId": id });

    let two = [chunk(json!({ "messageId": "m", "delta": "Hel" })), chunk(json!({ "delta": "lo" }))];
    let told = vec![start("m", "assistant"), content("m", "Hel"), content("m", "lo"), end("m")];
    assert_eq!(
        expanded(&two),
        Ok(told),
        "the role is the assistant's where none is said, and later chunks need no id"
    );

    for role in ["developer", "system", "assistant", "user"] {
        let one = [chunk(json!({ "messageId": "m", "role": role, "delta": "x" }))];
        assert_eq!(expanded(&one), Ok(vec![start("m", role), content("m", "x"), end("m")]));
    }
    assert_eq!(
        expanded(&[chunk(json!({ "messageId": "m" }))]),
        Ok(vec![start("m", "assistant"), end("m")]),
        "no delta"
    );
    let next =
        [chunk(json!({ "messageId": "a", "delta": "1" })), chunk(json!({ "messageId": "b", "delta": "2" }))];
    let told = vec![
        start("a", "assistant"),
        content("a", "1"),
        end("a"),
        start("b", "assistant"),
        content("b", "2"),
        end("b"),
    ];
    assert_eq!(expanded(&next), Ok(told), "another id is another message");
    assert_eq!(
        expanded(&[chunk(json!({ "delta": "x" }))]),
        Err("chunk_incomplete"),
        "the first one needs an id"
    );
    let same = [
        chunk(json!({ "messageId": "a", "role": "user", "delta": "1" })),
        chunk(json!({ "messageId": "a", "delta": "2" })),
        json!({ "type": "STEP_STARTED", "stepName": "s" }),
        chunk(json!({ "messageId": "b", "role": "developer" })),
        chunk(json!({ "delta": "3" })),
    ];
    let told = vec![
        start("a", "user"),
        content("a", "1"),
        content("a", "2"),
        end("a"),
        json!({ "type": "STEP_STARTED", "stepName": "s" }),
        start("b", "developer"),
        content("b", "3"),
        end("b"),
    ];
    assert_eq!(
        expanded(&same),
        Ok(told),
        "the same id is the same message, and whatever else happens ends it"
    );
    for between in [
        json!({ "type": "CUSTOM", "name": "n", "value": 1 }),
        json!({ "type": "STATE_SNAPSHOT", "snapshot": {} }),
        json!({ "type": "STATE_DELTA", "delta": [] }),
        json!({ "type": "STEP_FINISHED", "stepName": "s" }),
        json!({ "type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "look" }),
        json!({ "type": "TOOL_CALL_RESULT", "messageId": "r", "toolCallId": "c", "content": "x" }),
        json!({ "type": "REASONING_START", "messageId": "t" }),
        json!({ "type": "MESSAGES_SNAPSHOT", "messages": [] }),
        json!({ "type": "RUN_ERROR", "message": "It broke" }),
    ] {
        let told = vec![start("a", "assistant"), content("a", "1"), end("a"), between.clone()];
        assert_eq!(
            expanded(&[chunk(json!({ "messageId": "a", "delta": "1" })), between.clone()]),
            Ok(told),
            "{between} ends it"
        );
    }
    let other = [
        chunk(json!({ "messageId": "a", "role": "user", "delta": "1" })),
        chunk(json!({ "messageId": "a", "role": "system", "delta": "2" })),
    ];
    assert_eq!(expanded(&other), Err("chunk_conflict"), "a message has one role");
}

#[test]
fn chunks_of_a_call_become_a_start_arguments_and_an_end() {
    let chunk = |more: Value| {
        let mut chunk = json!({ "type": "TOOL_CALL_CHUNK" });
        chunk.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        chunk
    };
    let first = chunk(
        json!({ "toolCallId": "c", "toolCallName": "look", "parentMessageId": "m", "delta": "{\"a\"" }),
    );
    let told = vec![
        json!({ "type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "look", "parentMessageId": "m" }),
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "{\"a\"" }),
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": ":1}" }),
        json!({ "type": "TOOL_CALL_END", "toolCallId": "c" }),
    ];
    assert_eq!(expanded(&[first, chunk(json!({ "delta": ":1}" }))]), Ok(told));
    let bare = [chunk(json!({ "toolCallId": "c", "toolCallName": "look" }))];
    let told = vec![
        json!({ "type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "look" }),
        json!({ "type": "TOOL_CALL_END", "toolCallId": "c" }),
    ];
    assert_eq!(expanded(&bare), Ok(told), "neither a parent nor a delta is needed");
    let two = [
        chunk(json!({ "toolCallId": "a", "toolCallName": "look", "parentMessageId": "m" })),
        chunk(json!({ "toolCallId": "a", "delta": "[1]" })),
        chunk(json!({ "toolCallId": "b", "toolCallName": "write", "parentMessageId": "n", "delta": "[2" })),
        chunk(json!({ "delta": "]" })),
    ];
    let start = |id: &str, name: &str, parent: &str| json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name, "parentMessageId": parent });
    let piece = |id: &str, delta: &str| json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": delta });
    let end = |id: &str| json!({ "type": "TOOL_CALL_END", "toolCallId": id });
    let told = vec![
        start("a", "look", "m"),
        piece("a", "[1]"),
        end("a"),
        start("b", "write", "n"),
        piece("b", "[2"),
        piece("b", "]"),
        end("b"),
    ];
    assert_eq!(expanded(&two), Ok(told), "another id is another call");
    for incomplete in
        [json!({ "toolCallName": "look" }), json!({ "toolCallId": "c" }), json!({ "delta": "{}" })]
    {
        assert_eq!(expanded(&[chunk(incomplete.clone())]), Err("chunk_incomplete"), "{incomplete}");
    }
    for later in [json!({ "toolCallName": "write" }), json!({ "toolCallId": "a", "parentMessageId": "n" })] {
        let first = chunk(json!({ "toolCallId": "a", "toolCallName": "look", "parentMessageId": "m" }));
        assert_eq!(expanded(&[first, chunk(later.clone())]), Err("chunk_conflict"), "{later}");
    }
}

#[test]
fn chunks_of_reasoning_become_a_message_of_it() {
    let chunk = |more: Value| {
        let mut chunk = json!({ "type": "REASONING_MESSAGE_CHUNK" });
        chunk.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        chunk
    };
    let told = vec![
        json!({ "type": "REASONING_MESSAGE_START", "messageId": "m", "role": "reasoning" }),
        json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": "m", "delta": "Hm" }),
        json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": "m", "delta": "." }),
        json!({ "type": "REASONING_MESSAGE_END", "messageId": "m" }),
    ];
    assert_eq!(
        expanded(&[chunk(json!({ "messageId": "m", "delta": "Hm" })), chunk(json!({ "delta": "." }))]),
        Ok(told)
    );
    assert_eq!(expanded(&[chunk(json!({ "delta": "Hm" }))]), Err("chunk_incomplete"));
    let two = [
        chunk(json!({ "messageId": "a" })),
        chunk(json!({ "messageId": "a", "delta": "1" })),
        chunk(json!({ "messageId": "b", "delta": "2" })),
    ];
    let start = |id: &str| json!({ "type": "REASONING_MESSAGE_START", "messageId": id, "role": "reasoning" });
    let piece = |id: &str, delta: &str| json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": id, "delta": delta });
    let end = |id: &str| json!({ "type": "REASONING_MESSAGE_END", "messageId": id });
    let told = vec![start("a"), piece("a", "1"), end("a"), start("b"), piece("b", "2"), end("b")];
    assert_eq!(expanded(&two), Ok(told), "another id is another message");
}

/// What a person sees after a run with these events.
fn seen(events: &[Value]) -> ThreadView {
    let mut view = ThreadView::default();
    view.apply(&RunStarted::new("t", "r").into());
    for one in events {
        view.apply(&event(one.clone()));
    }
    view
}

/// The messages that a person sees.
fn messages(view: &ThreadView) -> Value {
    serde_json::to_value(view.messages().collect::<Vec<_>>()).unwrap()
}

#[test]
fn pieces_are_joined_in_their_order_and_by_their_ids() {
    let start = |id: &str, role: &str| json!({ "type": "TEXT_MESSAGE_START", "messageId": id, "role": role });
    let piece =
        |id: &str, delta: &str| json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": delta });
    let end = |id: &str| json!({ "type": "TEXT_MESSAGE_END", "messageId": id });
    let think = |id: &str| json!({ "type": "REASONING_MESSAGE_START", "messageId": id, "role": "reasoning" });
    let thought = |id: &str, delta: &str| json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": id, "delta": delta });
    let view = seen(&[
        start("a", "assistant"),
        start("b", "system"),
        think("t"),
        piece("a", "1"),
        thought("t", "H"),
        piece("b", "x"),
        piece("a", "2"),
        thought("t", "m"),
        piece("b", "y"),
        end("a"),
        piece("b", "z"),
        end("b"),
    ]);
    let expected = json!([
        { "id": "a", "role": "assistant", "content": "12" },
        { "id": "b", "role": "system", "content": "xyz" },
        { "id": "t", "role": "reasoning", "content": "Hm" },
    ]);
    assert_eq!(messages(&view), expected);

    let call = |id: &str, name: &str| json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name, "parentMessageId": "m" });
    let piece = |id: &str, delta: &str| json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": delta });
    let result = |message: &str, id: &str, content: &str| json!({ "type": "TOOL_CALL_RESULT", "messageId": message, "toolCallId": id, "content": content });
    let view = seen(&[
        call("a", "look"),
        call("b", "write"),
        piece("a", "[1"),
        piece("b", "[2"),
        piece("a", ",1]"),
        piece("b", ",2]"),
        json!({ "type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "look" }),
        piece("c", "{}"),
        result("rb", "b", "written"),
        result("ra", "a", "found"),
        result("rc", "c", "lost"),
    ]);
    let call = |id: &str, name: &str, arguments: &str| json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } });
    let expected = json!([
        { "id": "m", "role": "assistant", "toolCalls": [call("a", "look", "[1,1]"), call("b", "write", "[2,2]")] },
        { "id": "rb", "role": "tool", "content": "written", "toolCallId": "b" },
        { "id": "ra", "role": "tool", "content": "found", "toolCallId": "a" },
        { "id": "c", "role": "assistant", "toolCalls": [call("c", "look", "{}")] },
        { "id": "rc", "role": "tool", "content": "lost", "toolCallId": "c" },
    ]);
    assert_eq!(messages(&view), expected, "arguments as well, and results stand behind their call");
}

#[test]
fn a_snapshot_replaces_the_whole_state_and_a_change_that_does_not_fit_changes_nothing() {
    let snapshot = |state: Value| json!({ "type": "STATE_SNAPSHOT", "snapshot": state });
    let delta = |operations: Value| json!({ "type": "STATE_DELTA", "delta": operations });
    let mut events = vec![snapshot(json!({ "a": 1, "b": 2 })), snapshot(json!({ "a": 5 }))];
    assert_eq!(*seen(&events).state(), json!({ "a": 5 }), "nothing of the one before is left");
    events
        .push(delta(json!([{ "op": "add", "path": "/c", "value": 1 }, { "op": "remove", "path": "/gone" }])));
    assert_eq!(*seen(&events).state(), json!({ "a": 5 }), "all of it or nothing");
    let mut view = seen(&events[..2]);
    assert!(
        view.apply(&event(events[2].clone())).warning.is_some(),
        "and it is told, so that a snapshot can be asked for"
    );
    events.push(snapshot(json!({ "fresh": true })));
    assert_eq!(*seen(&events).state(), json!({ "fresh": true }), "which puts it right");
}

#[test]
fn an_activity_is_replaced_unless_it_is_told_not_to_be() {
    let shown = |id: &str, kind: &str, content: Value, replace: Option<bool>| {
        let mut event =
            json!({ "type": "ACTIVITY_SNAPSHOT", "messageId": id, "activityType": kind, "content": content });
        if let Some(replace) = replace {
            event["replace"] = replace.into();
        }
        event
    };
    let message = |id: &str, kind: &str, content: Value| json!({ "id": id, "role": "activity", "activityType": kind, "content": content });
    let one = json!({ "n": 1, "m": { "deep": [1, 2] } });
    let two = json!({ "n": 2 });
    let first = || [shown("a", "PLAN", one.clone(), None), shown("b", "SEARCH", json!({ "n": 5 }), None)];
    let other = message("b", "SEARCH", json!({ "n": 5 }));
    for replace in [None, Some(true)] {
        let mut events = first().to_vec();
        events.push(shown("a", "STEPS", two.clone(), replace));
        let expected = json!([message("a", "STEPS", two.clone()), other]);
        assert_eq!(messages(&seen(&events)), expected, "wholly, where it stands: {replace:?}");
    }
    let mut events = first().to_vec();
    events.push(shown("a", "STEPS", two.clone(), Some(false)));
    let expected = json!([message("a", "PLAN", one.clone()), other]);
    assert_eq!(messages(&seen(&events)), expected, "it exists, so this one is ignored");
    assert_eq!(
        messages(&seen(&[shown("a", "PLAN", two.clone(), Some(false))])),
        json!([message("a", "PLAN", two)]),
        "and one that does not exist is made"
    );
    let said = [
        json!({ "type": "TEXT_MESSAGE_START", "messageId": "a", "role": "assistant" }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "a", "delta": "Words" }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": "a" }),
    ];
    for (replace, expected) in [
        (Some(false), json!({ "id": "a", "role": "assistant", "content": "Words" })),
        (Some(true), message("a", "PLAN", one.clone())),
        (None, message("a", "PLAN", one.clone())),
    ] {
        let events = [&said[..], &[shown("a", "PLAN", one.clone(), replace)]].concat();
        assert_eq!(messages(&seen(&events)), json!([expected]), "whatever message it is: {replace:?}");
    }
    let delta = |id: &str, patch: Value| json!({ "type": "ACTIVITY_DELTA", "messageId": id, "activityType": "PLAN", "patch": patch });
    let mut events = first().to_vec();
    events.push(delta("a", json!([{ "op": "replace", "path": "/n", "value": 9 }, { "op": "add", "path": "/m/deep/0", "value": 0 }])));
    events.push(delta(
        "a",
        json!([{ "op": "add", "path": "/new", "value": null }, { "op": "remove", "path": "/gone" }]),
    ));
    let expected = json!([message("a", "PLAN", json!({ "n": 9, "m": { "deep": [0, 1, 2] } })), other]);
    assert_eq!(messages(&seen(&events)), expected, "and a change that does not fit changes nothing");
}

/// A run around events, made shorter.
fn shorter(events: &[Value]) -> Vec<Value> {
    let start = json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r" });
    let end = json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" });
    let all: Vec<Event> =
        std::iter::once(&start).chain(events).chain([&end]).map(|it| event(it.clone())).collect();
    let mut short = values(&compact(all).expect("it is legal"));
    short.remove(0);
    short.pop();
    short
}

#[test]
fn a_message_in_pieces_becomes_one_record() {
    let start = |id: &str, role: &str| json!({ "type": "TEXT_MESSAGE_START", "messageId": id, "role": role });
    let piece =
        |id: &str, delta: &str| json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": delta });
    let end = |id: &str| json!({ "type": "TEXT_MESSAGE_END", "messageId": id });
    let short = shorter(&[
        start("a", "assistant"),
        piece("a", "Hel"),
        piece("a", "lo"),
        piece("a", "!"),
        end("a"),
        start("b", "user"),
        piece("b", "Good"),
        piece("b", "bye"),
        end("b"),
    ]);
    let whole = [
        start("a", "assistant"),
        piece("a", "Hello!"),
        end("a"),
        start("b", "user"),
        piece("b", "Goodbye"),
        end("b"),
    ];
    assert_eq!(short, whole);
    let step = json!({ "type": "STEP_STARTED", "stepName": "s" });
    let (first, second) = (start("a", "assistant"), start("b", "assistant"));
    let side_by_side = [
        first.clone(),
        second.clone(),
        piece("a", "1"),
        piece("b", "x"),
        step.clone(),
        piece("a", "2"),
        piece("b", "y"),
        end("b"),
        end("a"),
    ];
    let whole = [first, second, piece("a", "12"), piece("b", "xy"), step, end("b"), end("a")];
    assert_eq!(shorter(&side_by_side), whole, "each for itself");
    let chunk = |more: Value| {
        let mut chunk = json!({ "type": "TEXT_MESSAGE_CHUNK" });
        chunk.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        chunk
    };
    let chunks = [chunk(json!({ "messageId": "c", "delta": "1" })), chunk(json!({ "delta": "2" }))];
    assert_eq!(shorter(&chunks), [start("c", "assistant"), piece("c", "12"), end("c")]);
}

#[test]
fn a_call_in_pieces_becomes_one_record() {
    let start = |id: &str, name: &str| json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name, "parentMessageId": "m" });
    let piece = |id: &str, delta: &str| json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": delta });
    let end = |id: &str| json!({ "type": "TOOL_CALL_END", "toolCallId": id });
    let result = |id: &str| json!({ "type": "TOOL_CALL_RESULT", "messageId": format!("of-{id}"), "toolCallId": id, "content": "x" });
    let short = shorter(&[
        start("a", "look"),
        piece("a", "{\"a\""),
        piece("a", ":"),
        piece("a", "1}"),
        end("a"),
        result("a"),
        start("b", "write"),
        start("c", "look"),
        piece("b", "[2"),
        piece("c", "[3"),
        piece("b", "]"),
        piece("c", "]"),
        end("c"),
        end("b"),
        result("b"),
        result("c"),
    ]);
    let whole = [
        start("a", "look"),
        piece("a", "{\"a\":1}"),
        end("a"),
        result("a"),
        start("b", "write"),
        start("c", "look"),
        piece("b", "[2]"),
        piece("c", "[3]"),
        end("c"),
        end("b"),
        result("b"),
        result("c"),
    ];
    assert_eq!(short, whole);
}

#[test]
fn changes_of_a_known_state_become_that_state_and_others_stay() {
    let snapshot = |state: Value| json!({ "type": "STATE_SNAPSHOT", "snapshot": state });
    let set = |name: &str, n: u64| json!({ "type": "STATE_DELTA", "delta": [{ "op": "add", "path": format!("/{name}"), "value": n }] });
    let wrong = json!({ "type": "STATE_DELTA", "delta": [{ "op": "add", "path": "/z", "value": 1 }, { "op": "remove", "path": "/gone" }] });
    let base = snapshot(json!({ "a": 0, "kept": [1] }));
    assert_eq!(
        shorter(&[base.clone(), set("a", 1), set("b", 2), wrong.clone(), set("a", 3)]),
        [snapshot(json!({ "a": 3, "kept": [1], "b": 2 }))],
        "the last state alone, with all that changed and with nothing that did not fit"
    );
    assert_eq!(
        shorter(&[set("a", 1), set("b", 2)]),
        [set("a", 1), set("b", 2)],
        "nobody knows what they build on"
    );
    assert_eq!(
        shorter(&[set("a", 1), base.clone(), set("a", 6)]),
        [set("a", 1), snapshot(json!({ "a": 6, "kept": [1] }))]
    );
    assert_eq!(shorter(&[base.clone(), set("a", 1), snapshot(json!([2]))]), [snapshot(json!([2]))]);
    let step = json!({ "type": "STEP_STARTED", "stepName": "s" });
    assert_eq!(
        shorter(&[base.clone(), step.clone(), set("a", 1)]),
        [step, snapshot(json!({ "a": 1, "kept": [1] }))],
        "it is not known before it is whole"
    );
    let of = |mut event: Value, subagent: &str| {
        event["subagentRunId"] = json!(subagent);
        event
    };
    let begun = |id: &str| json!({ "type": "SUBAGENT_STARTED", "subagentRunId": id, "name": "helper" });
    let ended = |id: &str| json!({ "type": "SUBAGENT_FINISHED", "subagentRunId": id });
    assert_eq!(
        shorter(&[
            begun("s1"),
            base.clone(),
            set("a", 1),
            of(set("b", 2), "s1"),
            of(set("b", 3), "s1"),
            ended("s1")
        ]),
        [
            begun("s1"),
            snapshot(json!({ "a": 1, "kept": [1] })),
            of(set("b", 2), "s1"),
            of(set("b", 3), "s1"),
            ended("s1")
        ],
        "what somebody else changed is still theirs"
    );
}

/// So many values of each shape are tried: the shortest one, and others with every member there is.
const SAMPLES: usize = 6;

/// One of the values of a shape for a member of this name. No two members of one object have the same.
fn sample(shape: &Shape, name: &str, turn: usize, depth: usize) -> Value {
    let inside = |item: &Shape, at: usize| sample(item, &format!("{name}-{at}"), turn, depth + 1);
    match shape {
        Shape::Any => [Value::Null, json!({ name: [turn, null] }), json!(name)][turn % 3].clone(),
        Shape::Present => [json!(false), json!({ name: [turn, null] }), json!(name)][turn % 3].clone(),
        Shape::Integer { min, max } => {
            json!(i64::try_from(name.len() * 100 + turn).unwrap_or_default().clamp(*min, *max))
        }
        Shape::Object => json!({ name: { "turn": turn } }),
        Shape::TextOrParts(part) if turn % 2 == 1 => json!([inside(part, 0), inside(part, 1)]),
        Shape::Text | Shape::TextOrParts(_) => json!(format!("{name} \"{turn}\"\n")),
        Shape::Pointer => json!(format!("/{name}/{turn}")),
        Shape::Bool => json!(turn.is_multiple_of(2)),
        Shape::Name(names) => json!(names.members[turn % names.members.len()]),
        Shape::List { item, min } => {
            (0..(*min).max(usize::from(turn > 0) * (1 + turn % 2))).map(|at| inside(item, at)).collect()
        }
        Shape::Struct(known) => object(known, turn, depth),
        Shape::Union(union) => object(union.members[turn % union.members.len()], turn, depth),
        Shape::Operation => operations()[turn % 6].clone(),
    }
}

/// The six operations of a patch.
fn operations() -> [Value; 6] {
    [
        json!({ "op": "remove", "path": "/a" }),
        json!({ "op": "add", "path": "/b", "value": null }),
        json!({ "op": "replace", "path": "/c/0", "value": { "x": [1] } }),
        json!({ "op": "move", "path": "/d", "from": "/e" }),
        json!({ "op": "copy", "path": "/f", "from": "/g" }),
        json!({ "op": "test", "path": "", "value": "h" }),
    ]
}

fn object(known: &Struct, turn: usize, depth: usize) -> Value {
    let tag = known.tag.into_iter().map(|(key, tag)| (key.to_owned(), json!(tag)));
    let fields = known.all_fields().filter(|field| field.required || turn > 0 && depth < 4);
    let member = |field: &Field| (field.name.to_owned(), sample(&field.shape, field.name, turn, depth + 1));
    tag.chain(fields.map(member)).collect()
}

#[test]
fn every_event_and_every_message_goes_there_and_back_in_full() {
    let (mut events, mut roles) = (BTreeSet::new(), BTreeSet::new());
    for name in schema::names() {
        let Some(Shape::Struct(known)) = schema::shape(&name) else { continue };
        for turn in 0..SAMPLES {
            let value = object(known, turn, 0);
            let back = match known.tag {
                Some(("type", tag)) if EventType::parse(tag).is_some() => {
                    events.insert(tag);
                    let read = event(value.clone());
                    assert_eq!(read.event_type().as_str(), tag);
                    assert_eq!(serde_json::from_value::<Event>(value.clone()).unwrap(), read, "{value}");
                    assert_eq!(serde_json::to_string(&read).unwrap(), read.to_json(), "{value}");
                    serde_json::to_value(read).unwrap()
                }
                Some(("role", role)) => {
                    roles.insert(role);
                    let message: Message =
                        serde_json::from_value(value.clone()).unwrap_or_else(|it| panic!("{it}: {value}"));
                    assert_eq!(message.role(), role);
                    serde_json::to_value(message).unwrap()
                }
                _ => continue,
            };
            assert_eq!(back, value);
        }
    }
    assert_eq!(
        events,
        EventType::ALL.iter().map(|kind| kind.as_str()).collect(),
        "none of the table is left out"
    );
    let expected = ["activity", "assistant", "developer", "reasoning", "system", "tool", "user"];
    assert_eq!(roles, expected.into());
}

#[test]
fn how_to_add_an_event_or_a_message_is_written_down_and_names_what_is_there() {
    let guide = file("../../docs/ARCHITECTURE.md");
    for (title, steps) in [("## How to add an event", 4), ("## How to add a message", 4)] {
        let section =
            guide.split(title).nth(1).unwrap_or_else(|| panic!("{title}")).split("\n## ").next().unwrap();
        for step in 1..=steps {
            assert!(section.contains(&format!("\n{step}. ")), "{title}: step {step}");
        }
        let places = section
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|place| place.contains('/') && !place.contains(['*', '<', ' ']));
        let places: Vec<&str> = places.collect();
        assert!(!places.is_empty(), "{title}");
        for place in places {
            let roots = ["../..", "src", "src/message", "../protocol/src"];
            let base = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
            assert!(roots.iter().any(|root| base.join(root).join(place).exists()), "{title}: {place}");
        }
    }
}

#[test]
fn types_are_in_groups_closed_and_documented() {
    for (module, declares) in [
        ("src/input.rs", "plain RunAgentInput"),
        ("src/event/lifecycle.rs", "event \"RUN_STARTED\" RunStarted"),
        ("src/message/mod.rs", "tagged \"role\" \"user\" UserMessage"),
        ("src/tool.rs", "plain Tool"),
        ("src/property.rs", "THREAD_ID = \"threadId\""),
    ] {
        assert!(file(module).contains(declares), "{module}: {declares}");
    }
    let document = schema::document();
    let definitions = document["$defs"].as_object().unwrap();
    let names: Vec<&String> =
        definitions.keys().filter(|name| name.ends_with("Event") && *name != "Event").collect();
    assert_eq!(names.len(), EventType::ALL.len(), "every event is named as one");
    for name in names {
        let definition = &definitions[name];
        assert_eq!(definition["additionalProperties"], json!(false), "{name} is closed");
        assert!(definition["description"].is_string(), "{name} is documented");
    }
}
