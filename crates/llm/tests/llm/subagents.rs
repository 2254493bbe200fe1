//! Agents that ask each other and hand over to each other, of whatever kind they are.

use std::fs;

use forestage_runtime::{Agents, Limits, Stage, script};
use serde_json::{Value, json};

use crate::{
    peer::{Peer, Piece, beginning, call, elsewhere, message, run_of, run_to},
    support::*,
};

const LEAD: &str = "\
---
model: openai/lead
subagents: [scout, peer]
---
Plan.
";

const SCOUT: &str = "\
---
model: openai/scout
description: Looks around
tools:
  - { name: climb, parameters: { type: object, properties: { tree: { type: string } } }, result: 'high in {{args.tree}}' }
house: { rules: [{ tools: [climb], action: ask }] }
---
Look.
";

const SCRIPT: &str = "
rules:
  - when: { says: plan }
    do: [{ text: 'I ask. ' }, { calls: [{ name: ask_scout, args: { task: look north } }, { name: ask_peer, args: { task: look south } }] }]
  - when: { says: careful }
    do: [{ calls: [{ name: ask_scout, args: { task: climb up } }, { name: ask_peer, args: { task: look south } }] }]
  - when: { says: look north }
    do: [{ text: North is clear. }]
  - when: { says: climb up }
    do: [{ text: 'Up I go. ' }, { calls: [{ name: climb, args: { tree: oak } }] }]
  - when: { result: climb }
    do: [{ text: I see far. }]
  - when: { result: ask_peer }
    do: [{ text: All clear. }]
  - when: { result: ask_scout }
    do: [{ text: All clear. }]";

fn results(events: &[Value]) -> Vec<&str> {
    of(events, "TOOL_CALL_RESULT").iter().map(|event| event["content"].as_str().unwrap()).collect()
}

fn questions(events: &[Value]) -> Vec<Value> {
    events.last().unwrap()["outcome"]["interrupts"].as_array().cloned().unwrap_or_default()
}

/// The one who says a text, whatever pieces it comes in.
fn speaker(events: &[Value], text: &str) -> Value {
    let said_in = |start: &Value| -> String {
        let pieces = of(events, "TEXT_MESSAGE_CONTENT").into_iter();
        let pieces = pieces.filter(|piece| piece["messageId"] == start["messageId"]);
        pieces.filter_map(|piece| piece["delta"].as_str()).collect()
    };
    let starts = of(events, "TEXT_MESSAGE_START");
    let start = starts.into_iter().find(|start| said_in(start).contains(text));
    let id = start.unwrap_or_else(|| panic!("nobody says {text}: {events:#?}"))["subagentRunId"].clone();
    let started = of(events, "SUBAGENT_STARTED").into_iter().find(|it| it["subagentRunId"] == id);
    started.map_or(Value::Null, |started| started["name"].clone())
}

