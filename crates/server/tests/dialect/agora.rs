//! Contract 001 beyond its flows: approvals that outlive sockets, questions for words, keys.

use forestage_runtime::{Decider, Verdict};
use serde_json::{Value, json};

use crate::{agora_walk::follow, support::*};

fn says(thread: &str, text: &str) -> Value {
    json!({ "threadId": thread, "messages": [{ "role": "user", "content": text }], "context": {} })
}

fn approval(request: &Value, approved: bool) -> Value {
    let id = &request["value"]["approvalId"];
    let value = json!({ "approvalId": id, "approved": approved, "feedback": "as you like" });
    json!({ "type": "CUSTOM", "name": "agora:tool_approval_response", "value": value })
}

#[tokio::test]
async fn an_approval_that_waits_survives_the_socket() {
    let server = server().await;
    let request = {
        let mut socket = Socket::open(&server, "/ws").await;
        socket.send(&says("t1", "the report")).await;
        socket.until("agora:tool_approval_request").await.pop().unwrap()
    };
    let mut socket = Socket::open(&server, "/ws?threadId=t1").await;
    let open = socket.until("agora:tool_approval_request").await;
    assert_eq!(kinds(&open)[..2], ["RUN_STARTED", "STATE_SNAPSHOT processing"], "the open run is shown");
    let again = open.last().unwrap();
    assert_eq!(again["value"], request["value"]);
    socket.send(&approval(again, true)).await;
    let rest = socket.until("RUN_FINISHED").await;
    assert!(text(&rest).starts_with("Here it is"));
    assert_eq!(rest.last().unwrap()["runId"], open[0]["runId"], "it is the same run");
}

#[tokio::test]
async fn who_talks_to_a_thread_that_waits_is_told_and_shown_what_it_waits_for() {
    let server = server().await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&says("t1", "the report")).await;
    let request = socket.until("agora:tool_approval_request").await.pop().unwrap();
    let mut other = Socket::open(&server, "/ws").await;
    other.send(&says("t1", "hi")).await;
    let shown = other.until("agora:tool_approval_request").await;
    assert_eq!(shown[0]["name"], "agora:error");
    assert_eq!(shown.last().unwrap()["value"], request["value"]);
    other.send(&approval(&request, true)).await;
    for socket in [&mut socket, &mut other] {
        assert!(text(&socket.until("RUN_FINISHED").await).starts_with("Here it is"), "both see it go on");
    }
}

/// A socket on which two threads wait, with one run id, and the ids of both requests.
async fn two_threads_with_one_run_id(server: &Running) -> (Socket, Vec<Value>) {
    let mut socket = Socket::open(server, "/ws").await;
    let mut ids = Vec::new();
    for thread in ["t1", "t2"] {
        let message = json!({ "role": "user", "content": "Write the report" });
        socket.send(&json!({ "threadId": thread, "runId": "run", "messages": [message] })).await;
        let request = socket.until("agora:tool_approval_request").await.pop().unwrap();
        ids.push(request["value"]["approvalId"].clone());
    }
    (socket, ids)
}

fn response(value: &Value) -> Value {
    json!({ "type": "CUSTOM", "name": "agora:tool_approval_response", "value": value })
}

#[tokio::test]
async fn one_run_id_on_two_threads_is_two_requests_and_each_answer_means_one() {
    let server = server().await;
    let (mut socket, ids) = two_threads_with_one_run_id(&server).await;
    assert_ne!(ids[0], ids[1]);
    // An answer of the contract names nothing but the request.
    for (id, thread, approved) in [(&ids[1], "t2", false), (&ids[0], "t1", true)] {
        socket.send(&response(&json!({ "approvalId": id, "approved": approved }))).await;
        let frames = socket.until("RUN_FINISHED").await;
        assert_eq!(frames.last().unwrap()["threadId"], thread);
        assert_eq!(text(&frames).starts_with("Here it is"), approved, "{frames:#?}");
    }
    // Another answer comes too late, and meets no other request.
    socket.send(&response(&json!({ "approvalId": ids[0], "approved": false }))).await;
    assert_eq!(socket.next().await["value"]["errorCode"], "already_decided");
}

