//! Agents made with AGUI.Protocol behind the gateway: heard in AG-UI 1.0, answered in their own shapes.

use std::sync::Arc;

use forestage_llm::remote::{
    agui::{AgUi, AgUiConfig},
    ndjson::{Ndjson, NdjsonConfig},
};
use forestage_runtime::{About, Agent, Agents, RunContext, Stage, agent_fn, script};
use serde_json::{Value, json};

use crate::{
    peer::{Peer, Piece, Reply, call, message, run_of, stage_with},
    support::*,
};

/// A run that ends with this word, and this question.
fn waiting(input: &Value, events: Vec<Value>, interrupt: &Value) -> Reply {
    let mut reply = run_of(input, events);
    if let Some(Piece::Event(last)) = reply.pieces.last_mut() {
        last["outcome"] = "interrupt".into();
        last["interrupt"] = interrupt.clone();
    }
    reply
}

fn approval(id: &str) -> Value {
    json!({ "id": id, "payload": { "functionName": "delete_file", "functionArguments": { "path": "/important.txt" } } })
}

/// Asks once, then says what it was answered.
fn asking(interrupt: Value) -> impl Fn(&Value, usize) -> Reply {
    move |input, _| match input.get("resume") {
        Some(answer) => run_of(input, message("m2", &answer.to_string())),
        None => waiting(input, message("m1", "One moment."), &interrupt),
    }
}

async fn ruled(peer: &Peer, rules: &str) -> Arc<Stage> {
    let house = format!("house: {{ rules: [{rules}] }}\nrules: []");
    let script = script::parse("house", &house).unwrap_or_else(|errors| panic!("{errors:#?}"));
    stage_with(AgUiConfig { tools: script.tools(), house: script.house(), ..peer.config() }).await
}

fn question(events: &[Value]) -> Value {
    events.last().unwrap()["outcome"]["interrupts"][0].clone()
}

#[tokio::test]
async fn an_approval_is_asked_here_and_answered_alone_in_its_own_shape() {
    let peer = Peer::new(asking(approval("call_abc123"))).await;
    let stage = stage_with(peer.config()).await;
    let asked = question(&run(&stage, "peer", says("r1", "Delete")).await);
    assert_eq!(
        (&asked["reason"], &asked["message"]),
        (&json!("tool_call"), &json!("May `delete_file` be called?"))
    );
    let id = asked["id"].as_str().unwrap();
    let wrong = answers("r2", id, json!({ "approved": "maybe" }));
    let refused = stage.start(forestage_runtime::StartRun::new("peer", wrong, "ada")).await.unwrap_err();
    assert_eq!(refused.code, "invalid_answer");
    let events = run(&stage, "peer", answers("r3", id, json!({ "approved": true }))).await;
    let answer = json!({ "interruptId": "call_abc123", "payload": { "approved": true } });
    assert_eq!(peer.inputs()[1]["resume"], answer);
    assert_eq!(said(&events), answer.to_string());
}

#[tokio::test]
async fn a_password_is_asked_for_as_one_and_is_kept_nowhere() {
    let payload = json!({ "prompt": "Please enter your API key", "inputType": "password" });
    let interrupt = json!({ "id": "input_789", "payload": payload });
    let peer = Peer::new(move |input, _| match input.get("resume") {
        Some(_) => run_of(input, message("m2", "Thanks.")),
        None => waiting(input, Vec::new(), &interrupt),
    })
    .await;
    let stage = stage_with(peer.config()).await;
    let asked = question(&run(&stage, "peer", says("r1", "Log in")).await);
    assert_eq!(asked["message"], "Please enter your API key");
    let id = asked["id"].as_str().unwrap();
    let events = run(&stage, "peer", answers("r2", id, json!({ "response": "sk-secret-key-123" }))).await;
    let answer = json!({ "interruptId": "input_789", "payload": { "response": "sk-secret-key-123" } });
    assert_eq!(peer.inputs()[1]["resume"], answer);
    assert!(!serde_json::to_string(&events).unwrap().contains("sk-secret"), "{events:#?}");
}

#[tokio::test]
async fn the_rules_of_the_house_count_for_the_function_that_it_asks_about() {
    let peer = Peer::new(asking(approval("a1"))).await;
    let stage = ruled(&peer, "{ tools: [delete_file], action: deny, reason: never }").await;
    let events = run(&stage, "peer", says("r1", "Delete")).await;
    assert_eq!(peer.inputs()[1]["resume"]["interruptId"], "a1");
    assert_eq!(peer.inputs()[1]["resume"]["payload"]["approved"], false, "nobody was asked");
    assert_eq!(of(&events, "CUSTOM")[0]["value"]["approved"], false);
    let stage = ruled(&peer, "{ tools: [delete_file], action: ask, risk: high }").await;
    let asked = question(&run(&stage, "peer", says("r1", "Delete")).await);
    assert_eq!(
        (&asked["metadata"]["tool"], &asked["metadata"]["risk"]),
        (&json!("delete_file"), &json!("high"))
    );
    assert_eq!(asked["metadata"]["arguments"], json!({ "path": "/important.txt" }));
}

