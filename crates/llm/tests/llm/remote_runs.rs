//! Agents elsewhere that speak AG-UI: what they are told, what they say, their tools and their questions.

use std::sync::Arc;

use forestage_llm::remote::agui::{AgUiConfig, Told};
use forestage_protocol::{
    compat::PeerVersion,
    input::{Context, RunAgentInput},
    tool::Tool,
};
use forestage_runtime::{Agent, Stage, script};
use serde_json::{Value, json};

use crate::{
    peer::{Peer, Piece, Reply, beginning, call, message, run_of, run_to, stage_with},
    support::*,
};

/// Tools of ours, and what the house says about them.
const HOUSE: &str = "
tools:
  - { name: look, parameters: { type: object, properties: { term: { type: string } }, required: [term] }, result: 'found {{args.term}}' }
  - { name: pay, parameters: { type: object, properties: { amount: { type: number } } }, result: { paid: '{{args.amount}}' } }
house: { rules: [{ tools: [pay], action: ask }], moderation: { output: { patterns: [{ pattern: password }] } } }
rules: []";

fn housed(config: AgUiConfig, house: &str) -> AgUiConfig {
    let script = script::parse("house", house).unwrap_or_else(|errors| panic!("{errors:#?}"));
    AgUiConfig { tools: script.tools(), house: script.house(), ..config }
}

fn questions(events: &[Value]) -> Vec<Value> {
    events.last().unwrap()["outcome"]["interrupts"].as_array().cloned().unwrap_or_default()
}

async fn messages(stage: &Arc<Stage>) -> Vec<Value> {
    let view = folded(stage).await;
    view.messages.iter().map(|message| serde_json::to_value(message).unwrap()).collect()
}