#[tokio::test]
async fn a_model_asks_agents_of_any_kind_and_everybody_sees_who_speaks() {
    let peer = Peer::new(|input, _| run_of(input, message("m", "South is wet."))).await;
    let server = server(SCRIPT).await;
    let stage = stage_among(&server, &[("lead", LEAD), ("scout", SCOUT)], elsewhere(peer.config())).await;
    let events = run(&stage, "lead", says("r1", "plan it")).await;
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED", "{events:#?}");
    assert_eq!(of(&events, "SUBAGENT_STARTED").len(), 2);
    assert_eq!(of(&events, "SUBAGENT_FINISHED").len(), 2);
    for (text, name) in
        [("North is clear", json!("scout")), ("South is wet", json!("peer")), ("All clear", Value::Null)]
    {
        assert_eq!(speaker(&events, text), name);
    }
    let mut answers = results(&events);
    answers.sort_unstable();
    assert_eq!(answers, ["North is clear.", "South is wet."]);
    let call = of(&events, "TOOL_CALL_START")[0]["toolCallId"].clone();
    assert!(of(&events, "SUBAGENT_STARTED").iter().any(|it| it["parentToolCallId"] == call));
    let told = &peer.inputs()[0];
    assert_eq!(told["messages"].as_array().unwrap().len(), 1, "it hears the task and nothing else");
    assert_eq!(told["messages"][0]["content"], "look south");
    assert_ne!(told["threadId"], "t", "what it is asked is no part of what it may have heard on the thread");
    let last = server.requests().pop().unwrap().body["messages"].to_string();
    assert!(last.contains("North is clear.") && last.contains("South is wet."), "{last}");
}

#[tokio::test]
async fn an_agent_whose_answers_are_looked_at_first_is_not_asked() {
    let peer = Peer::new(|input, _| run_of(input, message("m", "South is wet."))).await;
    let server = server(SCRIPT).await;
    let scout = SCOUT.replace("house: { rules", "house: { review: { role: coach }, rules");
    let stage = stage_among(&server, &[("lead", LEAD), ("scout", &scout)], elsewhere(peer.config())).await;
    let events = run(&stage, "lead", says("r1", "plan it")).await;
    assert!(results(&events).iter().any(|result| result.contains("needs_review")), "{events:#?}");
    assert!(!format!("{events:?}").contains("North is clear"), "{events:#?}");
    assert_eq!(speaker(&events, "All clear"), Value::Null);
}

#[tokio::test]
async fn an_agent_that_is_asked_may_have_to_ask_a_person_and_the_others_are_not_asked_again() {
    let peer = Peer::new(|input, _| run_of(input, message("m", "South is wet."))).await;
    let server = server(SCRIPT).await;
    let stage = stage_among(&server, &[("lead", LEAD), ("scout", SCOUT)], elsewhere(peer.config())).await;
    let events = run(&stage, "lead", says("r1", "be careful")).await;
    let asked = questions(&events);
    assert_eq!(asked.len(), 1, "{events:#?}");
    let scout = of(&events, "SUBAGENT_STARTED").into_iter().find(|it| it["name"] == "scout").unwrap();
    assert_eq!(asked[0]["subagentRunId"], scout["subagentRunId"]);
    let ended = of(&events, "SUBAGENT_FINISHED");
    let suspended = ended.iter().find(|it| it["subagentRunId"] == scout["subagentRunId"]).unwrap();
    assert_eq!(suspended["outcome"], json!({ "type": "suspended", "interruptIds": [asked[0]["id"]] }));
    assert_eq!(results(&events), ["South is wet."]);
    let id = asked[0]["id"].as_str().unwrap();
    let events = run(&stage, "lead", answers("r2", id, json!({ "approved": true }))).await;
    assert_eq!(results(&events), ["high in oak", "I see far."], "{events:#?}");
    assert_eq!(speaker(&events, "I see far"), json!("scout"));
    assert_eq!(speaker(&events, "All clear"), Value::Null);
    assert!(!said(&events).contains("Up I go"), "nothing is said twice");
    assert_eq!(peer.inputs().len(), 1, "who was done is not asked again");
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn what_an_agent_elsewhere_asks_as_a_subagent_is_answered_there() {
    let peer = Peer::new(|input, _| match input.get("resume") {
        Some(answer) => run_of(input, message("m2", &answer[0]["payload"].to_string())),
        None => {
            let question = json!({ "id": "q", "reason": "confirmation", "message": "Wet feet?" });
            let events = [message("m1", "Hm."), call("c", "wade", &json!({}))].concat();
            run_to(input, events, json!({ "type": "interrupt", "interrupts": [question] }))
        }
    })
    .await;
    let server = server(SCRIPT).await;
    let stage = stage_among(&server, &[("lead", LEAD), ("scout", SCOUT)], elsewhere(peer.config())).await;
    let events = run(&stage, "lead", says("r1", "plan it")).await;
    let asked = questions(&events);
    assert_eq!(asked.len(), 1, "{events:#?}");
    let events =
        run(&stage, "lead", answers("r2", asked[0]["id"].as_str().unwrap(), json!({ "fine": 1 }))).await;
    assert_eq!(results(&events), [r#"{"fine":1}"#], "{events:#?}");
    assert_eq!(speaker(&events, "All clear"), Value::Null);
    let told = peer.inputs();
    assert_eq!(told[1]["resume"][0]["interruptId"], "q");
    assert_eq!(told[0]["threadId"], told[1]["threadId"], "it is the same conversation");
    let roles: Vec<_> = told[1]["messages"].as_array().unwrap().iter().map(|it| it["role"].clone()).collect();
    assert_eq!(roles, ["user", "assistant", "assistant"], "it hears what it said itself");
}

#[tokio::test]
async fn an_agent_that_fails_fails_its_call_and_not_the_run() {
    let peer = Peer::new(|input, _| {
        beginning(
            input,
            vec![Piece::Event(json!({ "type": "RUN_ERROR", "code": "fog", "message": "too dark" }))],
        )
    })
    .await;
    let server = server(SCRIPT).await;
    let stage = stage_among(&server, &[("lead", LEAD), ("scout", SCOUT)], elsewhere(peer.config())).await;
    let events = run(&stage, "lead", says("r1", "plan it")).await;
    let failed = of(&events, "SUBAGENT_ERROR");
    assert_eq!((&failed[0]["code"], &failed[0]["message"]), (&json!("fog"), &json!("too dark")));
    assert!(results(&events).iter().any(|text| text.contains("too dark")));
    assert_eq!(speaker(&events, "All clear"), Value::Null);
}

#[tokio::test]
async fn a_model_hands_over_to_an_agent_elsewhere_for_good() {
    let peer = Peer::new(|input, before| {
        let state = vec![json!({ "type": "STATE_SNAPSHOT", "snapshot": { "depth": before } })];
        run_of(input, [message("m", "I go on."), state].concat())
    })
    .await;
    let server = server("rules:\n  - do: [{ calls: [{ name: transfer_to_peer }] }]").await;
    let front = "---\nmodel: openai/first\nhandoffs: [peer]\n---\nRoute.\n";
    let stage = stage_among(&server, &[("front", front)], elsewhere(peer.config())).await;
    let events = run(&stage, "front", says("r1", "Hello")).await;
    assert_eq!(said(&events), "I go on.", "{events:#?}");
    let roles: Vec<_> =
        peer.inputs()[0]["messages"].as_array().unwrap().iter().map(|it| it["role"].clone()).collect();
    assert_eq!(roles, ["user", "assistant", "tool"], "it hears how it came to speak");
    assert_eq!(said(&run(&stage, "front", says("r2", "More")).await), "I go on.");
    assert_eq!((server.requests().len(), peer.inputs().len()), (1, 2));
    assert_eq!(folded(&stage).await.state, json!({ "depth": 1, "currentAgent": "peer" }));
}

#[tokio::test]
async fn a_script_hands_over_to_an_agent_elsewhere_for_good() {
    let peer = Peer::new(|input, _| run_of(input, message("m", "From afar."))).await;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("desk.yaml"), "rules:\n  - do: [{ text: One moment. }, { handoff: peer }]")
        .unwrap();
    let unknown = script::load_folder(folder.path()).err().unwrap().to_string();
    assert!(unknown.contains("there is no agent `peer` to hand over to"), "{unknown}");
    let mut agents: Agents = script::load_folder_among(folder.path(), &["peer".to_owned()].into()).unwrap();
    agents.extend(elsewhere(peer.config()));
    let store = forestage_store::open("memory:").await.unwrap();
    let stage = Stage::new(store, agents, Limits::default());
    assert_eq!(said(&run(&stage, "desk", says("r1", "Hello")).await), "One moment.From afar.");
    assert_eq!(said(&run(&stage, "desk", says("r2", "More")).await), "From afar.");
    assert_eq!(peer.inputs()[1]["messages"].as_array().unwrap().len(), 4);
}