#[tokio::test]
async fn a_question_about_a_call_that_was_shown_is_about_that_call() {
    let peer = Peer::new(|input, _| match input.get("resume") {
        Some(_) => run_of(input, message("m2", "Done.")),
        None => waiting(input, call("c1", "delete_file", &json!({ "path": "x" })), &approval("c1")),
    })
    .await;
    let asked = question(&run(&stage_with(peer.config()).await, "peer", says("r1", "Delete")).await);
    assert_eq!(asked["toolCallId"], "c1");
}

#[tokio::test]
async fn a_question_that_is_cancelled_or_withdrawn_is_a_no_in_its_own_shape() {
    let peer = Peer::new(asking(approval("a1"))).await;
    let stage = stage_with(peer.config()).await;
    let asked = question(&run(&stage, "peer", says("r1", "Delete")).await);
    let mut input = answers("r2", asked["id"].as_str().unwrap(), Value::Null);
    let entry = &mut input.resume.as_mut().unwrap()[0];
    (entry.status, entry.payload) = (forestage_protocol::interrupt::ResumeStatus::Cancelled, None);
    run(&stage, "peer", input).await;
    let no = json!({ "interruptId": "a1", "payload": { "approved": false } });
    assert_eq!(peer.inputs()[1]["resume"], no);
}

#[tokio::test]
async fn everything_else_of_the_contract_reaches_the_log_as_ag_ui() {
    let peer = Peer::new(|input, _| {
        let snapshot = json!([{ "id": "u9", "role": "user", "content": [{ "type": "binary", "mimeType": "image/png", "id": "f" }] }]);
        let mut events = vec![
            json!({ "type": "REASONING_START", "messageId": "s", "encryptedContent": "sealed" }),
            json!({ "type": "REASONING_MESSAGE_START", "messageId": "t1", "role": "assistant" }),
            json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": "t1", "delta": "Hm." }),
            json!({ "type": "REASONING_MESSAGE_END", "messageId": "t1" }),
            json!({ "type": "REASONING_END", "messageId": "s" }),
            json!({ "type": "META", "metaType": "thumbs_up", "payload": { "messageId": "m1" } }),
        ];
        events.extend(message("m1", "Yes."));
        events.push(json!({ "type": "MESSAGES_SNAPSHOT", "messages": snapshot }));
        let mut reply = run_of(input, events);
        if let Some(Piece::Event(last)) = reply.pieces.last_mut() {
            last["outcome"] = "success".into();
        }
        reply
    })
    .await;
    let stage = stage_with(peer.config()).await;
    let events = run(&stage, "peer", says("r1", "Think")).await;
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED", "{events:#?}");
    assert_eq!(said(&events), "Yes.");
    assert_eq!(of(&events, "REASONING_MESSAGE_START")[0]["role"], "reasoning");
    let sealed = of(&events, "REASONING_ENCRYPTED_VALUE");
    assert_eq!((&sealed[0]["entityId"], &sealed[0]["encryptedValue"]), (&json!("t1"), &json!("sealed")));
    assert_eq!(of(&events, "CUSTOM")[0]["name"], "meta:thumbs_up");
    run(&stage, "peer", says("r2", "Again")).await;
    let told = &peer.inputs()[1]["messages"];
    let thought =
        told.as_array().unwrap().iter().find(|it| it["role"] == "reasoning").expect("it is told again");
    assert_eq!(thought["encryptedValue"], "sealed");
}

#[tokio::test]
async fn an_activity_is_sent_to_no_model_and_to_no_agent_elsewhere() {
    let plan = agent_fn(About::new("shows a plan"), |ctx: RunContext| async move {
        let content = serde_json::Map::from_iter([("step".to_owned(), json!("front-end only"))]);
        ctx.activity("PLAN", content).await?;
        Ok(())
    });
    let peer = Peer::new(|input, _| run_of(input, message("m", "Yes."))).await;
    let elsewhere = Arc::new(AgUi::new(peer.config()).unwrap()) as Arc<dyn Agent>;
    let lines =
        Peer::new(|_, _| Reply::new(200, "application/x-ndjson", "{\"type\":\"RUN_FINISHED\"}\n")).await;
    let config = NdjsonConfig { url: lines.url.clone(), ..NdjsonConfig::default() };
    let in_lines = Arc::new(Ndjson::new(config).unwrap()) as Arc<dyn Agent>;
    let others = [("plan", plan), ("peer", elsewhere), ("lines", in_lines)];
    let others = Agents::from(others.map(|(name, agent)| (name.to_owned(), agent)));
    let model = server("rules: [{ do: [{ text: Hello }] }]").await;
    let file = "---\nmodel: openai/test\n---\nBe brief.\n";
    let stage = stage_among(&model, &[("model", file)], others).await;
    let shown = run(&stage, "plan", says("r1", "Plan")).await;
    assert_eq!(of(&shown, "ACTIVITY_SNAPSHOT").len(), 1, "the front end has it");
    run(&stage, "peer", says("r2", "Go")).await;
    run(&stage, "model", says("r3", "Go on")).await;
    run(&stage, "lines", says("r4", "And you?")).await;
    let roles = |peer: &Peer| {
        let told = peer.inputs()[0]["messages"].clone();
        told.as_array().unwrap().iter().map(|it| it["role"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(roles(&peer), ["user", "user"]);
    assert_eq!(roles(&lines), ["user", "user", "assistant", "user", "assistant", "user"]);
    let asked = model.requests()[0].body.to_string();
    assert!(asked.contains("Go on") && !asked.contains("front-end only"), "{asked}");
}
