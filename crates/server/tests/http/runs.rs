//! `POST /v1/agents/{agent}/runs`.

use forestage_protocol::{
    codec::{Framer, length, proto},
    event::Event,
};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::*;

#[tokio::test]
async fn a_run_is_an_event_stream_with_cursors_that_ends_cleanly() {
    let server = Running::start().await;
    let response = server.post("/v1/agents/echo/runs", &input("t1", "r1", "hello you")).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert_eq!(response.headers()["cache-control"], "no-store, no-transform");
    assert_eq!(response.headers()["x-accel-buffering"], "no");
    let text = response.text().await.unwrap();
    assert!(!text.contains('\r'), "lines end with LF");
    let frames = frames(&text);
    assert_eq!(types(&frames)[0], "RUN_STARTED");
    assert_eq!(types(&frames).last(), Some(&"RUN_FINISHED"));
    let numbers: Vec<_> = frames.iter().map(|frame| frame.id.split_once('.').unwrap().1.to_owned()).collect();
    assert_eq!(numbers, (1..=frames.len()).map(|n| n.to_string()).collect::<Vec<_>>());
}

#[tokio::test]
async fn the_same_request_with_a_cursor_continues_behind_it() {
    let server = Running::start().await;
    let input = input("t1", "r1", "one two three");
    let whole = server.run("echo", &input).await;
    for seen in 1..whole.len() {
        let request =
            server.post("/v1/agents/echo/runs", &input).header("last-event-id", &whole[seen - 1].id);
        let rest = frames(&request.send().await.unwrap().text().await.unwrap());
        assert_eq!(merged(&rest), merged(&whole[seen..]));
    }
}

#[tokio::test]
async fn protobuf_comes_to_those_who_ask_for_it_by_name() {
    let server = Running::start().await;
    let path = "/v1/agents/echo/runs";
    let any = server.post(path, &input("t1", "r1", "hi")).header("accept", "*/*").send().await.unwrap();
    assert_eq!(any.headers()["content-type"], "text/event-stream");
    let accept = "text/event-stream, application/vnd.ag-ui.event+proto";
    let binary = server.post(path, &input("t2", "r1", "hi")).header("accept", accept).send().await.unwrap();
    assert_eq!(binary.headers()["content-type"], "application/vnd.ag-ui.event+proto");
    let mut framer = length::LengthDecoder::new();
    framer.push(&binary.bytes().await.unwrap());
    let mut kinds = Vec::new();
    while let Some(frame) = framer.next().unwrap() {
        let proto::Decoded::Event(event, _) = proto::decode(&frame.data).unwrap() else { panic!("unknown") };
        kinds.push(event.event_type().as_str());
        assert!(!matches!(*event, Event::Raw(_)));
    }
    assert_eq!((kinds.first(), kinds.last()), (Some(&"RUN_STARTED"), Some(&"RUN_FINISHED")));
}

#[tokio::test]
async fn what_is_wrong_is_told_before_a_run_starts() {
    let server = Running::start().await;
    let path = "/v1/agents/echo/runs";
    let cases = [
        (path, json!({"runId": "r", "messages": []}), 422, "missing_field", json!(null)),
        (
            path,
            json!({"threadId": "t", "runId": "r", "messages": [{"id": "m", "role": "user"}]}),
            422,
            "missing_field",
            json!("messages[0]"),
        ),
        (path, json!([]), 422, "wrong_type", json!(null)),
        (
            path,
            json!({"threadId": "t", "runId": "r", "messages": [{"id": "m", "role": "robot", "content": "beep"}]}),
            422,
            "unknown_value",
            json!("messages[0]"),
        ),
        ("/v1/agents/nobody/runs", input("t1", "r1", "x"), 404, "unknown_agent", json!(null)),
    ];
    for (path, input, status, code, place) in cases {
        let (found, error) = body(server.post(path, &input).send().await.unwrap()).await;
        assert_eq!((found, &error["error"]["code"]), (status, &json!(code)), "{error}");
        assert_eq!(error["error"]["path"], place, "{error}");
    }
    let text = reqwest::Client::new().post(format!("{}{path}", server.url)).body("{not json");
    let (status, error) = body(text.send().await.unwrap()).await;
    assert_eq!((status, &error["error"]["code"]), (400, &json!("not_json")), "{error}");
    assert_eq!(server.json("/v1/threads").await["threads"], json!([]), "nothing was created");
}

