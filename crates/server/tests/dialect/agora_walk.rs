//! Contract 001, walked from its first section to its last: what a client that knows nothing else meets.

use forestage_runtime::{Decider, Verdict};
use forestage_server::{Http, Keys};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::{support::*, wire::*};

/// The mock server of the contract, which comes along.
const MOCK: &str = include_str!("../../../../examples/agents/agora.yaml");

/// An agent that does what the contract does not show.
const FLOWS: &str = r#"
tools:
  - { name: search_regulations, result: Found 5 relevant regulations }
rules:
  - when: { says: "*handoff*" }
    do:
      - state: { currentAgent: general-agent, case: 7 }
      - patch: [{ op: replace, path: /currentAgent, value: reporting-agent }]
      - patch: [{ op: replace, path: /case, value: 8 }]
  - when: { says: "*nested*" }
    do: [{ step: { name: outer, do: [{ step: { name: inner, do: [{ text: Deep. }] } }, { text: Less. }] } }]
  - when: { says: "*bare call*" }
    do: [{ raw: { type: TOOL_CALL_START, toolCallId: c, toolCallName: search_regulations } }, { raw: { type: TOOL_CALL_END, toolCallId: c } }, { raw: { type: TOOL_CALL_RESULT, messageId: m, toolCallId: c, content: ok } }]
  - when: { says: "*slow*" }
    do: [{ text: Wait. }, { sleep: 300ms }, { text: Done. }]
  - do:
      - step: { name: routing, do: [] }
      - step: { name: thinking, do: [{ text: "You said {{user}}" }] }
"#;

const REVIEWED: &str = r#"
house: { review: {} }
rules: [{ do: [{ text: The answer is 42. }] }]
"#;

pub(crate) const FLOW_1: [&str; 11] = [
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
    "RUN_FINISHED",
];

pub(crate) const FLOW_2: [&str; 19] = [
    "RUN_STARTED",
    "STATE_SNAPSHOT processing",
    "STEP_STARTED routing",
    "STEP_FINISHED routing",
    "STEP_STARTED thinking",
    "STEP_FINISHED thinking",
    "STEP_STARTED executing_tools",
    "TOOL_CALL_START",
    "TOOL_CALL_ARGS",
    "TOOL_CALL_END",
    "TOOL_CALL_RESULT",
    "STEP_FINISHED executing_tools",
    "STEP_STARTED thinking",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "STEP_FINISHED thinking",
    "STATE_SNAPSHOT completed",
    "RUN_FINISHED",
];

pub(crate) const FLOW_3: [&str; 5] =
    ["RUN_STARTED", "STATE_SNAPSHOT processing", "STEP_STARTED thinking", "RUN_ERROR", "RUN_FINISHED"];

/// A run up to the place where it asks, of an agent that does nothing else.
pub(crate) const BEFORE_APPROVAL: [&str; 8] = [
    "RUN_STARTED",
    "STATE_SNAPSHOT processing",
    "STEP_STARTED routing",
    "STEP_FINISHED routing",
    "STEP_STARTED thinking",
    "STEP_FINISHED thinking",
    "STEP_STARTED executing_tools",
    "CUSTOM agora:tool_approval_request",
];

pub(crate) const AFTER_YES: &[&str] = &[
    "TOOL_CALL_START",
    "TOOL_CALL_ARGS",
    "TOOL_CALL_END",
    "TOOL_CALL_RESULT",
    "STEP_FINISHED executing_tools",
    "STEP_STARTED thinking",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "STEP_FINISHED thinking",
    "STATE_SNAPSHOT completed",
    "RUN_FINISHED",
];

pub(crate) const AFTER_NO: &[&str] = AFTER_YES.split_at(4).1;

/// The mock server of the contract.
pub(crate) async fn mock() -> Running {
    serve_script(MOCK, Keys::default(), Http::default()).await
}

async fn flows() -> Running {
    serve_script(FLOWS, Keys::default(), Http::default()).await
}

pub(crate) fn says(thread: &str, text: &str) -> Value {
    json!({ "threadId": thread, "messages": [{ "role": "user", "content": text }], "context": {} })
}

pub(crate) fn decision(request: &Value, approved: bool, feedback: &str) -> Value {
    let value =
        json!({ "approvalId": request["value"]["approvalId"], "approved": approved, "feedback": feedback });
    json!({ "type": "CUSTOM", "name": "agora:tool_approval_response", "value": value })
}

