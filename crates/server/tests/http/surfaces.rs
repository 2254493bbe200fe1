//! Surfaces over HTTP: drawn, listed, acted on, refused; in the form that each generation of clients draws.

use forestage_runtime::{Limits, Stage, script};
use forestage_server::{Http, Keys, Server};
use serde_json::{Value, json};

use crate::support::{body, frames, input};

/// A server with the agents of the demo.
async fn server() -> String {
    let store = forestage_store::open("memory:").await.unwrap();
    let stage = Stage::new(store, script::builtin(), Limits::default());
    let http = Http { listen: "127.0.0.1:0".to_owned(), ..Http::default() };
    let server = Server::bind(stage, Keys::default(), http).await.unwrap();
    let url = format!("http://{}", server.address());
    tokio::spawn(server.run(std::future::pending()));
    url
}

async fn post(url: &str, input: &Value) -> (u16, String) {
    let url = format!("{url}/v1/agents/surfaces/runs");
    let response = reqwest::Client::new().post(url).json(input).send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

async fn surfaces(url: &str) -> Value {
    let response = reqwest::get(format!("{url}/v1/threads/t1/surfaces")).await.unwrap();
    body(response).await.1["surfaces"].take()
}

fn click(run: &str, change: impl FnOnce(&mut Value)) -> Value {
    let mut action = json!({
        "name": "submit", "surfaceId": "my-form", "sourceComponentId": "submit-btn",
        "timestamp": "2026-11-16T10:00:00.000Z", "context": { "userName": "Alice" },
    });
    change(&mut action);
    let mut input = input("t1", run, "");
    input["messages"] = json!([]);
    input["forwardedProps"] = json!({ "a2uiAction": { "userAction": action } });
    input
}

#[tokio::test]
async fn the_form_of_the_contract_is_drawn_for_both_generations_and_keeps_what_is_typed() {
    let url = server().await;
    let (_, told) = post(&url, &input("t1", "r1", "a form, please")).await;
    let drawn: Vec<_> =
        frames(&told).into_iter().filter(|it| it.event["type"] == "ACTIVITY_SNAPSHOT").collect();
    let content = &drawn[0].event["content"];
    assert_eq!((drawn.len(), &drawn[0].event["activityType"]), (1, &json!("a2ui-surface")));
    assert_eq!(content["a2ui_operations"][0]["createSurface"]["surfaceId"], "my-form");
    assert_eq!(content["operations"][0]["surfaceUpdate"]["surfaceId"], "my-form");

    let (status, told) = post(&url, &click("r2", |_| ())).await;
    assert!(status == 200 && told.contains("Alice."), "{told}");
    let shown = surfaces(&url).await;
    assert_eq!(shown[0]["dataModel"], json!({ "form": { "name": "Alice" }, "status": "Thank you, Alice." }));
    assert_eq!(shown[0]["messageId"], drawn[0].event["messageId"], "one activity for life");
}

#[tokio::test]
async fn what_cannot_be_done_is_a_conflict_that_says_why() {
    let url = server().await;
    post(&url, &input("t1", "r1", "a form, please")).await;
    type Change = fn(&mut Value);
    let cases: [(Change, u16, &str); 4] = [
        (|it| it["name"] = "delete".into(), 409, "action_not_offered"),
        (|it| it["surfaceId"] = "other".into(), 409, "unknown_surface"),
        (|it| it["context"]["userName"] = json!({}), 409, "invalid_context"),
        (|it| it["timestamp"] = Value::Null, 422, "invalid_action"),
    ];
    for (change, status, code) in cases {
        let (found, told) = post(&url, &click("r2", change)).await;
        let told: Value = serde_json::from_str(&told).unwrap();
        assert_eq!((found, &told["error"]["code"]), (status, &json!(code)), "{told}");
    }
    assert_eq!(post(&url, &click("r2", |_| ())).await.0, 200);
    let (status, told) = post(&url, &click("r3", |_| ())).await;
    assert!(status == 409 && told.contains("already_acted"), "{told}");
}
