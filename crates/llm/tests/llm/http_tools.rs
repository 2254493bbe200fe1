//! Tools that are HTTP requests, against a real server.

use axum::{
    Json, Router,
    extract::{Path, Query},
    http::HeaderMap,
    response::Redirect,
    routing::{get, post},
};
use forestage_llm::agent_file::{self, Setup};
use forestage_runtime::Agent;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// A server that tells what it was asked, and its port.
async fn echo() -> u16 {
    let app = Router::new()
        .route(
            "/items/{id}",
            get(|Path(id): Path<String>, Query(query): Query<Value>, headers: HeaderMap| async move {
                let token =
                    headers.get("x-token").and_then(|it| it.to_str().ok()).unwrap_or_default().to_owned();
                Json(json!({ "id": id, "query": query, "token": token }))
            }),
        )
        .route(
            "/items",
            post(|headers: HeaderMap, Json(body): Json<Value>| async move {
                Json(json!({ "body": body, "once": headers.contains_key("idempotency-key") }))
            }),
        )
        .route("/away", get(|| async { Redirect::temporary("http://127.0.0.2/secret") }));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    port
}

fn file(tool: &str) -> String {
    format!("---\nmodel: ollama/x\nhttp:\n  - {tool}\n---\nHello\n")
}

async fn call(tool: &str, arguments: Value) -> Result<Value, String> {
    let agent =
        agent_file::parse("a", &file(tool), &Setup::default()).map_err(|errors| errors[0].to_string())?;
    let tools = agent.tools();
    let invocation = forestage_runtime::tool::Invocation {
        key: "t/c".to_owned(),
        thread_id: "t".into(),
        run_id: "r".into(),
        tool_call_id: "c".into(),
        owner: "ada".to_owned(),
        notes: forestage_runtime::tool::Notes::default(),
        progress: forestage_runtime::tool::Progress::default(),
    };
    tools
        .get("it")
        .unwrap()
        .call(invocation, arguments)
        .await
        .map_err(|error| format!("{}: {}", error.code, error.message))
}

const PARAMETERS: &str = "{ type: object, properties: { id: { type: string }, q: { type: string } } }";

#[tokio::test]
async fn arguments_fill_path_query_and_body() {
    let port = echo().await;
    let tool = format!(
        "{{ name: it, url: 'http://127.0.0.1:{port}/items/{{id}}?q={{q}}', allowPrivate: true, parameters: {PARAMETERS} }}"
    );
    let answer = call(&tool, json!({ "id": "a/b", "q": "x&y=1" })).await.unwrap();
    assert_eq!(answer, json!({ "id": "a/b", "query": { "q": "x&y=1" }, "token": "" }));
    let tool =
        format!("{{ name: it, method: POST, url: 'http://127.0.0.1:{port}/items', allowPrivate: true }}");
    let answer = call(&tool, json!({ "n": 1 })).await.unwrap();
    assert_eq!(answer, json!({ "body": { "n": 1 }, "once": true }));
}

#[tokio::test]
async fn private_addresses_are_refused_however_they_are_written() {
    let port = echo().await;
    for host in ["127.0.0.1", "[::1]", "2130706433", "0x7f.1", "169.254.169.254"] {
        let refused = call(&format!("{{ name: it, url: 'http://{host}:{port}/items' }}"), json!({})).await;
        assert!(refused.as_ref().is_err_and(|told| told.contains("private network")), "{host}: {refused:?}");
    }
    let refused = call(&format!("{{ name: it, url: 'http://localhost:{port}/items' }}"), json!({})).await;
    assert!(refused.as_ref().is_err_and(|told| told.contains("private network")), "{refused:?}");
}

#[tokio::test]
async fn a_redirect_does_not_lead_to_a_host_that_nobody_named() {
    let port = echo().await;
    let refused =
        call(&format!("{{ name: it, url: 'http://127.0.0.1:{port}/away', allowPrivate: true }}"), json!({}))
            .await;
    assert!(refused.as_ref().is_err_and(|told| told.contains("may not go")), "{refused:?}");
}

#[tokio::test]
async fn a_secret_that_is_missing_is_named_and_nothing_is_sent() {
    let port = echo().await;
    let tool = format!(
        "{{ name: it, url: 'http://127.0.0.1:{port}/items/1', allowPrivate: true, headers: {{ x-token: '${{NOT_SET_ANYWHERE}}' }} }}"
    );
    let refused = call(&tool, json!({})).await;
    assert_eq!(
        refused,
        Err("secret_missing: the variable `NOT_SET_ANYWHERE` is not set, which the tool needs".to_owned())
    );
}

#[tokio::test]
async fn the_host_cannot_come_from_an_argument() {
    let refused = call(
        &format!("{{ name: it, url: 'https://{{id}}.example.org/', parameters: {PARAMETERS} }}"),
        json!({}),
    )
    .await;
    assert!(
        refused.as_ref().is_err_and(|told| told.starts_with("a:4:") && told.contains("stand fixed")),
        "{refused:?}"
    );
    let refused = call("{ name: it, url: 'https://example.org/{what}' }", json!({})).await;
    assert!(refused.as_ref().is_err_and(|told| told.contains("is not an argument")), "{refused:?}");
}
