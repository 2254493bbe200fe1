//! Questions of agents elsewhere under the rules of this house, what they are told of those that nobody answers, and what
//! they hear of what is held back.

use std::{sync::Arc, time::Duration};

use forestage_protocol::id::RunId;
use forestage_runtime::{Agent, Cursor, Decider, Stage, StartRun, script};
use serde_json::{Value, json};

use crate::{
    peer::{Peer, Reply, call, message, run_of, run_to, stage_with},
    support::*,
};

/// Asks about a call of its own unless it was answered, and says what it was told.
fn asking(input: &Value, _before: usize) -> Reply {
    if let Some(answer) = input.get("resume") {
        return run_of(input, message(&format!("m-{}", input["runId"]), &answer.to_string()));
    }
    let schema = json!({ "type": "object", "properties": { "approved": { "type": "boolean" } },
        "required": ["approved"], "additionalProperties": false });
    let question = json!({ "id": "q", "reason": "tool_call", "message": "May I?", "toolCallId": "c1",
        "responseSchema": schema, "metadata": { "theirs": 1, "role": "root" } });
    let outcome = json!({ "type": "interrupt", "interrupts": [question] });
    run_to(input, call("c1", "delete", &json!({ "path": "x" })), outcome)
}

/// A stage in front of it, with these rules.
async fn stage_ruled(peer: &Peer, rules: &str) -> Arc<Stage> {
    let house = format!("house: {{ rules: [{rules}] }}\nrules: []");
    let script = script::parse("house", &house).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let mut config = peer.config();
    (config.tools, config.house) = (script.tools(), script.house());
    stage_with(config).await
}

fn questions(events: &[Value]) -> Vec<Value> {
    events.last().unwrap()["outcome"]["interrupts"].as_array().cloned().unwrap_or_default()
}

#[tokio::test]
async fn what_the_house_forbids_is_refused_without_asking_anybody() {
    let peer = Peer::new(asking).await;
    let rule = "{ name: no deleting, tools: [delete], action: deny, reason: Nothing is deleted here. }";
    let stage = stage_ruled(&peer, rule).await;
    let events = run(&stage, "peer", says("r1", "Delete")).await;
    assert_eq!(questions(&events), Vec::<Value>::new());
    let no = json!([{ "interruptId": "q", "status": "resolved", "payload": { "approved": false } }]);
    assert_eq!(peer.inputs()[1]["resume"], no, "it takes nothing beside yes and no");
    let told = of(&events, "CUSTOM").into_iter().find(|it| it["name"] == "forestage.decision").unwrap();
    assert_eq!(
        told["value"],
        json!({ "toolCallId": "c1", "approved": false, "by": "house", "rule": "no deleting",
            "reason": "Nothing is deleted here." })
    );
}

#[tokio::test]
async fn what_the_house_allows_is_allowed_and_what_no_rule_is_about_is_asked() {
    let peer = Peer::new(asking).await;
    let allowed =
        stage_ruled(&peer, "{ tools: [delete], when: { path: { equals: x } }, action: allow }").await;
    let events = run(&allowed, "peer", says("r1", "Delete")).await;
    assert_eq!(questions(&events), Vec::<Value>::new());
    assert_eq!(peer.inputs()[1]["resume"][0]["payload"], json!({ "approved": true }));
    let other = stage_ruled(&peer, "{ tools: [delete], when: { path: { equals: y } }, action: allow }").await;
    assert_eq!(questions(&run(&other, "peer", says("r1", "Delete")).await).len(), 1);
}

#[tokio::test]
async fn who_looks_at_every_call_looks_at_what_the_house_allows() {
    let peer = Peer::new(asking).await;
    let stage = stage_ruled(&peer, "{ tools: [delete], action: allow }").await;
    let mut input = says("r1", "Delete");
    let terms = forestage_runtime::TurnTerms { tools: true, ..Default::default() };
    terms.attach(&mut input.messages[0]);
    assert_eq!(questions(&run(&stage, "peer", input).await).len(), 1);
}

