//! Contract 001, clause by clause: what the flows do not show.

use std::{collections::BTreeSet, sync::Arc};

use forestage_llm::remote::agui::{AgUi, AgUiConfig};
use forestage_protocol::{
    event::{
        Custom, Event, EventType, RunError, RunFinished, RunStarted, StateDelta, StateSnapshot, StepFinished,
        StepStarted, TextMessageContent, TextMessageEnd, TextMessageStart, ToolCallArgs, ToolCallEnd,
        ToolCallResult, ToolCallStart,
    },
    patch::Patch,
};
use forestage_runtime::{
    About, Agent, RunContext, agent_fn,
    tool::{Invocation, Tools, tool_fn},
    with_house,
};
use forestage_server::{
    Http, Keys,
    dialect::{
        Encode,
        agora::{Approval, ApprovalRequest, Encoder, ErrorPayload, Frame, RiskLevel, decode},
    },
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    sync::Notify,
};

use crate::{agora_walk::*, support::*, wire::*};

/// One of each kind of event that an agent can say, with `$` for the run.
const EVERYTHING: &str = r#"
{"type":"STEP_STARTED","stepName":"think"}
{"type":"REASONING_START","messageId":"$-g"}
{"type":"REASONING_MESSAGE_START","messageId":"$-g","role":"reasoning"}
{"type":"REASONING_MESSAGE_CONTENT","messageId":"$-g","delta":"Hm."}
{"type":"REASONING_MESSAGE_END","messageId":"$-g"}
{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"$-g","encryptedValue":"c2VjcmV0"}
{"type":"REASONING_END","messageId":"$-g"}
{"type":"STEP_FINISHED","stepName":"think"}
{"type":"TEXT_MESSAGE_START","messageId":"$-m","role":"assistant"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"$-m","delta":"Here."}
{"type":"TEXT_MESSAGE_END","messageId":"$-m"}
{"type":"TOOL_CALL_START","toolCallId":"$-c","toolCallName":"clock","parentMessageId":"$-m"}
{"type":"TOOL_CALL_ARGS","toolCallId":"$-c","delta":"{}"}
{"type":"TOOL_CALL_END","toolCallId":"$-c"}
{"type":"TOOL_CALL_RESULT","messageId":"$-r","toolCallId":"$-c","content":"noon","role":"tool"}
{"type":"STATE_SNAPSHOT","snapshot":{"mood":"calm"}}
{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/mood","value":"wet"}]}
{"type":"ACTIVITY_SNAPSHOT","messageId":"$-a","activityType":"PLAN","content":{"steps":[]}}
{"type":"ACTIVITY_DELTA","messageId":"$-a","activityType":"PLAN","patch":[{"op":"add","path":"/steps/-","value":1}]}
{"type":"SUBAGENT_STARTED","subagentRunId":"$-s","name":"poet"}
{"type":"SUBAGENT_FINISHED","subagentRunId":"$-s"}
{"type":"SUBAGENT_STARTED","subagentRunId":"$-t","name":"critic"}
{"type":"SUBAGENT_ERROR","subagentRunId":"$-t","message":"no"}
{"type":"CUSTOM","name":"applause","value":{"hands":2}}
{"type":"RAW","event":{"thunder":true},"source":"sky"}
"#;

fn everything() -> Arc<dyn Agent> {
    agent_fn(About::new("says everything"), |ctx: RunContext| async move {
        for line in EVERYTHING.trim().lines() {
            ctx.emit(Event::from_json(&line.replace('$', ctx.run_id()))?).await?;
        }
        Ok(())
    })
}

#[tokio::test]
async fn every_kind_of_event_reaches_the_client_with_its_time_in_whole_milliseconds() {
    let server = serve_agent(everything(), Keys::default(), Http::default()).await;
    let mut frames = run(&server, "go").await;
    judge("agora", &frames);
    frames.extend(run(&mock().await, "fail").await);
    let seen: BTreeSet<_> = frames.iter().map(|frame| frame["type"].as_str().unwrap()).collect();
    // Chunks are written as what they stand for, and the client has sent the messages itself.
    let is_sent = |name: &&str| !name.ends_with("_CHUNK") && *name != "MESSAGES_SNAPSHOT";
    let all: BTreeSet<_> = EventType::ALL.iter().map(|kind| kind.as_str()).filter(is_sent).collect();
    assert_eq!(seen, all);
    for frame in &frames {
        assert!(frame["timestamp"].as_i64().is_some_and(|at| at > 1_700_000_000_000), "{frame}");
    }
    let custom = frames.iter().find(|frame| frame["name"] == "applause").unwrap();
    assert_eq!(custom["value"], json!({ "hands": 2 }));
    let message = &of(&frames, "TEXT_MESSAGE_START")[0]["messageId"];
    assert_eq!(
        of(&frames, "TOOL_CALL_START")[0]["parentMessageId"],
        *message,
        "the call belongs to its message"
    );
}

#[tokio::test]
async fn a_client_sends_inputs_and_answers_and_no_other_event() {
    let server = mock().await;
    let mut socket = Socket::open(&server, "/ws").await;
    for kind in EventType::ALL.iter().map(|kind| kind.as_str()).filter(|kind| *kind != "CUSTOM") {
        socket.send(&json!({ "type": kind, "threadId": "t1", "runId": "r1", "messages": [] })).await;
        let told = socket.next().await;
        assert_eq!(told["value"]["errorCode"], "unknown_event", "{kind}: {told}");
    }
    for name in ["agora:tool_approval_request", "agora:error", "applause"] {
        socket.send(&json!({ "type": "CUSTOM", "name": name, "value": {} })).await;
        assert_eq!(socket.next().await["value"]["errorCode"], "unknown_event", "{name}");
    }
    assert!(server.stage.thread("local", &"t1".into()).await.is_err(), "nothing began");
}

#[tokio::test]
async fn text_and_calls_are_shown_while_they_happen() {
    let (go, tool_go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (waits, tool_waits) = (go.clone(), tool_go.clone());
    let tool = tool_fn("slow_search", move |_: Invocation, _: Value| {
        let waits = tool_waits.clone();
        async move {
            waits.notified().await;
            Ok("found")
        }
    });
    let agent = agent_fn(About::new("takes its time"), move |ctx: RunContext| {
        let waits = waits.clone();
        async move {
            let text = ctx.text()?;
            text.push("One ").await?;
            waits.notified().await;
            text.push("two.").await?;
            drop(text);
            let _ = ctx.use_tool("slow_search", json!({})).await?;
            Ok(())
        }
    });
    let agent = with_house(agent, Tools::new().with(tool).unwrap(), Default::default());
    let server = serve_agent(agent, Keys::default(), Http::default()).await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&says("t1", "go")).await;
    assert_eq!(text(&socket.until("TEXT_MESSAGE_CONTENT").await), "One ");
    go.notify_one();
    assert_eq!(text(&socket.until("TEXT_MESSAGE_CONTENT").await), "two.");
    // The tool runs, and its call is there.
    socket.until("TOOL_CALL_END").await;
    tool_go.notify_one();
    socket.until("TOOL_CALL_RESULT").await;
}

#[tokio::test]
async fn snake_case_is_read_in_every_member_and_camel_case_alone_is_written() {
    let server = mirror().await;
    let mut socket = Socket::open(&server, "/ws").await;
    let message = |id: &str| json!({ "id": id, "role": "user", "content": "hi" });
    socket.send(&json!({ "thread_id": "t1", "run_id": "r1", "messages": [message("m1")] })).await;
    socket.until("RUN_FINISHED").await;
    let second = json!({
        "thread_id": "t1",
        "run_id": "r2",
        "parent_run_id": "r1",
        "messages": [message("m2")],
        "forwarded_props": { "snake_case": 1 },
        "context": { "my_key": "my_value" },
    });
    socket.send(&second).await;
    let frames = socket.until("RUN_FINISHED").await;
    let input = &frames.last().unwrap()["result"];
    assert_eq!((&input["threadId"], &input["runId"]), (&json!("t1"), &json!("r2")));
    assert_eq!(input["parentRunId"], "r1");
    assert_eq!(input["forwardedProps"], json!({ "snake_case": 1 }), "what is inside is the application's");
    assert_eq!(input["context"], json!([{ "description": "my_key", "value": "my_value" }]));
    // An approval, too: it is read in snake_case, and its request is written in camelCase.
    let server = mock().await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&json!({ "thread_id": "t2", "messages": [{ "role": "user", "content": "report" }] })).await;
    let before = socket.until("agora:tool_approval_request").await;
    let value = json!({ "approval_id": before.last().unwrap()["value"]["approvalId"], "approved": true });
    socket.send(&json!({ "type": "CUSTOM", "name": "agora:tool_approval_response", "value": value })).await;
    let after = socket.until("RUN_FINISHED").await;
    for frame in before.iter().chain(&after) {
        let inner = [frame, &frame["snapshot"], &frame["value"]];
        for name in inner.into_iter().filter_map(Value::as_object).flat_map(|object| object.keys()) {
            assert!(!name.contains('_'), "{name} in {frame}");
        }
    }
}

