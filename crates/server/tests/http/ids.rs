//! Ids that name nothing: refused with one code, at every door.

use serde_json::json;

use crate::support::*;

/// Blank, or with what moves a cursor or ends a line of a log.
const WRONG: [&str; 5] = ["  ", "\n", "a\nb", "a\u{0}b", "\u{1b}[31m"];

fn in_path(id: &str) -> String {
    id.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[tokio::test]
async fn an_id_in_a_body_has_to_name_something() {
    let server = Running::start().await;
    server.run("echo", &input("t1", "r1", "go")).await;
    for id in WRONG {
        let mut of_message = input("t2", "r1", "go");
        of_message["messages"][0]["id"] = id.into();
        let resume = json!({ "threadId": "t1", "runId": "r2", "messages": [],
            "resume": [{ "interruptId": id, "status": "cancelled" }] });
        for (path, text) in [
            ("/v1/agents/echo/runs", input(id, "r1", "go")),
            ("/v1/agents/echo/runs", input("t2", id, "go")),
            ("/v1/agents/echo/runs", of_message.clone()),
            ("/v1/agents/echo/runs", resume),
            ("/v1/threads/t1/annotations", json!({ "kind": "note", "id": id })),
            ("/v1/threads/t1/annotations", json!({ "kind": "note", "runId": id })),
            ("/v1/threads/t1/branches", json!({ "runId": id })),
            ("/v1/threads/t1/branches", json!({ "messageId": id })),
            ("/awp?agent=echo", of_message.clone()),
            ("/run?agent=echo", input("t2", id, "go")),
            ("/copilotkit/agent/echo/run", input("t2", id, "go")),
        ] {
            let (status, refused) = body(server.post(path, &text).send().await.unwrap()).await;
            assert_eq!(
                (status, &refused["error"]["code"]),
                (422, &json!("invalid_id")),
                "{path} {text}: {refused}"
            );
            assert!(refused["error"]["path"].is_string(), "{refused}");
        }
    }
}

#[tokio::test]
async fn an_id_in_an_address_has_to_name_something() {
    let server = Running::start().await;
    for id in WRONG.map(in_path) {
        for path in [
            format!("/v1/threads/{id}"),
            format!("/v1/threads/{id}/events?live=false"),
            format!("/v1/threads/t1/runs/{id}"),
            format!("/v1/interrupts/{id}"),
            format!("/copilotkit/threads/{id}/messages"),
        ] {
            let (status, refused) = body(server.get(&path).send().await.unwrap()).await;
            assert_eq!((status, &refused["error"]["code"]), (422, &json!("invalid_id")), "{path}: {refused}");
        }
        let import = server.post(&format!("/v1/threads/{id}/import?agent=echo"), &json!({}));
        assert_eq!(body(import.send().await.unwrap()).await.1["error"]["code"], "invalid_id");
    }
    let (status, refused) = body(server.get("/v1/interrupts?thread=a%00").send().await.unwrap()).await;
    assert_eq!((status, &refused["error"]["code"]), (422, &json!("invalid_id")), "{refused}");
}
