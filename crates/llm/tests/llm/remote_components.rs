//! Tutoring components of agents elsewhere: one that does not fit is an error for the agent, and for nobody else.

use std::sync::Arc;

use forestage_its::COMPONENTS;
use forestage_llm::remote::ndjson::{Ndjson, NdjsonConfig};
use forestage_runtime::{Agent, Agents, Limits, Stage, script};
use serde_json::{Value, json};

use crate::{
    peer::{Peer, Reply, call, message, run_of, run_to, stage_with},
    support::*,
};

const QUIZ: &str = "its:render_quick_quiz";

/// Arguments without what the schema requires.
fn broken() -> Value {
    json!({ "quiz_id": "q", "question_text": "?", "options": [{ "id": "a" }] })
}

fn whole() -> Value {
    json!({ "quiz_id": "q", "question_text": "?", "options": [{ "id": "a", "text": "A" }] })
}

/// What the agent was told last of a call: the error in the result of a tool.
fn told(input: &Value) -> Option<Value> {
    let last = input["messages"].as_array().unwrap().last().unwrap();
    let content: Value = serde_json::from_str(last["content"].as_str()?).ok()?;
    (last["role"] == "tool").then(|| content["error"].clone())
}

/// The arguments of the calls that people see, by their ids.
fn shown(events: &[Value]) -> Vec<(String, Value)> {
    let starts = of(events, "TOOL_CALL_START");
    let ids = starts.iter().map(|start| start["toolCallId"].as_str().unwrap());
    let pieces = |id: &str| -> String {
        let pieces = of(events, "TOOL_CALL_ARGS").into_iter().filter(|piece| piece["toolCallId"] == id);
        pieces.map(|piece| piece["delta"].as_str().unwrap()).collect()
    };
    ids.map(|id| (id.to_owned(), serde_json::from_str(&pieces(id)).unwrap())).collect()
}

/// The events that are for people and clients: all but the stage's record of what the agent wants.
fn noticed(events: &[Value]) -> Vec<Value> {
    let is_record = |event: &&Value| event["name"] == "forestage.step";
    events.iter().filter(|event| !is_record(event)).cloned().collect()
}

#[tokio::test]
async fn a_component_that_does_not_fit_is_an_error_for_the_agent_which_corrects_itself() {
    let peer = Peer::new(|input, _| match told(input) {
        Some(_) => run_of(input, call("c2", QUIZ, &whole())),
        None => {
            let said = message("m1", "A quiz:").into_iter().chain(call("c1", QUIZ, &broken()));
            run_of(input, said.collect())
        }
    })
    .await;
    let stage = stage_with(peer.config()).await;
    let events = run(&stage, "peer", says("r1", "quiz me")).await;
    assert_eq!(shown(&events), [("c2".to_owned(), whole())], "only what fits is shown");
    assert_eq!(events.last().unwrap()["outcome"]["pendingToolCallIds"], json!(["c2"]));
    let noticed = serde_json::to_string(&noticed(&events)).unwrap();
    assert!(!noticed.contains("invalid_arguments"), "nobody else is told: {noticed}");

    let inputs = peer.inputs();
    assert_eq!(inputs.len(), 2);
    assert_ne!(inputs[0]["runId"], inputs[1]["runId"]);
    let [.., text, carrier, result] = &inputs[1]["messages"].as_array().unwrap()[..] else { panic!() };
    assert_eq!(text["content"], "A quiz:", "what the agent said stands before its call");
    assert_eq!((&carrier["role"], &carrier["toolCalls"][0]["id"]), (&json!("assistant"), &json!("c1")));
    let function = &carrier["toolCalls"][0]["function"];
    assert_eq!(*function, json!({ "name": QUIZ, "arguments": broken().to_string() }));
    assert_eq!((&result["role"], &result["toolCallId"]), (&json!("tool"), &json!("c1")));
    let error = told(&inputs[1]).unwrap();
    assert_eq!(
        (&error["code"], &error["path"]),
        (&json!("invalid_arguments"), &json!("arguments.options[0]"))
    );
    assert!(error["message"].as_str().unwrap().contains("`text` is missing"), "{error}");
}

#[tokio::test]
async fn every_component_without_something_required_is_told_and_not_shown() {
    for entry in &COMPONENTS {
        let example = entry.examples().remove(0).arguments;
        let required = entry.arguments()["required"][0].as_str().unwrap().to_owned();
        let mut broken = example.clone();
        broken.as_object_mut().unwrap().remove(&required);
        let (name, good) = (entry.name, example.clone());
        let peer = Peer::new(move |input, before| match before {
            0 => run_of(input, call("c1", name, &broken)),
            _ => run_of(input, call("c2", name, &good)),
        })
        .await;
        let stage = stage_with(peer.config()).await;
        let events = run(&stage, "peer", says("r1", "go")).await;
        assert_eq!(shown(&events), [("c2".to_owned(), example)], "{name}");
        let error = told(&peer.inputs()[1]).unwrap();
        assert!(error["message"].as_str().unwrap().contains(&format!("`{required}` is missing")), "{error}");
    }
}