#[tokio::test]
async fn an_answer_of_a_tool_of_the_client_is_read_in_snake_case() {
    let server = server().await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&says("t1", "quiz")).await;
    let call = socket.until("RUN_FINISHED").await;
    let id = &of(&call, "TOOL_CALL_START")[0]["toolCallId"];
    let answer = json!({ "role": "tool", "tool_call_id": id, "content": "{\"quiz_id\":\"q1\",\"selected_option_id\":\"option_paris\"}" });
    socket.send(&json!({ "thread_id": "t1", "messages": [answer] })).await;
    assert_eq!(text(&socket.until("RUN_FINISHED").await), "You chose option_paris.");
}

#[tokio::test]
async fn what_was_said_on_an_earlier_connection_is_told_to_the_agent() {
    let agent = agent_fn(About::new("counts"), |ctx: RunContext| async move {
        let said: Vec<_> = ctx.messages().iter().map(|message| message.role()).collect();
        ctx.say(said.join(" ")).await?;
        Ok(())
    });
    let server = serve_agent(agent, Keys::default(), Http::default()).await;
    assert_eq!(text(&run(&server, "one").await), "user");
    assert_eq!(text(&run(&server, "two").await), "user assistant user");
    let mut other = Socket::open(&server, "/ws").await;
    other.send(&says("another", "one")).await;
    assert_eq!(text(&other.until("RUN_FINISHED").await), "user", "threads are kept apart");
}