#[tokio::test]
async fn the_house_says_who_decides_how_many_of_them_and_until_when() {
    let peer = Peer::new(asking).await;
    let rule = "{ name: two, tools: [delete], action: ask, risk: high, by: { role: manager, people: 2 }, \
                timeout: 1h, reason: It is gone then. }";
    let stage = stage_ruled(&peer, rule).await;
    let asked = questions(&run(&stage, "peer", says("r1", "Delete")).await);
    let question = &asked[0];
    assert_eq!(
        question["metadata"],
        json!({ "theirs": 1, "tool": "delete", "arguments": { "path": "x" }, "risk": "high", "rule": "two",
            "role": "manager", "people": 2, "onExpiry": "reject" })
    );
    assert_eq!(question["message"], "May I? It is gone then.");
    assert!(question["expiresAt"].is_string());
    let yes = |run: &str| answers(run, question["id"].as_str().unwrap(), json!({ "approved": true }));
    let refused = stage.start(StartRun::new("peer", yes("r2"), "ada")).await.unwrap_err();
    assert_eq!(refused.code, "role_required");
    let agrees = |run: &str, user: &str| {
        let decider =
            Decider { user: user.to_owned(), roles: vec!["manager".to_owned()], origin: "resume".to_owned() };
        stage.start(StartRun { decider: Some(decider), ..StartRun::new("peer", yes(run), "ada") })
    };
    assert_eq!(agrees("r3", "bob").await.unwrap_err().code, "more_needed");
    assert_eq!(peer.inputs().len(), 1);
    let run = agrees("r4", "cleo").await.unwrap();
    follow_to_end(&stage, &run.run_id, run.before).await;
    assert_eq!(peer.inputs()[1]["resume"][0]["payload"], json!({ "approved": true }));
}

#[tokio::test]
async fn silence_is_answered_as_the_house_says_in_words_that_the_agent_takes() {
    let peer = Peer::new(asking).await;
    let stage = stage_ruled(&peer, "{ tools: [delete], action: ask, timeout: 1ms, on_expiry: reject }").await;
    run(&stage, "peer", says("r1", "Delete")).await;
    let told = async {
        while peer.inputs().len() < 2 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), told).await.unwrap();
    let no = json!([{ "interruptId": "q", "status": "resolved", "payload": { "approved": false } }]);
    assert_eq!(peer.inputs()[1]["resume"], no);
}

