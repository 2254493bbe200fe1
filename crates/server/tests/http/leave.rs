//! `?onLeave=`: what becomes of a run when the client that asked for it closes the connection.

use forestage_server::{Http, Keys};
use reqwest::Response;
use serde_json::{Value, json};

use crate::support::*;

/// Waits for the end of the run that is under way, as another viewer sees it.
async fn end_of(server: &Running, thread: &str) -> Value {
    let mut viewer =
        Stream::new(server.get(&format!("/v1/threads/{thread}/events?after=start")).send().await.unwrap());
    loop {
        let event = viewer.next().await.expect("a follower of a thread has no end");
        if matches!(event["type"].as_str(), Some("RUN_FINISHED" | "RUN_ERROR")) {
            return event;
        }
    }
}

/// Begins a run that waits for the bell, and reads as far as it says something.
async fn begun(server: &Running, query: &str, accept: &str) -> Response {
    let path = format!("/v1/agents/waiting/runs{query}");
    let request = server.post(&path, &input("t", "r", "go")).header("accept", accept);
    let mut response = request.send().await.unwrap();
    let mut bytes = Vec::new();
    while !bytes.windows(4).any(|window| window == b"half") {
        bytes.extend_from_slice(&response.chunk().await.unwrap().expect("it goes on"));
    }
    response
}

#[tokio::test]
async fn a_client_that_hangs_up_cancels_its_run_if_it_has_asked_for_that() {
    for accept in ["text/event-stream", "application/vnd.ag-ui.event+proto"] {
        let server = Running::start().await;
        drop(begun(&server, "?onLeave=cancel", accept).await);
        let end = end_of(&server, "t").await;
        assert_eq!((&end["type"], &end["outcome"]["type"]), (&json!("RUN_FINISHED"), &json!("cancelled")));
    }
}

#[tokio::test]
async fn a_client_that_hangs_up_lets_its_run_go_on_otherwise() {
    for query in ["", "?onLeave=continue"] {
        let server = Running::start().await;
        drop(begun(&server, query, "*/*").await);
        server.bell.notify_one();
        let end = end_of(&server, "t").await;
        assert_eq!((&end["type"], &end["outcome"]), (&json!("RUN_FINISHED"), &json!(null)), "{query}: {end}");
    }
    let server = Running::start().await;
    let wrong =
        server.post("/v1/agents/echo/runs?onLeave=stop", &input("t", "r", "go")).send().await.unwrap();
    assert_eq!(body(wrong).await.1["error"]["code"], "invalid_query");
}

#[tokio::test]
async fn a_run_in_the_queue_that_its_client_has_left_does_not_come_to_its_end() {
    let http = Http { keep_alive_seconds: 1, ..Http::default() };
    let server = Running::with(Keys::default(), http).await;
    let first = begun(&server, "", "*/*").await;
    let queued = "/v1/agents/waiting/runs?onBusy=queue&onLeave=cancel";
    let mut second = Stream::new(server.post(queued, &input("t", "r2", "go")).send().await.unwrap());
    second.text_until("waiting").await;
    drop(second);
    server.bell.notify_one();
    let third =
        server.post("/v1/agents/echo/runs?onBusy=queue", &input("t", "r3", "go")).send().await.unwrap();
    third.text().await.unwrap();
    drop(first);
    let runs = server.json("/v1/threads/t/runs").await;
    let ends: Vec<_> =
        runs["runs"].as_array().unwrap().iter().map(|run| (&run["id"], &run["status"])).collect();
    assert!(!ends.iter().any(|(run, end)| **run == "r2" && **end != "cancelled"), "{runs}");
}

#[tokio::test]
async fn a_question_waits_on_after_its_client_has_left() {
    let server = Running::start().await;
    let path = "/v1/agents/asking/runs?onLeave=cancel";
    let mut stream = Stream::new(server.post(path, &input("t", "r", "go")).send().await.unwrap());
    stream.text_until("RUN_FINISHED").await;
    drop(stream);
    // A run behind it on the same server: by then the first one was dealt with.
    server.run("echo", &input("u", "r", "go")).await;
    assert_eq!(server.json("/v1/interrupts").await["interrupts"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_server_that_shuts_down_does_not_take_its_clients_for_gone() {
    let server = Running::start().await;
    let store = server.store.clone();
    let stream = begun(&server, "?onLeave=cancel", "*/*").await;
    server.stop().await;
    drop(stream);
    let run = store.run("t".into(), "r".into()).await.unwrap().unwrap();
    assert_eq!(run.end.as_deref(), Some("error"), "it ends as runs end at a shutdown");
}
