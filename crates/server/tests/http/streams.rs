//! Streams that are only looked at.

use serde_json::{Value, json};

use crate::support::*;

async fn verify(server: &Running, text: &str) -> (u16, Value) {
    let url = format!("{}/v1/streams/verify", server.url);
    body(reqwest::Client::new().post(url).body(text.to_owned()).send().await.unwrap()).await
}

fn started(run: &str) -> Value {
    json!({ "type": "RUN_STARTED", "threadId": "t1", "runId": run })
}

fn finished(run: &str) -> Value {
    json!({ "type": "RUN_FINISHED", "threadId": "t1", "runId": run })
}

fn lines(events: &[Value]) -> String {
    events.iter().map(|event| format!("{event}\n")).collect()
}

/// Where each finding is, how grave it is, and its code.
fn codes(judgement: &Value) -> Vec<(u64, &str, &str)> {
    let findings = judgement["findings"].as_array().unwrap().iter();
    let told = findings.map(|finding| {
        assert!(!finding["message"].as_str().unwrap().is_empty());
        let text = |name: &str| finding[name].as_str().unwrap();
        (finding["index"].as_u64().unwrap(), text("severity"), text("code"))
    });
    told.collect()
}

#[tokio::test]
async fn what_the_server_wrote_is_legal_in_every_form() {
    let server = Running::start().await;
    let events = server.run("echo", &input("t1", "r1", "one")).await;
    let events: Vec<Value> = events.into_iter().map(|frame| frame.event).collect();
    let array = serde_json::to_string_pretty(&events).unwrap();
    let sse: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    for text in [lines(&events), array, sse] {
        let (status, judgement) = verify(&server, &text).await;
        let expected = json!({ "ok": true, "events": events.len(), "runs": 1, "findings": [] });
        assert_eq!((status, judgement), (200, expected), "{text}");
    }
    let (status, judgement) = verify(&server, "").await;
    assert_eq!((status, judgement), (200, json!({ "ok": true, "events": 0, "runs": 0, "findings": [] })));
}

#[tokio::test]
async fn a_run_that_breaks_a_rule_does_not_hide_what_is_wrong_with_the_next() {
    let server = Running::start().await;
    let content = json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": "Hi" });
    let patch = json!({ "type": "STATE_DELTA", "delta": [{ "op": "remove", "path": "/absent" }] });
    let events = [started("r1"), content, finished("r1"), started("r2"), patch, finished("other")];
    let (status, judgement) = verify(&server, &lines(&events)).await;
    assert_eq!((status, &judgement["ok"], &judgement["runs"]), (200, &json!(false), &json!(2)));
    let expected = [
        (1, "error", "text_message_not_open"),
        (4, "warning", "patch_failed"),
        (5, "error", "run_id_mismatch"),
    ];
    assert_eq!(codes(&judgement), expected);
}

#[tokio::test]
async fn what_cannot_be_read_is_told_at_its_place() {
    let server = Running::start().await;
    let strange = json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": 7, "delta": "Hi" });
    let (_, judgement) = verify(&server, &lines(&[started("r1"), strange])).await;
    assert_eq!(judgement["findings"][0]["path"], "/messageId", "{judgement}");
    let (_, judgement) = verify(&server, &lines(&[started("r1")])).await;
    assert_eq!(codes(&judgement), [(1, "error", "stream_truncated")]);
    let (_, judgement) = verify(&server, &format!("[{}", started("r1"))).await;
    assert_eq!(codes(&judgement), [(1, "error", "stream_truncated")]);
    let (status, error) = verify(&server, "Dear Sir or Madam").await;
    assert_eq!((status, &error["error"]["code"]), (400, &json!("invalid_body")));
}
