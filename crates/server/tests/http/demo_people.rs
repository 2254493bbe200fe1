//! The people of a demo: who can be whom, and that no other server lets anybody be somebody.

use forestage_server::{ApiKey, BindError, Http, Identity, Keys, Server, hash_key};
use serde_json::json;
use tokio_tungstenite::{connect_async, tungstenite::Error};

use crate::support::*;

fn people() -> Vec<Identity> {
    vec![Identity::local(), Identity { user: "grace".to_owned(), roles: vec!["manager".to_owned()] }]
}

fn keys() -> Keys {
    Keys::new(&[ApiKey { user: "ada".to_owned(), hash: hash_key("key-of-ada"), roles: Vec::new() }]).unwrap()
}

/// The status of `GET /v1/server` with this key, and who the caller is to the server.
async fn who(server: &Running, key: &str) -> (u16, serde_json::Value) {
    let (status, told) = body(server.get("/v1/server").bearer_auth(key).send().await.unwrap()).await;
    (status, told["user"].clone())
}

#[tokio::test]
async fn a_demo_lets_one_be_each_of_its_people_and_lists_them() {
    let server = Running::demo(people()).await;
    assert_eq!(who(&server, "fs_demo_grace").await, (200, json!("grace")));
    assert_eq!(who(&server, "fs_demo_local").await, (200, json!("local")));
    let (_, told) = body(server.get("/v1/server").send().await.unwrap()).await;
    assert_eq!((&told["user"], &told["people"]), (&json!("local"), &json!(["local", "grace"])));
    assert_eq!(who(&server, "fs_demo_mallory").await.0, 401, "nobody is made up");
    let socket = |key: &str| format!("{}/v1/ws?token={key}", server.url.replace("http:", "ws:"));
    assert!(connect_async(socket("fs_demo_grace")).await.is_ok());
    assert!(matches!(connect_async(socket("fs_demo_mallory")).await, Err(Error::Http(_))));
}

#[tokio::test]
async fn people_of_a_demo_do_not_see_each_others_threads() {
    let server = Running::demo(people()).await;
    let run = server.post("/v1/agents/echo/runs", &input("t1", "r1", "mine")).send().await.unwrap();
    assert_eq!(run.status(), 200);
    let hers = server.get("/v1/threads/t1").bearer_auth("fs_demo_grace").send().await.unwrap();
    assert_eq!(hers.status(), 404);
}

#[tokio::test]
async fn a_server_that_is_no_demo_has_no_people() {
    let without_keys = Running::start().await;
    assert_eq!(who(&without_keys, "fs_demo_grace").await.0, 401);
    let (_, told) = body(without_keys.get("/v1/server").send().await.unwrap()).await;
    assert_eq!(told.get("people"), None);
    let with_keys = Running::with(keys(), Http::default()).await;
    assert_eq!(who(&with_keys, "fs_demo_ada").await.0, 401, "a name is no key");
    assert_eq!(who(&with_keys, "key-of-ada").await, (200, json!("ada")));
}

#[tokio::test]
async fn a_server_with_keys_refuses_demo_people() {
    let store = forestage_store::open("memory:").await.unwrap();
    let stage = forestage_runtime::Stage::new(store, Default::default(), Default::default());
    let http = Http { listen: "127.0.0.1:0".to_owned(), ..Http::default() };
    let server = Server::bind(stage, keys(), http).await.unwrap();
    let refused = server.with_demo_people(people()).unwrap_err();
    assert!(matches!(refused, BindError::DemoWithKeys), "{refused}");
}