#[tokio::test]
async fn an_agent_is_told_all_that_the_protocol_has() {
    let peer = Peer::new(|input, _| run_of(input, message("m1", "Yes."))).await;
    let mut config = housed(peer.config(), HOUSE);
    config.headers = vec![("x-key".to_owned(), "abc".to_owned())];
    config.user_header = Some("x-user".to_owned());
    let stage = stage_with(config).await;
    let mut input = says("r1", "Hello");
    input.state = Some(json!({ "a": 1 }).into());
    input.tools = Some(vec![Tool::new("look", "the client's"), Tool::new("confetti", "throws some")]);
    input.context = Some(vec![Context::new("place", "Delft")]);
    input.forwarded_props = Some(json!({ "theirs": 1, "forestage": { "review": false } }).into());
    run(&stage, "peer", input).await;
    run(&stage, "peer", says("r2", "More")).await;
    let told = &peer.inputs()[0];
    assert_eq!(told["threadId"], "t");
    assert_eq!(told["runId"], "r1");
    assert_eq!(told["protocolVersion"], "1.0");
    assert_eq!(told["state"], json!({ "a": 1 }));
    assert_eq!(told["context"], json!([{ "description": "place", "value": "Delft" }]));
    assert_eq!(told["forwardedProps"], json!({ "theirs": 1 }));
    let names: Vec<_> = told["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, ["look", "pay", "confetti"], "ours go before the client's of the same name");
    let later = &peer.inputs()[1]["messages"];
    let roles: Vec<_> = later.as_array().unwrap().iter().map(|it| it["role"].clone()).collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
    assert_eq!(later[1]["id"], "m1", "an id that is free stays as it is");
    assert_eq!(peer.header("x-key").as_deref(), Some("abc"));
    assert_eq!(peer.header("x-user").as_deref(), Some("ada"));
    assert_eq!(peer.header("accept").as_deref(), Some("text/event-stream"));
}

#[tokio::test]
async fn a_null_of_an_agent_is_as_if_it_had_said_nothing() {
    let peer = Peer::new(|input, _| {
        let (thread, run) = (&input["threadId"], &input["runId"]);
        let started = json!({ "type": "RUN_STARTED", "threadId": thread, "runId": run, "parentRunId": null, "timestamp": null });
        let mut said = message("m1", "Yes.");
        said.iter_mut().for_each(|event| event["timestamp"] = Value::Null);
        said[0]["role"] = Value::Null;
        let finished =
            json!({ "type": "RUN_FINISHED", "threadId": thread, "runId": run, "result": null, "usage": null });
        let events = [vec![started], said, vec![finished]].concat();
        Reply { pieces: events.into_iter().map(Piece::Event).collect(), ..run_of(input, Vec::new()) }
    })
    .await;
    let stage = stage_with(peer.config()).await;
    let events = run(&stage, "peer", says("r1", "Hello")).await;
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED", "{events:#?}");
    assert!(
        events.iter().all(|event| !event.as_object().unwrap().values().any(Value::is_null)),
        "{events:#?}"
    );
    let last = &messages(&stage).await[1];
    assert_eq!((&last["role"], &last["content"]), (&json!("assistant"), &json!("Yes.")));
}

#[tokio::test]
async fn an_error_of_an_agent_may_have_a_code_of_null() {
    let peer = Peer::new(|input, _| {
        let started =
            json!({ "type": "RUN_STARTED", "threadId": input["threadId"], "runId": input["runId"] });
        let error = json!({ "type": "RUN_ERROR", "message": "It broke", "code": null });
        Reply { pieces: vec![Piece::Event(started), Piece::Event(error)], ..run_of(input, Vec::new()) }
    })
    .await;
    let stage = stage_with(peer.config()).await;
    let events = run(&stage, "peer", says("r1", "Hello")).await;
    let end = events.last().unwrap();
    assert_eq!((&end["message"], &end["code"]), (&json!("It broke"), &json!("agent_error")), "{end}");
}

#[tokio::test]
async fn an_agent_that_remembers_is_told_what_is_new() {
    let peer = Peer::new(|input, _| run_of(input, message("m", "Yes."))).await;
    let stage = stage_with(AgUiConfig { told: Told::New, ..peer.config() }).await;
    run(&stage, "peer", says("r1", "One")).await;
    run(&stage, "peer", says("r2", "Two")).await;
    assert_eq!(peer.inputs()[1]["messages"], json!([{ "role": "user", "id": "r2-said", "content": "Two" }]));
}

#[tokio::test]
async fn an_older_agent_is_told_in_its_words_and_heard_in_ours() {
    let peer = Peer::new(|input, _| {
        let think = |kind: &str| json!({ "type": kind });
        let mut thought = vec![think("THINKING_START"), think("THINKING_TEXT_MESSAGE_START")];
        thought.push(json!({ "type": "THINKING_TEXT_MESSAGE_CONTENT", "delta": "Hm." }));
        thought.extend([think("THINKING_TEXT_MESSAGE_END"), think("THINKING_END")]);
        thought.push(json!({ "type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "Yes." }));
        run_of(input, thought)
    })
    .await;
    let stage = stage_with(AgUiConfig { peer: PeerVersion::parse("0.0.45"), ..peer.config() }).await;
    let events = run(&stage, "peer", says("r1", "One")).await;
    assert_eq!(said(&events), "Yes.");
    assert_eq!(of(&events, "REASONING_MESSAGE_CONTENT")[0]["delta"], "Hm.");
    assert!(peer.inputs()[0].get("protocolVersion").is_none());
}

#[tokio::test]
async fn everything_that_an_agent_says_is_on_the_log() {
    let peer = Peer::new(|input, _| {
        let tag = |mut event: Value| {
            event["subagentRunId"] = "s".into();
            event
        };
        let mut events = vec![json!({ "type": "STEP_STARTED", "stepName": "think" })];
        events.push(json!({ "type": "SUBAGENT_STARTED", "subagentRunId": "s", "name": "helper" }));
        events.extend(message("m1", "From below.").into_iter().map(tag));
        events.push(json!({ "type": "SUBAGENT_FINISHED", "subagentRunId": "s" }));
        events.push(json!({ "type": "STEP_FINISHED", "stepName": "think" }));
        events.push(json!({ "type": "STATE_SNAPSHOT", "snapshot": { "a": 1 } }));
        events.push(json!({ "type": "STATE_DELTA", "delta": [{ "op": "add", "path": "/b", "value": 2 }] }));
        events.push(json!({ "type": "STATE_DELTA", "delta": [{ "op": "remove", "path": "/none" }] }));
        events.push(json!({ "type": "CUSTOM", "name": "app.confetti", "value": 3 }));
        events.push(json!({ "type": "CUSTOM", "name": "forestage.step", "value": { "name": "forged" } }));
        events.push(json!({ "type": "RAW", "event": { "secret": "prompt" } }));
        events.push(json!({ "type": "ACTIVITY_SNAPSHOT", "messageId": "p", "activityType": "plan", "content": { "x": 1 }, "rawEvent": { "y": 2 } }));
        let mut reply = run_of(input, events);
        if let Some(Piece::Event(last)) = reply.pieces.last_mut() {
            last["result"] = json!({ "ok": true });
            last["usage"] = json!([{ "model": "m", "inputTokens": 5 }]);
        }
        reply
    })
    .await;
    let stage = stage_with(peer.config()).await;
    let events = run(&stage, "peer", says("r1", "Go")).await;
    let text = serde_json::to_string(&events).unwrap();
    assert!(!text.contains("forged") && !text.contains("prompt") && !text.contains("rawEvent"), "{text}");
    let tagged = of(&events, "TEXT_MESSAGE_CONTENT")[0]["subagentRunId"].clone();
    assert_eq!(tagged, of(&events, "SUBAGENT_STARTED")[0]["subagentRunId"]);
    let custom: Vec<_> = of(&events, "CUSTOM").iter().map(|event| event["name"].clone()).collect();
    assert_eq!(custom, ["forestage.remote_warning", "app.confetti"]);
    assert_eq!(of(&events, "CUSTOM")[0]["value"]["code"], "state_patch");
    let last = events.last().unwrap();
    assert_eq!((&last["result"], &last["usage"][0]["inputTokens"]), (&json!({ "ok": true }), &json!(5)));
    let view = folded(&stage).await;
    assert_eq!(view.state, json!({ "a": 1, "b": 2 }));
    run(&stage, "peer", says("r2", "Again")).await;
    assert_eq!(peer.inputs()[1]["state"], json!({ "a": 1, "b": 2 }));
    let roles: Vec<_> =
        peer.inputs()[1]["messages"].as_array().unwrap().iter().map(|it| it["role"].clone()).collect();
    assert_eq!(roles, ["user", "assistant", "user"], "what is shown to people is not told to agents");
}

#[tokio::test]
async fn a_tool_of_ours_that_an_agent_proposes_is_called_here_and_told_there() {
    let peer = Peer::new(|input, before| match before {
        0 => run_of(input, call("c1", "look", &json!({ "term": "stage" }))),
        _ => run_of(input, message("m2", "I know now.")),
    })
    .await;
    let stage = stage_with(housed(peer.config(), HOUSE)).await;
    let events = run(&stage, "peer", says("r1", "Look")).await;
    assert_eq!(of(&events, "TOOL_CALL_RESULT")[0]["content"], "found stage");
    assert_eq!(said(&events), "I know now.");
    let told = peer.inputs();
    assert_eq!(told.len(), 2);
    assert_ne!(told[0]["runId"], told[1]["runId"], "no run has an id twice");
    let last = told[1]["messages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (&last["role"], &last["toolCallId"], &last["content"]),
        (&json!("tool"), &json!("c1"), &json!("found stage"))
    );
    assert_eq!(of(&events, "RUN_FINISHED").len(), 1);
}

#[tokio::test]
async fn a_call_that_somebody_has_to_allow_waits_for_them() {
    let peer = Peer::new(|input, before| match before {
        0 => run_of(input, [message("m1", "I pay. "), call("c1", "pay", &json!({ "amount": 5 }))].concat()),
        _ => run_of(input, message("m2", "Paid.")),
    })
    .await;
    let stage = stage_with(housed(peer.config(), HOUSE)).await;
    let events = run(&stage, "peer", says("r1", "Pay")).await;
    let asked = questions(&events);
    assert_eq!((asked.len(), &asked[0]["toolCallId"]), (1, &json!("c1")));
    assert_eq!(peer.inputs().len(), 1);
    let id = asked[0]["id"].as_str().unwrap();
    let events =
        run(&stage, "peer", answers("r2", id, json!({ "approved": true, "editedArgs": { "amount": 4 } })))
            .await;
    assert_eq!(of(&events, "TOOL_CALL_RESULT")[0]["content"], r#"{"paid":4}"#);
    assert_eq!((said(&events).as_str(), peer.inputs().len()), ("Paid.", 2));
    assert!(peer.inputs()[1].get("resume").is_none(), "it was ours to ask");
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_told_to_the_agent() {
    let peer = Peer::new(|input, before| match before {
        0 => run_of(input, call("c1", "look", &json!({ "word": "stage" }))),
        _ => run_of(input, message("m2", "My mistake.")),
    })
    .await;
    let stage = stage_with(housed(peer.config(), HOUSE)).await;
    let events = run(&stage, "peer", says("r1", "Look")).await;
    let result = of(&events, "TOOL_CALL_RESULT")[0]["content"].as_str().unwrap().to_owned();
    assert!(result.contains("invalid_arguments"), "{result}");
    assert_eq!(said(&events), "My mistake.");
}

#[tokio::test]
async fn a_tool_of_the_clients_is_left_to_the_client() {
    let peer = Peer::new(|input, before| match before {
        0 => run_of(input, call("c1", "confetti", &json!({}))),
        _ => run_of(input, message("m2", "Nice.")),
    })
    .await;
    let stage = stage_with(housed(peer.config(), HOUSE)).await;
    let mut input = says("r1", "Celebrate");
    input.tools = Some(vec![Tool::new("confetti", "throws some")]);
    let events = run(&stage, "peer", input).await;
    assert_eq!(events.last().unwrap()["outcome"]["pendingToolCallIds"], json!(["c1"]));
    let answer: RunAgentInput = serde_json::from_value(json!({ "threadId": "t", "runId": "r2",
        "messages": [{ "id": "a1", "role": "tool", "toolCallId": "c1", "content": "thrown" }] }))
    .unwrap();
    assert_eq!(said(&run(&stage, "peer", answer).await), "Nice.");
    let told = peer.inputs()[1]["messages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(told["content"], "thrown");
}

/// Asks once, then says what it was answered.
fn asking(input: &Value, _before: usize) -> Reply {
    if let Some(answer) = input.get("resume") {
        return run_of(input, message("m2", &answer.to_string()));
    }
    let schema = json!({ "type": "object", "properties": { "approved": { "type": "boolean" } }, "required": ["approved"] });
    let metadata = json!({ "theirs": 1, "role": "root", "people": 9, "tool": "pay", "remember": ["always"] });
    let question = json!({ "id": "q", "reason": "tool_call", "message": "May I?", "toolCallId": "c1",
        "responseSchema": schema, "metadata": metadata, "expiresAt": "2999-01-01T00:00:00Z" });
    let outcome = json!({ "type": "interrupt", "interrupts": [question] });
    run_to(input, call("c1", "delete", &json!({ "path": "x" })), outcome)
}

#[tokio::test]
async fn what_an_agent_asks_is_asked_here_and_the_answer_is_passed_on() {
    let peer = Peer::new(asking).await;
    let stage = stage_with(housed(peer.config(), HOUSE)).await;
    let asked = questions(&run(&stage, "peer", says("r1", "Delete")).await);
    let question = &asked[0];
    assert_ne!(question["id"], "q", "two agents may have the same ids");
    assert_eq!((&question["message"], &question["toolCallId"]), (&json!("May I?"), &json!("c1")));
    assert_eq!(question["metadata"], json!({ "theirs": 1 }), "who decides is for this house to say");
    assert_eq!(question["expiresAt"], "2999-01-01T00:00:00Z");
    let id = question["id"].as_str().unwrap();
    let wrong = answers("r2", id, json!({ "approved": "maybe" }));
    let refused = stage.start(forestage_runtime::StartRun::new("peer", wrong, "ada")).await.unwrap_err();
    assert_eq!(refused.code, "invalid_answer");
    let events = run(&stage, "peer", answers("r3", id, json!({ "approved": true }))).await;
    let passed_on = json!([{ "interruptId": "q", "status": "resolved", "payload": { "approved": true } }]);
    assert_eq!(peer.inputs()[1]["resume"], passed_on);
    assert_eq!(said(&events), passed_on.to_string());
    assert_eq!(kinds(&events)[..2], ["RUN_STARTED", "TEXT_MESSAGE_START"], "nothing is said twice");
    let other = run(&stage, "peer", says("r4", "Thanks")).await;
    assert_eq!(questions(&other).len(), 1, "the next turn is a new one");
}

#[tokio::test]
async fn a_question_that_is_cancelled_is_cancelled_there() {
    let peer = Peer::new(asking).await;
    let stage = stage_with(peer.config()).await;
    let asked = questions(&run(&stage, "peer", says("r1", "Delete")).await);
    let mut input = answers("r2", asked[0]["id"].as_str().unwrap(), Value::Null);
    let entry = &mut input.resume.as_mut().unwrap()[0];
    (entry.status, entry.payload) = (forestage_protocol::interrupt::ResumeStatus::Cancelled, None);
    run(&stage, "peer", input).await;
    assert_eq!(peer.inputs()[1]["resume"], json!([{ "interruptId": "q", "status": "cancelled" }]));
}

#[tokio::test]
async fn what_may_not_be_said_is_not_said_by_agents_elsewhere_either() {
    let peer = Peer::new(|input, _| run_of(input, message("m", "The password is x."))).await;
    let stage = stage_with(housed(peer.config(), HOUSE)).await;
    let events = run(&stage, "peer", says("r1", "Tell")).await;
    assert!(!serde_json::to_string(&events).unwrap().contains("password is"), "{events:?}");
    assert_eq!(events.last().unwrap()["type"], "RUN_ERROR");
}

#[tokio::test]
async fn what_somebody_looks_at_first_is_held_back_for_agents_elsewhere_too() {
    let peer = Peer::new(|input, _| run_of(input, message("m", "A draft."))).await;
    let house = "house: { review: {} }\nrules: []";
    let stage = stage_with(housed(peer.config(), house)).await;
    let events = run(&stage, "peer", says("r1", "Write")).await;
    assert_eq!((said(&events).as_str(), questions(&events).len()), ("", 1));
    let id = questions(&events)[0]["id"].as_str().unwrap().to_owned();
    let events = run(&stage, "peer", answers("r2", &id, json!({ "approved": true }))).await;
    assert_eq!((said(&events).as_str(), peer.inputs().len()), ("A draft.", 1));
}

#[tokio::test]
async fn an_agent_that_stops_on_purpose_has_cancelled_the_run() {
    let peer = Peer::new(|input, _| run_to(input, message("m", "No."), json!({ "type": "cancelled" }))).await;
    let events = run(&stage_with(peer.config()).await, "peer", says("r1", "Go")).await;
    assert_eq!(events.last().unwrap()["outcome"]["type"], "cancelled");
}

#[tokio::test]
async fn an_agent_that_never_comes_to_an_end_is_stopped() {
    let peer = Peer::new(|input, before| {
        run_of(input, call(&format!("c{before}"), "look", &json!({ "term": "x" })))
    })
    .await;
    let stage = stage_with(housed(peer.config(), HOUSE)).await;
    let events = run(&stage, "peer", says("r1", "Look")).await;
    assert_eq!(events.last().unwrap()["code"], "limit_steps");
    assert_eq!(messages(&stage).await.iter().filter(|it| it["role"] == "tool").count(), 25);
}

#[tokio::test]
async fn what_is_drawn_elsewhere_is_a_surface_here() {
    let peer = Peer::new(|input, _| {
        let operations = json!([
            { "version": "v0.9", "createSurface": { "surfaceId": "s", "catalogId": "https://a2ui.org/specification/v0_9/basic_catalog.json" } },
            { "version": "v0.9", "updateComponents": { "surfaceId": "s", "components": [{ "id": "root", "component": "Text", "text": "Hello" }] } }
        ]);
        run_of(input, call("c1", "send_a2ui_json_to_client", &json!({ "a2ui_json": operations })))
    })
    .await;
    let stage = stage_with(peer.config()).await;
    let events = run(&stage, "peer", says("r1", "Draw")).await;
    let drawn = of(&events, "ACTIVITY_SNAPSHOT");
    assert!(drawn.iter().any(|event| event["activityType"] == "a2ui-surface"), "{events:#?}");
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED");
}

#[tokio::test]
async fn what_is_left_open_is_closed_in_order() {
    let peer = Peer::new(|input, _| beginning(input, vec![Piece::Event(message("m", "x")[0].clone())])).await;
    let events = run(&stage_with(peer.config()).await, "peer", says("r1", "Go")).await;
    assert_eq!(kinds(&events), ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "RUN_ERROR"]);
}

#[tokio::test]
async fn what_an_older_graph_asks_by_an_event_is_a_question_too() {
    let peer = Peer::new(|input, before| match before {
        0 => run_of(
            input,
            vec![json!({ "type": "CUSTOM", "name": "on_interrupt", "value": "{\"message\":\"May I?\"}" })],
        ),
        _ => run_of(input, message("m", &input["forwardedProps"]["command"]["resume"].to_string())),
    })
    .await;
    let stage = stage_with(peer.config()).await;
    let events = run(&stage, "peer", says("r1", "Go")).await;
    assert_eq!((questions(&events)[0]["message"].as_str(), of(&events, "CUSTOM").len()), (Some("May I?"), 1));
    let id = questions(&events)[0]["id"].as_str().unwrap().to_owned();
    let events = run(&stage, "peer", answers("r2", &id, json!({ "ok": 1 }))).await;
    assert_eq!(said(&events), r#"{"ok":1}"#);
    assert!(peer.inputs()[1].get("resume").is_none());
}