#[tokio::test]
async fn an_agent_that_does_not_correct_itself_is_called_four_times_and_no_more() {
    let peer = Peer::new(|input, _| run_of(input, call("c1", QUIZ, &broken()))).await;
    let stage = stage_with(peer.config()).await;
    let events = run(&stage, "peer", says("r1", "quiz me")).await;
    assert_eq!(kinds(&noticed(&events)), ["RUN_STARTED", "RUN_ERROR"]);
    let last = events.last().unwrap();
    assert_eq!(last["code"], "invalid_arguments");
    assert!(last["message"].as_str().unwrap().contains("arguments.options[0]"), "{last}");
    let inputs = peer.inputs();
    assert_eq!(inputs.len(), 4);
    let calls = |input: &Value| -> Vec<Value> {
        let messages = input["messages"].as_array().unwrap().iter();
        messages.filter_map(|message| message["toolCalls"].get(0)).map(|call| call["id"].clone()).collect()
    };
    let made = calls(&inputs[3]);
    assert_eq!((made.len(), &made[0]), (3, &json!("c1")), "each mistake is told, in its order");
    assert!(made[0] != made[1] && made[1] != made[2], "under an id of its own: {made:?}");
    assert_eq!(calls(&inputs[2]), made[..2]);
}

#[tokio::test]
async fn a_mistake_in_between_does_not_count_against_later_ones() {
    let script = include_str!("../../../../examples/agents/coach.yaml");
    let coach = script::parse("coach", script).unwrap();
    let peer = Peer::new(|input, before| match before {
        9 => run_of(input, message("m", "Done")),
        _ if before % 2 == 0 => run_of(input, call(&format!("c{before}"), QUIZ, &broken())),
        _ => run_of(input, call(&format!("c{before}"), "profile_get", &json!({}))),
    })
    .await;
    let mut config = peer.config();
    config.tools = coach.tools();
    let events = run(&stage_with(config).await, "peer", says("r1", "go")).await;
    assert_eq!(said(&events), "Done");
}

#[tokio::test]
async fn what_an_agent_says_itself_came_of_a_call_that_is_not_shown_goes_nowhere() {
    let result = json!({ "type": "TOOL_CALL_RESULT", "messageId": "x", "toolCallId": "c1", "content": "ok" });
    let peer = Peer::new(move |input, before| match before {
        0 => {
            let sealed = json!({ "type": "REASONING_ENCRYPTED_VALUE", "subtype": "tool-call", "entityId": "c1",
                "encryptedValue": "s" });
            let more = [result.clone(), sealed];
            run_of(input, call("c1", QUIZ, &broken()).into_iter().chain(more).collect())
        }
        _ => run_of(input, message("m", "I see")),
    })
    .await;
    let events = run(&stage_with(peer.config()).await, "peer", says("r1", "go")).await;
    assert_eq!(said(&events), "I see");
    assert_eq!((of(&events, "TOOL_CALL_RESULT").len(), of(&noticed(&events), "CUSTOM").len()), (0, 0));
    assert_eq!(told(&peer.inputs()[1]).unwrap()["code"], "invalid_arguments");
}

#[tokio::test]
async fn a_component_that_waits_for_the_person_is_not_held_up_by_one_that_does_not_fit() {
    let peer = Peer::new(|input, _| {
        let both = call("c1", QUIZ, &broken()).into_iter().chain(call("c2", QUIZ, &whole()));
        run_of(input, both.collect())
    })
    .await;
    let stage = stage_with(peer.config()).await;
    let events = run(&stage, "peer", says("r1", "go")).await;
    assert_eq!(peer.inputs().len(), 1, "the person answers first");
    assert_eq!(events.last().unwrap()["outcome"]["pendingToolCallIds"], json!(["c2"]));
    let warning = &of(&events, "CUSTOM")[0];
    let code = &warning["value"]["code"];
    assert_eq!((&warning["name"], code), (&json!("forestage.remote_warning"), &json!("invalid_arguments")));
}

