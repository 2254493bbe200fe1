//! Streams of AGUI.Protocol, read as AG-UI 1.0: every shape of that contract that 1.0 has retired or never had.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

use forestage_protocol::{
    Warning,
    apply::ThreadView,
    compat::{net, upgrade_net_input},
    event::Event,
    interrupt::{Interrupt, RunOutcome},
    pipeline::{Fold, Reader, StreamError},
};
use serde_json::{Value, json};

struct Read {
    events: Vec<Value>,
    warnings: Vec<Warning>,
    view: ThreadView,
}

fn started() -> Value {
    json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r" })
}

fn finished(more: Value) -> Value {
    let mut event = json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" });
    event.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    event
}

fn read_with(reader: Reader, stream: &[Value]) -> Result<Read, StreamError> {
    let mut fold = Fold::new(reader, ThreadView::default());
    let mut events = Vec::new();
    for event in stream {
        fold.read_json(&event.to_string(), |event| events.push(serde_json::to_value(event).unwrap()))?;
    }
    fold.finish()?;
    Ok(Read { events, warnings: fold.take_warnings(), view: fold.view().clone() })
}

fn read(stream: &[Value]) -> Read {
    read_with(Reader::default().with_net(), stream).unwrap_or_else(|error| panic!("{error}: {stream:#?}"))
}

/// The question that a run ends on.
fn asked(interrupt: Value) -> Value {
    let end =
        json!({ "outcome": "interrupt", "interrupt": interrupt, "result": { "so": "far" }, "timestamp": 7 });
    let read = read(&[started(), finished(end)]);
    let last = read.events.last().unwrap();
    let outcome = json!({ "type": "interrupt", "interrupts": [last["outcome"]["interrupts"][0]] });
    let expected = finished(json!({ "outcome": outcome, "result": { "so": "far" }, "timestamp": 7 }));
    assert_eq!(*last, expected, "the older member is gone, and all others are there");
    assert_eq!(read.warnings.len(), 1, "{:?}", read.warnings);
    assert_eq!(read.warnings[0].code, "retired_shape");
    last["outcome"]["interrupts"][0].clone()
}

#[test]
fn an_outcome_that_is_a_word_is_an_object() {
    let read = read(&[started(), finished(json!({ "outcome": "success", "result": 7 }))]);
    assert_eq!(read.events[1], finished(json!({ "outcome": { "type": "success" }, "result": 7 })));
    assert_eq!(read.warnings[0].path.as_deref(), Some("/outcome"));
}

#[test]
fn an_approval_is_a_question_about_a_tool_with_yes_or_no() {
    let payload = json!({ "functionName": "delete_file", "functionArguments": { "path": "/important.txt" } });
    let question = asked(json!({ "id": "call_abc123", "payload": payload }));
    let answer = json!({ "type": "object", "properties": { "approved": { "type": "boolean" } }, "required": ["approved"] });
    let expected = json!({
        "id": "call_abc123", "reason": "tool_call", "message": "May `delete_file` be called?", "responseSchema": answer,
        "metadata": { "net": { "payload": payload } },
    });
    assert_eq!(question, expected, "nothing of it is lost, and no such call was made");
}

#[test]
fn an_approval_of_a_call_that_was_shown_is_about_that_call() {
    let call =
        |id: &str, name: &str| json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name });
    let end = |id: &str| json!({ "type": "TOOL_CALL_END", "toolCallId": id });
    let interrupt =
        json!({ "id": "c1", "payload": { "functionName": "delete_file", "functionArguments": {} } });
    let outcome = json!({ "outcome": "interrupt", "interrupt": interrupt });
    let calls = [call("c1", "delete_file"), end("c1"), call("c2", "look"), end("c2")];
    let mut stream = vec![started()];
    stream.extend(calls);
    stream.push(finished(outcome.clone()));
    let asked = |stream: &[Value]| read(stream).events.pop().unwrap()["outcome"]["interrupts"][0].clone();
    assert_eq!((&asked(&stream)["id"], &asked(&stream)["toolCallId"]), (&json!("c1"), &json!("c1")));
    let mut next = started();
    next["runId"] = json!("r2");
    let mut last = finished(outcome);
    last["runId"] = json!("r2");
    stream.extend([next, last]);
    assert!(
        asked(&stream).get("toolCallId").is_none(),
        "the calls of the run before are not those of this one"
    );
}