#[tokio::test]
async fn a_thread_goes_by_the_id_that_its_client_has_made() {
    let server = mock().await;
    let id = "7f9c24e8-3b12-4c0a-9d5e-000000000001";
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&says(id, "hello")).await;
    let frames = socket.until("RUN_FINISHED").await;
    assert_eq!((&frames[0]["threadId"], &frames.last().unwrap()["threadId"]), (&json!(id), &json!(id)));
    assert_eq!(server.stage.thread("local", &id.into()).await.unwrap().id.as_str(), id);
}

#[tokio::test]
async fn a_result_of_a_tool_is_text_and_a_message_is_the_assistants_whoever_the_agent_says_it_is() {
    let script = r#"
tools: [{ name: look, result: { found: 5 } }]
rules: [{ do: [{ text: { text: Hello., role: user } }, { tool: { name: look, args: {} } }] }]
"#;
    let server = serve_script(script, Keys::default(), Http::default()).await;
    let frames = run(&server, "go").await;
    judge("agora", &frames);
    assert_eq!(of(&frames, "TEXT_MESSAGE_START")[0]["role"], "assistant");
    let result = of(&frames, "TOOL_CALL_RESULT")[0];
    assert_eq!((&result["content"], &result["role"]), (&json!("{\"found\":5}"), &json!("tool")));
}

#[tokio::test]
async fn an_input_may_say_null_wherever_it_could_say_nothing_and_nobody_is_told_null() {
    let server = serve_script(
        "rules: [{ do: [{ tool: { name: look, args: {}, result: ok } }, { text: Hello. }] }]",
        Keys::default(),
        Http::default(),
    )
    .await;
    let input = |thread: &str| {
        let message = json!({ "id": format!("{thread}-m"), "role": "user", "content": "hi", "name": null, "encryptedValue": null, "metadata": null });
        json!({
            "threadId": thread, "runId": format!("{thread}-r"), "parentRunId": null, "messages": [message],
            "tools": null, "context": null, "state": null, "forwardedProps": null, "resume": null, "protocolVersion": null,
        })
    };
    let mut seen = Vec::new();
    for (number, path) in ["/run", "/awp", "/v1/agents/general-agent/runs"].into_iter().enumerate() {
        seen.extend(stream(&server, path, &input(&format!("s{number}"))).await);
    }
    for (number, path) in ["/ws", "/realtime"].into_iter().enumerate() {
        let mut socket = Socket::open(&server, path).await;
        socket.send(&input(&format!("w{number}"))).await;
        seen.extend(socket.until("RUN_FINISHED").await);
    }
    assert_eq!(of(&seen, "RUN_FINISHED").len(), 5);
    for frame in &seen {
        assert!(!frame.as_object().unwrap().values().any(Value::is_null), "{frame}");
    }
}

