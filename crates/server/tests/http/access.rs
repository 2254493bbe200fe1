//! Who may ask, and from where.

use axum::{Extension, Router, routing};
use forestage_server::{ApiKey, BindError, Http, Identity, Keys, Server, hash_key};
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
async fn an_origin_that_is_not_text_is_refused() {
    let server = Running::start().await;
    let origin = reqwest::header::HeaderValue::from_bytes(b"https://caf\xe9.example").unwrap();
    let (status, error) = body(server.get("/healthz").header("origin", origin).send().await.unwrap()).await;
    assert_eq!((status, &error["error"]["code"]), (403, &json!("forbidden_origin")));
}

#[tokio::test]
async fn hosts_count_with_keys_too() {
    let status = async |server: &Running, host: &str| {
        let request = server.get("/healthz").header("host", host).header("x-api-key", "key-of-ada");
        request.send().await.unwrap().status().as_u16()
    };
    let hosts = vec!["app.example".to_owned()];
    let named = Running::with(keys(), Http { hosts: hosts.clone(), ..Http::default() }).await;
    for (host, expected) in [
        ("app.example", 200),
        ("APP.example:8443", 200),
        ("localhost", 200),
        ("localhost:8443", 200),
        ("[::1]", 200),
        ("[::1]:8443", 200),
        ("app.example:evil", 403),
        ("evil.example", 403),
        ("app.example.evil.example", 403),
    ] {
        assert_eq!(status(&named, host).await, expected, "{host}");
    }
    let open = Running::with(Keys::default(), Http { hosts, ..Http::default() }).await;
    assert_eq!((status(&open, "app.example").await, status(&open, "evil.example").await), (200, 403));
    let any = Running::with(keys(), Http::default()).await;
    assert_eq!(status(&any, "evil.example").await, 200, "with keys and no names, any name will do");
}

#[tokio::test]
async fn what_is_answered_is_kept_by_nobody_and_taken_for_nothing_else() {
    let server = Running::with(keys(), Http::default()).await;
    let run = input("t1", "r1", "mine");
    let as_ada = |request: reqwest::RequestBuilder| request.header("x-api-key", "key-of-ada");
    for (request, expected) in [
        (as_ada(server.post("/v1/agents/echo/runs", &run)), 200),
        (as_ada(server.get("/v1/threads")), 200),
        (as_ada(server.get("/v1/threads/none")), 404),
        (as_ada(server.get("/v1/nothing")), 404),
        (as_ada(server.post("/healthz", &json!({}))), 405),
        (server.get("/v1/threads"), 401),
        (server.get("/healthz"), 200),
        (server.get("/healthz").header("origin", "https://evil.example"), 403),
    ] {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers());
        assert_eq!(status, expected, "{}", response.url());
        assert!(headers["cache-control"].to_str().unwrap().starts_with("no-store"), "{}", response.url());
        assert_eq!(headers["x-content-type-options"], "nosniff", "{}", response.url());
    }
}

#[tokio::test]
async fn importing_is_a_right_of_its_own() {
    let key = |user: &str, role: Option<&str>| ApiKey {
        user: user.to_owned(),
        hash: hash_key(user),
        roles: role.into_iter().map(str::to_owned).collect(),
    };
    let keys =
        [key("ada", None), key("bob", Some("manager")), key("mia", Some("importer")), key("all", Some("*"))];
    let server = Running::with(Keys::new(&keys).unwrap(), Http::default()).await;
    let recording = "{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}";
    for (user, expected) in [("ada", 403), ("bob", 403), ("mia", 201), ("all", 201)] {
        let url = format!("{}/v1/threads/of-{user}/import?agent=echo", server.url);
        let request = reqwest::Client::new().post(url).header("x-api-key", user).body(recording);
        let (status, answer) = body(request.send().await.unwrap()).await;
        assert_eq!(status, expected, "{user}: {answer}");
        if expected == 403 {
            assert_eq!(answer["error"]["code"], "role_required");
            assert!(answer["error"]["message"].as_str().unwrap().contains("`importer`"), "{answer}");
        }
    }
}

#[tokio::test]
async fn named_sites_may_ask_and_no_others() {
    let http = Http { allow_origins: vec!["https://app.example".to_owned()], ..Http::default() };
    let server = Running::with(Keys::default(), http).await;
    let allowed = server.get("/healthz").header("origin", "https://app.example").send().await.unwrap();
    assert_eq!(allowed.status(), 200);
    assert_eq!(allowed.headers()["access-control-allow-origin"], "https://app.example");
    for other in ["https://evil.example", "http://app.example", "https://app.example.evil.example"] {
        let refused = server.get("/healthz").header("origin", other).send().await.unwrap();
        assert_eq!(refused.status(), 403, "{other}");
        assert!(refused.headers().get("access-control-allow-origin").is_none(), "{other}");
    }
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
async fn routes_of_the_application_know_who_asks_and_turn_strangers_away() {
    let store = forestage_store::open("memory:").await.unwrap();
    let stage = forestage_runtime::Stage::new(store, Default::default(), Default::default());
    let http = Http { listen: "127.0.0.1:0".to_owned(), ..Http::default() };
    let name = |Extension(caller): Extension<Identity>| async move { caller.user };
    let own = Router::new().route("/name", routing::get(name));
    let server = Server::bind(stage, keys(), http).await.unwrap().with_routes(own);
    let url = format!("http://{}/name", server.address());
    let task = tokio::spawn(server.run(std::future::pending()));
    for (key, expected) in [("key-of-ada", (200, "ada")), ("key-of-eve", (200, "eve")), ("guess", (401, ""))]
    {
        let answer = reqwest::Client::new().get(&url).header("x-api-key", key).send().await.unwrap();
        let status = answer.status().as_u16();
        let name = if status == 200 { answer.text().await.unwrap() } else { String::new() };
        assert_eq!((status, name.as_str()), expected, "{key}");
    }
    assert_eq!(reqwest::get(&url).await.unwrap().status(), 401);
    task.abort();
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