#[test]
fn an_input_is_a_question_with_its_prompt_and_a_password_is_one() {
    for (input_type, schema) in [
        (Some("password"), json!({ "type": "string", "format": "password" })),
        (Some("number"), json!({ "type": "number" })),
        (Some("integer"), json!({ "type": "integer" })),
        (Some("boolean"), json!({ "type": "boolean" })),
        (Some("text"), json!({ "type": "string" })),
        (Some("colour"), json!({ "type": "string" })),
        (None, json!({ "type": "string" })),
    ] {
        let mut payload = json!({ "prompt": "Please enter it" });
        if let Some(input_type) = input_type {
            payload["inputType"] = json!(input_type);
        }
        let answer =
            json!({ "type": "object", "properties": { "response": schema }, "required": ["response"] });
        let expected = json!({
            "id": "input_789", "reason": "input_required", "message": "Please enter it", "responseSchema": answer,
            "metadata": { "net": { "payload": payload } },
        });
        assert_eq!(asked(json!({ "id": "input_789", "payload": payload })), expected);
    }
}

#[test]
fn any_other_interrupt_is_a_question_that_keeps_its_payload() {
    let question = asked(json!({ "id": "i", "payload": [1, 2] }));
    assert_eq!(
        (&question["reason"], &question["metadata"]["net"]["payload"]),
        (&json!("interrupt"), &json!([1, 2]))
    );
    let silent = asked(json!({ "id": "i" }));
    assert_eq!(silent["metadata"], json!({ "net": {} }));
}

#[test]
fn a_question_without_the_word_still_waits_and_the_word_without_a_question_is_refused() {
    let read = read(&[started(), finished(json!({ "interrupt": { "id": "i" } }))]);
    assert_eq!(read.events[1]["outcome"]["interrupts"][0]["id"], "i");
    for interrupt in [Value::Null, json!({}), json!({ "id": 7 }), json!("i")] {
        let stream = [started(), finished(json!({ "outcome": "interrupt", "interrupt": interrupt }))];
        let error = read_with(Reader::default().with_net(), &stream).err().expect("nothing to answer");
        assert_eq!((error.index, error.path.as_deref()), (1, Some("/outcome")), "{interrupt}");
    }
}

#[test]
fn meta_is_a_custom_event_wherever_it_stands() {
    let meta = |at: u64| json!({ "type": "META", "metaType": format!("thumb_{at}"), "payload": { "at": at, "by": null }, "timestamp": at, "rawEvent": [at] });
    let start = json!({ "type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant" });
    let end = json!({ "type": "TEXT_MESSAGE_END", "messageId": "m" });
    let read = read(&[started(), meta(1), start, meta(2), end, finished(json!({}))]);
    for (index, at) in [(1, 1), (3, 2)] {
        let custom = json!({ "type": "CUSTOM", "name": format!("meta:thumb_{at}"), "value": { "at": at, "by": null }, "timestamp": at, "rawEvent": [at] });
        assert_eq!(read.events[index], custom);
    }
    assert_eq!(read.events.len(), 6);
}

#[test]
fn meta_without_a_type_or_a_payload_is_dropped_with_a_warning() {
    for meta in
        [json!({ "type": "META", "payload": {} }), json!({ "type": "META", "metaType": "x", "payload": 1 })]
    {
        let read = read(&[started(), meta, finished(json!({}))]);
        assert_eq!(read.events.len(), 2);
        assert_eq!(read.warnings[0].code, "unknown_event_type");
    }
}

/// A span of reasoning with these events in it.
fn span(content: &str, inside: &[Value]) -> Vec<Value> {
    let mut events =
        vec![started(), json!({ "type": "REASONING_START", "messageId": "s", "encryptedContent": content })];
    events.extend(inside.iter().cloned());
    events.push(json!({ "type": "REASONING_END", "messageId": "s" }));
    events.push(finished(json!({})));
    events
}

#[test]
fn encrypted_content_belongs_to_the_first_message_of_its_span() {
    let message = [
        json!({ "type": "REASONING_MESSAGE_START", "messageId": "m", "role": "assistant" }),
        json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": "m", "delta": "Hm." }),
        json!({ "type": "REASONING_MESSAGE_END", "messageId": "m" }),
    ];
    let chunk = [json!({ "type": "REASONING_MESSAGE_CHUNK", "messageId": "m", "delta": "Hm." })];
    for inside in [&message[..], &chunk[..]] {
        let read = read(&span("sealed", inside));
        let expected = [
            started(),
            json!({ "type": "REASONING_START", "messageId": "s" }),
            json!({ "type": "REASONING_MESSAGE_START", "messageId": "m", "role": "reasoning" }),
            json!({ "type": "REASONING_ENCRYPTED_VALUE", "subtype": "message", "entityId": "m", "encryptedValue": "sealed" }),
            json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": "m", "delta": "Hm." }),
            json!({ "type": "REASONING_MESSAGE_END", "messageId": "m" }),
            json!({ "type": "REASONING_END", "messageId": "s" }),
            finished(json!({})),
        ];
        assert_eq!(read.events, expected);
        let message = serde_json::to_value(read.view.messages().next().unwrap()).unwrap();
        let whole = json!({ "id": "m", "role": "reasoning", "content": "Hm.", "encryptedValue": "sealed" });
        assert_eq!(message, whole);
    }
}