#[tokio::test]
async fn an_answer_may_say_null_for_what_it_leaves_out() {
    let server = mock().await;
    for (number, path) in ["/run", "/awp", "/v1/agents/general-agent/runs"].into_iter().enumerate() {
        let thread = format!("t{number}");
        let asked = stream(
            &server,
            "/v1/agents/general-agent/runs",
            &json!({
                "threadId": thread, "runId": format!("{thread}-1"),
                "messages": [{ "id": format!("{thread}-m"), "role": "user", "content": "report" }],
            }),
        )
        .await;
        let id = &asked.last().unwrap()["outcome"]["interrupts"][0]["id"];
        let answer = json!({ "interruptId": id, "status": "resolved", "payload": { "approved": true }, "metadata": null });
        let resume =
            json!({ "threadId": thread, "runId": format!("{thread}-2"), "messages": [], "resume": [answer] });
        let frames = stream(&server, path, &resume).await;
        assert_eq!(of(&frames, "TOOL_CALL_RESULT").len(), 1, "{path}: {frames:#?}");
    }
}

/// An agent elsewhere that answers everybody with these events.
async fn elsewhere(events: &[Value]) -> Arc<dyn Agent> {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let frames: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close";
    let answer = format!("{head}\r\ncontent-length: {}\r\n\r\n{frames}", frames.len());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 16 << 10];
            let _ = stream.read(&mut request).await;
            let _ = stream.write_all(answer.as_bytes()).await;
            let _ = stream.shutdown().await;
        }
    });
    Arc::new(AgUi::new(AgUiConfig::new("general-agent", &url)).unwrap())
}

#[tokio::test]
async fn nothing_follows_the_end_of_a_run_and_no_run_begins_within_another() {
    let began = |run: &str| json!({ "type": "RUN_STARTED", "threadId": "t1", "runId": run });
    let ended = |run: &str| json!({ "type": "RUN_FINISHED", "threadId": "t1", "runId": run });
    let late = json!({ "type": "RUN_ERROR", "message": "It broke after all" });
    for (events, expected) in [
        (vec![began("r1"), ended("r1"), late], "RUN_ERROR"),
        (vec![began("r1"), ended("r1"), began("r2"), ended("r2")], "RUN_FINISHED"),
    ] {
        let server = serve_agent(elsewhere(&events).await, Keys::default(), Http::default()).await;
        let mut socket = Socket::open(&server, "/ws").await;
        let mut input = says("t1", "go");
        input["runId"] = json!("r1");
        socket.send(&input).await;
        let frames = socket.until("RUN_FINISHED").await;
        judge("agora", &frames);
        assert_eq!(of(&frames, "RUN_ERROR").len(), usize::from(expected == "RUN_ERROR"), "{frames:#?}");
        socket.send(&json!([])).await;
        assert_eq!(socket.next().await["name"], "agora:error", "nothing more was sent");
        let log = crate::audience::watch(server.address.clone(), "t1".to_owned(), 1).await;
        let kinds = kinds(&log);
        assert_eq!((kinds[0].as_str(), kinds.last().unwrap().as_str()), ("RUN_STARTED", expected));
        let is_end = |kind: &&String| matches!(kind.as_str(), "RUN_FINISHED" | "RUN_ERROR" | "RUN_STARTED");
        assert_eq!(kinds.iter().filter(is_end).count(), 2, "{kinds:?}");
    }
}

