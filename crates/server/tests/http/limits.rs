//! What a request may hold, at every door.

use forestage_server::{ApiKey, Http, Keys, hash_key};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::support::*;

/// A connection on which a request is written by hand.
struct Raw(TcpStream);

impl Raw {
    async fn open(server: &Running) -> Self {
        Self(TcpStream::connect(server.url.trim_start_matches("http://")).await.unwrap())
    }

    async fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    /// All that is answered until the server closes.
    async fn answer(mut self) -> String {
        let mut answer = String::new();
        self.0.read_to_string(&mut answer).await.unwrap();
        answer
    }
}

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

/// A run with this state.
fn with_state(state: &str) -> String {
    format!(
        r#"{{"threadId":"t1","runId":"r1","messages":[],"tools":[],"context":[],"forwardedProps":{{}},"state":{state}}}"#
    )
}

fn list(count: usize) -> String {
    format!(r#"{{"a":[{}]}}"#, vec!["1"; count].join(","))
}

#[tokio::test]
async fn a_body_with_too_many_values_is_refused_at_every_door() {
    let server = Running::with(Keys::default(), Http { max_values: 100, ..Http::default() }).await;
    server.run("echo", &input("t9", "r1", "go")).await;
    let many = list(200);
    for (path, text) in [
        ("/v1/agents/echo/runs", with_state(&many)),
        ("/v1/threads/t9/annotations", format!(r#"{{"kind":"note","payload":{many}}}"#)),
        ("/v1/threads/t9/branches", format!(r#"{{"runId":{many}}}"#)),
        ("/v1/threads/t8/import?agent=echo", format!(r#"{{"type":"CUSTOM","name":"n","value":{many}}}"#)),
        ("/v1/streams/verify", format!(r#"[{{"type":"CUSTOM","name":"n","value":{many}}}]"#)),
        ("/v1/interrupts/i", format!(r#"{{"payload":{many}}}"#)),
        ("/awp", with_state(&many)),
        ("/run", with_state(&many)),
        ("/copilotkit", format!(r#"{{"method":"info","body":{many}}}"#)),
    ] {
        let (status, refused) = post(&server, path, text).await;
        assert_eq!(
            (status, &refused["error"]["code"]),
            (413, &json!("too_many_values")),
            "{path}: {refused}"
        );
        assert!(refused["error"]["hint"].as_str().unwrap().contains("max_values"), "{path}");
    }
    let (status, _) = post(&server, "/v1/agents/echo/runs", with_state(&list(50))).await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn the_longer_a_body_is_the_more_values_it_may_have() {
    let server = Running::with(Keys::default(), Http { max_values: 100, ..Http::default() }).await;
    let long = format!(r#"{{"a":[{}]}}"#, vec![format!(r#""{}""#, "x".repeat(60)); 200].join(","));
    let (status, _) = post(&server, "/v1/agents/echo/runs", with_state(&long)).await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn a_request_with_too_many_messages_is_refused() {
    let server = Running::with(Keys::default(), Http { max_messages: 3, ..Http::default() }).await;
    let said = |count: usize| {
        let mut input = input("t1", "r1", "go");
        let message = |at| json!({"id": format!("m{at}"), "role": "user", "content": "x"});
        input["messages"] = (0..count).map(message).collect::<Vec<_>>().into();
        input
    };
    let (status, refused) = post(&server, "/v1/agents/echo/runs", said(4).to_string()).await;
    assert_eq!((status, &refused["error"]["code"]), (413, &json!("too_many_messages")), "{refused}");
    assert_eq!(server.run("echo", &said(3)).await.last().unwrap().event["type"], "RUN_FINISHED");
}

#[tokio::test]
async fn a_long_history_of_short_messages_is_refused_as_what_it_is() {
    let server = Running::start().await;
    for (count, expected) in
        [(10_000, "the 10000 messages of the request have more than 3"), (200_000, "messages")]
    {
        let mut input = input("t1", "r1", "go");
        let message = |at| json!({"id": format!("m{at}"), "role": "user", "content": "x"});
        input["messages"] = (0..count).map(message).collect::<Vec<_>>().into();
        let (status, refused) = post(&server, "/v1/agents/echo/runs", input.to_string()).await;
        let error = &refused["error"];
        assert_eq!((status, &error["code"]), (413, &json!("too_many_messages")), "{refused}");
        assert!(error["message"].as_str().unwrap().contains(expected), "{refused}");
        assert!(error["hint"].as_str().unwrap().contains("only what is new"), "{refused}");
    }
}

#[tokio::test]
async fn what_is_too_much_in_a_recording_is_told_in_numbers_of_the_whole() {
    let server = Running::with(Keys::default(), Http { max_values: 20, ..Http::default() }).await;
    let begun = "{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n";
    let line = |value: &str| format!("{{\"type\":\"CUSTOM\",\"name\":\"n\",\"value\":{value}}}\n");
    let text = format!("{begun}{}", line("[1,2,3,4]").repeat(40));
    let allowed = 20 + text.len() / 12;
    for path in ["/v1/threads/t/import?agent=echo", "/v1/streams/verify"] {
        let (status, refused) = post(&server, path, text.clone()).await;
        let told = format!("the JSON has more than {allowed} values");
        assert_eq!((status, &refused["error"]["message"]), (413, &json!(told)), "{path}");
        assert!(refused["error"]["path"].as_str().unwrap().starts_with('['), "{path}: {refused}");
    }
    let server = Running::start().await;
    let text = format!("{begun}{}", line(&nested(120)));
    for path in ["/v1/threads/t/import?agent=echo", "/v1/streams/verify"] {
        let (status, refused) = post(&server, path, text.clone()).await;
        let error = &refused["error"];
        assert_eq!(
            (status, &error["code"], &error["path"]),
            (422, &json!("too_deep"), &json!("[1]")),
            "{path}"
        );
        let told = error["message"].as_str().unwrap();
        assert!(told.contains("108 levels") && told.contains("100 for the values in it"), "{told}");
    }
}

#[tokio::test]
async fn what_does_not_fit_beside_others_is_told_to_come_again() {
    // A body that comes in many pieces, and one that comes in one.
    for memory in [64 << 10, 4 << 10] {
        refuses_what_does_not_fit_beside_a_slow_body(memory).await;
    }
}

async fn refuses_what_does_not_fit_beside_a_slow_body(memory: usize) {
    let http = Http { request_memory_bytes: memory, ..Http::default() };
    let server = Running::with(Keys::default(), http).await;
    // A body that does not end keeps what it has sent.
    let mut slow = Raw::open(&server).await;
    slow.send("POST /v1/agents/echo/runs HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999\r\n\r\n").await;
    slow.send(&" ".repeat(memory)).await;
    let text = input("t1", "r1", "go").to_string();
    let refused = loop {
        let request = reqwest::Client::new().post(format!("{}/v1/agents/echo/runs", server.url));
        let response = request.body(text.clone()).send().await.unwrap();
        // What the other one sends may still be on its way.
        if response.status() != 200 {
            break response;
        }
    };
    assert_eq!(refused.status(), 503);
    assert_eq!(refused.headers()["retry-after"], "2");
    assert_eq!(body(refused).await.1["error"]["code"], "server_busy");
    drop(slow);
    while post(&server, "/v1/agents/echo/runs", text.clone()).await.0 != 200 {}
}

#[tokio::test]
async fn many_values_need_more_memory_than_their_bytes() {
    let memory = 64 << 10;
    let http = Http { request_memory_bytes: memory, ..Http::default() };
    let server = Running::with(Keys::default(), http).await;
    let mut slow = Raw::open(&server).await;
    slow.send("POST /v1/agents/echo/runs HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999\r\n\r\n").await;
    slow.send(&" ".repeat(memory / 2)).await;
    let path = "/v1/agents/echo/runs";
    let refused = loop {
        let (status, answer) = post(&server, path, with_state(&list(100))).await;
        // What the other one sends may still be on its way.
        if status != 200 {
            break answer;
        }
    };
    assert_eq!(refused["error"]["code"], "server_busy");
    let few = input("t2", "r1", "go").to_string();
    assert_eq!(post(&server, path, few).await.0, 200, "there is room for few");
}

#[tokio::test]
async fn a_body_may_be_as_long_as_the_limit_whether_it_says_its_length_or_not() {
    let (text, path) = (input("t1", "r1", "go").to_string(), "/v1/agents/echo/runs");
    let http = Http { max_body_bytes: text.len() + 10, ..Http::default() };
    let server = Running::with(Keys::default(), http).await;
    for (blanks, expected) in [(10, 200), (11, 413), (500, 413)] {
        let mut raw = Raw::open(&server).await;
        raw.send(&format!("POST {path} HTTP/1.1\r\nhost: localhost\r\n")).await;
        raw.send("transfer-encoding: chunked\r\nconnection: close\r\n\r\n").await;
        raw.send(&format!("{:x}\r\n{text}\r\n", text.len())).await;
        raw.send(&format!("{blanks:x}\r\n{}\r\n0\r\n\r\n", " ".repeat(blanks))).await;
        let answer = raw.answer().await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {expected} ")), "{blanks}: {answer}");
        let known = format!("{}{}", input("t2", "r1", "go"), " ".repeat(blanks));
        assert_eq!(post(&server, path, known).await.0, expected, "{blanks}");
    }
}

#[tokio::test]
async fn a_body_that_trickles_is_given_up_with_a_key_and_without() {
    let keys = Keys::new(&[ApiKey { user: "ada".to_owned(), hash: hash_key("ada"), roles: Vec::new() }]);
    let http = Http { body_timeout_seconds: 1, ..Http::default() };
    let server = Running::with(keys.unwrap(), http).await;
    let mut slow = Raw::open(&server).await;
    slow.send("POST /v1/agents/echo/runs HTTP/1.1\r\nhost: localhost\r\nx-api-key: ada\r\n").await;
    slow.send("content-length: 99\r\nconnection: close\r\n\r\n{").await;
    let answer = slow.answer().await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains(r#""code":"body_timeout""#), "{answer}");
}
