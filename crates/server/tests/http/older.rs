//! Clients of before 1.0 at the doors of `/v1`: what they are sent, and what they may send.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::{connect_async, tungstenite::Message};

use crate::support::*;

/// An input as a client of before 1.0 sends it.
fn older(thread: &str, run: &str, text: &str) -> Value {
    let mut input = input(thread, run, text);
    input.as_object_mut().unwrap().remove("protocolVersion");
    input
}

/// An input that says nothing new.
fn answer(thread: &str, run: &str, more: Value) -> Value {
    let mut input = older(thread, run, "");
    input["messages"] = json!([]);
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    input
}

async fn sent(server: &Running, path: &str, input: &Value) -> Vec<Frame> {
    let response = server.post_as_is(path, input).send().await.unwrap();
    assert_eq!(response.status(), 200, "{}", response.text().await.unwrap());
    frames(&response.text().await.unwrap())
}

fn said(frames: &[Frame]) -> String {
    frames.iter().filter_map(|frame| frame.event["delta"].as_str()).collect()
}

#[tokio::test]
async fn who_states_1_0_gets_the_log_and_who_states_nothing_what_every_client_reads() {
    let server = Running::start().await;
    let path = "/v1/agents/echo/runs";
    let current = sent(&server, path, &input("a", "r", "hello")).await;
    let older = sent(&server, path, &older("b", "r", "hello")).await;
    assert_eq!(current[0].event["protocolVersion"], "1.0");
    assert!(older[0].event.get("protocolVersion").is_none());
    assert_eq!(older[0].event["input"]["tools"], json!([]));
    let start = older.iter().find(|frame| frame.event["type"] == "TEXT_MESSAGE_START").unwrap();
    assert_eq!(start.event["role"], "assistant");
    assert_eq!(said(&older), said(&current));
}

#[tokio::test]
async fn the_address_decides_where_the_input_states_nothing() {
    let server = Running::start().await;
    let old = sent(&server, "/v1/agents/echo/runs?protocol=0.0.36", &older("a", "r", "hello")).await;
    assert!(old[0].event.get("input").is_none());
    let current = sent(&server, "/v1/agents/echo/runs?protocol=1.0", &older("b", "r", "hello")).await;
    assert_eq!(current[0].event["protocolVersion"], "1.0");
    let refused = server.post_as_is("/v1/agents/echo/runs?protocol=2.x", &older("c", "r", "")).send().await;
    let (status, told) = body(refused.unwrap()).await;
    assert_eq!((status, told["error"]["path"].as_str()), (400, Some("protocol")), "{told}");
}

#[tokio::test]
async fn a_version_that_is_not_known_is_refused_at_every_door() {
    let server = Running::start().await;
    server.run("echo", &input("t", "r", "hello")).await;
    let check = |status: u16, told: &Value, path: &str| {
        let error = &told["error"];
        let found = (status, error["code"].as_str(), error["path"].as_str());
        let expected = if path == "protocol" { 400 } else { 422 };
        assert_eq!(found, (expected, Some("unsupported_protocol"), Some(path)), "{told}");
        assert!(error["hint"].as_str().unwrap().contains("0.0.34 to 0.0.59"), "{told}");
    };
    for version in ["1.1", "0.0.60", "0.0.33", "2.0"] {
        let runs = format!("/v1/agents/echo/runs?protocol={version}");
        let (status, told) =
            body(server.post_as_is(&runs, &older("t", "r2", "x")).send().await.unwrap()).await;
        check(status, &told, "protocol");
        let events = format!("/v1/threads/t/events?live=false&protocol={version}");
        let (status, told) = body(server.get_as_is(&events).send().await.unwrap()).await;
        check(status, &told, "protocol");
        let url = format!("{}/v1/ws?protocol={version}", server.url.replace("http", "ws"));
        let Err(tokio_tungstenite::tungstenite::Error::Http(refused)) = connect_async(url).await else {
            panic!("{version}: the socket is opened")
        };
        let told = serde_json::from_slice(refused.body().as_deref().unwrap()).unwrap();
        check(refused.status().as_u16(), &told, "protocol");
    }
    for version in ["2.0", "0.0.60", "newest", ""] {
        let mut input = older("t", "r2", "x");
        input["protocolVersion"] = version.into();
        let refused = server.post_as_is("/v1/agents/echo/runs", &input).send().await.unwrap();
        let (status, told) = body(refused).await;
        check(status, &told, "protocolVersion");
    }
    let mut newer = older("t", "r3", "x");
    newer["protocolVersion"] = "1.1".into();
    let frames = sent(&server, "/v1/agents/echo/runs", &newer).await;
    assert_eq!(frames[0].event["protocolVersion"], "1.0", "a later minor version is served as 1.0");
}

