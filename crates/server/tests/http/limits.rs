//! What a request may hold, at every door.

use serde_json::{Value, json};

use crate::support::*;

/// A list in so many others.
fn nested(levels: usize) -> String {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels))
}

async fn post(server: &Running, path: &str, text: String) -> (u16, Value) {
    let request = reqwest::Client::new().post(format!("{}{path}", server.url));
    body(request.header("content-type", "application/json").body(text).send().await.unwrap()).await
}

/// An answer to the question that the agent asks, with something in front of what it says.
fn answer(before: &str, payload: &str) -> String {
    format!(
        r#"{{"threadId":"t1","runId":"r2","messages":[],"tools":[],"context":[],"forwardedProps":{before},
            "resume":[{{"interruptId":"really","status":"resolved","payload":{payload}}}]}}"#
    )
}

#[tokio::test]
async fn a_yes_that_is_also_a_no_is_refused_whatever_stands_before_it() {
    let server = Running::start().await;
    server.run("asking", &input("t1", "r1", "go")).await;
    let both = r#"{"approved":false,"approved":true}"#;
    for (before, code) in [
        ("{}".to_owned(), "invalid_json"),
        (r#"{"a":1e999}"#.to_owned(), "invalid_json"),
        (r#"{"a":"\ud800"}"#.to_owned(), "invalid_json"),
        (nested(126), "too_deep"),
        (nested(128), "too_deep"),
        (nested(100_000), "too_deep"),
    ] {
        let (status, refused) = post(&server, "/v1/agents/asking/runs", answer(&before, both)).await;
        assert!(matches!(status, 400 | 422), "{status} {refused}");
        assert_eq!(refused["error"]["code"], code, "{refused}");
        let verdict = format!(r#"{{"payload":{before},"approved":false,"approved":true}}"#);
        let (status, refused) = post(&server, "/v1/interrupts/really", verdict).await;
        assert!(matches!(status, 400 | 422), "{status} {refused}");
        assert_eq!(refused["error"]["code"], code, "{refused}");
    }
    assert_eq!(server.json("/v1/interrupts").await["interrupts"].as_array().unwrap().len(), 1, "it waits");
}

#[tokio::test]
async fn what_is_nested_too_deep_is_refused_at_every_door() {
    let server = Running::start().await;
    server.run("echo", &input("t1", "r1", "go")).await;
    let deep = nested(100);
    let event = format!(r#"{{"type":"CUSTOM","name":"n","value":{}}}"#, nested(108));
    for (path, text) in [
        ("/v1/agents/echo/runs", format!(r#"{{"threadId":"t2","runId":"r","messages":[],"state":{deep}}}"#)),
        ("/v1/threads/t1/annotations", format!(r#"{{"kind":"note","payload":{deep}}}"#)),
        ("/v1/threads/t1/branches", format!(r#"{{"runId":{deep}}}"#)),
        ("/v1/threads/t9/import?agent=echo", event),
        ("/awp", format!(r#"{{"threadId":"t2","runId":"r","messages":[],"state":{deep}}}"#)),
        ("/run", format!(r#"{{"threadId":"t2","runId":"r","messages":[],"state":{deep}}}"#)),
        ("/copilotkit", format!(r#"{{"method":"info","body":{deep}}}"#)),
    ] {
        let (status, refused) = post(&server, path, text).await;
        assert_eq!((status, &refused["error"]["code"]), (422, &json!("too_deep")), "{path}: {refused}");
    }
}

#[tokio::test]
async fn the_deepest_that_is_taken_comes_back_as_it_was() {
    let server = Running::start().await;
    let state = format!(r#"{{"a":{}}}"#, nested(98));
    let text = format!(
        r#"{{"threadId":"t1","runId":"r1","messages":[],"tools":[],"context":[],"forwardedProps":{{}},"state":{state}}}"#
    );
    let (status, events) = post(&server, "/v1/agents/echo/runs", text).await;
    assert_eq!(status, 200, "{events}");
    let view = server.json("/v1/threads/t1/state").await;
    assert_eq!(view["state"]["a"], serde_json::from_str::<Value>(&nested(98)).unwrap());
}