/// Everything that the contract's own server imports: the types of the official package.
#[test]
fn the_types_of_the_contract_are_there_and_are_written_as_it_names_them() {
    let events: Vec<Event> = vec![
        RunStarted::new("t", "r").into(),
        StepStarted::new("thinking").into(),
        TextMessageStart::new("m").into(),
        TextMessageContent::new("m", "Hello").into(),
        TextMessageEnd::new("m").into(),
        ToolCallStart::new("c", "look").into(),
        ToolCallArgs::new("c", "{}").into(),
        ToolCallEnd::new("c").into(),
        ToolCallResult::new("x", "c", "5").into(),
        StepFinished::new("thinking").into(),
        StateSnapshot::new(json!({ "a": 1 })).into(),
        StateDelta::new(
            serde_json::from_value::<Patch>(json!([{ "op": "replace", "path": "/a", "value": 2 }])).unwrap(),
        )
        .into(),
        Custom::new("n", json!(1)).into(),
        RunFinished::new("t", "r").into(),
    ];
    let mut encoder = Encoder::new("general-agent", Arc::default());
    let mut frames = encoder.encode(&events);
    judge("agora", &frames);
    let mut failing = Encoder::new("general-agent", Arc::default());
    frames.extend(failing.encode(&[RunStarted::new("t", "r").into(), RunError::new("no").into()]));
    let seen: BTreeSet<_> = frames.iter().map(|frame| frame["type"].as_str().unwrap()).collect();
    let named = [
        "CUSTOM",
        "RUN_ERROR",
        "RUN_FINISHED",
        "RUN_STARTED",
        "STATE_DELTA",
        "STATE_SNAPSHOT",
        "STEP_FINISHED",
        "STEP_STARTED",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "TEXT_MESSAGE_START",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_END",
        "TOOL_CALL_RESULT",
        "TOOL_CALL_START",
    ];
    assert_eq!(seen, named.into());
    assert_eq!(frames.iter().find(|frame| frame["type"] == "RUN_ERROR").unwrap()["code"], "processing_error");
    let mut failing = Encoder::new("general-agent", Arc::default());
    let coded = RunError { code: Some("out_of_breath".to_owned()), ..RunError::new("no") };
    let frames = failing.encode(&[RunStarted::new("t", "r").into(), coded.into()]);
    assert_eq!(of(&frames, "RUN_ERROR")[0]["code"], "out_of_breath", "an agent's own code is kept");
}

#[test]
fn thinking_begins_again_after_the_last_of_several_results() {
    let call = |id: &str| -> [Event; 3] {
        [
            ToolCallStart::new(id, "look").into(),
            ToolCallArgs::new(id, "{}").into(),
            ToolCallEnd::new(id).into(),
        ]
    };
    let mut events: Vec<Event> = vec![RunStarted::new("t", "r").into()];
    events.extend(call("a").into_iter().chain(call("b")));
    events.push(ToolCallResult::new("x", "a", "1").into());
    events.push(ToolCallResult::new("y", "b", "2").into());
    events.push(RunFinished::new("t", "r").into());
    let frames = Encoder::new("general-agent", Arc::default()).encode(&events);
    judge("agora", &frames);
    let begun: Vec<_> = of(&frames, "STEP_STARTED").iter().map(|frame| frame["stepName"].clone()).collect();
    assert_eq!(begun, ["routing", "thinking", "executing_tools", "thinking"]);
}

#[test]
fn a_snapshot_says_how_the_run_is_whatever_the_state_says() {
    let state = json!({ "status": "idle", "runId": "before", "threadId": "other", "case": 7 });
    let frames = Encoder::new("general-agent", Arc::default()).encode(&[
        RunStarted::new("t", "r").into(),
        StateSnapshot::new(state).into(),
        RunFinished::new("t", "r").into(),
    ]);
    judge("agora", &frames);
    let shown: Vec<_> = of(&frames, "STATE_SNAPSHOT").iter().map(|frame| frame["snapshot"].clone()).collect();
    let with = |status: &str| json!({ "status": status, "runId": "r", "threadId": "t", "currentAgent": "general-agent", "case": 7 });
    assert_eq!(shown[1..], [with("processing"), with("completed")]);
}

