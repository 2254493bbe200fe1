//! Pages that tools bring along: who gets them, and the frame that they are put into.

use forestage_runtime::{
    apps::{Hosts, Page},
    tool::Notes,
};
use forestage_server::{ApiKey, Http, Keys, hash_key};
use reqwest::{StatusCode, header};
use serde_json::{Value, json};

use crate::support::{Running, frames};

async fn keep(server: &Running, owner: &str) -> String {
    let page = Page {
        uri: "ui://desk/calendar".to_owned(),
        html: "<p>Calendar".to_owned(),
        csp: Hosts { connect_domains: vec!["https://api.example".to_owned()], ..Hosts::default() },
        prefers_border: Some(false),
    };
    page.keep(&Notes::new(server.store.clone(), owner)).await.unwrap()
}

/// A thread that shows a page.
async fn shows(server: &Running, page: &str, key: &str) {
    let content =
        json!({ "resourceUri": "ui://desk/calendar", "serverId": "desk", "serverHash": "h", "page": page });
    let events = [
        json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r1" }),
        json!({ "type": "ACTIVITY_SNAPSHOT", "messageId": "a", "activityType": "mcp-apps", "content": content }),
        json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r1" }),
    ];
    let body: String = events.iter().map(|event| format!("{event}\n")).collect();
    let import = reqwest::Client::new().post(format!("{}/v1/threads/t/import?agent=echo", server.url));
    assert_eq!(
        import.header("x-api-key", key).body(body).send().await.unwrap().status(),
        StatusCode::CREATED
    );
}

fn asks_for(uri: &str) -> Value {
    let request = json!({ "serverHash": "h", "serverId": "desk", "method": "resources/read", "params": { "uri": uri } });
    json!({
        "threadId": "t", "runId": "r2", "messages": [], "tools": [], "context": [], "state": {},
        "forwardedProps": { "__proxiedMCPRequest": request },
    })
}

#[tokio::test]
async fn a_page_is_given_to_the_owner_of_the_thread_and_to_nobody_else() {
    let key = |user: &str| ApiKey {
        user: user.to_owned(),
        hash: hash_key(user),
        roles: vec!["importer".to_owned()],
    };
    let server = Running::with(Keys::new(&[key("ada"), key("bob")]).unwrap(), Http::default()).await;
    let page = keep(&server, "ada").await;
    shows(&server, &page, "ada").await;
    let found = server.json_as("ada", &format!("/v1/threads/t/apps/{page}")).await;
    assert_eq!(found["html"], "<p>Calendar");
    assert_eq!(found["csp"]["connectDomains"], json!(["https://api.example"]));
    assert_eq!(found["prefersBorder"], false);
    let other = server.json_as("bob", &format!("/v1/threads/t/apps/{page}")).await;
    assert_eq!(other["error"]["code"], "unknown_thread", "{other}");
    let none = server.json_as("ada", "/v1/threads/t/apps/0123").await;
    assert_eq!(none["error"]["code"], "unknown_page");
}

#[tokio::test]
async fn the_frame_is_public_and_reaches_what_its_address_says() {
    let key = ApiKey { user: "ada".to_owned(), hash: hash_key("ada"), roles: Vec::new() };
    let server = Running::with(Keys::new(&[key]).unwrap(), Http::default()).await;
    let policy = async |query: &str| {
        let answer = server.get(&format!("/v1/apps/frame{query}")).send().await.unwrap();
        assert_eq!(answer.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8");
        answer.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned()
    };
    let closed = policy("").await;
    assert!(closed.starts_with("sandbox allow-scripts allow-forms;"), "{closed}");
    assert!(closed.contains("connect-src 'none'") && closed.contains("frame-ancestors 'self'"), "{closed}");
    let open = policy("?connect=https://a.example%20wss://b.example").await;
    assert!(open.contains("connect-src https://a.example wss://b.example;"), "{open}");
    let hostile = server.get("/v1/apps/frame?connect=*;script-src%20*").send().await.unwrap();
    assert_eq!(hostile.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_page_that_is_kept_is_read_without_a_run() {
    let server = Running::start().await;
    let page = keep(&server, "local").await;
    shows(&server, &page, "").await;
    for path in ["/v1/agents/echo/runs", "/copilotkit/agent/echo/run"] {
        let answer = server.post(path, &asks_for("ui://desk/calendar")).send().await.unwrap();
        let events = frames(&answer.text().await.unwrap());
        let kinds: Vec<_> = events.iter().map(|frame| frame.event["type"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["RUN_STARTED", "RUN_FINISHED"], "{path}");
        let content = &events[1].event["result"]["contents"][0];
        assert_eq!(
            (&content["text"], &content["mimeType"]),
            (&json!("<p>Calendar"), &json!("text/html;profile=mcp-app"))
        );
    }
    let runs = server.json("/v1/threads/t/runs").await;
    assert_eq!(runs["runs"].as_array().unwrap().len(), 1, "looking is not speaking");
}
