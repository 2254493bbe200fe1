//! Clients of event streams that join: a run that begins on a socket is seen on `/awp` and `/run` while it goes on.

use forestage_server::{Http, Keys};
use serde_json::{Value, json};

use crate::{
    support::*,
    trainer2::says,
    wire::{code, judge, of, post, post_as, serve_script, server_for, sse, stream, user},
};

const STREAMS: [(&str, &str); 2] = [("/awp", "its"), ("/run", "net")];

const ECHO: &str = r#"
rules:
  - when: { says: "*wait*" }
    do: [{ text: Begun. }, { sleep: 1h }]
  - do: [{ text: "You said {{user}}." }]
"#;

/// Asks two things at once.
const TWICE: &str = r#"
house: { review: {} }
rules: [{ do: [{ text: A draft. }, { ask: { message: "Which company?" } }] }]
"#;

fn nothing(thread: &str) -> Value {
    json!({ "threadId": thread, "runId": "watching", "messages": [] })
}

/// The beginning of a stream that does not end yet.
async fn begun(server: &Running, path: &str, body: &Value) -> Value {
    let request = reqwest::Client::new().post(format!("http://{}{path}", server.address)).json(body);
    let mut response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    let mut text = String::new();
    let first = async {
        while sse(&text).is_empty() {
            text.push_str(std::str::from_utf8(&response.chunk().await.unwrap().unwrap()).unwrap());
        }
        sse(&text).remove(0)
    };
    tokio::time::timeout(PATIENCE, first).await.expect("a frame in time")
}

#[tokio::test]
async fn who_says_nothing_new_joins_the_run_that_is_under_way() {
    let server = serve_script(ECHO, Keys::default(), Http::default()).await;
    let mut socket = Socket::open(&server, "/realtime").await;
    socket.send(&json!({ "threadId": "t1", "runId": "r1", "messages": [user("m1", "wait")] })).await;
    socket.until("RUN_STARTED").await;
    for (path, _) in STREAMS {
        // As AG-UI clients do, with the whole conversation as they know it; or with nothing.
        for messages in [json!([]), json!([user("m1", "wait")])] {
            let body = json!({ "threadId": "t1", "runId": "watching", "messages": messages, "state": {} });
            let first = begun(&server, path, &body).await;
            assert_eq!((&first["type"], &first["runId"]), (&json!("RUN_STARTED"), &json!("r1")), "{path}");
        }
        for body in [
            json!({ "threadId": "t1", "runId": "r2", "messages": [user("m2", "more")] }),
            json!({ "threadId": "t1", "runId": "r2", "messages": [], "state": { "plan": "legs" } }),
        ] {
            let (status, told) = post(&server, path, &body).await;
            assert_eq!((status, code(&told).as_str()), (409, "thread_busy"), "nothing is dropped: {path}");
        }
    }
}

#[tokio::test]
async fn who_says_nothing_on_a_thread_where_nothing_goes_on_begins_a_run() {
    let server = serve_script(ECHO, Keys::default(), Http::default()).await;
    for (number, (path, _)) in STREAMS.into_iter().enumerate() {
        let run = format!("r{number}");
        let frames = stream(&server, path, &json!({ "threadId": "t1", "runId": run, "messages": [] })).await;
        assert_eq!(frames[0]["runId"], run);
    }
}