#[tokio::test]
async fn one_run_id_on_two_threads_is_answered_on_another_socket_by_naming_the_thread() {
    let server = server().await;
    let (_first, ids) = two_threads_with_one_run_id(&server).await;
    let mut socket = Socket::open(&server, "/ws").await;
    let mut value = json!({ "approvalId": ids[0], "approved": true });
    socket.send(&response(&value)).await;
    let refused = socket.until("agora:error").await.pop().unwrap();
    assert_eq!(refused["value"]["errorCode"], "ambiguous_interrupt", "{refused}");
    value["threadId"] = json!("t1");
    socket.send(&response(&value)).await;
    assert_eq!(socket.until("RUN_FINISHED").await.pop().unwrap()["threadId"], "t1");
    // The id that names its thread is known on every socket.
    for thread in ["t3", "t2"] {
        socket.send(&response(&json!({ "approvalId": ids[1], "approved": true, "threadId": thread }))).await;
        let told = socket.next().await;
        match thread {
            "t3" => assert_eq!(
                (&told["value"]["errorCode"], &told["value"]["details"]["threadId"]),
                (&json!("unknown_interrupt"), &json!("t3"))
            ),
            _ => assert_eq!(socket.until("RUN_FINISHED").await.pop().unwrap()["threadId"], "t2"),
        }
    }
}

#[tokio::test]
async fn an_approval_through_another_door_lets_the_run_go_on_here() {
    let server = server().await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&says("t1", "the report")).await;
    let request = socket.until("agora:tool_approval_request").await.pop().unwrap();
    let id = request["value"]["approvalId"].as_str().unwrap().into();
    let who = Decider { user: "local".to_owned(), roles: Vec::new(), origin: "test".to_owned() };
    server.stage.decide(&who, &id, Verdict::resolved(json!({ "approved": true }))).await.unwrap();
    assert!(text(&socket.until("RUN_FINISHED").await).starts_with("Here it is"));
    socket.send(&approval(&request, false)).await;
    let told = socket.next().await;
    assert_eq!(
        (&told["name"], &told["value"]["errorCode"]),
        (&json!("agora:error"), &json!("already_decided"))
    );
}

#[tokio::test]
async fn an_answer_as_ag_ui_has_it_is_shown_once_as_the_rest_of_the_run() {
    let server = server().await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&says("t1", "the report")).await;
    let open = socket.until("agora:tool_approval_request").await;
    let id = &open.last().unwrap()["value"]["approvalId"];
    let answer = json!({ "interruptId": id, "status": "resolved", "payload": { "approved": true } });
    socket.send(&json!({ "threadId": "t1", "messages": [], "resume": [answer] })).await;
    let rest = socket.until("RUN_FINISHED").await;
    assert!(text(&rest).starts_with("Here it is"));
    assert_eq!(rest.last().unwrap()["runId"], open[0]["runId"], "it is the same run");
    socket.send(&json!([])).await;
    assert_eq!(socket.next().await["name"], "agora:error", "nothing was shown twice");
}

#[tokio::test]
async fn a_question_for_words_is_answered_by_the_next_words() {
    let server = server().await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&says("t1", "ask me")).await;
    assert_eq!(text(&socket.until("RUN_FINISHED").await), "Which company?");
    socket.send(&says("t1", "Bella Rosa")).await;
    assert_eq!(text(&socket.until("RUN_FINISHED").await), "You said Bella Rosa.");
}

#[tokio::test]
async fn without_a_key_the_socket_is_closed_with_4001() {
    let server = server_with_key("secret").await;
    assert_eq!(Socket::open(&server, "/ws?token=wrong").await.close_code().await, 4001);
    let mut socket = Socket::open(&server, "/ws?token=secret").await;
    socket.send(&says("t1", "hi")).await;
    assert_eq!(text(&socket.until("RUN_FINISHED").await), "Hello there.");
}