/// Shows a broken component, asks something when it is told, and then says how many mistakes it was told of.
fn asking(input: &Value, _before: usize) -> Reply {
    let mistakes = input["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["content"].to_string().contains("invalid_a"));
    if input.get("resume").is_some() {
        return run_of(input, message("m", &format!("{} mistake", mistakes.count())));
    }
    if mistakes.count() == 0 {
        return run_of(input, call("c1", QUIZ, &broken()));
    }
    let question = json!({ "id": "q", "reason": "input_required", "message": "Again?" });
    run_to(input, vec![], json!({ "type": "interrupt", "interrupts": [question] }))
}

#[tokio::test]
async fn a_mistake_is_still_told_after_a_question_that_came_later() {
    let peer = Peer::new(asking).await;
    let stage = stage_with(peer.config()).await;
    let events = run(&stage, "peer", says("r1", "go")).await;
    let question = events.last().unwrap()["outcome"]["interrupts"][0]["id"].as_str().unwrap().to_owned();
    let events = run(&stage, "peer", answers("r2", &question, json!({}))).await;
    assert_eq!(said(&events), "1 mistake");
    assert_eq!(peer.inputs().len(), 3, "nothing is asked of it twice");
}

#[tokio::test]
async fn a_question_about_a_component_that_is_not_shown_is_asked_without_it() {
    let peer = Peer::new(|input, before| match before {
        0 => {
            let question =
                json!({ "id": "q", "reason": "tool_call", "message": "May I?", "toolCallId": "c1" });
            let outcome = json!({ "type": "interrupt", "interrupts": [question] });
            run_to(input, call("c1", QUIZ, &broken()), outcome)
        }
        _ => run_of(input, message("m", "Done")),
    })
    .await;
    let events = run(&stage_with(peer.config()).await, "peer", says("r1", "go")).await;
    let question = &events.last().unwrap()["outcome"]["interrupts"][0];
    assert_eq!((&question["message"], question.get("toolCallId")), (&json!("May I?"), None));
}

/// Agents that keep their threads tell the whole conversation, with what they were told.
#[tokio::test]
async fn a_snapshot_with_the_mistake_in_it_says_nothing_new() {
    let peer = Peer::new(|input, before| match before {
        0 => run_of(input, call("c1", QUIZ, &broken())),
        _ => {
            let mut messages = input["messages"].as_array().unwrap().clone();
            messages.push(json!({ "id": "m", "role": "assistant", "content": "Sorry" }));
            let snapshot = json!({ "type": "MESSAGES_SNAPSHOT", "messages": messages });
            run_of(input, message("m", "Sorry").into_iter().chain([snapshot]).collect())
        }
    })
    .await;
    let stage = stage_with(peer.config()).await;
    let events = run(&stage, "peer", says("r1", "go")).await;
    assert_eq!((said(&events).as_str(), of(&noticed(&events), "CUSTOM").len()), ("Sorry", 0), "{events:#?}");
    let messages = folded(&stage).await.messages;
    assert_eq!(messages.iter().map(|message| message.role()).collect::<Vec<_>>(), ["user", "assistant"]);
}

#[tokio::test]
async fn a_component_that_is_unwise_is_shown_and_the_warning_is_in_the_next_context() {
    let empty = json!({ "prompt_text": "Which?", "goals": [] });
    let shown_first = empty.clone();
    let peer = Peer::new(move |input, before| match before {
        0 => run_of(input, call("c1", "its:render_goal_selector", &shown_first)),
        _ => run_of(input, message(&format!("m{before}"), "I see")),
    })
    .await;
    let stage = stage_with(peer.config()).await;
    let events = run(&stage, "peer", says("r1", "goals")).await;
    assert_eq!(shown(&events), [("c1".to_owned(), empty)]);
    run(&stage, "peer", says("r2", "and now?")).await;
    run(&stage, "peer", says("r3", "and then?")).await;
    let warning = json!({ "description": "Warnings about the components that you showed last",
        "value": "`its:render_goal_selector`: arguments.goals: there is not one of the goals" });
    let contexts: Vec<_> = peer.inputs().iter().map(|input| input["context"].clone()).collect();
    assert_eq!(contexts, [json!([]), json!([warning]), json!([])], "once, when it goes on");
}

/// An answer of one event a line.
fn lines(events: &[Value]) -> Reply {
    let text: String = events.iter().map(|event| format!("{event}\n")).collect();
    Reply::new(200, "application/x-ndjson", text.leak())
}

#[tokio::test]
async fn an_agent_that_answers_in_lines_corrects_itself_as_well() {
    let component = |id: &str, arguments: Value| json!({ "type": "TOOL_CALL_STARTED", "toolCallId": id, "toolName": QUIZ, "args": arguments });
    let end = json!({ "type": "RUN_FINISHED" });
    let peer = Peer::new(move |_, before| match before {
        0 => {
            let result = json!({ "type": "TOOL_CALL_RESULT", "toolCallId": "c1", "result": "ok" });
            let text = json!({ "type": "TEXT_MESSAGE_CHUNK", "delta": "A quiz:" });
            lines(&[text, component("c1", broken()), result, end.clone()])
        }
        _ => lines(&[component("c1", whole()), end.clone()]),
    })
    .await;
    let config = NdjsonConfig { url: peer.url.clone(), ..NdjsonConfig::default() };
    let agent: Arc<dyn Agent> = Arc::new(Ndjson::new(config).unwrap());
    let store = forestage_store::open("memory:").await.unwrap();
    let stage = Stage::new(store, Agents::from([("peer".to_owned(), agent)]), Limits::default());
    let events = run(&stage, "peer", says("r1", "quiz me")).await;
    assert_eq!(shown(&events).into_iter().map(|(_, arguments)| arguments).collect::<Vec<_>>(), [whole()]);
    let inputs = peer.inputs();
    let [.., text, carrier, _] = &inputs[1]["messages"].as_array().unwrap()[..] else { panic!() };
    assert_eq!((inputs.len(), &text["content"]), (2, &json!("A quiz:")));
    assert_eq!(carrier["toolCalls"][0]["function"]["arguments"], broken().to_string());
    assert_eq!(told(&inputs[1]).unwrap()["path"], "arguments.options[0]");
}
