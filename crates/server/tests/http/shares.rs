//! Links by which others read a thread, and nothing else.

use std::time::Duration;

use forestage_server::{ApiKey, Http, Keys, hash_key};
use forestage_store::{NewAudit, Share};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::*;

/// A server with two people, whose keys are their names, and a thread of one of them.
async fn stage() -> Running {
    let key = |user: &str| ApiKey { user: user.to_owned(), hash: hash_key(user), roles: Vec::new() };
    let server = Running::with(Keys::new(&[key("ada"), key("eve")]).unwrap(), Http::default()).await;
    for thread in ["t1", "t2"] {
        let run = server.post("/v1/agents/echo/runs", &input(thread, "r1", "hello there"));
        assert_eq!(run.header("x-api-key", "ada").send().await.unwrap().status(), 200);
    }
    server
}

async fn share(server: &Running, body: &Value) -> Value {
    let (status, share) = server.post_as("ada", "/v1/threads/t1/shares", body).await;
    assert_eq!(status, 201, "{share}");
    share
}

/// The answer to whoever has a link.
async fn by_link(server: &Running, token: &str, method: Method, path: &str) -> (u16, Value) {
    let request = reqwest::Client::new().request(method, format!("{}{path}", server.url));
    body(request.bearer_auth(token).json(&json!({})).send().await.unwrap()).await
}

const READABLE: [&str; 8] =
    ["", "/events?live=false", "/messages", "/state", "/surfaces", "/runs", "/runs/r1", "/branches"];

#[tokio::test]
async fn a_link_reads_its_thread_and_no_other() {
    let server = stage().await;
    let share = share(&server, &json!({})).await;
    let token = share["token"].as_str().unwrap();
    for path in READABLE {
        let (status, answer) = by_link(&server, token, Method::GET, &format!("/v1/threads/t1{path}")).await;
        assert_eq!(status, 200, "{path}: {answer}");
        let (status, _) = by_link(&server, token, Method::GET, &format!("/v1/threads/t2{path}")).await;
        assert_eq!(status, 404, "{path}");
    }
    let (_, messages) = by_link(&server, token, Method::GET, "/v1/threads/t1/messages").await;
    assert_eq!(messages["messages"][1]["content"], "hello there");
}

#[tokio::test]
async fn a_guess_opens_nothing_while_a_link_is_open() {
    let server = stage().await;
    let share = share(&server, &json!({})).await;
    let token = share["token"].as_str().unwrap();
    let shorter = &token[..token.len() - 1];
    for guess in ["fs_share_guess", "fs_share_", shorter, &format!("{token}0")] {
        for path in READABLE {
            let (status, _) = by_link(&server, guess, Method::GET, &format!("/v1/threads/t1{path}")).await;
            assert_eq!(status, 404, "{guess} {path}");
        }
    }
    assert_eq!(by_link(&server, token, Method::GET, "/v1/threads/t1").await.0, 200);
}

#[tokio::test]
async fn a_link_does_nothing_but_read() {
    for server in [stage().await, Running::start().await] {
        server.post("/v1/agents/echo/runs", &input("t1", "r1", "mine")).send().await.unwrap();
        let share = share(&server, &json!({})).await;
        let token = share["token"].as_str().unwrap();
        let run = server.post("/v1/agents/echo/runs", &input("t1", "r2", "me, too")).bearer_auth(token);
        assert_eq!(run.send().await.unwrap().status(), 403);
        let forbidden = [
            (Method::POST, "/v1/threads/t1/runs/r1/cancel"),
            (Method::POST, "/v1/threads/t1/branches"),
            (Method::POST, "/v1/threads/t1/annotations"),
            (Method::GET, "/v1/threads/t1/annotations"),
            (Method::POST, "/v1/threads/t1/shares"),
            (Method::GET, "/v1/threads/t1/shares"),
            (Method::PATCH, "/v1/threads/t1"),
            (Method::DELETE, "/v1/threads/t1"),
            (Method::POST, "/v1/interrupts/i"),
            (Method::GET, "/v1/interrupts"),
            (Method::GET, "/v1/threads"),
            (Method::GET, "/v1/audit"),
            (Method::GET, "/v1/rules"),
            (Method::GET, "/v1/server"),
            (Method::POST, "/awp"),
        ];
        for (method, path) in forbidden {
            let (status, answer) = by_link(&server, token, method.clone(), path).await;
            assert_eq!((status, &answer["error"]["code"]), (403, &json!("read_only")), "{method} {path}");
        }
        let runs = by_link(&server, token, Method::GET, "/v1/threads/t1/runs").await.1;
        assert_eq!(runs["runs"].as_array().unwrap().len(), 1, "nothing was begun");
    }
}