pub(crate) async fn run(server: &Running, text: &str) -> Vec<Value> {
    let mut socket = Socket::open(server, "/ws").await;
    socket.send(&says("t1", text)).await;
    socket.until("RUN_FINISHED").await
}

/// A client that comes back to a thread, behind a cursor or without one.
pub(crate) fn follow(thread: &str, after: Option<&Value>) -> Value {
    let mut value = json!({ "threadId": thread });
    if let Some(after) = after {
        value["after"] = after.clone();
    }
    json!({ "type": "CUSTOM", "name": "forestage.follow", "value": value })
}

/// Kinds, with pieces of one thing made one.
pub(crate) fn shape(frames: &[Value]) -> Vec<String> {
    let mut kinds = kinds(frames);
    kinds.dedup_by(|next, last| next == last && (next.ends_with("CONTENT") || next.ends_with("ARGS")));
    kinds
}

#[tokio::test]
async fn the_socket_carries_bare_json_objects_with_a_type_in_capitals() {
    let server = flows().await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&says("7f9c24e8-3b12-4c0a-9d5e-000000000001", "hello")).await;
    loop {
        let Message::Text(text) = socket.message().await else { panic!("frames are text") };
        let frame: Value = serde_json::from_str(&text).unwrap();
        let kind = frame["type"].as_str().unwrap();
        assert!(kind.chars().all(|char| char.is_ascii_uppercase() || char == '_'), "{kind}");
        if kind == "RUN_FINISHED" {
            break;
        }
    }
}

#[tokio::test]
async fn flow_1_is_exactly_the_one_of_the_contract() {
    let frames = run(&mock().await, "hello").await;
    judge("agora", &frames);
    assert_eq!(shape(&frames), FLOW_1);
}

#[tokio::test]
async fn flow_2_is_exactly_the_one_of_the_contract() {
    let frames = run(&mock().await, "search").await;
    judge("agora", &frames);
    assert_eq!(shape(&frames), FLOW_2);
}

#[tokio::test]
async fn flow_3_leaves_the_step_open_and_always_finishes() {
    let frames = run(&mock().await, "fail").await;
    judge("agora", &frames);
    assert_eq!(kinds(&frames), FLOW_3);
    assert_eq!(frames[3]["message"], "Error processing request");
    assert_eq!(frames[3]["code"], "processing_error");
    assert_eq!(frames[4]["runId"], frames[0]["runId"]);
}

#[tokio::test]
async fn every_event_has_the_members_that_the_contract_lists() {
    let frames = run(&mock().await, "search").await;
    for (kind, members) in [
        ("RUN_STARTED", &["threadId", "runId"][..]),
        ("RUN_FINISHED", &["threadId", "runId"]),
        ("STEP_STARTED", &["stepName"]),
        ("STEP_FINISHED", &["stepName"]),
        ("TEXT_MESSAGE_START", &["messageId", "role"]),
        ("TEXT_MESSAGE_CONTENT", &["messageId", "delta"]),
        ("TEXT_MESSAGE_END", &["messageId"]),
        ("TOOL_CALL_START", &["toolCallId", "toolCallName", "parentMessageId"]),
        ("TOOL_CALL_ARGS", &["toolCallId", "delta"]),
        ("TOOL_CALL_END", &["toolCallId"]),
        ("TOOL_CALL_RESULT", &["messageId", "toolCallId", "content", "role"]),
        ("STATE_SNAPSHOT", &["snapshot"]),
    ] {
        for frame in of(&frames, kind) {
            let mut names: Vec<_> = frame.as_object().unwrap().keys().map(String::as_str).collect();
            names.sort_unstable();
            let mut expected = [&["type", "timestamp"], members].concat();
            expected.sort_unstable();
            assert_eq!(names, expected, "{frame}");
            assert!(frame["timestamp"].as_i64().is_some_and(|at| at > 1_700_000_000_000), "{frame}");
        }
        assert!(!of(&frames, kind).is_empty(), "{kind} was seen");
    }
    let arguments: String =
        of(&frames, "TOOL_CALL_ARGS").iter().map(|frame| frame["delta"].as_str().unwrap()).collect();
    assert!(of(&frames, "TOOL_CALL_ARGS").len() > 1, "arguments may come in pieces");
    assert_eq!(
        serde_json::from_str::<Value>(&arguments).unwrap(),
        json!({ "query": "food safety", "limit": 10 })
    );
    assert_eq!(of(&frames, "TOOL_CALL_RESULT")[0]["content"], "Found 5 relevant regulations");
}