/// The server of the contract, with our helpers in place of its own.
#[test]
fn a_server_of_ones_own_reads_frames_and_writes_the_beginning_the_states_and_the_end() {
    let message = json!({ "role": "user", "content": "What are the food safety regulations?" });
    let frame = json!({ "threadId": "abc123", "runId": "run-456", "messages": [message], "context": {} });
    let Ok(Frame::Run(input)) = decode(&frame.to_string()) else { panic!("an input") };
    let mut encoder = Encoder::new("general-agent", Arc::default());
    let frames = encoder.encode(&[
        RunStarted::new(&input.thread_id, &input.run_id).into(),
        StateSnapshot::new(json!({ "currentAgent": "regulation-agent" })).into(),
        RunFinished::new(&input.thread_id, &input.run_id).into(),
    ]);
    let state = |agent: &str, status: &str| {
        let snapshot =
            json!({ "threadId": "abc123", "runId": "run-456", "currentAgent": agent, "status": status });
        json!({ "type": "STATE_SNAPSHOT", "snapshot": snapshot })
    };
    let expected = [
        json!({ "type": "RUN_STARTED", "threadId": "abc123", "runId": "run-456" }),
        state("general-agent", "processing"),
        state("regulation-agent", "processing"),
        state("regulation-agent", "completed"),
        json!({ "type": "RUN_FINISHED", "threadId": "abc123", "runId": "run-456" }),
    ];
    assert_eq!(frames, expected);
    let value = json!({ "approvalId": "appr-xyz789", "approved": true, "feedback": "Looks good, proceed" });
    let frame = json!({ "type": "CUSTOM", "name": "agora:tool_approval_response", "value": value });
    let Ok(Frame::Approval(approval)) = decode(&frame.to_string()) else { panic!("an answer") };
    assert_eq!((approval.approval_id.as_str(), approval.approved), ("appr-xyz789", true));
    assert_eq!(approval.feedback.as_deref(), Some("Looks good, proceed"));
}

/// The payloads that the contract adds, as typed values that refuse what does not fit.
#[test]
fn the_payloads_of_the_contract_are_types_and_take_nothing_else() {
    let request = json!({
        "toolName": "generate_final_report",
        "toolDescription": "Generates an official inspection report PDF",
        "parameters": { "inspectionId": "INS-2024-001" },
        "reasoning": "User requested to finalize the inspection report",
        "riskLevel": "high",
        "approvalId": "appr-xyz789",
    });
    let typed: ApprovalRequest = serde_json::from_value(request.clone()).unwrap();
    assert_eq!(typed.risk_level, RiskLevel::High);
    assert_eq!(serde_json::to_value(&typed).unwrap(), request);
    fits::<ApprovalRequest>(&request, &[], &[("riskLevel", json!("huge")), ("parameters", json!("none"))]);
    let answer = json!({ "approvalId": "appr-xyz789", "approved": true, "feedback": "Looks good" });
    let typed: Approval = serde_json::from_value(answer.clone()).unwrap();
    assert_eq!(serde_json::to_value(&typed).unwrap(), answer);
    fits::<Approval>(&answer, &["feedback"], &[("approved", json!("yes")), ("approved", json!(1))]);
    let error =
        json!({ "errorCode": "moderation_violation", "message": "no", "details": { "reason": "profanity" } });
    let typed: ErrorPayload = serde_json::from_value(error.clone()).unwrap();
    assert_eq!(serde_json::to_value(&typed).unwrap(), error);
    fits::<ErrorPayload>(
        &error,
        &["details"],
        &[("details", json!("profanity")), ("details", json!(["profanity"]))],
    );
    let levels = [RiskLevel::Low, RiskLevel::Medium, RiskLevel::High, RiskLevel::Critical];
    assert_eq!(json!(levels), json!(["low", "medium", "high", "critical"]));
}

/// Every member has to be there but these, and none is of another type, or what is said of it here.
fn fits<T: serde::de::DeserializeOwned>(whole: &Value, optional: &[&str], unfit: &[(&str, Value)]) {
    for name in whole.as_object().unwrap().keys() {
        let mut less = whole.clone();
        less.as_object_mut().unwrap().remove(name);
        let is_optional = optional.contains(&name.as_str());
        assert_eq!(serde_json::from_value::<T>(less).is_ok(), is_optional, "without {name}");
    }
    let of_no_type = whole.as_object().unwrap().keys().map(|name| (name.as_str(), json!(7)));
    for (name, value) in of_no_type.chain(unfit.iter().cloned()) {
        let mut other = whole.clone();
        other[name] = value;
        assert!(serde_json::from_value::<T>(other.clone()).is_err(), "{other}");
    }
}
