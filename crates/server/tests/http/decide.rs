//! Questions that are decided in the inbox, not by a run.

use serde_json::{Value, json};

use crate::support::*;

async fn decide(server: &Running, path: &str, verdict: Value) -> (u16, Value) {
    body(server.post(&format!("/v1/interrupts/{path}"), &verdict).send().await.unwrap()).await
}

/// What the agent says once the thread has gone on.
async fn said(server: &Running, thread: &str, run: &Value) -> String {
    let mut stream =
        Stream::new(server.get(&format!("/v1/threads/{thread}/events?after=start")).send().await.unwrap());
    let mut text = String::new();
    loop {
        let event = stream.next().await.expect("the thread is followed");
        text.push_str(event["delta"].as_str().unwrap_or_default());
        if event["type"] == "RUN_FINISHED" && event["runId"] == *run {
            return text;
        }
    }
}

#[tokio::test]
async fn a_decision_makes_the_thread_go_on_without_anybody_there() {
    let server = Running::start().await;
    server.run("asking", &input("t1", "r1", "go")).await;
    let (status, ruling) = decide(&server, "really", json!({"approved": true, "reason": "why not"})).await;
    assert_eq!((status, &ruling["effect"]), (200, &json!("decided")), "{ruling}");
    assert_eq!(ruling["interrupt"]["decision"]["by"], "local");
    assert_eq!(ruling["run"]["threadId"], "t1");
    let text = said(&server, "t1", &ruling["run"]["runId"]).await;
    assert_eq!(text, r#"you said {"approved":true,"reason":"why not"}"#);
    assert_eq!(server.json("/v1/interrupts").await["interrupts"], json!([]));
}

#[tokio::test]
async fn the_same_decision_again_is_no_mistake_and_another_one_is() {
    let server = Running::start().await;
    server.run("asking", &input("t1", "r1", "go")).await;
    let verdict = json!({"status": "resolved", "payload": {"n": 1}});
    let first = decide(&server, "really", verdict.clone()).await.1;
    let (status, again) = decide(&server, "really?thread=t1", verdict).await;
    assert_eq!((status, &again["effect"]), (200, &json!("repeated")), "{again}");
    assert_eq!(again["interrupt"]["decision"]["at"], first["interrupt"]["decision"]["at"]);
    let (status, other) = decide(&server, "really", json!({"status": "cancelled"})).await;
    assert_eq!((status, &other["error"]["code"]), (409, &json!("already_decided")));
    assert!(other["error"]["message"].as_str().unwrap().contains("local"), "{other}");
}

#[tokio::test]
async fn a_thread_goes_on_with_the_last_of_its_questions() {
    let server = Running::start().await;
    server.run("approving", &input("t1", "r1", "go")).await;
    let (_, first) = decide(&server, "two", json!({"approved": false})).await;
    assert_eq!((&first["effect"], &first["run"]), (&json!("decided"), &json!(null)));
    let (_, last) = decide(&server, "one", json!({"status": "cancelled"})).await;
    assert_eq!(said(&server, "t1", &last["run"]["runId"]).await, r#"null and {"approved":false}"#);
}

#[tokio::test]
async fn a_body_that_is_none_is_told() {
    let server = Running::start().await;
    server.run("asking", &input("t1", "r1", "go")).await;
    let wrong = [
        json!({}),
        json!({"status": "expired"}),
        json!({"status": "resolved", "approved": true}),
        json!({"status": "resolved", "reason": "x"}),
        json!({"payload": 1}),
        json!({"approved": true, "payload": 1}),
        json!({"approved": true, "colour": "red"}),
        json!({"approved": true, "remember": "forever"}),
        json!({"reason": "x"}),
        json!([]),
    ];
    for verdict in wrong {
        let (status, answer) = decide(&server, "really", verdict.clone()).await;
        assert_eq!((status, &answer["error"]["code"]), (422, &json!("invalid_body")), "{verdict}");
        let told = answer["error"]["message"].as_str().unwrap();
        assert!(!told.contains("struct") && !told.contains("variant"), "{told}");
    }
    assert_eq!(server.json("/v1/interrupts/really").await["decision"], json!(null), "nothing was decided");
}

#[tokio::test]
async fn an_id_on_several_threads_is_decided_where_it_is_named() {
    let server = Running::start().await;
    for thread in ["t1", "t2"] {
        server.run("asking", &input(thread, "r1", "go")).await;
    }
    let approve = json!({"approved": true});
    let (status, answer) = decide(&server, "really", approve.clone()).await;
    assert_eq!((status, &answer["error"]["code"]), (409, &json!("ambiguous_interrupt")));
    let (_, ruling) = decide(&server, "really?thread=t1", approve.clone()).await;
    assert_eq!(ruling["run"]["threadId"], "t1");
    let (status, _) = decide(&server, "really?thread=t9", approve.clone()).await;
    assert_eq!(status, 404);
    let one = server.json("/v1/interrupts/really").await;
    assert_eq!((&one["threadId"], &one["decision"]), (&json!("t2"), &json!(null)), "only one waits now");
    let (_, ruling) = decide(&server, "really", approve).await;
    assert_eq!(ruling["run"]["threadId"], "t2");
}

#[tokio::test]
async fn cancelling_a_run_that_waits_withdraws_its_questions() {
    let server = Running::start().await;
    server.run("asking", &input("t1", "r1", "go")).await;
    let cancel = async |run: &str| {
        body(server.post(&format!("/v1/threads/t1/runs/{run}/cancel"), &json!({})).send().await.unwrap())
            .await
            .1
    };
    assert_eq!(cancel("r1").await["cancelled"], true);
    let (thread, waiting) = (server.json("/v1/threads/t1").await, server.json("/v1/interrupts").await);
    assert_eq!((&thread["status"], &waiting["interrupts"]), (&json!("idle"), &json!([])));
    assert_eq!(server.json("/v1/interrupts/really").await["decision"]["status"], "cancelled");
    let again = cancel("r1").await;
    assert_eq!(again["cancelled"], false);
    assert!(again["hint"].as_str().unwrap().starts_with("the run has ended"), "{again}");
}

#[tokio::test]
async fn who_decided_from_where_is_on_record() {
    let server = Running::start().await;
    server.run("asking", &input("t1", "r1", "go")).await;
    decide(&server, "really", json!({"approved": true})).await;
    decide(&server, "really", json!({"approved": false})).await;
    let answer = server.json("/v1/audit?interrupt=really").await;
    let told = |entry: &Value| {
        let text = |name: &str| entry[name].as_str().unwrap().to_owned();
        (text("kind"), text("actor"), text("origin"))
    };
    let entries: Vec<_> = answer["entries"].as_array().unwrap().iter().map(told).collect();
    let entry =
        |kind: &str, actor: &str, origin: &str| (kind.to_owned(), actor.to_owned(), origin.to_owned());
    assert!(entries.contains(&entry("decided", "local", "http 127.0.0.1")), "{entries:?}");
    assert!(entries.contains(&entry("refused", "local", "http 127.0.0.1")), "{entries:?}");
}

#[tokio::test]
async fn an_answer_that_comes_with_a_run_is_on_record_with_its_address() {
    let server = Running::start().await;
    server.run("asking", &input("t1", "r1", "go")).await;
    let answer = json!({
        "threadId": "t1", "runId": "r2", "messages": [],
        "resume": [{"interruptId": "really", "status": "resolved", "payload": true}],
    });
    server.run("asking", &answer).await;
    let trail = server.json("/v1/audit?interrupt=really").await;
    let entries = trail["entries"].as_array().unwrap();
    let decided = entries.iter().find(|entry| entry["kind"] == "decided").expect("a decision");
    assert_eq!(decided["origin"], "http 127.0.0.1");
}