#[tokio::test]
async fn a_call_without_arguments_still_has_a_piece_of_them() {
    let frames = run(&flows().await, "bare call").await;
    judge("agora", &frames);
    assert_eq!(of(&frames, "TOOL_CALL_ARGS")[0]["delta"], "{}");
}

#[tokio::test]
async fn one_step_is_open_at_a_time_whatever_the_agent_nests() {
    let frames = run(&flows().await, "nested").await;
    judge("agora", &frames);
    let steps: Vec<_> = kinds(&frames).into_iter().filter(|kind| kind.starts_with("STEP")).collect();
    assert_eq!(
        steps,
        ["STEP_STARTED outer", "STEP_FINISHED outer", "STEP_STARTED inner", "STEP_FINISHED inner"]
    );
}

#[tokio::test]
async fn the_input_of_the_contract_is_taken_and_its_run_id_is_used() {
    let server = flows().await;
    let mut socket = Socket::open(&server, "/ws").await;
    let message = json!({ "role": "user", "content": "What are the food safety regulations?" });
    socket
        .send(&json!({ "threadId": "abc123", "runId": "run-456", "messages": [message], "context": {} }))
        .await;
    let frames = socket.until("RUN_FINISHED").await;
    for name in ["RUN_STARTED", "RUN_FINISHED"] {
        let event = of(&frames, name)[0];
        assert_eq!((&event["threadId"], &event["runId"]), (&json!("abc123"), &json!("run-456")));
    }
    for snapshot in of(&frames, "STATE_SNAPSHOT") {
        assert_eq!(snapshot["snapshot"]["runId"], "run-456");
        assert_eq!(snapshot["snapshot"]["currentAgent"], "general-agent");
    }
    assert_eq!(text(&frames), "You said What are the food safety regulations?");
}

#[tokio::test]
async fn a_run_id_is_made_where_there_is_none_and_snake_case_is_read() {
    let server = flows().await;
    let mut socket = Socket::open(&server, "/ws").await;
    let message = json!({ "role": "user", "content": "hello", "extra": 1 });
    socket.send(&json!({ "thread_id": "t1", "messages": [message], "userId": "u", "context": { "a": { "b": 1 } } })).await;
    let frames = socket.until("RUN_FINISHED").await;
    let run_id = frames[0]["runId"].as_str().unwrap();
    assert!(!run_id.is_empty());
    assert!(frames.iter().all(|frame| frame.get("runId").is_none_or(|id| id == run_id)));
    assert!(of(&frames, "STATE_SNAPSHOT").iter().all(|frame| frame["snapshot"]["runId"] == run_id));
    let thread = server.stage.thread("local", &"t1".into()).await.unwrap();
    assert!(server.stage.store().run(thread.id.clone(), run_id.into()).await.unwrap().is_some());
}

#[tokio::test]
async fn a_later_connection_continues_the_conversation_of_its_thread() {
    let server = flows().await;
    run(&server, "one").await;
    run(&server, "two").await;
    let thread = server.stage.thread("local", &"t1".into()).await.unwrap();
    let conversation = server.stage.conversation(&thread, None).await.unwrap();
    let said: Vec<_> = conversation.messages.iter().map(|message| message.role()).collect();
    assert_eq!(said, ["user", "assistant", "user", "assistant"]);
}

#[tokio::test]
async fn snapshots_follow_the_agent_that_speaks_and_outlive_the_run() {
    let server = flows().await;
    let frames = run(&server, "handoff").await;
    judge("agora", &frames);
    let agents: Vec<_> =
        of(&frames, "STATE_SNAPSHOT").iter().map(|frame| frame["snapshot"]["currentAgent"].clone()).collect();
    assert_eq!(agents, ["general-agent", "general-agent", "reporting-agent", "reporting-agent"]);
    let delta = of(&frames, "STATE_DELTA");
    assert_eq!(delta[0]["delta"], json!([{ "op": "replace", "path": "/case", "value": 8 }]));
    let next = run(&server, "hello").await;
    let first = &of(&next, "STATE_SNAPSHOT")[0]["snapshot"];
    assert_eq!((&first["currentAgent"], &first["case"]), (&json!("reporting-agent"), &json!(8)));
}

