//! Who may ask, and from where.

use forestage_server::{ApiKey, BindError, Http, Keys, Server, hash_key};
use serde_json::json;

use crate::support::*;

fn keys() -> Keys {
    let key =
        |user: &str, key: &str| ApiKey { user: user.to_owned(), hash: hash_key(key), roles: Vec::new() };
    Keys::new(&[key("ada", "key-of-ada"), key("eve", "key-of-eve")]).unwrap()
}

#[tokio::test]
async fn a_key_is_wanted_and_taken_in_two_headers() {
    let server = Running::with(keys(), Http::default()).await;
    let (status, error) = body(server.get("/v1/threads").send().await.unwrap()).await;
    assert_eq!((status, &error["error"]["code"]), (401, &json!("unauthorized")));
    let bearer = server.get("/v1/threads").header("authorization", "Bearer key-of-ada");
    assert_eq!(bearer.send().await.unwrap().status(), 200);
    assert_eq!(
        server.get("/v1/threads").header("x-api-key", "key-of-ada").send().await.unwrap().status(),
        200
    );
    assert_eq!(server.get("/v1/threads").header("x-api-key", "guess").send().await.unwrap().status(), 401);
    let in_address = server.get("/v1/threads?token=key-of-ada").send().await.unwrap();
    assert_eq!(in_address.status(), 401, "addresses end up in logs");
    assert_eq!(server.get("/healthz").send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn a_stranger_finds_nothing_on_any_route() {
    let server = Running::with(keys(), Http::default()).await;
    let run =
        server.post("/v1/agents/echo/runs", &input("t1", "r1", "mine")).header("x-api-key", "key-of-ada");
    assert_eq!(run.send().await.unwrap().status(), 200);
    let get = ["", "/events", "/messages", "/state", "/runs", "/runs/r1", "/branches", "/annotations"];
    for path in get {
        let request = server.get(&format!("/v1/threads/t1{path}")).header("x-api-key", "key-of-eve");
        assert_eq!(request.send().await.unwrap().status(), 404, "{path}");
    }
    let post = [
        ("/v1/threads/t1/runs/r1/cancel", json!({})),
        ("/v1/threads/t1/branches", json!({"runId": "r1"})),
        ("/v1/threads/t1/annotations", json!({"kind": "x"})),
        ("/v1/agents/echo/runs", input("t1", "r2", "mine now")),
    ];
    for (path, body) in post {
        let request = server.post(path, &body).header("x-api-key", "key-of-eve");
        assert_eq!(request.send().await.unwrap().status(), 404, "{path}");
    }
    let client = reqwest::Client::new();
    let url = format!("{}/v1/threads/t1", server.url);
    let delete = client.delete(&url).header("x-api-key", "key-of-eve").send().await.unwrap();
    let patch = client
        .patch(&url)
        .header("x-api-key", "key-of-eve")
        .json(&json!({"title": "x"}))
        .send()
        .await
        .unwrap();
    assert_eq!((delete.status().as_u16(), patch.status().as_u16()), (404, 404));
    let theirs = server.get("/v1/threads").header("x-api-key", "key-of-eve").send().await.unwrap();
    assert_eq!(body(theirs).await.1["threads"], json!([]));
}

#[tokio::test]
async fn a_stranger_finds_no_question_no_rule_and_no_trail() {
    let server = Running::with(keys(), Http::default()).await;
    let run =
        server.post("/v1/agents/asking/runs", &input("t1", "r1", "mine")).header("x-api-key", "key-of-ada");
    assert_eq!(run.send().await.unwrap().text().await.map(|text| text.contains("Really?")).ok(), Some(true));
    let rule = forestage_store::Rule {
        risk: "medium".to_owned(),
        id: "rule".to_owned(),
        owner: "ada".to_owned(),
        agent: "asking".to_owned(),
        tool: "send".to_owned(),
        thread_id: None,
        by: "ada".to_owned(),
        at: 1,
    };
    server.store.put_rule(rule).await.unwrap();
    let get = async |path: &str| {
        body(server.get(path).header("x-api-key", "key-of-eve").send().await.unwrap()).await
    };
    for path in ["/v1/interrupts/really", "/v1/interrupts/really?thread=t1"] {
        assert_eq!(get(path).await.0, 404, "{path}");
    }
    assert_eq!(server.delete_as("key-of-eve", "/v1/rules/rule").await, 404);
    let lists = [
        ("/v1/interrupts", "interrupts"),
        ("/v1/interrupts?thread=t1&decided=true", "interrupts"),
        ("/v1/rules", "rules"),
        ("/v1/audit", "entries"),
        ("/v1/audit?thread=t1", "entries"),
        ("/v1/audit?interrupt=really", "entries"),
    ];
    for (path, name) in lists {
        assert_eq!(get(path).await.1[name], json!([]), "{path}");
    }
    for path in ["/v1/interrupts/really", "/v1/interrupts/really?thread=t1"] {
        assert_eq!(server.post_as("key-of-eve", path, &json!({"approved": true})).await.0, 404, "{path}");
    }
    let trail = get("/v1/audit").await.1;
    let attempts: Vec<_> = trail["entries"].as_array().unwrap().iter().map(|it| &it["kind"]).collect();
    assert_eq!(attempts, ["refused", "refused"], "what they tried themselves, and nothing else");
}

#[tokio::test]
async fn foreign_names_and_pages_are_refused() {
    let server = Running::start().await;
    let (status, error) =
        body(server.get("/healthz").header("host", "evil.example").send().await.unwrap()).await;
    assert_eq!((status, &error["error"]["code"]), (403, &json!("forbidden_host")));
    let (status, error) =
        body(server.get("/healthz").header("origin", "https://evil.example").send().await.unwrap()).await;
    assert_eq!((status, &error["error"]["code"]), (403, &json!("forbidden_origin")));
    let two = server.get("/healthz").header("origin", &server.url).header("origin", "https://evil.example");
    assert_eq!(body(two.send().await.unwrap()).await.1["error"]["code"], "ambiguous_request");
    let same = server.get("/healthz").header("origin", &server.url).send().await.unwrap();
    assert_eq!(same.status(), 200);
    assert!(same.headers().get("access-control-allow-origin").is_none(), "no other site is allowed");
}

#[tokio::test]
async fn named_sites_may_ask() {
    let http = Http { allow_origins: vec!["https://app.example".to_owned()], ..Http::default() };
    let server = Running::with(Keys::default(), http).await;
    let allowed = server.get("/healthz").header("origin", "https://app.example").send().await.unwrap();
    assert_eq!(allowed.headers()["access-control-allow-origin"], "https://app.example");
}

#[tokio::test]
async fn sites_that_no_browser_can_name_are_refused_before_anything_starts() {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    for (http, told) in [
        (
            Http { allow_origins: names(&["https://app.example", "*"]), ..Http::default() },
            "allow_origins: `*` would let the pages of every site use the server; name each of them, such as `https://app.example`",
        ),
        (
            Http { hosts: names(&["app.example:443"]), ..Http::default() },
            "hosts: `app.example:443` is not the name of a host; did you mean `app.example`?",
        ),
    ] {
        let store = forestage_store::open("memory:").await.unwrap();
        let stage = forestage_runtime::Stage::new(store, Default::default(), Default::default());
        let refused = Server::bind(stage, Keys::default(), http).await.unwrap_err();
        assert_eq!(refused.to_string(), told);
    }
}

#[tokio::test]
async fn without_keys_only_this_machine_is_served() {
    let store = forestage_store::open("memory:").await.unwrap();
    let stage = forestage_runtime::Stage::new(store, Default::default(), Default::default());
    let http = Http { listen: "0.0.0.0:0".to_owned(), ..Http::default() };
    let refused = Server::bind(stage.clone(), Keys::default(), http.clone()).await.unwrap_err();
    assert!(matches!(refused, BindError::NeedsKeys(_)), "{refused}");
    assert!(Server::bind(stage, keys(), http).await.is_ok());
}

#[tokio::test]
async fn a_server_with_keys_answers_to_the_hosts_that_it_is_given_and_to_no_others() {
    let called = async |http: Http, keys: Keys, host: &str| {
        let server = Running::with(keys, http).await;
        let request = server.get("/v1/threads").header("x-api-key", "key-of-ada").header("host", host);
        body(request.send().await.unwrap()).await
    };
    let named = || Http { hosts: vec!["app.example".to_owned()], ..Http::default() };
    for (host, status) in [
        ("app.example", 200),
        ("APP.example:8787", 200),
        ("localhost", 200),
        ("evil.example", 403),
        ("app.example.evil", 403),
    ] {
        let (found, told) = called(named(), keys(), host).await;
        assert_eq!(found, status, "{host}: {told}");
        if status == 403 {
            assert_eq!(told["error"]["code"], "forbidden_host");
        }
    }
    assert_eq!(
        called(Http::default(), keys(), "any.example").await.0,
        200,
        "a key is enough where none is named"
    );
    assert_eq!(called(Http::default(), Keys::default(), "any.example").await.0, 403, "nothing protects it");
}