#[test]
fn encrypted_content_without_any_message_is_kept_with_an_empty_one() {
    let read = read(&span("sealed", &[]));
    let message = serde_json::to_value(read.view.messages().next().unwrap()).unwrap();
    assert_eq!(message, json!({ "id": "s", "role": "reasoning", "content": "", "encryptedValue": "sealed" }));
}

#[test]
fn the_sealed_value_of_one_span_is_not_that_of_the_next() {
    let mut stream = span("one", &[]);
    stream.truncate(stream.len() - 1);
    stream.push(json!({ "type": "REASONING_START", "messageId": "s2" }));
    stream.push(json!({ "type": "REASONING_MESSAGE_CHUNK", "messageId": "m2", "delta": "Plain." }));
    stream.push(json!({ "type": "REASONING_END", "messageId": "s2" }));
    stream.push(finished(json!({})));
    let read = read(&stream);
    let messages: Vec<Value> = read.view.messages().map(|it| serde_json::to_value(it).unwrap()).collect();
    assert_eq!((&messages[0]["encryptedValue"], messages[1].get("encryptedValue")), (&json!("one"), None));
}

#[test]
fn encrypted_content_survives_a_message_in_chunks_that_its_span_closes() {
    let mut stream =
        span("sealed", &[json!({ "type": "REASONING_MESSAGE_CHUNK", "messageId": "m", "delta": "Hm." })]);
    stream.insert(1, json!({ "type": "TEXT_MESSAGE_CHUNK", "messageId": "t", "delta": "First." }));
    let read = read(&stream);
    let last = serde_json::to_value(read.view.messages().last().unwrap()).unwrap();
    assert_eq!((&last["role"], &last["encryptedValue"]), (&json!("reasoning"), &json!("sealed")));
}

/// A user message with one part.
fn with_part(part: Value) -> Value {
    json!([{ "id": "u", "role": "user", "content": [part] }])
}

#[test]
fn binary_parts_are_media_parts_in_snapshots_and_in_inputs() {
    let by_data = json!({ "type": "binary", "mimeType": "audio/wav", "data": "UklG", "filename": "a.wav" });
    let by_url = json!({ "type": "binary", "mimeType": "image/png", "url": "https://example.org/a.png" });
    let by_id = json!({ "type": "binary", "mimeType": "application/pdf", "id": "file-1" });
    let by_all = json!({ "type": "binary", "mimeType": "image/png", "data": "AA==", "id": "file-2", "url": "https://example.org/b.png", "filename": "b.png" });
    let cases = [
        (
            by_all,
            json!({ "type": "image", "source": { "type": "data", "value": "AA==", "mimeType": "image/png" },
                "metadata": { "id": "file-2", "url": "https://example.org/b.png", "filename": "b.png" } }),
        ),
        (
            by_data,
            json!({ "type": "audio", "source": { "type": "data", "value": "UklG", "mimeType": "audio/wav" }, "metadata": { "filename": "a.wav" } }),
        ),
        (
            by_url,
            json!({ "type": "image", "source": { "type": "url", "value": "https://example.org/a.png", "mimeType": "image/png" } }),
        ),
        (
            by_id,
            json!({ "type": "document", "source": { "type": "url", "value": "upload:file-1", "mimeType": "application/pdf" }, "metadata": { "id": "file-1" } }),
        ),
    ];
    for (binary, media) in cases {
        let snapshot = json!({ "type": "MESSAGES_SNAPSHOT", "messages": with_part(binary.clone()) });
        let mut begun = started();
        begun["input"] = json!({ "threadId": "t", "runId": "r", "messages": with_part(binary.clone()) });
        let read = read(&[begun, snapshot, finished(json!({}))]);
        assert_eq!(read.events[0]["input"]["messages"], with_part(media.clone()));
        assert_eq!(read.events[1]["messages"], with_part(media.clone()));
        let mut back = media;
        net::downgrade_part(&mut back);
        assert_eq!(back, binary, "and back");
    }
    let nowhere = json!({ "type": "binary", "mimeType": "image/png" });
    let snapshot = json!({ "type": "MESSAGES_SNAPSHOT", "messages": with_part(nowhere) });
    let read = read_with(Reader::default().with_net(), &[started(), snapshot, finished(json!({}))]);
    assert!(read.is_err() || read.is_ok_and(|read| read.events[1]["messages"][0]["content"] == json!([])));
}

