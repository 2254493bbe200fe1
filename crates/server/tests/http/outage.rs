//! The store fails while somebody reads from it.

use std::{sync::Arc, time::Duration};

use forestage_runtime::{Limits, Stage, StartRun};
use forestage_server::{Http, Keys};
use forestage_store::conformance::faulty::Faulty;
use reqwest::Response;
use serde_json::json;

use crate::{
    socket::{Socket, ended},
    support::*,
};

/// Long enough for anything; only a failure waits for it.
const PATIENCE: Duration = Duration::from_secs(60);

/// The ways to read a thread up to its end.
const READS: [(&str, &str); 3] = [
    ("?format=jsonl", "*/*"),
    ("?after=start&live=false", "text/event-stream"),
    ("?after=start&live=false", "application/vnd.ag-ui.event+proto"),
];

/// A server with a thread that is longer than what fits into sockets, on a store that can fail.
async fn long_thread(outage: Duration) -> (Running, Arc<Faulty>) {
    let store = Faulty::new(forestage_store::open("memory:").await.unwrap());
    let limits = Limits { outage, ..Limits::default() };
    let server = Running::on(store.clone(), Keys::default(), Http::default(), limits).await;
    let run = server.post("/v1/agents/long/runs", &input("t1", "r1", "go")).send().await.unwrap();
    let mut run = Stream::new(run);
    // The run stays open, so that nothing is shortened under the reader.
    let mut pieces = 0;
    while pieces < PIECES {
        let event = run.next().await.unwrap();
        pieces += usize::from(event["type"] == "TEXT_MESSAGE_CONTENT");
    }
    (server, store)
}

/// Begins to read, and stops where there is far more than has been sent.
async fn begin(server: &Running, query: &str, accept: &str) -> Response {
    let path = format!("/v1/threads/t1/events{query}");
    let mut response = server.get(&path).header("accept", accept).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert!(response.chunk().await.unwrap().is_some());
    response
}

/// Reads on to the end: how much came, and whether the end was one.
async fn finish(mut response: Response) -> (usize, bool) {
    let mut bytes = 0;
    let read = async {
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) => bytes += chunk.len(),
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    };
    let whole = tokio::time::timeout(PATIENCE, read).await.expect("it ends");
    (bytes, whole)
}

#[tokio::test]
async fn a_truncated_export_is_never_a_success() {
    for (query, accept) in READS {
        let (server, store) = long_thread(Duration::ZERO).await;
        let response = begin(&server, query, accept).await;
        store.fail_reads_after(0);
        assert!(!finish(response).await.1, "the store failed: {query} {accept}");
        store.heal();

        let response = begin(&server, query, accept).await;
        assert_eq!(server.delete_as("local", "/v1/threads/t1").await, 204);
        assert!(!finish(response).await.1, "the thread was deleted: {query} {accept}");
    }
}

#[tokio::test]
async fn an_export_that_a_shutdown_cuts_off_is_never_a_success() {
    for (query, accept) in READS {
        let (server, store) = long_thread(PATIENCE).await;
        let response = begin(&server, query, accept).await;
        // The reader waits for the store when the server ends.
        store.fail_reads_after(0);
        let stop = tokio::spawn(server.stop());
        assert!(!finish(response).await.1, "{query} {accept}");
        stop.await.unwrap();
    }
}

#[tokio::test]
async fn an_export_goes_on_when_the_store_is_back() {
    for (query, accept) in READS {
        let (server, store) = long_thread(PATIENCE).await;
        let path = format!("/v1/threads/t1/events{query}");
        let response = server.get(&path).header("accept", accept).send().await.unwrap();
        store.fail_reads_after(0);
        let reading = tokio::spawn(finish(response));
        store.refused(store.refusals() + 3).await;
        store.heal();
        let (bytes, whole) = reading.await.unwrap();
        assert!(whole, "{query} {accept}");
        assert!(bytes > PIECES * (128 << 10), "{bytes}: {query} {accept}");
    }
}

/// How many follow on sockets.
const SOCKETS: usize = 20;