#[tokio::test]
async fn a_link_that_was_taken_back_or_is_over_opens_nothing() {
    let server = stage().await;
    let share = share(&server, &json!({"expiresInSeconds": 3600})).await;
    let token = share["token"].as_str().unwrap();
    assert_eq!(by_link(&server, token, Method::GET, "/v1/threads/t1").await.0, 200);
    let path = format!("/v1/threads/t1/shares/{}", share["id"].as_str().unwrap());
    assert_eq!(server.delete_as("eve", &path).await, 404, "it is not hers");
    assert_eq!(server.delete_as("ada", &path).await, 204);
    assert_eq!(server.delete_as("ada", &path).await, 404);
    over(&server, "fs_share_over").await;
    for token in [token, "fs_share_over", "fs_share_guess"] {
        for path in READABLE {
            let path = format!("/v1/threads/t1{path}");
            let (status, answer) = by_link(&server, token, Method::GET, &path).await;
            assert_eq!((status, &answer["error"]["code"]), (404, &json!("unknown_thread")), "{token} {path}");
        }
    }
}

/// A link whose time was over long ago.
async fn over(server: &Running, token: &str) {
    let share = Share {
        id: "over".to_owned(),
        thread_id: "t1".into(),
        hash: Sha256::digest(token).into(),
        by: "ada".to_owned(),
        at: 1,
        expires_at: Some(2),
    };
    let audit = NewAudit {
        at: 1,
        kind: "share_added".to_owned(),
        actor: "ada".to_owned(),
        origin: String::new(),
        owner: "ada".to_owned(),
        thread_id: None,
        interrupt_id: None,
        json: "{}".into(),
    };
    assert!(server.store.put_share(share, audit).await.unwrap());
}

#[tokio::test]
async fn who_follows_by_a_link_is_cut_off_when_it_is_taken_back() {
    let server = stage().await;
    let share = share(&server, &json!({})).await;
    let events = server.get("/v1/threads/t1/events").bearer_auth(share["token"].as_str().unwrap());
    let mut stream = Stream::new(events.send().await.unwrap());
    while stream.next().await.unwrap()["type"] != "RUN_FINISHED" {}
    let more = server.post("/v1/agents/echo/runs", &input("t1", "r2", "and more")).header("x-api-key", "ada");
    more.send().await.unwrap();
    assert!(stream.text_until("and ").await.contains("r2"), "it is live");
    let path = format!("/v1/threads/t1/shares/{}", share["id"].as_str().unwrap());
    assert_eq!(server.delete_as("ada", &path).await, 204);
    let end = tokio::time::timeout(Duration::from_secs(30), stream.rest()).await.expect("the stream ends");
    end.expect_err("who was cut off does not take it for the end");
}

#[tokio::test]
async fn links_are_listed_and_on_record_without_what_opens_them() {
    let server = stage().await;
    let share = share(&server, &json!({"expiresInSeconds": 60})).await;
    let token = share["token"].as_str().unwrap();
    let listed = server.json_as("ada", "/v1/threads/t1/shares").await;
    assert_eq!(listed["shares"][0]["id"], share["id"]);
    assert_eq!(
        listed["shares"][0]["expiresAt"].as_i64().unwrap() - listed["shares"][0]["at"].as_i64().unwrap(),
        60_000
    );
    let trail = server.json_as("ada", "/v1/audit").await;
    let kinds: Vec<_> = trail["entries"].as_array().unwrap().iter().map(|entry| &entry["kind"]).collect();
    assert_eq!(kinds, ["share_added"]);
    assert!(!listed.to_string().contains(token) && !trail.to_string().contains(token));
    let (status, answer) = server.post_as("eve", "/v1/threads/t1/shares", &json!({})).await;
    assert_eq!((status, &answer["error"]["code"]), (404, &json!("unknown_thread")));
    for wrong in [json!({"expiresInSeconds": 0}), json!({"expiresInSeconds": i64::MAX})] {
        assert_eq!(server.post_as("ada", "/v1/threads/t1/shares", &wrong).await.0, 422);
    }
}
