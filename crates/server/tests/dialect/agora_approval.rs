//! Contract 001, approvals: a call is shown when somebody has agreed to it, wherever one looks from.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use forestage_runtime::{
    About, Decider, RunContext, Verdict, agent_fn,
    house::HouseRules,
    tool::{Invocation, Tools, tool_fn},
    with_house,
};
use forestage_server::{Http, Keys};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::{agora_walk::*, support::*, wire::*};

/// The frames of calls.
fn calls(frames: &[Value]) -> Vec<&str> {
    let kinds = frames.iter().filter_map(|frame| frame["type"].as_str());
    kinds.filter(|kind| kind.starts_with("TOOL_CALL_")).collect()
}

/// A socket on which a report waits for approval, and what it has shown.
async fn asked(server: &Running, path: &str) -> (Socket, Vec<Value>) {
    let mut socket = Socket::open(server, path).await;
    socket.send(&says("t1", "Generate the report")).await;
    let frames = socket.until("agora:tool_approval_request").await;
    (socket, frames)
}

fn somebody() -> Decider {
    Decider { user: "local".to_owned(), roles: Vec::new(), origin: "test".to_owned() }
}

#[tokio::test]
async fn nothing_of_the_call_is_shown_until_somebody_has_said_yes() {
    let server = mock().await;
    let (mut socket, before) = asked(&server, "/ws").await;
    assert_eq!(shape(&before), BEFORE_APPROVAL);
    // Whatever else had been sent would come before the answer to this.
    socket.send(&json!([])).await;
    assert_eq!(socket.next().await["value"]["errorCode"], "invalid_frame");
    socket.send(&decision(before.last().unwrap(), true, "")).await;
    let after = socket.until("RUN_FINISHED").await;
    assert_eq!(shape(&after), AFTER_YES);
    assert_eq!(of(&after, "TOOL_CALL_START")[0]["toolCallName"], "generate_final_report");
    let request = before.last().unwrap();
    let shown = of(&after, "TOOL_CALL_START")[0]["timestamp"].as_i64().unwrap();
    assert!(shown >= request["timestamp"].as_i64().unwrap(), "times are those at which it is shown");
    judge("agora", &[before, after].concat());
}

#[tokio::test]
async fn the_mock_server_asks_at_either_of_its_words_however_they_are_written() {
    let server = mock().await;
    for (number, words) in ["my report", "generate it", "REPORT", "Generated?"].into_iter().enumerate() {
        let mut socket = Socket::open(&server, "/ws").await;
        socket.send(&says(&format!("t{number}"), words)).await;
        let mut frames = Vec::new();
        while !frames.last().is_some_and(|frame: &Value| is_end(frame)) {
            frames.push(socket.next().await);
        }
        assert_eq!(shape(&frames), BEFORE_APPROVAL, "{words}");
    }
}

/// Whether a frame asks, or ends a run that did not.
fn is_end(frame: &Value) -> bool {
    frame["type"] == "RUN_FINISHED" || frame["name"] == "agora:tool_approval_request"
}

#[tokio::test]
async fn after_a_no_there_is_no_call_at_all() {
    let server = mock().await;
    let (mut socket, before) = asked(&server, "/ws").await;
    socket.send(&decision(before.last().unwrap(), false, "too early")).await;
    let after = socket.until("RUN_FINISHED").await;
    assert_eq!(shape(&after), AFTER_NO);
    let whole = [before, after].concat();
    assert_eq!(calls(&whole), Vec::<&str>::new());
    judge("agora", &whole);
}