/// A server on a store that can fail, a thread with one run, and somebody elsewhere who plays on it all the same.
async fn two_stages(outage: Duration) -> (Running, Arc<Faulty>, Arc<Stage>) {
    let inner = forestage_store::open("memory:").await.unwrap();
    let store = Faulty::new(inner.clone());
    let limits = Limits { outage, ..Limits::default() };
    let server = Running::on(store.clone(), Keys::default(), Http::default(), limits).await;
    let elsewhere = Stage::new(inner, agents(&Arc::default()), Limits::default());
    play(&elsewhere, "r1").await;
    (server, store, elsewhere)
}

async fn play(stage: &Arc<Stage>, run: &str) {
    let input = serde_json::from_value(input("t1", run, "one two")).unwrap();
    stage.start(StartRun::new("echo", input, "local")).await.unwrap();
}

async fn followers(server: &Running) -> Vec<Socket> {
    let mut sockets = Vec::new();
    for _ in 0..SOCKETS {
        let mut socket = Socket::open(server, "").await;
        socket.send(&json!({"type": "follow", "id": 1, "threadId": "t1", "after": "start"})).await;
        socket.until(ended).await;
        sockets.push(socket);
    }
    sockets
}

#[tokio::test]
async fn sockets_read_on_when_the_store_is_back() {
    let (server, store, elsewhere) = two_stages(PATIENCE).await;
    let mut sockets = followers(&server).await;
    store.fail_reads_after(0);
    play(&elsewhere, "r2").await;
    store.refused(store.refusals() + SOCKETS as u64).await;
    store.heal();
    for socket in &mut sockets {
        let seen = tokio::time::timeout(PATIENCE, socket.until(ended)).await.expect("it is not deaf");
        assert_eq!(seen[0]["event"]["runId"], "r2");
        assert!(seen.iter().all(|frame| frame["cursor"].is_string()));
    }
}

#[tokio::test]
async fn a_socket_whose_store_stays_away_is_told_and_closed() {
    let (server, store, elsewhere) = two_stages(Duration::ZERO).await;
    let mut sockets = followers(&server).await;
    store.fail_reads_after(0);
    play(&elsewhere, "r2").await;
    for socket in &mut sockets {
        let told = tokio::time::timeout(PATIENCE, socket.next()).await.expect("it is not deaf");
        assert_eq!((&told["type"], &told["threadId"]), (&json!("error"), &json!("t1")), "{told}");
        assert_eq!(told["error"]["code"], "store_unavailable");
        assert_eq!(tokio::time::timeout(PATIENCE, socket.close_code()).await.unwrap(), 1013);
    }
}

#[tokio::test]
async fn a_cursor_from_before_the_store_lost_something_gets_the_conversation_anew() {
    let (server, store, elsewhere) = two_stages(PATIENCE).await;
    let mut sockets = followers(&server).await;
    let thread = server.json("/v1/threads/t1").await;
    let cursor = thread["cursor"].as_str().unwrap().to_owned();
    let path = format!("/v1/threads/t1/events?after={cursor}");
    let mut stream = Stream::new(server.get(&path).send().await.unwrap());
    store.lose();
    play(&elsewhere, "r2").await;
    tokio::time::timeout(PATIENCE, stream.rest()).await.unwrap().expect_err("it may go on somewhere else");
    for socket in &mut sockets {
        let told = tokio::time::timeout(PATIENCE, socket.next()).await.expect("it is not deaf");
        assert_eq!(told["error"]["code"], "store_unavailable", "{told}");
        assert_eq!(socket.close_code().await, 1013);
    }
    // The number is one that the thread has, but it may stand for something else by now.
    let response = server.get(&format!("{path}&live=false")).send().await.unwrap();
    let anew = frames(&response.text().await.unwrap());
    assert_eq!(types(&anew)[..2], ["RUN_STARTED", "MESSAGES_SNAPSHOT"]);
    let fresh = &anew.last().unwrap().id;
    assert_ne!(fresh.split('.').next(), cursor.split('.').next());
    let rest = server.get(&format!("/v1/threads/t1/events?after={fresh}&live=false")).send().await.unwrap();
    assert_eq!(rest.text().await.unwrap(), "", "and the new one is good");
}
