//! Contract 004, event by event and message by message: what the log has, and what a client of the contract sees.

use forestage_protocol::event::Event;
use forestage_server::dialect::{
    Encode,
    net::{Encoder, decode},
};
use serde_json::{Value, json};

/// Every event of the contract, as it is written on either side. One string where both are the same.
const EVENTS: [(&str, Option<&str>); 31] = [
    (r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","timestamp":1}"#, None),
    (r#"{"type":"RUN_STARTED","threadId":"t","runId":"r2","parentRunId":"r"}"#, None),
    (
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":{"a":1},"outcome":{"type":"success"}}"#,
        Some(r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":{"a":1},"outcome":"success"}"#),
    ),
    (
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"x","message":"Name?"}]}}"#,
        Some(
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":"interrupt","interrupt":{"id":"i","payload":{"prompt":"Name?","inputType":"text"}}}"#,
        ),
    ),
    (r#"{"type":"RUN_ERROR","message":"m","code":"c"}"#, None),
    (r#"{"type":"RUN_ERROR","message":"m"}"#, None),
    (r#"{"type":"STEP_STARTED","stepName":"s"}"#, None),
    (r#"{"type":"STEP_FINISHED","stepName":"s"}"#, None),
    (r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#, None),
    (r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"d","rawEvent":{"id":1}}"#, None),
    (r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#, None),
    (r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","role":"system","delta":"d"}"#, None),
    (r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"n","parentMessageId":"m"}"#, None),
    (r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{}"}"#, None),
    (r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#, None),
    (r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":"ok","role":"tool"}"#, None),
    (
        r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"text","text":"ok"}]}"#,
        Some(r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":"ok"}"#),
    ),
    (
        r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"n","parentMessageId":"m","delta":"{"}"#,
        None,
    ),
    (r#"{"type":"STATE_SNAPSHOT","snapshot":{"a":[null]}}"#, None),
    (r#"{"type":"STATE_DELTA","delta":[{"op":"move","path":"/b","from":"/a"}]}"#, None),
    (
        r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"m","activityType":"PLAN","content":{"a":1},"replace":false}"#,
        None,
    ),
    (
        r#"{"type":"ACTIVITY_DELTA","messageId":"m","activityType":"PLAN","patch":[{"op":"remove","path":"/a"}]}"#,
        None,
    ),
    (r#"{"type":"REASONING_END","messageId":"m"}"#, None),
    (
        r#"{"type":"REASONING_MESSAGE_START","messageId":"m","role":"reasoning"}"#,
        Some(r#"{"type":"REASONING_MESSAGE_START","messageId":"m","role":"assistant"}"#),
    ),
    (r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m","delta":"d"}"#, None),
    (r#"{"type":"REASONING_MESSAGE_END","messageId":"m"}"#, None),
    (r#"{"type":"REASONING_MESSAGE_CHUNK","messageId":"m","delta":"d"}"#, None),
    (r#"{"type":"RAW","event":{"any":true},"source":"s"}"#, None),
    (r#"{"type":"CUSTOM","name":"n","value":[1]}"#, None),
    (
        r#"{"type":"CUSTOM","name":"meta:tag","value":{"a":1},"timestamp":3}"#,
        Some(r#"{"type":"META","metaType":"tag","payload":{"a":1},"timestamp":3}"#),
    ),
    (
        r#"{"type":"STEP_STARTED","stepName":"s","metadata":{"a":1}}"#,
        Some(r#"{"type":"STEP_STARTED","stepName":"s"}"#),
    ),
];

fn encoded(texts: &[&str]) -> Vec<Value> {
    let events: Vec<_> = texts.iter().map(|text| Event::from_json(text).unwrap()).collect();
    let mut encoder = Encoder::default();
    let mut frames = encoder.encode(&events);
    frames.extend(encoder.flush());
    frames
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn every_event_is_written_as_the_contract_has_it() {
    for (ours, theirs) in EVENTS {
        assert_eq!(encoded(&[ours]), [value(theirs.unwrap_or(ours))], "{ours}");
    }
}

#[test]
fn encrypted_reasoning_stands_where_the_contract_wants_it() {
    let start = r#"{"type":"REASONING_START","messageId":"x"}"#;
    let sealed =
        r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"x","encryptedValue":"s"}"#;
    assert_eq!(encoded(&[start]), [value(start)]);
    let expected = json!({ "type": "REASONING_START", "messageId": "x", "encryptedContent": "s" });
    assert_eq!(encoded(&[start, sealed]), [expected]);
}

#[test]
fn pieces_of_nothing_are_not_written() {
    assert!(encoded(&[r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":""}"#]).is_empty());
    assert!(encoded(&[r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m","delta":""}"#]).is_empty());
}

#[test]
fn every_message_comes_back_as_it_was_sent() {
    let call =
        json!({ "id": "c", "type": "function", "function": { "name": "n", "arguments": "{\"a\":1}" } });
    let messages = json!([
        { "id": "a", "role": "developer", "content": "d", "name": "dev" },
        { "id": "b", "role": "system", "content": "s", "name": "sys" },
        { "id": "c", "role": "assistant", "content": "a", "name": "bot", "toolCalls": [call] },
        { "id": "d", "role": "user", "content": "u", "name": "ada" },
        { "id": "e", "role": "user", "content": [{ "type": "text", "text": "t" }, { "type": "binary", "mimeType": "image/png", "data": "AA==", "id": "f", "filename": "x.png" }] },
        { "id": "f", "role": "tool", "content": "r", "toolCallId": "c", "error": "late" },
        { "id": "g", "role": "activity", "activityType": "PLAN", "content": { "steps": [1] } },
    ]);
    let input = decode(&json!({ "threadId": "t", "runId": "r", "messages": messages }).to_string()).unwrap();
    let snapshot = json!({ "type": "MESSAGES_SNAPSHOT", "messages": input.messages });
    assert_eq!(encoded(&[&snapshot.to_string()])[0]["messages"], messages);
}

#[test]
fn thoughts_are_no_messages_of_the_contract() {
    let messages = json!([{ "id": "x", "role": "reasoning", "content": "hm" }, { "id": "y", "role": "user", "content": [] }]);
    let snapshot = json!({ "type": "MESSAGES_SNAPSHOT", "messages": messages });
    let expected = json!([{ "id": "y", "role": "user", "content": "" }]);
    assert_eq!(encoded(&[&snapshot.to_string()])[0]["messages"], expected);
}
