//! `GET /v1/threads/{thread}/events`.

use serde_json::json;

use crate::support::*;

#[tokio::test]
async fn every_cursor_of_a_thread_continues_exactly() {
    let server = Running::start().await;
    let mut whole = server.run("echo", &input("t1", "r1", "one two")).await;
    whole.extend(server.run("echo", &input("t1", "r2", "three")).await);
    let read = async |path: String| {
        let response = server.get(&path).send().await.unwrap();
        merged(&frames(&response.text().await.unwrap()))
    };
    assert_eq!(read("/v1/threads/t1/events?after=start&live=false".into()).await, merged(&whole));
    for seen in 1..=whole.len() {
        let path = format!("/v1/threads/t1/events?live=false&after={}", whole[seen - 1].id);
        assert_eq!(read(path).await, merged(&whole[seen..]));
    }
}

#[tokio::test]
async fn without_a_cursor_the_conversation_comes_as_snapshots() {
    let server = Running::start().await;
    server.run("echo", &input("t1", "r1", "one two")).await;
    let response = server.get("/v1/threads/t1/events?live=false").send().await.unwrap();
    let prelude = frames(&response.text().await.unwrap());
    assert_eq!(types(&prelude), ["RUN_STARTED", "MESSAGES_SNAPSHOT", "STATE_SNAPSHOT", "RUN_FINISHED"]);
    assert_eq!(prelude[1].event["messages"][1]["content"], "one two");
    let cursors: Vec<_> = prelude.iter().map(|frame| !frame.id.is_empty()).collect();
    assert_eq!(cursors, [false, false, false, true], "only the last frame is a place to come back to");
    server.run("echo", &input("t1", "r2", "three")).await;
    let response = server.get("/v1/threads/t1/events?live=false").send().await.unwrap();
    let prelude = frames(&response.text().await.unwrap());
    assert_eq!(types(&prelude), ["RUN_STARTED", "MESSAGES_SNAPSHOT", "STATE_SNAPSHOT", "RUN_FINISHED"]);
    let messages = prelude[1].event["messages"].as_array().unwrap();
    let said: Vec<_> = messages.iter().map(|it| (it["role"].as_str(), it["content"].as_str())).collect();
    let expected = [("user", "one two"), ("assistant", "one two"), ("user", "three"), ("assistant", "three")];
    assert_eq!(said, expected.map(|(role, text)| (Some(role), Some(text))), "all of it, as it is now");
    assert_eq!(prelude[2].event["snapshot"], serde_json::json!({ "heard": "three" }));
}

#[tokio::test]
async fn a_follower_sees_what_comes_and_the_header_wins_over_the_address() {
    let server = Running::start().await;
    let first = server.run("echo", &input("t1", "r1", "one")).await;
    let cursor = &first.last().unwrap().id;
    let request = server.get("/v1/threads/t1/events?after=start").header("last-event-id", cursor);
    let mut follower = request.send().await.unwrap();
    let second = server.run("echo", &input("t1", "r2", "two")).await;
    let mut seen = String::new();
    while !seen.contains("RUN_FINISHED") {
        seen.push_str(std::str::from_utf8(&follower.chunk().await.unwrap().unwrap()).unwrap());
    }
    assert_eq!(merged(&frames(&seen)), merged(&second));
}

#[tokio::test]
async fn an_export_is_one_event_on_a_line() {
    let server = Running::start().await;
    let whole = server.run("echo", &input("t1", "r1", "one")).await;
    let response = server.get("/v1/threads/t1/events?format=jsonl").send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/x-ndjson");
    let text = response.text().await.unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    assert_eq!(lines.collect::<Vec<_>>(), whole.iter().map(|frame| frame.event.clone()).collect::<Vec<_>>());

    let import = |path: &str, body: String| {
        let request = reqwest::Client::new().post(format!("{}{path}", server.url)).body(body);
        async move { body_of(request).await }
    };
    let (status, copy) = import("/v1/threads/t2/import?agent=echo", text.clone()).await;
    assert_eq!((status, &copy["messages"]), (201, &json!(2)), "{copy}");
    let messages =
        async |thread: &str| server.json(&format!("/v1/threads/{thread}/messages")).await["messages"].clone();
    assert_eq!(messages("t2").await, messages("t1").await);
    let (status, error) = import("/v1/threads/t2/import?agent=echo", text.clone()).await;
    assert_eq!((status, &error["error"]["code"]), (409, &json!("thread_exists")));
    let (status, error) = import("/v1/threads/t3/import?agent=nobody", text.clone()).await;
    assert_eq!((status, &error["error"]["code"]), (404, &json!("unknown_agent")), "{error}");
    assert_eq!((&error["error"]["path"], error["error"]["hint"].is_string()), (&json!("agent"), true));
    let half: String = text.lines().take(3).map(|line| format!("{line}\n")).collect();
    let (status, error) = import("/v1/threads/t3/import?agent=echo", half).await;
    assert_eq!((status, &error["error"]["path"]), (422, &json!("[3]")), "{error}");
}