#[tokio::test]
async fn the_tool_runs_after_a_yes_and_never_before() {
    let count = Arc::new(AtomicU32::new(0));
    let counted = count.clone();
    let tool = tool_fn("generate_final_report", move |_: Invocation, _: Value| {
        let counted = counted.clone();
        async move { Ok(counted.fetch_add(1, Ordering::SeqCst)) }
    });
    let agent = agent_fn(About::new("reports"), |ctx: RunContext| async move {
        let _ = ctx.use_tool("generate_final_report", json!({})).await?;
        Ok(())
    });
    let house = HouseRules::parse("house", "rules: [{ tools: [\"*report\"], action: ask }]").unwrap();
    let agent = with_house(agent, Tools::new().with(tool).unwrap(), house);
    let server = serve_agent(agent, Keys::default(), Http::default()).await;
    for (thread, approved, expected) in [("no", false, 0), ("yes", true, 1)] {
        let mut socket = Socket::open(&server, "/ws").await;
        socket.send(&says(thread, "go")).await;
        let request = socket.until("agora:tool_approval_request").await.pop().unwrap();
        assert_eq!(count.load(Ordering::SeqCst), 0, "{thread}: it waits");
        socket.send(&decision(&request, approved, "")).await;
        socket.until("RUN_FINISHED").await;
        assert_eq!(count.load(Ordering::SeqCst), expected, "{thread}");
    }
}

#[tokio::test]
async fn a_second_viewer_and_one_that_comes_back_see_what_the_first_one_saw() {
    for approved in [true, false] {
        let server = mock().await;
        let (mut socket, before) = asked(&server, "/ws?cursors=true").await;
        // While it waits: by the address, and by asking.
        let mut joined = Socket::open(&server, "/ws?cursors=true&threadId=t1").await;
        assert_eq!(joined.until("agora:tool_approval_request").await, before);
        let mut asking = Socket::open(&server, "/ws?cursors=true").await;
        asking.send(&follow("t1", None)).await;
        assert_eq!(asking.next().await["messages"], json!([]));
        assert_eq!(asking.until("agora:tool_approval_request").await, before);
        socket.send(&decision(before.last().unwrap(), approved, "as you like")).await;
        let after = socket.until("RUN_FINISHED").await;
        assert_eq!(joined.until("RUN_FINISHED").await, after);
        assert_eq!(asking.until("RUN_FINISHED").await, after);
        // When it is over: from every place that was handed out.
        let whole = [before, after].concat();
        for at in (0..whole.len() - 1).filter(|at| whole[*at]["cursor"].is_string()) {
            let mut back = Socket::open(&server, "/ws?cursors=true").await;
            back.send(&follow("t1", Some(&whole[at]["cursor"]))).await;
            let rest = back.until("RUN_FINISHED").await;
            assert_eq!(compacted(&rest), compacted(&whole[at + 1..]), "behind {}", whole[at]);
        }
    }
}

#[tokio::test]
async fn the_history_has_a_call_that_was_agreed_to_and_no_other() {
    for (approved, roles) in
        [(true, &["user", "assistant", "tool", "assistant"][..]), (false, &["user", "assistant"])]
    {
        let server = mock().await;
        let (mut socket, before) = asked(&server, "/ws").await;
        socket.send(&decision(before.last().unwrap(), approved, "as you like")).await;
        socket.until("RUN_FINISHED").await;
        socket.send(&follow("t1", None)).await;
        let history = socket.next().await;
        let messages = history["messages"].as_array().unwrap();
        let found: Vec<_> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
        assert_eq!(found, roles, "{history:#}");
        let has_call = messages.iter().any(|message| message.get("toolCalls").is_some());
        assert_eq!(has_call, approved, "{history:#}");
    }
}

#[tokio::test]
async fn who_answers_without_having_seen_the_run_is_shown_the_whole_call() {
    for approved in [true, false] {
        let server = mock().await;
        let (first, before) = asked(&server, "/ws").await;
        drop(first);
        let mut socket = Socket::open(&server, "/ws").await;
        socket.send(&decision(before.last().unwrap(), approved, "")).await;
        let frames = socket.until("RUN_FINISHED").await;
        judge("agora", &frames);
        assert_eq!(frames[0]["type"], "RUN_STARTED");
        let all = ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT"];
        assert_eq!(calls(&frames), if approved { &all[..] } else { &[] }, "{frames:#?}");
    }
}

