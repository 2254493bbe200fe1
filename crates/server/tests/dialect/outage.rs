//! The store fails under the sockets of the dialects.

use std::{sync::Arc, time::Duration};

use forestage_runtime::{About, Agents, Limits, RunContext, Stage, StartRun, agent_fn};
use forestage_server::{Http, Keys};
use forestage_store::conformance::faulty::Faulty;
use serde_json::json;
use tokio::sync::Notify;

use crate::support::*;

/// The sockets, as clients open them that come back to a thread.
const PATHS: [&str; 2] = ["/ws?threadId=t1", "/realtime?threadId=t1"];

fn agents(bell: &Arc<Notify>) -> Agents {
    let bell = bell.clone();
    let agent = agent_fn(About::new("waits for a bell in the middle"), move |ctx: RunContext| {
        let bell = bell.clone();
        async move {
            let text = ctx.text()?;
            text.push("half ").await?;
            bell.notified().await;
            text.push("whole").await?;
            Ok(())
        }
    });
    Agents::from([("waiting".to_owned(), agent)])
}

/// A server on a store that can fail, a socket on it, and the bell of a run that somebody else plays.
async fn watched(path: &str, outage: Duration) -> (Running, Arc<Faulty>, Socket, Arc<Notify>, Arc<Stage>) {
    let bell = Arc::new(Notify::new());
    let inner = forestage_store::open("memory:").await.unwrap();
    let elsewhere = Stage::new(inner.clone(), agents(&bell), Limits::default());
    let input = serde_json::from_value(json!({
        "threadId": "t1", "runId": "r1", "messages": [{ "id": "m", "role": "user", "content": "go" }],
    }));
    elsewhere.start(StartRun::new("waiting", input.unwrap(), "local")).await.unwrap();
    let store = Faulty::new(inner);
    let limits = Limits { outage, ..Limits::default() };
    let server = serve_on(store.clone(), agents(&bell), Keys::default(), Http::default(), limits).await;
    let mut socket = Socket::open(&server, path).await;
    while socket.next().await["type"] != "RUN_STARTED" {}
    (server, store, socket, bell, elsewhere)
}

#[tokio::test]
async fn a_socket_reads_on_when_the_store_is_back() {
    for path in PATHS {
        let (_server, store, mut socket, bell, _elsewhere) = watched(path, PATIENCE).await;
        store.fail_reads_after(0);
        bell.notify_one();
        store.refused(store.refusals() + 2).await;
        store.heal();
        let seen = socket.until("RUN_FINISHED").await;
        assert!(json!(seen).to_string().contains("whole"), "{path}: {seen:?}");
    }
}

#[tokio::test]
async fn a_socket_whose_store_stays_away_is_told_and_closed() {
    for path in PATHS {
        let (_server, store, mut socket, bell, _elsewhere) = watched(path, Duration::ZERO).await;
        store.fail_reads_after(0);
        bell.notify_one();
        let told = loop {
            let frame = socket.next().await.to_string();
            if frame.contains("store_unavailable") {
                break frame;
            }
        };
        assert!(told.contains("t1"), "{path}: {told}");
        assert_eq!(socket.close_code().await, 1013, "{path}");
    }
}
