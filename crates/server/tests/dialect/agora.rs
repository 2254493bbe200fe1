//! Contract 001 beyond its flows: approvals that outlive sockets, questions for words, keys.

use forestage_runtime::{Decider, Verdict};
use serde_json::{Value, json};

use crate::support::*;

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
