//! Threads, agents, branches, annotations, questions.

use forestage_runtime::{About, Agents, Listing, agent_fn};
use forestage_server::{ApiKey, Http, Keys, hash_key};
use serde_json::json;

use crate::support::*;

#[tokio::test]
async fn agents_tell_what_they_can() {
    let server = Running::start().await;
    let agents = server.json("/v1/agents").await;
    let names: Vec<_> =
        agents["agents"].as_array().unwrap().iter().map(|agent| agent["name"].clone()).collect();
    assert_eq!(names, ["approving", "asking", "echo", "long", "tidying", "waiting"].map(|name| json!(name)));
    let one = server.json("/v1/agents/echo").await;
    assert_eq!((&one["title"], &one["order"], &one["group"]), (&json!(null), &json!(null), &json!(null)));
    assert_eq!(one["capabilities"]["transport"]["resumable"], true);
}

#[tokio::test]
async fn agents_are_listed_in_the_order_that_they_ask_for() {
    let listed = |order: Option<i32>, title: &str| {
        let listing = Listing { title: Some(title.to_owned()), order, ..Listing::default() };
        agent_fn(About { listing, ..About::new("is listed") }, |_| async { Ok(()) })
    };
    let last = Listing {
        icon: Some("tool".to_owned()),
        group: Some(Listing::DEVELOPER.to_owned()),
        ..Listing::default()
    };
    let last = agent_fn(About { listing: last, ..About::new("is for developers") }, |_| async { Ok(()) });
    let server = Running::playing(Agents::from([
        ("a".to_owned(), last),
        ("b".to_owned(), listed(Some(2), "Second")),
        ("c".to_owned(), listed(Some(-1), "First")),
        ("d".to_owned(), listed(Some(2), "Third")),
    ]))
    .await;
    let agents = server.json("/v1/agents").await;
    let shown: Vec<_> = agents["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|agent| json!([agent["name"], agent["title"], agent["icon"], agent["order"], agent["group"]]))
        .collect();
    assert_eq!(
        json!(shown),
        json!([
            ["c", "First", null, -1, null],
            ["b", "Second", null, 2, null],
            ["d", "Third", null, 2, null],
            ["a", null, "tool", null, "developer"],
        ])
    );
}

#[tokio::test]
async fn a_demo_says_that_it_is_one() {
    for demo in [false, true] {
        let server = Running::with(Keys::default(), Http { demo, ..Http::default() }).await;
        assert_eq!(server.json("/v1/server").await["demo"], demo);
    }
}

#[tokio::test]
async fn threads_are_listed_named_put_away_and_deleted() {
    let server = Running::start().await;
    for name in ["t1", "t2", "t3"] {
        server.run("echo", &input(name, "r1", "hello")).await;
    }
    let page = server.json("/v1/threads?limit=2").await;
    assert_eq!(page["threads"].as_array().unwrap().len(), 2);
    let rest =
        server.json(&format!("/v1/threads?limit=2&cursor={}", page["nextCursor"].as_str().unwrap())).await;
    assert_eq!((rest["threads"].as_array().unwrap().len(), &rest["nextCursor"]), (1, &json!(null)));

    let patch = |path: &str, body: serde_json::Value| {
        reqwest::Client::new().patch(format!("{}{path}", server.url)).json(&body).send()
    };
    let (status, named) = body(patch("/v1/threads/t2", json!({"title": "Holidays"})).await.unwrap()).await;
    assert_eq!((status, &named["title"]), (200, &json!("Holidays")));
    for (title, kept) in [(" By the sea ", json!("By the sea")), (" \t ", json!(null)), ("", json!(null))] {
        let (status, named) = body(patch("/v1/threads/t2", json!({ "title": title })).await.unwrap()).await;
        assert_eq!((status, &named["title"]), (200, &kept), "{title:?}");
    }
    for (title, code) in [("a\u{7}b".to_owned(), "invalid_title"), ("x".repeat(201), "title_too_long")] {
        let (status, error) = body(patch("/v1/threads/t2", json!({ "title": title })).await.unwrap()).await;
        assert_eq!((status, &error["error"]["code"]), (422, &json!(code)));
        assert_eq!(error["error"]["path"], "title");
    }
    body(patch("/v1/threads/t2", json!({"title": "Holidays"})).await.unwrap()).await;
    let found = server.json("/v1/threads?search=holi").await;
    assert_eq!(found["threads"][0]["id"], "t2");
    body(patch("/v1/threads/t2", json!({"archived": true})).await.unwrap()).await;
    assert_eq!(server.json("/v1/threads?search=holi").await["threads"], json!([]));
    for review in [true, false] {
        let (_, changed) = body(patch("/v1/threads/t3", json!({"review": review})).await.unwrap()).await;
        assert_eq!((&changed["review"], &changed["archived"]), (&json!(review), &json!(false)));
        assert_eq!(server.json("/v1/threads/t3").await["review"], review);
    }
    let (status, wrong) = body(patch("/v1/threads/t2", json!({"colour": 1})).await.unwrap()).await;
    assert_eq!((status, &wrong["error"]["code"]), (422, &json!("invalid_body")));

    let deleted =
        reqwest::Client::new().delete(format!("{}/v1/threads/t1", server.url)).send().await.unwrap();
    assert_eq!(deleted.status(), 204);
    assert_eq!(server.get("/v1/threads/t1").send().await.unwrap().status(), 404);
}

#[tokio::test]
async fn messages_state_and_runs_are_read_at_any_run() {
    let server = Running::start().await;
    server.run("echo", &input("t1", "r1", "one")).await;
    server.run("echo", &input("t1", "r2", "two")).await;
    assert_eq!(server.json("/v1/threads/t1/messages").await["messages"].as_array().unwrap().len(), 4);
    assert_eq!(server.json("/v1/threads/t1/messages?run=r1").await["messages"].as_array().unwrap().len(), 2);
    assert_eq!(server.json("/v1/threads/t1/state?run=r1").await["state"], json!({"heard": "one"}));
    let runs = server.json("/v1/threads/t1/runs").await;
    assert_eq!((&runs["runs"][1]["parentRunId"], &runs["head"]), (&json!("r1"), &json!("r2")));
    assert_eq!(server.json("/v1/threads/t1/runs/r1").await["status"], "success");
    assert_eq!(server.json("/v1/threads/t1/messages?run=r9").await["error"]["code"], "unknown_run");
}

#[tokio::test]
async fn runs_tell_what_they_used_and_what_went_wrong_long_after() {
    let server = Running::start().await;
    let event = |run: &str, event: serde_json::Value| {
        let mut whole = json!({"threadId": "old", "runId": run});
        whole.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        format!("{whole}\n")
    };
    let used = json!([{"model": "m", "inputTokens": 3, "outputTokens": 5}]);
    let recording = [
        event("r1", json!({"type": "RUN_STARTED"})),
        event("r1", json!({"type": "RUN_FINISHED", "usage": used})),
        event("r2", json!({"type": "RUN_STARTED"})),
        "{\"type\":\"RUN_ERROR\",\"message\":\"too much\",\"code\":\"limit\"}\n".to_owned(),
    ];
    let import = reqwest::Client::new().post(format!("{}/v1/threads/t1/import?agent=echo", server.url));
    assert_eq!(import.body(recording.concat()).send().await.unwrap().status(), 201);
    let ends = async |query: &str| {
        let runs = server.json(&format!("/v1/threads/t1/runs{query}")).await["runs"].take();
        let ends = runs.as_array().unwrap().iter().map(|run| (run["usage"].clone(), run["error"].clone()));
        ends.collect::<Vec<_>>()
    };
    let (none, error) = (json!(null), json!({"message": "too much", "code": "limit"}));
    assert_eq!(ends("").await, [(none.clone(), none.clone()), (none.clone(), none.clone())]);
    assert_eq!(ends("?ends=1").await, [(none.clone(), none.clone()), (none.clone(), error.clone())]);
    assert_eq!(ends("?ends=9").await, [(used.clone(), none.clone()), (none, error)]);
    assert_eq!(server.json("/v1/threads/t1/runs/r1").await["usage"], used);
}

#[tokio::test]
async fn branches_are_made_listed_and_switched() {
    let server = Running::start().await;
    server.run("echo", &input("t1", "r1", "one")).await;
    server.run("echo", &input("t1", "r2", "two")).await;
    let branch = |at: serde_json::Value| {
        let request = server.post("/v1/threads/t1/branches", &at);
        async move { body(request.send().await.unwrap()).await }
    };
    let (status, view) = branch(json!({"runId": "r1"})).await;
    assert_eq!((status, view["messages"].as_array().unwrap().len()), (200, 2));
    server.run("echo", &input("t1", "r3", "zwei")).await;
    let branches = server.json("/v1/threads/t1/branches").await;
    let heads: Vec<_> = branches["branches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| (b["head"].clone(), b["current"].clone()))
        .collect();
    assert_eq!(heads, [(json!("r2"), json!(false)), (json!("r3"), json!(true))]);
    assert_eq!(branches["runs"][1]["siblings"], json!(["r2", "r3"]));
    branch(json!({"runId": "r2"})).await;
    let messages = server.json("/v1/threads/t1/messages").await;
    assert_eq!(messages["messages"][3]["content"], "two");
    let (status, error) = branch(json!({})).await;
    assert_eq!((status, &error["error"]["code"]), (422, &json!("invalid_body")));
}

#[tokio::test]
async fn annotations_are_kept_beside_the_conversation() {
    let server = Running::start().await;
    server.run("echo", &input("t1", "r1", "one")).await;
    let note = json!({"id": "n1", "kind": "thumbs_up", "messageId": "r1-m1", "payload": {"why": "nice"}});
    let (status, kept) = body(server.post("/v1/threads/t1/annotations", &note).send().await.unwrap()).await;
    assert_eq!((status, &kept["by"]), (201, &json!("local")));
    let all = server.json("/v1/threads/t1/annotations").await;
    assert_eq!(all["annotations"][0]["payload"], json!({"why": "nice"}));
    let remove = |id: &str| {
        reqwest::Client::new().delete(format!("{}/v1/threads/t1/annotations/{id}", server.url)).send()
    };
    assert_eq!(remove("n1").await.unwrap().status(), 204);
    assert_eq!(remove("n1").await.unwrap().status(), 404);
}

#[tokio::test]
async fn questions_wait_in_one_place_and_are_answered_by_a_run() {
    let server = Running::start().await;
    server.run("asking", &input("t1", "r1", "go")).await;
    assert_eq!(server.json("/v1/threads/t1").await["status"], "waiting");
    let inbox = server.json("/v1/interrupts").await;
    assert_eq!(inbox["interrupts"][0]["interrupt"]["message"], "Really?");
    let answer = json!({
        "threadId": "t1", "runId": "r2", "messages": [],
        "resume": [{"interruptId": "really", "status": "resolved", "payload": {"sure": true}}],
    });
    let frames = server.run("asking", &answer).await;
    assert!(frames.iter().any(|frame| frame.event["delta"] == "you said {\"sure\":true}"), "{frames:?}");
    assert_eq!(server.json("/v1/interrupts").await["interrupts"], json!([]));
    let decided = server.json("/v1/interrupts/really").await;
    assert_eq!(decided["decision"]["by"], "local");
}

#[tokio::test]
async fn health_is_told() {
    let server = Running::start().await;
    assert_eq!(server.json("/healthz").await["status"], "ok");
    assert_eq!(server.json("/readyz").await["status"], "ready");
    let (status, error) = body(server.get("/v1/nothing").send().await.unwrap()).await;
    assert_eq!((status, &error["error"]["code"]), (404, &json!("unknown_route")));
    let (status, error) = body(server.post("/healthz", &json!({})).send().await.unwrap()).await;
    assert_eq!((status, &error["error"]["code"]), (405, &json!("method_not_allowed")));
}

#[tokio::test]
async fn a_body_that_is_no_json_is_400_and_one_of_another_shape_422() {
    let server = Running::start().await;
    server.run("echo", &input("t1", "r1", "hi")).await;
    let paths =
        ["branches", "annotations", "shares", "import?agent=echo"].map(|it| format!("/v1/threads/t1/{it}"));
    let runs = "/v1/agents/echo/runs".to_owned();
    for path in paths.iter().chain([&runs]) {
        for (text, expected) in [("{", 400), ("nonsense", 400), (r#"{"strange": 7}"#, 422), ("[]", 422)] {
            let request = reqwest::Client::new().post(format!("{}{path}", server.url)).body(text);
            let (status, told) = body(request.send().await.unwrap()).await;
            assert_eq!(status, expected, "{path} {text}: {told}");
            let is_events = path.contains("import") || path.contains("/runs");
            assert!(is_events || told["error"]["code"] == "invalid_body", "{path} {text}: {told}");
        }
    }
    let change = |text: &'static str| {
        reqwest::Client::new().patch(format!("{}/v1/threads/t1", server.url)).body(text).send()
    };
    assert_eq!(body(change("").await.unwrap()).await.0, 400);
    assert_eq!(body(change(r#"{"title": 7}"#).await.unwrap()).await.0, 422);
    for (path, text, place) in [
        ("annotations", r#"{"kind": " "}"#, json!("kind")),
        ("shares", r#"{"expiresInSeconds": 0}"#, json!("expiresInSeconds")),
        ("branches", r#"{"runId": "r1", "messageId": "m"}"#, json!(null)),
    ] {
        let url = format!("{}/v1/threads/t1/{path}", server.url);
        let (status, told) = body(reqwest::Client::new().post(url).body(text).send().await.unwrap()).await;
        assert_eq!((status, &told["error"]["path"]), (422, &place), "{told}");
    }
}

#[tokio::test]
async fn what_was_said_is_found_with_its_place_by_its_owner_only() {
    let key = |user: &str| ApiKey { user: user.to_owned(), hash: hash_key(user), roles: Vec::new() };
    let server = Running::with(Keys::new(&[key("ann"), key("bob")]).unwrap(), Http::default()).await;
    let run = server.post("/v1/agents/echo/runs", &input("t1", "r1", "Where do tomatoes grow?"));
    let run = run.header("x-api-key", "ann").send().await.unwrap();
    assert_eq!(run.status(), 200);
    run.text().await.unwrap();
    let found = async |user: &str, query: &str| server.json_as(user, &format!("/v1/search?q={query}")).await;
    let results = found("ann", "TOMATO").await["results"].clone();
    let roles: Vec<_> = results.as_array().unwrap().iter().map(|it| it["role"].clone()).collect();
    assert_eq!(roles, [json!("assistant"), json!("user")], "{results}");
    let asked = &results[1];
    assert_eq!(asked["thread"]["id"], "t1");
    assert_eq!(asked["thread"]["opening"], "Where do tomatoes grow?");
    assert_eq!(asked["snippet"], json!({ "before": "Where do ", "hit": "tomato", "after": "es grow?" }));
    let messages = server.json_as("ann", "/v1/threads/t1/messages").await;
    assert_eq!(asked["messageId"], messages["messages"][0]["id"]);
    assert_eq!(found("bob", "TOMATO").await, json!({ "results": [] }));
    assert_eq!(found("ann", "potato").await, json!({ "results": [] }));
}