async fn body_of(request: reqwest::RequestBuilder) -> (u16, serde_json::Value) {
    body(request.send().await.unwrap()).await
}

#[tokio::test]
async fn a_cursor_that_is_none_is_told_and_one_of_an_earlier_thread_starts_over() {
    let server = Running::start().await;
    server.run("echo", &input("t1", "r1", "one")).await;
    let (status, error) =
        body(server.get("/v1/threads/t1/events?after=yesterday").send().await.unwrap()).await;
    assert_eq!((status, &error["error"]["code"]), (400, &json!("invalid_cursor")));
    let long = "y".repeat(5_000);
    for path in ["/v1/threads/t1/events?after=", "/v1/threads?cursor=", "/v1/interrupts?after="] {
        let (status, error) = body(server.get(&format!("{path}{long}")).send().await.unwrap()).await;
        assert_eq!((status, &error["error"]["code"]), (400, &json!("invalid_cursor")));
        assert!(error.to_string().len() < 300, "it is not sent back whole: {error}");
    }
    let other = server.get("/v1/threads/t1/events?after=1.2&live=false").send().await.unwrap();
    assert_eq!(types(&frames(&other.text().await.unwrap()))[1], "MESSAGES_SNAPSHOT");
}

#[tokio::test]
async fn a_cursor_beyond_the_end_starts_over_as_after_an_older_copy_was_restored() {
    let server = Running::start().await;
    let run = server.run("echo", &input("t1", "r1", "one two")).await;
    let (epoch, last) = run.last().unwrap().id.split_once('.').unwrap();
    let last: u64 = last.parse().unwrap();
    for beyond in [last + 1, last + 1000] {
        let path = format!("/v1/threads/t1/events?live=false&after={epoch}.{beyond}");
        let anew = frames(&server.get(&path).send().await.unwrap().text().await.unwrap());
        assert_eq!(types(&anew)[..2], ["RUN_STARTED", "MESSAGES_SNAPSHOT"], "{beyond}");

        let mut socket = crate::socket::Socket::open(&server, "").await;
        let after = format!("{epoch}.{beyond}");
        socket.send(&json!({"type": "follow", "id": 1, "threadId": "t1", "after": after})).await;
        assert_eq!(socket.next().await["type"], "ok");
        assert_eq!(socket.next().await["event"]["type"], "RUN_STARTED", "{beyond}");
    }
    let path = format!("/v1/threads/t1/events?live=false&after={epoch}.{last}");
    assert_eq!(server.get(&path).send().await.unwrap().text().await.unwrap(), "", "the end itself is good");
}

#[tokio::test]
async fn a_follower_of_a_thread_that_is_deleted_is_told_in_every_form() {
    let server = Running::start().await;
    server.run("echo", &input("t1", "r1", "one")).await;
    let path = "/v1/threads/t1/events?after=start&live=true";
    let mut viewer = Stream::new(server.get(path).send().await.unwrap());
    let mut lines = server.get(&format!("{path}&format=jsonl")).send().await.unwrap();
    viewer.text_until("RUN_FINISHED").await;
    let first = lines.chunk().await.unwrap().unwrap();
    assert!(first.starts_with(b"{"));
    assert_eq!(server.delete_as("", "/v1/threads/t1").await, 204);
    viewer.text_until(": the thread was deleted\n\n").await;
    viewer.rest().await.unwrap();
    // Lines have no place for it, so they break off.
    let broken = loop {
        match lines.chunk().await {
            Ok(Some(_)) => {}
            other => break other,
        }
    };
    assert!(broken.is_err(), "{broken:?}");
    assert_eq!(server.get(path).send().await.unwrap().status(), 404, "and there is nothing to come back to");
}