#[tokio::test]
async fn a_call_that_somebody_has_changed_is_shown_as_it_was_executed() {
    let server = mock().await;
    let (mut socket, before) = asked(&server, "/ws").await;
    let id = before.last().unwrap()["value"]["approvalId"].as_str().unwrap().into();
    let answer = json!({ "approved": true, "editedArgs": { "inspectionId": "INS-7" } });
    server.stage.decide(&somebody(), &id, Verdict::resolved(answer)).await.unwrap();
    let after = socket.until("RUN_FINISHED").await;
    assert_eq!(shape(&after), AFTER_YES);
    assert_eq!(of(&after, "TOOL_CALL_ARGS")[0]["delta"], r#"{"inspectionId":"INS-7"}"#);
}

#[tokio::test]
async fn a_request_that_is_withdrawn_ends_the_run_without_a_call() {
    let server = mock().await;
    let (mut socket, before) = asked(&server, "/ws").await;
    let run_id = before[0]["runId"].as_str().unwrap().into();
    assert!(server.stage.cancel("local", &"t1".into(), &run_id).await.unwrap());
    let after = socket.until("RUN_FINISHED").await;
    assert_eq!(calls(&after), Vec::<&str>::new());
    assert_eq!(of(&after, "STATE_SNAPSHOT").last().unwrap()["snapshot"]["status"], "cancelled");
    judge("agora", &[before, after].concat());
}

#[tokio::test]
async fn of_two_calls_each_is_shown_as_it_was_decided() {
    let tool = |name: &str| tool_fn(name, |_: Invocation, _: Value| async { Ok("done") });
    let tools = Tools::new().with(tool("first_report")).unwrap().with(tool("second_report")).unwrap();
    let agent = agent_fn(About::new("reports twice"), |ctx: RunContext| async move {
        let calls = ["first_report", "second_report"].map(|name| (name.to_owned(), json!({ "of": name })));
        ctx.use_tools(calls.to_vec()).await?;
        Ok(())
    });
    let house = HouseRules::parse("house", "rules: [{ tools: [\"*report\"], action: ask }]").unwrap();
    let server = serve_agent(with_house(agent, tools, house), Keys::default(), Http::default()).await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&says("t1", "go")).await;
    let mut before = socket.until("agora:tool_approval_request").await;
    before.push(socket.next().await);
    assert_eq!(calls(&before), Vec::<&str>::new());
    let [first, second] = &before[before.len() - 2..] else { panic!("two requests") };
    socket.send(&decision(first, false, "")).await;
    socket.send(&decision(second, true, "")).await;
    let after = socket.until("RUN_FINISHED").await;
    let started = of(&after, "TOOL_CALL_START");
    assert_eq!(started.len(), 1, "{after:#?}");
    assert_eq!(started[0]["toolCallName"], "second_report");
    assert_eq!(of(&after, "TOOL_CALL_RESULT").len(), 1);
    judge("agora", &[before, after].concat());
}

#[tokio::test]
async fn a_call_of_a_tool_of_the_client_is_shown_when_it_is_clear_that_nobody_is_asked_about_it() {
    let agent = agent_fn(About::new("asks where one is"), |ctx: RunContext| async move {
        ctx.call_client_tool("locate", &json!({ "precise": false })).await?;
        ctx.say("Where are you?").await?;
        Ok(())
    });
    let server = serve_agent(agent, Keys::default(), Http::default()).await;
    let frames = run(&server, "go").await;
    judge("agora", &frames);
    assert_eq!(calls(&frames), ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END"]);
}

#[tokio::test]
async fn a_call_of_a_tool_that_the_client_offers_is_shown_while_the_run_goes_on() {
    let go = Arc::new(Notify::new());
    let waits = go.clone();
    let agent = agent_fn(About::new("asks where one is"), move |ctx: RunContext| {
        let waits = waits.clone();
        async move {
            ctx.call_client_tool("locate", &json!({ "precise": false })).await?;
            waits.notified().await;
            ctx.say("Where are you?").await?;
            Ok(())
        }
    });
    let server = serve_agent(agent, Keys::default(), Http::default()).await;
    let mut socket = Socket::open(&server, "/ws").await;
    let mut frame = says("t1", "go");
    frame["tools"] =
        json!([{ "name": "locate", "description": "Where one is", "parameters": { "type": "object" } }]);
    socket.send(&frame).await;
    let before = socket.until("TOOL_CALL_END").await;
    assert_eq!(calls(&before), ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END"]);
    go.notify_one();
    let after = socket.until("RUN_FINISHED").await;
    assert_eq!(calls(&after), Vec::<&str>::new(), "it is shown once");
    judge("agora", &[before, after].concat());
}
