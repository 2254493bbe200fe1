//! The store cannot be written while a run speaks, as on a full disk.

use std::{sync::Arc, time::Duration};

use forestage_runtime::Limits;
use forestage_server::{Http, Keys};
use forestage_store::{Store, conformance::faulty::Faulty};
use serde_json::{Value, json};

use crate::{
    socket::{Socket, ended},
    support::*,
};

/// Long enough for anything; only a failure waits for it.
const PATIENCE: Duration = Duration::from_secs(60);

async fn start() -> (Running, Arc<Faulty>) {
    let store = Faulty::new(forestage_store::open("memory:").await.unwrap());
    // The lease lasts longer than the test waits: whoever learns of the end only by it fails.
    let limits = Limits { lease: 3 * PATIENCE, ..Limits::default() };
    (Running::on(store.clone(), Keys::default(), Http::default(), limits).await, store)
}

/// A run that has said something and is about to say more.
async fn half(server: &Running) -> Stream {
    let run = server.post("/v1/agents/waiting/runs", &input("t1", "r1", "go")).send().await.unwrap();
    let mut run = Stream::new(run);
    while run.next().await.unwrap()["delta"] != "half " {}
    run
}

async fn in_time<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, what).await.expect("it is told at once")
}

#[tokio::test]
async fn the_stream_of_a_run_that_cannot_be_written_ends_at_once() {
    let (server, store) = start().await;
    let mut run = half(&server).await;
    store.fail_writes_after(0);
    server.bell.notify_one();
    let frame = in_time(run.text_until("RUN_ERROR")).await;
    assert!(!frame.contains("id:"), "what is not in the log has no cursor: {frame}");
    let end = run.next().await.unwrap();
    assert_eq!((&end["type"], &end["code"]), (&json!("RUN_ERROR"), &json!("store_unavailable")), "{end}");
    in_time(run.rest()).await.expect("it ends in order");

    // Whoever comes to the run now is told the same.
    let again = server.post("/v1/agents/waiting/runs", &input("t1", "r1", "go")).send().await.unwrap();
    let frames = frames(&in_time(again.text()).await.unwrap());
    assert_eq!(frames.last().unwrap().event["code"], "store_unavailable");
}

#[tokio::test]
async fn a_socket_hears_the_same_of_its_run_and_is_closed_where_it_follows_the_thread() {
    let (server, store) = start().await;
    let mut socket = Socket::open(&server, "").await;
    socket.send(&json!({"type": "run", "id": 1, "agent": "waiting", "input": input("t1", "r1", "go")})).await;
    socket.until(|frame| frame["event"]["delta"] == "half ").await;
    let mut other = Socket::open(&server, "").await;
    other.send(&json!({"type": "follow", "id": 1, "threadId": "t1", "after": "start"})).await;
    other.until(|frame| frame["event"]["delta"] == "half ").await;
    store.fail_writes_after(0);
    server.bell.notify_one();

    let seen = in_time(socket.until(ended)).await;
    let end = seen.last().unwrap();
    assert_eq!((&end["event"]["code"], end.get("cursor")), (&json!("store_unavailable"), None), "{end}");
    let told = in_time(other.next()).await;
    assert_eq!((&told["type"], &told["error"]["code"]), (&json!("error"), &json!("store_unavailable")));
    assert_eq!(in_time(other.close_code()).await, 1013);
}

#[tokio::test]
async fn the_log_of_such_a_run_is_closed_in_order_when_there_is_room() {
    let store = Faulty::new(forestage_store::open("memory:").await.unwrap());
    let limits = Limits { lease: Duration::from_millis(300), ..Limits::default() };
    let server = Running::on(store.clone(), Keys::default(), Http::default(), limits).await;
    let mut run = half(&server).await;
    let path = "/v1/threads/t1/events?after=start";
    let mut follower = Stream::new(server.get(path).send().await.unwrap());
    while follower.next().await.unwrap()["delta"] != "half " {}
    store.fail_writes_after(0);
    server.bell.notify_one();
    while in_time(run.next()).await.unwrap()["type"] != "RUN_ERROR" {}
    in_time(follower.rest()).await.expect_err("who follows the thread has to come back");
    store.heal();
    let log: Vec<Value> = in_time(async {
        loop {
            let text = server.get(&format!("{path}&live=false")).send().await.unwrap().text().await.unwrap();
            let log: Vec<Value> = frames(&text).into_iter().map(|frame| frame.event).collect();
            if log.last().unwrap()["type"] == "RUN_ERROR" {
                return log;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    let kinds: Vec<_> = log.iter().rev().take(2).map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["RUN_ERROR", "TEXT_MESSAGE_END"]);
    assert_eq!(log.last().unwrap()["code"], "store_unavailable", "the process was not lost");
}

/// Two servers on one store, and a viewer at the second of a run at the first.
async fn viewed_elsewhere(first: Arc<Faulty>, second: Arc<dyn Store>) -> (Running, Running, Stream) {
    let limits = Limits { lease: Duration::from_millis(300), ..Limits::default() };
    let server = Running::on(first, Keys::default(), Http::default(), limits).await;
    let other = Running::on(second, Keys::default(), Http::default(), limits).await;
    half(&server).await;
    let path = "/v1/threads/t1/events?after=start";
    let mut viewer = Stream::new(other.get(path).send().await.unwrap());
    while viewer.next().await.unwrap()["delta"] != "half " {}
    (server, other, viewer)
}

#[tokio::test]
async fn a_viewer_at_another_process_learns_of_the_end_when_the_lease_ends() {
    let inner = forestage_store::open("memory:").await.unwrap();
    let store = Faulty::new(inner.clone());
    let (server, _other, mut viewer) = viewed_elsewhere(store.clone(), inner).await;
    // Only the process that runs it cannot write.
    store.fail_writes_after(0);
    server.bell.notify_one();
    while in_time(viewer.next()).await.unwrap()["type"] != "RUN_ERROR" {}
}

#[tokio::test]
async fn a_viewer_at_another_process_learns_of_the_end_when_the_store_can_be_written_again() {
    let store = Faulty::new(forestage_store::open("memory:").await.unwrap());
    let (server, _other, mut viewer) = viewed_elsewhere(store.clone(), store.clone()).await;
    store.fail_writes_after(0);
    server.bell.notify_one();
    // By then the first one has given the run up.
    let run = server.post("/v1/agents/waiting/runs", &input("t1", "r1", "go")).send().await.unwrap();
    assert!(in_time(run.text()).await.unwrap().contains("store_unavailable"));
    store.heal();
    while in_time(viewer.next()).await.unwrap()["type"] != "RUN_ERROR" {}
}
