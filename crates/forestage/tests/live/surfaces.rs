//! The server is killed right after somebody has clicked. The click counts once, however often it is sent again, and what
//! was typed is there when the server is back.

use forestage::protocol::input::RunAgentInput;
use serde_json::{Value, json};

use crate::{
    raw,
    support::{Process, input},
};

/// Runs of a dead process are closed after so many milliseconds.
const LEASE: u32 = 300;

fn click(thread: &str, run: &str) -> RunAgentInput {
    let action = json!({
        "name": "submit", "surfaceId": "my-form", "sourceComponentId": "submit-btn",
        "timestamp": "2026-11-16T10:00:00.000Z", "context": { "userName": "Alice" },
    });
    let properties = json!({ "a2uiAction": { "userAction": action } });
    RunAgentInput { forwarded_props: Some(properties.into()), messages: Vec::new(), ..input(thread, run, "") }
}

async fn post(server: &Process, input: &RunAgentInput) -> reqwest::Response {
    let request = raw::client().post(format!("{}/v1/agents/surfaces/runs", server.url)).json(input);
    request.send().await.expect("it is up")
}

async fn get(server: &Process, path: &str) -> Value {
    let response = raw::client().get(format!("{}{path}", server.url)).send().await.expect("it is up");
    response.json().await.expect("is JSON")
}

/// Sends the click until it has happened: by this request, or by one before.
async fn sent_again(server: &Process, thread: &str) {
    for attempt in 0..200 {
        let response = post(server, &click(thread, &format!("again-{attempt}"))).await;
        let status = response.status().as_u16();
        let body = response.text().await.expect("has a body");
        match status {
            200 => return,
            409 if body.contains("already_acted") => return,
            // The run of the dead process is not closed yet.
            409 => tokio::time::sleep(std::time::Duration::from_millis(50)).await,
            _ => panic!("{status} {body}"),
        }
    }
    panic!("the thread stays busy");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_click_counts_once_though_the_server_is_killed_at_any_moment_behind_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stage.db");
    let mut server = Process::start(&file, "127.0.0.1:0", LEASE);
    for round in 0..6 {
        let thread = format!("t{round}");
        post(&server, &input(&thread, "r1", "a form")).await.text().await.expect("ends");
        let url = format!("{}/v1/agents/surfaces/runs", server.url);
        let sending = tokio::spawn({
            let click = click(&thread, "r2");
            async move {
                // It may not live to see the answer.
                let _ = raw::client().post(url).json(&click).send().await;
            }
        });
        tokio::time::sleep(std::time::Duration::from_millis(3 * round)).await;
        server.kill();
        sending.await.expect("it ends");
        server = Process::start(&file, "127.0.0.1:0", LEASE);
        sent_again(&server, &thread).await;
        let messages = get(&server, &format!("/v1/threads/{thread}/messages")).await.to_string();
        assert_eq!(messages.matches("\"log_a2ui_event\"").count(), 1, "round {round}: {messages}");
        let surfaces = get(&server, &format!("/v1/threads/{thread}/surfaces")).await;
        assert_eq!(
            surfaces["surfaces"][0]["dataModel"]["form"]["name"], "Alice",
            "round {round}: {surfaces}"
        );
    }
}