#[tokio::test]
async fn a_client_with_a_cursor_gets_what_it_has_not_seen() {
    let server = server().await;
    let mut socket = Socket::open(&server, "/ws?cursors=true").await;
    socket.send(&says("t1", "the history please")).await;
    let whole = socket.until("RUN_FINISHED").await;
    assert!(whole.iter().all(|frame| frame["threadId"] == "t1"), "{whole:#?}");
    assert!(whole.last().unwrap()["cursor"].is_string(), "{whole:#?}");
    let marked: Vec<_> = (0..whole.len() - 1).filter(|at| whole[*at]["cursor"].is_string()).collect();
    assert!(marked.len() > 5, "{whole:#?}");
    for at in marked {
        let mut socket = Socket::open(&server, "/ws?cursors=true").await;
        socket.send(&follow("t1", Some(&whole[at]["cursor"]))).await;
        let rest = socket.until("RUN_FINISHED").await;
        assert_eq!(compacted(&rest), compacted(&whole[at + 1..]), "behind {}", whole[at]);
    }
}

#[tokio::test]
async fn a_client_without_a_cursor_gets_the_conversation_and_the_run_that_waits() {
    let server = server().await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&says("t1", "hi")).await;
    socket.until("RUN_FINISHED").await;
    socket.send(&says("t1", "the report")).await;
    let seen = socket.until("agora:tool_approval_request").await;
    drop(socket);

    let mut back = Socket::open(&server, "/ws").await;
    back.send(&follow("t1", None)).await;
    let snapshot = back.next().await;
    assert_eq!(snapshot["type"], "MESSAGES_SNAPSHOT");
    let roles: Vec<_> =
        snapshot["messages"].as_array().unwrap().iter().map(|message| &message["role"]).collect();
    assert_eq!(roles[..2], [&json!("user"), &json!("assistant")], "{snapshot:#}");
    assert_eq!(back.until("agora:tool_approval_request").await, seen);
    back.send(&approval(seen.last().unwrap(), true)).await;
    let rest = back.until("RUN_FINISHED").await;
    assert!(text(&rest).starts_with("Here it is"), "{rest:#?}");
    assert_eq!(rest.last().unwrap()["runId"], seen[0]["runId"], "it is one run to a client");
}

#[tokio::test]
async fn an_idle_thread_is_shown_as_it_stands() {
    let server = server().await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&says("t1", "hi")).await;
    socket.until("RUN_FINISHED").await;
    socket.send(&follow("t1", None)).await;
    let snapshot = socket.next().await;
    assert_eq!(snapshot["messages"][1]["content"], "Hello there.", "{snapshot:#}");
}

#[tokio::test]
async fn coming_back_to_nowhere_is_told() {
    let server = server().await;
    let mut socket = Socket::open(&server, "/ws").await;
    for (frame, code) in [
        (follow("nowhere", None), "unknown_thread"),
        (follow("nowhere", Some(&json!("yesterday"))), "unknown_thread"),
        (json!({ "type": "CUSTOM", "name": "forestage.follow", "value": {} }), "invalid_follow"),
    ] {
        socket.send(&frame).await;
        assert_eq!(socket.next().await["value"]["errorCode"], code, "{frame}");
    }
    socket.send(&says("t1", "hi")).await;
    socket.until("RUN_FINISHED").await;
    socket.send(&follow("t1", Some(&json!("yesterday")))).await;
    assert_eq!(socket.next().await["value"]["errorCode"], "invalid_cursor");
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_is_told_with_the_member_that_is_wrong() {
    let server = server().await;
    let mut socket = Socket::open(&server, "/ws").await;
    for (value, path) in [
        (json!({ "approved": true }), "value.approvalId"),
        (json!({ "approvalId": "i", "approved": "yes" }), "value.approved"),
        (json!({ "approvalId": "i", "approved": null }), "value.approved"),
    ] {
        socket.send(&response(&value)).await;
        let told = socket.next().await;
        assert_eq!(told["value"]["errorCode"], "invalid_approval", "{told}");
        assert_eq!(told["value"]["details"]["path"], path, "{told}");
    }
}