#[tokio::test]
async fn an_approval_has_the_members_of_the_contract_and_nothing_runs_before_it() {
    for (approved, said) in
        [(true, "The report is ready: /reports/INS-2024-001/pdf"), (false, "The report was not made.")]
    {
        let server = mock().await;
        let mut socket = Socket::open(&server, "/ws").await;
        socket.send(&says("t1", "Generate the report")).await;
        let before = socket.until("agora:tool_approval_request").await;
        let request = before.last().unwrap();
        assert!(request["timestamp"].is_i64());
        let mut value = request["value"].clone();
        assert!(value["approvalId"].take().as_str().is_some_and(|id| !id.is_empty()));
        assert_eq!(
            value,
            json!({
                "toolName": "generate_final_report",
                "toolDescription": "Generates an official inspection report PDF",
                "parameters": { "inspectionId": "INS-2024-001" },
                "reasoning": "User requested to finalize the inspection report",
                "riskLevel": "high",
                "approvalId": null,
            })
        );
        assert_eq!(shape(&before), BEFORE_APPROVAL);
        socket.send(&decision(request, approved, "too early")).await;
        let after = socket.until("RUN_FINISHED").await;
        judge("agora", &[before.clone(), after.clone()].concat());
        assert_eq!(after.last().unwrap()["runId"], before[0]["runId"]);
        assert!(text(&after).starts_with(said), "{}", text(&after));
        assert_eq!(text(&after).contains("too early"), !approved, "the agent knows why: {}", text(&after));
    }
}

#[tokio::test]
async fn the_level_of_risk_is_whatever_the_house_says() {
    for level in ["low", "medium", "high", "critical"] {
        let script = MOCK.replace("risk: high", &format!("risk: {level}"));
        let server = serve_script(&script, Keys::default(), Http::default()).await;
        let mut socket = Socket::open(&server, "/ws").await;
        socket.send(&says("t1", "Generate the report")).await;
        let request = socket.until("agora:tool_approval_request").await.pop().unwrap();
        assert_eq!(request["value"]["riskLevel"], level);
    }
}

#[tokio::test]
async fn what_may_not_be_said_is_told_as_an_error_of_agoras() {
    let frames = run(&mock().await, "something prohibited").await;
    judge("agora", &frames);
    let error = frames.iter().find(|frame| frame["name"] == "agora:error").unwrap();
    assert_eq!(error["value"]["errorCode"], "moderation_violation");
    assert_eq!(error["value"]["message"], "Your message contains prohibited content");
    let details = &error["value"]["details"];
    assert_eq!(details["reason"], "moderation_violation");
    let explanation = "the moderation of this server refused it: Your message contains prohibited content";
    assert_eq!(details["explanation"], explanation);
    assert!(error["timestamp"].is_i64());
    assert!(of(&frames, "RUN_ERROR").is_empty(), "it is no error of the run");
    assert_eq!(frames.last().unwrap()["type"], "RUN_FINISHED");
}

#[tokio::test]
async fn runs_of_several_threads_go_on_beside_each_other_on_one_socket() {
    let server = flows().await;
    let mut socket = Socket::open(&server, "/ws").await;
    for thread in ["a", "b", "c"] {
        socket.send(&says(thread, "slow")).await;
    }
    let (mut open, mut most) = (0, 0);
    let mut finished = Vec::new();
    while finished.len() < 3 {
        let frame = socket.next().await;
        match frame["type"].as_str() {
            Some("RUN_STARTED") => open += 1,
            Some("RUN_FINISHED") => {
                open -= 1;
                finished.push(frame["threadId"].as_str().unwrap().to_owned());
            }
            _ => {}
        }
        most = most.max(open);
    }
    finished.sort();
    assert_eq!((finished, most), (vec!["a".to_owned(), "b".to_owned(), "c".to_owned()], 3));
}