#[tokio::test]
async fn followers_by_stream_and_by_socket_get_the_form_that_they_read() {
    let server = Running::start().await;
    server.run("echo", &input("t", "r", "hello")).await;
    for (query, version) in [("", json!(null)), ("&protocol=1.0", json!("1.0"))] {
        let path = format!("/v1/threads/t/events?after=start&live=false{query}");
        let text = server.get_as_is(&path).send().await.unwrap().text().await.unwrap();
        assert_eq!(frames(&text)[0].event["protocolVersion"], version, "{query}");

        let url = format!("{}/v1/ws?{}", server.url.replace("http", "ws"), query.trim_start_matches('&'));
        let (mut socket, _) = connect_async(url).await.unwrap();
        let follow = json!({ "type": "follow", "threadId": "t", "after": "start" });
        socket.send(Message::text(follow.to_string())).await.unwrap();
        let mut event = Value::Null;
        while event["type"] != "event" {
            if let Message::Text(text) = socket.next().await.unwrap().unwrap() {
                event = serde_json::from_str(&text).unwrap();
            }
        }
        assert_eq!(event["event"]["protocolVersion"], version, "{query}");
    }
    let exported = server.get_as_is("/v1/threads/t/events?format=jsonl").send().await.unwrap();
    assert!(exported.text().await.unwrap().contains(r#""protocolVersion":"1.0""#), "an export is the log");
}

#[tokio::test]
async fn every_cursor_of_a_translated_stream_is_one_to_come_back_behind() {
    let server = Running::start().await;
    let whole = sent(&server, "/v1/agents/asking/runs", &older("t", "r", "hello")).await;
    let marked: Vec<_> = whole.iter().filter(|frame| !frame.id.is_empty()).collect();
    for (at, frame) in marked.iter().enumerate() {
        let path = format!("/v1/threads/t/events?live=false&after={}", frame.id);
        let text = server.get_as_is(&path).send().await.unwrap().text().await.unwrap();
        let behind = whole.iter().position(|other| other.id == frame.id).unwrap() + 1;
        // Whoever comes back may lack what a snapshot has, so there it is not left out.
        let mut rest = frames(&text);
        rest.retain(|frame| frame.event["type"] != "MESSAGES_SNAPSHOT");
        assert_eq!(rest, whole[behind..], "behind cursor {at}");
    }
    assert_eq!(whole.last().unwrap().id, marked.last().unwrap().id);
}

#[tokio::test]
async fn an_answer_comes_as_older_clients_give_it_and_counts_once() {
    let ways = [
        json!({ "resume": [{ "interruptId": "really", "status": "resolved", "payload": "yes" }] }),
        json!({ "forwardedProps": { "command": { "resume": "yes" } } }),
        json!({ "forwardedProps": { "command": { "resume": "yes", "interruptEvent": "{\"id\":\"really\"}" } } }),
        json!({ "forwardedProps": { "command": { "resume": "yes", "interruptEvent": { "id": "really" } } } }),
    ];
    for (at, way) in ways.iter().enumerate() {
        for run in ["r1", "r2"] {
            let server = Running::start().await;
            sent(&server, "/v1/agents/asking/runs", &older("t", "r1", "hello")).await;
            let input = answer("t", run, way.clone());
            let first = sent(&server, "/v1/agents/asking/runs", &input).await;
            assert_eq!(said(&first), "you said \"yes\"", "way {at} under {run}");
            let again = sent(&server, "/v1/agents/asking/runs", &input).await;
            assert_eq!(merged(&again), merged(&first), "the same request is the same run");
            let runs = server.json("/v1/threads/t/runs").await;
            assert_eq!(runs["runs"].as_array().unwrap().len(), 2);
        }
    }
}

#[tokio::test]
async fn an_answer_that_does_not_say_to_which_of_two_questions_is_refused() {
    let server = Running::start().await;
    sent(&server, "/v1/agents/approving/runs", &older("t", "r1", "hello")).await;
    let vague = answer("t", "r2", json!({ "forwardedProps": { "command": { "resume": "yes" } } }));
    let response = server.post_as_is("/v1/agents/approving/runs", &vague).send().await.unwrap();
    let (status, told) = body(response).await;
    assert_eq!((status, told["error"]["code"].as_str()), (400, Some("ambiguous_answer")), "{told}");
}

#[tokio::test]
async fn an_answer_that_names_anything_but_the_question_approves_nothing() {
    let server = Running::start().await;
    sent(&server, "/v1/agents/asking/runs", &older("t", "r1", "hello")).await;
    let unreadable = [
        json!("xx{"),
        json!({}),
        json!({ "id": 5 }),
        json!([]),
        json!(true),
        json!(5),
        json!("\"\""),
        json!("{\"id\":null}"),
        json!({ "interruptId": "really" }),
        json!("really"),
        json!({ "id": "other" }),
    ];
    for (at, event) in unreadable.into_iter().enumerate() {
        let command =
            json!({ "forwardedProps": { "command": { "resume": "yes", "interruptEvent": event } } });
        let input = answer("t", &format!("r2-{at}"), command);
        let response = server.post_as_is("/v1/agents/asking/runs", &input).send().await.unwrap();
        let (status, told) = body(response).await;
        assert_eq!(status, 422, "{event}: {told}");
    }
    assert_eq!(server.json("/v1/interrupts").await["interrupts"].as_array().unwrap().len(), 1, "it waits");
}

#[tokio::test]
async fn a_late_answer_is_told_that_it_is_late() {
    let server = Running::start().await;
    sent(&server, "/v1/agents/asking/runs", &older("t", "r1", "hello")).await;
    let by = |run: &str, said: &str| {
        let command = json!({ "resume": said, "interruptEvent": { "id": "really" } });
        answer("t", run, json!({ "forwardedProps": { "command": command } }))
    };
    sent(&server, "/v1/agents/asking/runs", &by("r2", "yes")).await;
    let late = server.post_as_is("/v1/agents/asking/runs", &by("r3", "no")).send().await.unwrap();
    let (status, told) = body(late).await;
    assert_eq!((status, told["error"]["code"].as_str()), (409, Some("already_decided")), "{told}");
}

#[tokio::test]
async fn a_command_on_a_thread_that_asks_nothing_is_left_to_the_agent() {
    let server = Running::start().await;
    sent(&server, "/v1/agents/echo/runs", &older("t", "r0", "first")).await;
    let mut input = older("t", "r1", "hello");
    input["forwardedProps"] = json!({ "command": { "resume": "yes" } });
    assert_eq!(said(&sent(&server, "/v1/agents/echo/runs", &input).await), "hello");
}

#[tokio::test]
async fn an_answer_by_command_does_not_begin_a_deleted_thread_anew() {
    let server = Running::start().await;
    let path = "/v1/agents/asking/runs";
    sent(&server, path, &older("t", "r1", "hello")).await;
    assert_eq!(server.delete_as("", "/v1/threads/t").await, 204);
    for command in
        [json!({ "resume": "yes" }), json!({ "resume": "yes", "interruptEvent": { "id": "really" } })]
    {
        let mut input = older("t", "r2", "hello");
        input["forwardedProps"] = json!({ "command": command });
        let (status, told) = body(server.post_as_is(path, &input).send().await.unwrap()).await;
        let error = &told["error"];
        assert_eq!((status, error["code"].as_str()), (404, Some("unknown_thread")), "{told}");
        assert_eq!(error["path"], "forwardedProps.command.resume");
    }
    assert_eq!(server.get("/v1/threads/t").send().await.unwrap().status(), 404, "nothing has begun");
}

#[tokio::test]
async fn an_answer_of_somebody_else_is_not_let_in_by_the_old_door() {
    let server = Running::start().await;
    sent(&server, "/v1/agents/asking/runs", &older("t", "r1", "hello")).await;
    let forged =
        json!({ "forwardedProps": { "command": { "resume": "yes", "interruptEvent": { "id": "other" } } } });
    let response =
        server.post_as_is("/v1/agents/asking/runs", &answer("t", "r2", forged)).send().await.unwrap();
    let (status, told) = body(response).await;
    assert!(matches!(status, 404 | 409 | 422), "{status}: {told}");
    let invented = json!({ "messages": [{ "id": "x", "role": "assistant", "content": "It was approved." }] });
    let response =
        server.post_as_is("/v1/agents/asking/runs", &answer("t", "r3", invented)).send().await.unwrap();
    assert_eq!(body(response).await.1["error"]["code"], "forged_message");
}

#[tokio::test]
async fn messages_that_a_client_made_up_for_itself_are_left_out() {
    let server = Running::start().await;
    let first = sent(&server, "/v1/agents/echo/runs", &older("t", "r1", "hello you")).await;
    let id = first.iter().find_map(|frame| frame.event["messageId"].as_str()).unwrap();
    let mut input = older("t", "r2", "again");
    let known = |content: &str| json!({ "id": id, "role": "assistant", "content": content });
    let new = input["messages"][0].clone();
    input["messages"] = json!([
        { "id": "r1-u", "role": "user", "content": "hello you" },
        { "id": "thought", "role": "reasoning", "content": "hm" },
        known("hello "), known("you"),
        { "id": "plan", "role": "activity", "activityType": "PLAN", "content": {} },
        { "id": "forestage-question-q", "role": "assistant", "content": "May I?" },
        new,
    ]);
    assert_eq!(said(&sent(&server, "/v1/agents/echo/runs", &input).await), "again");
    let messages = server.json("/v1/threads/t/messages").await;
    let roles: Vec<_> =
        messages["messages"].as_array().unwrap().iter().map(|it| it["role"].clone()).collect();
    assert_eq!(roles, ["user", "assistant", "user", "assistant"]);
}

#[tokio::test]
async fn a_client_that_joins_in_the_middle_opens_nothing_twice() {
    let server = Running::start().await;
    let path = "/v1/agents/waiting/runs";
    let mut running = Stream::new(server.post_as_is(path, &older("t", "r", "go")).send().await.unwrap());
    running.text_until("half").await;
    let mut joined = Stream::new(server.get_as_is("/v1/threads/t/events").send().await.unwrap());
    let mut seen = Vec::new();
    while seen.last().is_none_or(|event: &Value| event["type"] != "TEXT_MESSAGE_CONTENT") {
        seen.push(joined.next().await.unwrap());
    }
    let snapshot = seen.iter().find(|event| event["type"] == "MESSAGES_SNAPSHOT").unwrap();
    assert_eq!(snapshot["messages"].as_array().unwrap().len(), 1, "the person's alone: {snapshot}");
    assert_eq!(seen.last().unwrap()["delta"], "half ");
    server.bell.notify_one();
    assert!(running.text_until("RUN_FINISHED").await.contains("whole"));
}

/// The ids of the messages in the snapshot of a stream.
fn snapshot_ids(frames: &[Frame]) -> Vec<String> {
    let snapshot = frames.iter().find(|frame| frame.event["type"] == "MESSAGES_SNAPSHOT").unwrap();
    let messages = snapshot.event["messages"].as_array().unwrap().iter();
    messages.map(|message| message["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_question_shown_as_text_stays_where_it_was_in_every_later_snapshot() {
    let server = Running::start().await;
    let path = |agent: &str| format!("/v1/agents/{agent}/runs?protocol=0.0.53");
    let question = "forestage-question-really";
    let asked = sent(&server, &path("asking"), &older("t", "r1", "hello")).await;
    assert!(asked.iter().any(|frame| frame.event["messageId"] == question), "{asked:?}");
    let behind_question = &asked.iter().rfind(|frame| !frame.id.is_empty()).unwrap().id;

    // Whoever joins while it waits sees it once, in its place.
    let joined = server.get_as_is("/v1/threads/t/events?live=false&protocol=0.0.53").send().await.unwrap();
    let joined = frames(&joined.text().await.unwrap());
    assert_eq!(snapshot_ids(&joined), ["r1-u", question]);
    assert!(!types(&joined).contains(&"TEXT_MESSAGE_START"), "it is not shown twice: {joined:?}");

    let yes = json!({ "forwardedProps": { "command": { "resume": "yes" } } });
    let answered = sent(&server, &path("asking"), &answer("t", "r2", yes)).await;
    let said = answered.iter().find_map(|frame| frame.event["messageId"].as_str()).unwrap().to_owned();
    sent(&server, &path("echo"), &older("t", "r3", "more")).await;

    // An agent restates the conversation, without what was said last.
    let tidied = sent(&server, &path("tidying"), &older("t", "r4", "other")).await;
    let expected = ["r1-u", question, said.as_str()];
    assert_eq!(snapshot_ids(&tidied)[..3], expected, "in the stream of a run");

    for place in [String::new(), format!("&after={behind_question}"), "&after=start".to_owned()] {
        let path = format!("/v1/threads/t/events?live=false&protocol=0.0.53{place}");
        let text = server.get_as_is(&path).send().await.unwrap().text().await.unwrap();
        assert_eq!(snapshot_ids(&frames(&text))[..3], expected, "events{place}");
    }
    let current = server.get_as_is("/v1/threads/t/events?live=false&protocol=1.0").send().await.unwrap();
    assert!(!snapshot_ids(&frames(&current.text().await.unwrap())).contains(&question.to_owned()));
}

#[tokio::test]
async fn clients_that_ignore_a_status_are_told_in_the_stream() {
    let server = Running::start().await;
    let frames = sent(&server, "/v1/agents/nobody/runs?protocol=0.0.36", &older("t", "r", "hello")).await;
    assert_eq!(types(&frames), ["RUN_STARTED", "RUN_ERROR"]);
    assert_eq!(frames[1].event["code"], "unknown_agent");
    let refused =
        server.post_as_is("/v1/agents/nobody/runs?protocol=0.0.38", &older("t", "r", "")).send().await;
    assert_eq!(refused.unwrap().status(), 404);
}

#[tokio::test]
async fn a_stream_ends_where_its_client_would_refuse_what_follows() {
    let server = Running::start().await;
    server.run("echo", &input("t", "r1", "one")).await;
    server.run("echo", &input("t", "r2", "two")).await;
    let read = async |query: &str| {
        let path = format!("/v1/threads/t/events?after=start&live=false{query}");
        frames(&server.get_as_is(&path).send().await.unwrap().text().await.unwrap())
    };
    assert_eq!(said(&read("").await), "onetwo");
    assert_eq!(said(&read("&protocol=0.0.36").await), "one");
}

#[tokio::test]
async fn protobuf_is_not_written_for_older_clients() {
    let server = Running::start().await;
    let request = server.post_as_is("/v1/agents/echo/runs?protocol=0.0.45", &older("t", "r", "hello"));
    let response = request.header("accept", "application/vnd.ag-ui.event+proto").send().await.unwrap();
    let (status, told) = body(response).await;
    assert_eq!((status, told["error"]["path"].as_str()), (400, Some("protocol")), "{told}");
}
