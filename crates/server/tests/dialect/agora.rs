//! Contract 001: its flows, its approvals, its errors.

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
async fn flow_1_is_a_text_between_snapshots() {
    let server = server().await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&says("t1", "hi")).await;
    let frames = socket.until("RUN_FINISHED").await;
    let shown = kinds(&frames);
    let content = "TEXT_MESSAGE_CONTENT".to_owned();
    let mut shown: Vec<_> = shown.into_iter().collect();
    shown.dedup_by(|next, last| *next == content && *last == content);
    assert_eq!(
        shown,
        [
            "RUN_STARTED",
            "STATE_SNAPSHOT processing",
            "STEP_STARTED routing",
            "STEP_FINISHED routing",
            "STEP_STARTED thinking",
            "TEXT_MESSAGE_START",
            "TEXT_MESSAGE_CONTENT",
            "TEXT_MESSAGE_END",
            "STEP_FINISHED thinking",
            "STATE_SNAPSHOT completed",
            "RUN_FINISHED"
        ]
    );
    let run = &frames[0]["runId"];
    assert!(run.as_str().is_some_and(|run| !run.is_empty()));
    assert_eq!(
        frames[1]["snapshot"],
        json!({ "threadId": "t1", "runId": run, "currentAgent": "general-agent", "status": "processing" })
    );
    assert!(frames.iter().all(|frame| frame["timestamp"].is_i64()), "{frames:#?}");
    assert!(!format!("{frames:?}").contains("Null"), "nothing is null");
}

#[tokio::test]
async fn flow_2_executes_a_tool_in_order() {
    let server = server().await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&says("t1", "the history please")).await;
    let frames = socket.until("RUN_FINISHED").await;
    let shown = kinds(&frames);
    let tools: Vec<_> =
        shown.iter().filter(|kind| kind.contains("TOOL") || kind.contains("executing")).collect();
    assert_eq!(
        tools,
        [
            "STEP_STARTED executing_tools",
            "TOOL_CALL_START",
            "TOOL_CALL_ARGS",
            "TOOL_CALL_END",
            "TOOL_CALL_RESULT",
            "STEP_FINISHED executing_tools"
        ]
    );
    let result = frames.iter().find(|frame| frame["type"] == "TOOL_CALL_RESULT").unwrap();
    assert_eq!((&result["role"], &result["content"]), (&json!("tool"), &json!(r#"{"violations":1}"#)));
}

#[tokio::test]
async fn flow_3_ends_with_the_error_and_the_end() {
    let server = server().await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&says("t1", "please fail")).await;
    let frames = socket.until("RUN_FINISHED").await;
    assert_eq!(
        kinds(&frames),
        ["RUN_STARTED", "STATE_SNAPSHOT processing", "STEP_STARTED routing", "RUN_ERROR", "RUN_FINISHED"]
    );
    assert_eq!((&frames[3]["code"], &frames[3]["message"]), (&json!("processing_error"), &json!("It broke")));
}

#[tokio::test]
async fn an_approval_is_asked_for_and_answered_within_one_run() {
    for (approved, said) in [(true, "Here it is: /report.pdf"), (false, "There is no report.")] {
        let server = server().await;
        let mut socket = Socket::open(&server, "/ws").await;
        socket.send(&says("t1", "the report")).await;
        let before = socket.until("agora:tool_approval_request").await;
        let request = before.last().unwrap();
        assert_eq!(request["value"]["toolName"], "generate_final_report");
        assert_eq!(request["value"]["toolDescription"], "Writes the report");
        assert_eq!(request["value"]["parameters"], json!({ "kvk": "92251854" }));
        assert_eq!(request["value"]["riskLevel"], "critical");
        assert!(!kinds(&before).contains(&"TOOL_CALL_RESULT".to_owned()), "nothing is executed before");
        socket.send(&approval(request, approved)).await;
        let after = socket.until("RUN_FINISHED").await;
        assert!(!kinds(&after).contains(&"RUN_STARTED".to_owned()), "it is the same run");
        assert_eq!(after.last().unwrap()["runId"], before[0]["runId"]);
        assert!(text(&after).starts_with(said), "{}", text(&after));
    }
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
    let again = socket.next().await;
    assert_eq!(again["value"], request["value"]);
    socket.send(&approval(&again, true)).await;
    assert!(text(&socket.until("RUN_FINISHED").await).starts_with("Here it is"));
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
async fn invented_approvals_and_broken_frames_are_told_and_harm_nothing() {
    let server = server().await;
    let mut socket = Socket::open(&server, "/ws").await;
    let invented = json!({ "value": { "approvalId": "made-up" } });
    socket.send(&approval(&invented, true)).await;
    assert_eq!(socket.next().await["value"]["errorCode"], "unknown_interrupt");
    for (frame, code) in [
        ("{", "invalid_json"),
        ("[]", "invalid_frame"),
        (r#"{"type":"RUN_STARTED"}"#, "unknown_event"),
        (r#"{"messages":[]}"#, "missing_member"),
    ] {
        socket.send_text(frame).await;
        let told = socket.next().await;
        assert_eq!(told["name"], "agora:error", "{told}");
        if code != "missing_member" {
            assert_eq!(told["value"]["errorCode"], code);
        }
    }
    socket.send(&says("t1", "hi")).await;
    assert_eq!(text(&socket.until("RUN_FINISHED").await), "Hello there.");
}

#[tokio::test]
async fn what_may_not_be_said_is_an_error_of_the_protocol_and_the_run_ends() {
    let server = server().await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&says("t1", "drop table users")).await;
    let frames = socket.until("RUN_FINISHED").await;
    assert_eq!(
        kinds(&frames),
        ["RUN_STARTED", "STATE_SNAPSHOT processing", "CUSTOM agora:error", "RUN_FINISHED"]
    );
    assert_eq!(frames[2]["value"]["errorCode"], "moderation_violation");
    assert_eq!(frames[2]["value"]["message"], "That may not be said here.");
}

#[tokio::test]
async fn a_change_of_the_agent_is_a_snapshot() {
    let server = server().await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&says("t1", "handoff")).await;
    let frames = socket.until("RUN_FINISHED").await;
    let agents: Vec<_> =
        frames.iter().filter_map(|frame| frame["snapshot"]["currentAgent"].as_str()).collect();
    assert_eq!(agents.first(), Some(&"general-agent"));
    assert_eq!(agents.last(), Some(&"history-agent"));
    assert!(!kinds(&frames).contains(&"STATE_DELTA".to_owned()));
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
async fn several_threads_share_a_socket_and_history_stays_on_the_server() {
    let server = server().await;
    let mut socket = Socket::open(&server, "/ws").await;
    for thread in ["t1", "t2", "t1"] {
        socket.send(&says(thread, "hi")).await;
        let frames = socket.until("RUN_FINISHED").await;
        assert_eq!(frames.last().unwrap()["threadId"], thread);
    }
    let thread = server.stage.thread("local", &"t1".into()).await.unwrap();
    let conversation = server.stage.conversation(&thread, None).await.unwrap();
    assert_eq!(conversation.messages.len(), 4);
}

#[tokio::test]
async fn without_a_key_the_socket_is_closed_with_4001() {
    let server = server_with_key("secret").await;
    assert_eq!(Socket::open(&server, "/ws?token=wrong").await.close_code().await, 4001);
    let mut socket = Socket::open(&server, "/ws?token=secret").await;
    socket.send(&says("t1", "hi")).await;
    assert_eq!(text(&socket.until("RUN_FINISHED").await), "Hello there.");
}