#[tokio::test]
async fn who_asks_behind_the_last_run_sees_one_after_the_other() {
    for (path, profile) in STREAMS {
        let server = serve_script(ECHO, Keys::default(), Http::default()).await;
        // It is there before the thread is.
        let (first, address) = (nothing("t1"), format!("{path}?follow=true"));
        let early = stream(&server, &address, &first);
        let begin = async {
            let mut socket = Socket::open(&server, "/realtime").await;
            for (run, text) in [("r1", "one"), ("r2", "two")] {
                socket.send(&says("t1", run, text)).await;
                socket.until("RUN_FINISHED").await;
            }
            socket
        };
        let (mut seen, mut socket) = tokio::join!(early, begin);
        judge(profile, &seen);
        seen.extend(stream(&server, &format!("{path}?after=r1"), &nothing("t1")).await);
        let address = format!("{path}?after=r2");
        let last = nothing("t1");
        let live = stream(&server, &address, &last);
        let begin = async {
            socket.send(&says("t1", "r3", "three")).await;
            socket.until("RUN_FINISHED").await
        };
        seen.extend(tokio::join!(live, begin).0);
        let runs: Vec<_> = of(&seen, "RUN_FINISHED").iter().map(|end| end["runId"].clone()).collect();
        assert_eq!(runs, ["r1", "r2", "r3"], "{path}");
        assert_eq!(text(&seen), "You said one.You said two.You said three.");
    }
}

#[tokio::test]
async fn who_asks_behind_a_run_is_shown_the_next_one_however_many_came_later() {
    for (path, profile) in STREAMS {
        let server = serve_script(ECHO, Keys::default(), Http::default()).await;
        for (thread, run, text) in [
            ("t1", "r1", "one"),
            ("t2", "x1", "other"),
            ("t1", "r2", "two"),
            ("t1", "r3", "three"),
            ("t1", "r4", "four"),
        ] {
            let body = json!({ "threadId": thread, "runId": run, "messages": [user(run, text)] });
            stream(&server, path, &body).await;
        }
        for (after, next, said) in [("r1", "r2", "two"), ("r2", "r3", "three"), ("r3", "r4", "four")] {
            let frames = stream(&server, &format!("{path}?after={after}"), &nothing("t1")).await;
            judge(profile, &frames);
            let runs: Vec<_> = frames.iter().filter_map(|frame| frame.get("runId")).collect();
            assert_eq!(runs, [next, next], "{path}: its beginning and its end, and no other");
            assert_eq!(text(&frames), format!("You said {said}."), "{path}");
        }
    }
}

#[tokio::test]
async fn a_run_that_waits_is_shown_with_the_question_and_the_answer_continues_it() {
    let server = server().await;
    for (path, profile) in STREAMS {
        let thread = profile;
        let mut socket = Socket::open(&server, "/realtime").await;
        socket.send(&says(thread, "r1", "the report")).await;
        socket.until("TOOL_CALL_PROPOSED").await;
        let shown = stream(&server, path, &nothing(thread)).await;
        judge(profile, &shown);
        assert_eq!(shown[0]["runId"], "r1");
        let end = shown.last().unwrap();
        let asked = end.pointer("/interrupt/id").or(end.pointer("/outcome/interrupts/0/id")).unwrap();
        let resume = match profile {
            "net" => json!({ "interruptId": asked, "payload": { "approved": true } }),
            _ => json!([{ "interruptId": asked, "status": "resolved", "payload": { "approved": true } }]),
        };
        let body = json!({ "threadId": thread, "runId": "r2", "messages": [], "resume": resume });
        let rest = stream(&server, path, &body).await;
        judge(profile, &rest);
        assert!(text(&rest).starts_with("Here it is"), "{path}");
        assert_eq!(socket.until("RUN_FINISHED").await.pop().unwrap()["runId"], "r1");
    }
}

#[tokio::test]
async fn of_two_questions_the_one_without_an_answer_is_shown() {
    let server = serve_script(TWICE, Keys::default(), Http::default()).await;
    let body = json!({ "threadId": "t1", "runId": "r1", "messages": [user("m1", "go")] });
    let asked = stream(&server, "/run", &body).await.pop().unwrap()["interrupt"].clone();
    let resume = json!({ "interruptId": asked["id"], "payload": { "response": "Bella" } });
    stream(&server, "/run", &json!({ "threadId": "t1", "runId": "r2", "messages": [], "resume": resume }))
        .await;
    let shown = stream(&server, "/run", &nothing("t1")).await;
    let left = &shown.last().unwrap()["interrupt"];
    assert_eq!(left["payload"]["functionName"], "draft_review", "{left}");
    assert_ne!(left["id"], asked["id"]);
}