#[test]
fn one_answer_is_a_list_of_one() {
    for payload in [Some(json!({ "approved": false })), Some(json!({ "response": "sk-1" })), None] {
        let mut input = json!({ "threadId": "t", "runId": "r", "messages": [], "tools": [], "context": [], "state": {},
            "resume": { "interruptId": "i" } });
        let mut expected = input.clone();
        let mut entry = json!({ "interruptId": "i", "status": "resolved" });
        if let Some(payload) = payload {
            input["resume"]["payload"] = payload.clone();
            entry["payload"] = payload;
        }
        expected["resume"] = json!([entry]);
        let mut begun = started();
        begun["input"] = input.clone();
        assert_eq!(read(&[begun, finished(json!({}))]).events[0]["input"], expected);
        let mut warnings = Vec::new();
        upgrade_net_input(&mut input, &mut warnings);
        assert_eq!((&input, warnings[0].path.as_deref()), (&expected, Some("/resume")));
    }
}

#[test]
fn a_reader_that_is_not_told_so_reads_none_of_it() {
    let role = json!({ "type": "REASONING_MESSAGE_START", "messageId": "m", "role": "assistant" });
    let word = finished(json!({ "outcome": "interrupt", "interrupt": { "id": "i" } }));
    for (stream, index) in [(vec![started(), role], 1), (vec![started(), word], 1)] {
        assert_eq!(read_with(Reader::default(), &stream).err().expect("no 1.0").index, index);
    }
    let meta = json!({ "type": "META", "metaType": "x", "payload": {} });
    let read = read_with(Reader::default(), &[started(), meta, finished(json!({}))])
        .unwrap_or_else(|it| panic!("{it}"));
    assert_eq!(read.events.len(), 2);
}

#[test]
fn a_stream_of_1_0_is_read_without_a_warning() {
    let question = json!({ "id": "i", "reason": "tool_call" });
    let outcome = json!({ "outcome": { "type": "interrupt", "interrupts": [question] } });
    let stream = [
        started(),
        json!({ "type": "REASONING_START", "messageId": "s" }),
        json!({ "type": "REASONING_END", "messageId": "s" }),
        json!({ "type": "CUSTOM", "name": "meta:x", "value": {} }),
        finished(outcome),
    ];
    let read = read(&stream);
    assert_eq!((read.events, read.warnings), (stream.to_vec(), Vec::new()));
}

#[test]
fn a_question_goes_back_as_it_came_and_an_answer_in_its_words() {
    let payload = json!({ "functionName": "pay", "functionArguments": { "amount": 7 } });
    let asked = net::Interrupt { payload: Some(payload.into()), ..net::Interrupt::new("i") };
    let upgraded = Interrupt::from(asked.clone());
    assert_eq!(net::Interrupt::of(&upgraded), Some(asked));
    assert_eq!(net::Interrupt::of(&Interrupt::new("i", "tool_call")), None);
    let entry = |status| serde_json::from_value(json!({ "interruptId": "i", "status": status })).unwrap();
    let no = net::downgrade_resume(&upgraded, &entry("cancelled"));
    assert_eq!(
        serde_json::to_value(no).unwrap(),
        json!({ "interruptId": "i", "payload": { "approved": false } })
    );
    let words = Interrupt::from(net::Interrupt {
        payload: Some(json!({ "prompt": "Name?" }).into()),
        ..net::Interrupt::new("i")
    });
    let no = net::downgrade_resume(&words, &entry("cancelled"));
    assert_eq!(serde_json::to_value(no).unwrap(), json!({ "interruptId": "i" }));
}

#[test]
fn outcomes_read_as_types_are_what_the_types_say() {
    let mut last = None;
    let mut reader = Reader::default().with_net();
    for event in [started(), finished(json!({ "outcome": "interrupt", "interrupt": { "id": "i" } }))] {
        reader.read_json(&event.to_string(), |event| last = Some(event)).unwrap();
    }
    let Some(Event::RunFinished(event)) = last else { panic!("{last:?}") };
    assert!(matches!(event.outcome, Some(RunOutcome::Interrupt(_))));
}