#[tokio::test]
async fn a_question_that_was_withdrawn_is_told_to_the_agent_with_what_is_said_next() {
    let peer = Peer::new(asking).await;
    let stage = stage_with(peer.config()).await;
    let begun = stage.start(StartRun::new("peer", says("r1", "Delete"), "ada")).await.unwrap();
    follow_to_end(&stage, &begun.run_id, begun.before).await;
    assert!(stage.cancel("ada", &"t".into(), &"r1".into()).await.unwrap());
    follow_to_end(&stage, &"r1-cancelled".into(), begun.before).await;
    assert_eq!(peer.inputs().len(), 1, "nobody calls it just to say that");
    let events = run(&stage, "peer", says("r2", "Something else")).await;
    let no = json!([{ "interruptId": "q", "status": "cancelled" }]);
    let told = peer.inputs();
    assert_eq!(told[1]["resume"], no);
    let roles = |input: &Value| {
        let messages = input["messages"].as_array().unwrap();
        messages.iter().map(|it| it["role"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(roles(&told[1]), ["user", "assistant"], "it says itself what came of its call");
    assert!(told[2].get("resume").is_none(), "it is told once");
    assert_eq!(roles(&told[2]), ["user", "assistant", "tool", "assistant", "user"]);
    assert_ne!(told[1]["runId"], told[2]["runId"]);
    assert_eq!(said(&events), no.to_string());
    assert_eq!(questions(&events).len(), 1, "the next turn is a new one");
}

#[tokio::test]
async fn a_question_whose_answer_did_not_arrive_is_told_to_be_withdrawn_when_the_person_moves_on() {
    let peer = Peer::new(|input, before| match before {
        1 => Reply::new(500, "text/plain", "no"),
        _ => asking(input, before),
    })
    .await;
    let stage = stage_with(peer.config()).await;
    let asked = questions(&run(&stage, "peer", says("r1", "Delete")).await);
    let yes = answers("r2", asked[0]["id"].as_str().unwrap(), json!({ "approved": true }));
    assert_eq!(run(&stage, "peer", yes).await.last().unwrap()["code"], "agent_refused");
    run(&stage, "peer", says("r3", "Never mind")).await;
    assert_eq!(peer.inputs()[2]["resume"], json!([{ "interruptId": "q", "status": "cancelled" }]));
    assert_eq!(peer.inputs().len(), 4);
}

#[tokio::test]
async fn an_agent_that_asks_again_when_its_question_is_withdrawn_is_asked_about_first() {
    let peer = Peer::new(|input, before| match before {
        1 => {
            let question = json!({ "id": "q2", "reason": "confirmation", "message": "Really not?" });
            run_to(input, vec![], json!({ "type": "interrupt", "interrupts": [question] }))
        }
        _ => asking(input, before),
    })
    .await;
    let stage = stage_with(peer.config()).await;
    let begun = stage.start(StartRun::new("peer", says("r1", "Delete"), "ada")).await.unwrap();
    follow_to_end(&stage, &begun.run_id, begun.before).await;
    assert!(stage.cancel("ada", &"t".into(), &"r1".into()).await.unwrap());
    follow_to_end(&stage, &"r1-cancelled".into(), begun.before).await;
    let asked = questions(&run(&stage, "peer", says("r2", "Hello")).await);
    assert_eq!((asked[0]["message"].as_str(), peer.inputs().len()), (Some("Really not?"), 2));
    run(&stage, "peer", answers("r3", asked[0]["id"].as_str().unwrap(), json!("yes"))).await;
    let told = &peer.inputs()[2];
    assert_eq!(told["resume"], json!([{ "interruptId": "q2", "status": "resolved", "payload": "yes" }]));
    assert_eq!(told["messages"].as_array().unwrap().last().unwrap()["content"], "Hello");
}

#[tokio::test]
async fn an_agent_that_has_no_use_for_the_news_goes_on_all_the_same() {
    let peer = Peer::new(|input, before| match (before, input.get("resume")) {
        (0, _) => asking(input, 0),
        (_, Some(_)) => Reply::new(400, "text/plain", "what question?"),
        _ => run_of(input, message("m", "Hello.")),
    })
    .await;
    let stage = stage_with(peer.config()).await;
    let begun = stage.start(StartRun::new("peer", says("r1", "Delete"), "ada")).await.unwrap();
    follow_to_end(&stage, &begun.run_id, begun.before).await;
    assert!(stage.cancel("ada", &"t".into(), &"r1".into()).await.unwrap());
    follow_to_end(&stage, &"r1-cancelled".into(), begun.before).await;
    let events = run(&stage, "peer", says("r2", "Hello")).await;
    assert_eq!(said(&events), "Hello.");
    let warned =
        of(&events, "CUSTOM").into_iter().find(|it| it["name"] == "forestage.remote_warning").unwrap();
    assert_eq!(warned["value"]["code"], "withdrawn");
    run(&stage, "peer", says("r3", "Hello")).await;
    assert_eq!(peer.inputs().len(), 4, "and is not told again");
}

#[tokio::test]
async fn an_agent_hears_what_it_said_where_it_said_it_while_somebody_looks_at_it() {
    let peer = Peer::new(|input, before| match before {
        0 => run_of(input, [message("m1", "I look. "), call("c1", "look", &json!({ "term": "a" }))].concat()),
        1 => run_of(
            input,
            [message("m2", "And again. "), call("c2", "look", &json!({ "term": "b" }))].concat(),
        ),
        _ => {
            let snapshot = json!({ "type": "MESSAGES_SNAPSHOT", "messages": input["messages"] });
            run_of(input, [vec![snapshot], message("m3", "Found.")].concat())
        }
    })
    .await;
    let house = "
tools: [{ name: look, parameters: { type: object, properties: { term: { type: string } } }, result: 'found {{args.term}}' }]
house: { review: {} }
rules: []";
    let script = script::parse("house", house).unwrap();
    let mut config = peer.config();
    (config.tools, config.house) = (script.tools(), script.house());
    let stage = stage_with(config).await;
    let events = run(&stage, "peer", says("r1", "Look")).await;
    assert_eq!(said(&events), "", "nobody else hears it");
    let told = peer.inputs()[2]["messages"].clone();
    let told: Vec<_> = told
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["content"].as_str().unwrap_or(it["toolCalls"][0]["id"].as_str().unwrap_or_default()))
        .collect();
    assert_eq!(told, ["Look", "I look. ", "c1", "found a", "And again. ", "c2", "found b"]);
    let id = questions(&events)[0]["id"].as_str().unwrap().to_owned();
    let events = run(&stage, "peer", answers("r2", &id, json!({ "approved": true }))).await;
    assert_eq!(said(&events), "I look. And again. Found.", "and each of it is said once");
}

/// Waits until a run has ended.
async fn follow_to_end(stage: &Arc<Stage>, run: &RunId, after: Cursor) {
    let mut follower = stage.follow_run(&"t".into(), run, after);
    while tokio::time::timeout(Duration::from_secs(5), follower.next()).await.unwrap().unwrap().is_some() {}
}