#[tokio::test]
async fn threads_of_somebody_else_and_runs_that_are_none_are_not_there() {
    let server = server_for(ECHO, &["ada", "bob"]).await;
    let body = json!({ "threadId": "t1", "runId": "r1", "messages": [user("m1", "hi")] }).to_string();
    for (path, _) in STREAMS {
        assert_eq!(post_as(&server, path, Some("key-ada"), &body).await.0, 200);
        for (address, key, body, expected) in [
            (format!("{path}?after=r1"), "key-bob", nothing("t1"), (404, "unknown_thread")),
            (format!("{path}?after=r9"), "key-ada", nothing("t1"), (404, "unknown_run")),
            (format!("{path}?follow=true"), "key-ada", json!({ "messages": [] }), (400, "missing_field")),
            (format!("{path}?follow=true"), "key-ada", json!([]), (400, "invalid_input")),
            (format!("{path}?follow=perhaps"), "key-ada", nothing("t1"), (400, "invalid_query")),
            (path.to_owned(), "key-bob", nothing("t1"), (404, "unknown_thread")),
        ] {
            let (status, told) = post_as(&server, &address, Some(key), &body.to_string()).await;
            assert_eq!((status, code(&told).as_str()), expected, "{address}: {told}");
        }
    }
}

#[tokio::test]
async fn who_waits_for_a_run_is_not_shown_those_of_somebody_else() {
    let server = server_for(ECHO, &["ada", "bob"]).await;
    for (path, _) in STREAMS {
        let thread = format!("of-ada{}", path.replace('/', "-"));
        let says = |run: &str| {
            let id = format!("{thread}-{run}");
            json!({ "threadId": thread, "runId": id, "messages": [user(&id, "secret")] }).to_string()
        };
        assert_eq!(post_as(&server, path, Some("key-ada"), &says("r1")).await.0, 200);
        let request = reqwest::Client::new()
            .post(format!("http://{}{path}?follow=true", server.address))
            .bearer_auth("key-bob")
            .json(&nothing(&thread));
        let mut response = request.send().await.unwrap();
        // A run that ends while he waits is none of his, nor are those before it.
        assert_eq!(post_as(&server, path, Some("key-ada"), &says("r2")).await.0, 200);
        server.stage.delete("ada", &thread.as_str().into()).await.unwrap();
        // Once the id is free again, the thread that he begins is the first thing that he is shown.
        let own = json!({ "threadId": thread, "runId": "own", "messages": [user("m", "mine")] }).to_string();
        assert_eq!(post_as(&server, path, Some("key-bob"), &own).await.0, 200);
        let mut seen = String::new();
        let read = async {
            while let Some(chunk) = response.chunk().await.unwrap() {
                seen.push_str(std::str::from_utf8(&chunk).unwrap());
            }
        };
        tokio::time::timeout(PATIENCE, read).await.expect("an end in time");
        assert!(!seen.contains("secret") && text(&sse(&seen)) == "You said mine.", "{path}: {seen}");
    }
}

#[tokio::test]
async fn who_waits_for_a_run_hears_that_the_server_is_there_and_when_it_goes() {
    for (path, _) in STREAMS {
        let http = Http { keep_alive_seconds: 1, ..Http::default() };
        let server = serve_script(ECHO, Keys::default(), http).await;
        let address = format!("http://{}{path}?follow=true", server.address);
        let mut response = reqwest::Client::new().post(address).json(&nothing("t1")).send().await.unwrap();
        let silence = tokio::time::timeout(PATIENCE, response.chunk()).await.unwrap().unwrap().unwrap();
        assert_eq!(silence, ": keep-alive\n\n");
        drop(server);
        let rest = tokio::time::timeout(PATIENCE, response.text()).await.expect("an end in time");
        assert!(sse(&rest.unwrap()).is_empty());
    }
}