#[tokio::test]
async fn a_large_body_is_refused() {
    let http = forestage_server::Http { max_body_bytes: 1_000, ..Default::default() };
    let server = Running::with(Default::default(), http).await;
    let large = input("t1", "r1", &"x".repeat(2_000));
    let (status, error) = body(server.post("/v1/agents/echo/runs", &large).send().await.unwrap()).await;
    assert_eq!((status, &error["error"]["code"]), (413, &json!("body_too_large")));
}

#[tokio::test]
async fn a_body_that_cannot_be_taken_is_refused_before_it_comes() {
    let http = forestage_server::Http { max_body_bytes: 1_000, ..Default::default() };
    let server = Running::with(Default::default(), http).await;
    let address = server.url.trim_start_matches("http://").to_owned();
    for (head, status, code) in [
        ("Content-Length: 1001", " 413 ", "body_too_large"),
        ("Content-Length: 99\r\nContent-Encoding: gzip", " 415 ", "unsupported_encoding"),
    ] {
        let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
        let head = format!("POST /v1/agents/echo/runs HTTP/1.1\r\nHost: {address}\r\n{head}\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        while !answer.contains(code) {
            let mut bytes = [0; 4096];
            let count = stream.read(&mut bytes).await.unwrap();
            assert!(count > 0, "{answer}");
            answer.push_str(std::str::from_utf8(&bytes[..count]).unwrap());
        }
        assert!(answer.lines().next().unwrap().contains(status), "{answer}");
    }
    let plain = server.post("/v1/agents/echo/runs", &input("t1", "r1", "hi"));
    let plain = plain.header("content-encoding", "identity").send().await.unwrap();
    assert_eq!(plain.status(), 200);
}

#[tokio::test]
async fn a_busy_thread_is_a_conflict_and_cancelling_frees_it() {
    let server = Running::start().await;
    let mut first = server.post("/v1/agents/waiting/runs", &input("t1", "r1", "go")).send().await.unwrap();
    let mut seen = String::new();
    while !seen.contains("half") {
        seen.push_str(std::str::from_utf8(&first.chunk().await.unwrap().unwrap()).unwrap());
    }
    let (status, error) =
        body(server.post("/v1/agents/waiting/runs", &input("t1", "r2", "go")).send().await.unwrap()).await;
    assert_eq!((status, &error["error"]["code"]), (409, &json!("thread_busy")));
    let cancel = server.post("/v1/threads/t1/runs/r1/cancel", &json!({})).send().await.unwrap();
    assert_eq!(body(cancel).await.1["cancelled"], true);
    seen.push_str(&first.text().await.unwrap());
    assert_eq!(frames(&seen).last().unwrap().event["outcome"], json!({"type": "cancelled"}));
    let replaced = server.post("/v1/agents/waiting/runs?onBusy=replace", &input("t1", "r3", "go")).send();
    assert_eq!(replaced.await.unwrap().status(), 200);
    let wrong =
        server.post("/v1/agents/waiting/runs?onBusy=maybe", &input("t1", "r4", "go")).send().await.unwrap();
    assert_eq!(body(wrong).await.0, 400);
}

#[tokio::test]
async fn leaving_is_not_cancelling() {
    let server = Running::start().await;
    let mut viewer = server.post("/v1/agents/waiting/runs", &input("t1", "r1", "go")).send().await.unwrap();
    viewer.chunk().await.unwrap();
    drop(viewer);
    server.bell.notify_one();
    let whole = server.run("waiting", &input("t1", "r1", "go")).await;
    assert_eq!(types(&whole).last(), Some(&"RUN_FINISHED"));
    assert_eq!(whole.last().unwrap().event.get("outcome"), None);
}