#[tokio::test]
async fn runs_of_one_thread_come_one_after_the_other_and_none_is_lost() {
    let server = flows().await;
    let mut socket = Socket::open(&server, "/ws").await;
    for text in ["slow", "hello", "handoff"] {
        socket.send(&says("t1", text)).await;
    }
    let mut frames = Vec::new();
    for _ in 0..3 {
        frames.extend(socket.until("RUN_FINISHED").await);
    }
    let ends: Vec<_> = kinds(&frames)
        .into_iter()
        .filter(|kind| matches!(kind.as_str(), "RUN_STARTED" | "RUN_FINISHED"))
        .collect();
    assert_eq!(ends, ["RUN_STARTED", "RUN_FINISHED"].repeat(3), "a run ends before the next begins");
}

#[tokio::test]
async fn a_run_goes_on_without_its_socket_and_is_shown_whole_to_the_next_one() {
    let server = flows().await;
    let mut first = Socket::open(&server, "/ws").await;
    first.send(&says("t1", "slow")).await;
    let begun = first.until("TEXT_MESSAGE_END").await;
    drop(first);
    let mut second = Socket::open(&server, "/ws?threadId=t1").await;
    let frames = second.until("RUN_FINISHED").await;
    judge("agora", &frames);
    assert_eq!(frames[0]["runId"], begun[0]["runId"]);
    assert_eq!(text(&frames), "Wait.Done.");
    // The same input again joins the run instead of running twice.
    let mut again = says("t1", "slow");
    again["runId"] = frames[0]["runId"].clone();
    again["messages"][0]["id"] = json!("unknown");
    second.send(&again).await;
    let told = second.next().await;
    assert!(told["type"] == "RUN_STARTED" || told["name"] == "agora:error", "{told}");
}

#[tokio::test]
async fn a_draft_under_review_keeps_the_run_open_until_somebody_has_decided() {
    let server = serve_script(REVIEWED, Keys::default(), Http::default()).await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&says("t1", "what is it")).await;
    let mut frames = Vec::new();
    while frames.last().is_none_or(|frame: &Value| frame["snapshot"]["status"] != "waiting_for_review") {
        frames.push(socket.next().await);
    }
    assert_eq!(text(&frames), "", "nothing of it is shown");
    // Words do not decide about a draft.
    socket.send(&says("t1", "and?")).await;
    assert_eq!(socket.next().await["name"], "agora:error");
    let thread = server.stage.thread("local", &"t1".into()).await.unwrap();
    let query = forestage_store::InterruptQuery {
        thread_id: Some(thread.id),
        ..forestage_store::InterruptQuery::of("local")
    };
    let asked = server.stage.store().interrupts(query).await.unwrap();
    let who = Decider { user: "local".to_owned(), roles: Vec::new(), origin: "test".to_owned() };
    server.stage.decide(&who, &asked[0].id, Verdict::resolved(json!({ "approved": true }))).await.unwrap();
    let rest = socket.until("RUN_FINISHED").await;
    assert_eq!(text(&rest), "The answer is 42.");
    assert_eq!(rest.last().unwrap()["runId"], frames[0]["runId"]);
    judge("agora", &[frames, rest].concat());
}

#[tokio::test]
async fn a_client_that_wants_the_member_gets_a_result_of_null() {
    let server = flows().await;
    for (path, result) in [("/ws", None), ("/ws?nulls=true", Some(&Value::Null))] {
        let mut socket = Socket::open(&server, path).await;
        let mut input = says("t1", "hello");
        for absent in ["runId", "parentRunId", "tools", "state", "forwardedProps"] {
            input[absent] = Value::Null;
        }
        socket.send(&input).await;
        let frames = socket.until("RUN_FINISHED").await;
        assert_eq!(frames.last().unwrap().get("result"), result, "null is what is not there");
        judge("agora", &frames);
    }
}

#[tokio::test]
async fn the_protocol_before_this_one_is_refused_with_a_reason() {
    let server = flows().await;
    let mut socket = Socket::open(&server, "/ws").await;
    for (frame, code) in [
        (json!({ "type": "user_message", "session_id": "s", "content": "hi" }), "unknown_event"),
        (json!({ "session_id": "s", "message": "hi" }), "missing_field"),
    ] {
        socket.send(&frame).await;
        let told = socket.next().await;
        assert_eq!(
            (&told["name"], &told["value"]["errorCode"]),
            (&json!("agora:error"), &json!(code)),
            "{told}"
        );
    }
}