#[tokio::test]
async fn a_silent_stream_is_kept_open() {
    let http = forestage_server::Http { keep_alive_seconds: 1, ..Default::default() };
    let server = Running::with(Default::default(), http).await;
    let mut viewer = server.post("/v1/agents/waiting/runs", &input("t1", "r1", "go")).send().await.unwrap();
    let mut seen = String::new();
    while !seen.contains("\n: keep-alive\n\n") && !seen.contains(":keep-alive\n\n") {
        seen.push_str(std::str::from_utf8(&viewer.chunk().await.unwrap().unwrap()).unwrap());
    }
    server.bell.notify_one();
    assert!(viewer.text().await.unwrap().contains("RUN_FINISHED"));
}

#[tokio::test]
async fn shutting_down_ends_open_streams_in_order() {
    let server = Running::start().await;
    let run = server.post("/v1/agents/waiting/runs", &input("t1", "r1", "go")).send().await.unwrap();
    let follow = server.get("/v1/threads/t1/events?after=start").send().await.unwrap();
    server.stop().await;
    for stream in [run, follow] {
        let frames = frames(&stream.text().await.unwrap());
        let last = &frames.last().unwrap().event;
        assert_eq!((&last["type"], &last["code"]), (&json!("RUN_ERROR"), &json!("shutdown")));
    }
}

#[tokio::test]
async fn neighbouring_deltas_can_be_made_one() {
    let server = Running::start().await;
    let words = "a b c d e f g h i j";
    let whole = server.run("echo", &input("t1", "r1", words)).await;
    let response =
        server.post("/v1/agents/echo/runs?coalesce=50", &input("t2", "r1", words)).send().await.unwrap();
    let fewer = frames(&response.text().await.unwrap());
    let deltas = |frames: &[Frame]| {
        let content = frames.iter().filter(|frame| frame.event["type"] == "TEXT_MESSAGE_CONTENT");
        content.map(|frame| frame.event["delta"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(deltas(&whole).len(), 10);
    assert!(deltas(&fewer).len() < 10, "{fewer:?}");
    assert_eq!(deltas(&fewer).concat(), words);
}

#[tokio::test]
async fn whoever_waits_for_their_turn_hears_that_they_do_and_what_came_of_it() {
    let http = forestage_server::Http { keep_alive_seconds: 1, ..Default::default() };
    let server = Running::with(Default::default(), http).await;
    let mut first =
        Stream::new(server.post("/v1/agents/waiting/runs", &input("t1", "r1", "go")).send().await.unwrap());
    first.text_until("half ").await;
    let queue = async |run: &str| {
        let path = "/v1/agents/echo/runs?onBusy=queue";
        let mut stream = Stream::new(server.post(path, &input("t1", run, "hello")).send().await.unwrap());
        stream.text_until(":").await;
        stream
    };
    let (mut second, mut third) = tokio::join!(queue("r2"), queue("r3"));
    let (status, told) =
        body(server.post("/v1/threads/t1/runs/r3/cancel", &json!({})).send().await.unwrap()).await;
    assert_eq!((status, &told["cancelled"]), (200, &json!(true)));
    let refused = third.next().await.unwrap();
    assert_eq!((&refused["type"], &refused["code"]), (&json!("RUN_ERROR"), &json!("run_cancelled")));
    assert_eq!(third.next().await, None);
    server.bell.notify_one();
    assert_eq!(second.next().await.unwrap()["type"], "RUN_STARTED");
    assert!(second.text_until("RUN_FINISHED").await.contains("hello"));
}

#[tokio::test]
async fn a_cursor_that_nobody_can_have_seen_begins_the_run_from_its_start() {
    let server = Running::start().await;
    let whole = server.run("echo", &input("t1", "r1", "one two")).await;
    let (epoch, last) = whole.last().unwrap().id.rsplit_once('.').unwrap();
    let ahead = format!("{epoch}.{}", last.parse::<u64>().unwrap() + 50);
    for run in ["r2", "r2", "r1"] {
        let text = if run == "r1" { "one two" } else { "three" };
        let request = server.post("/v1/agents/echo/runs", &input("t1", run, text));
        let response = request.header("last-event-id", &ahead).send().await.unwrap();
        let seen = frames(&response.text().await.unwrap());
        assert_eq!(
            (types(&seen)[0], *types(&seen).last().unwrap()),
            ("RUN_STARTED", "RUN_FINISHED"),
            "{run}"
        );
    }
}
