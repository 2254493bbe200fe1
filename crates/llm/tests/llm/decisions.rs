//! Decisions of people in the middle of an agent's turn: the model is not asked again for what it has said.

use serde_json::{Value, json};

use crate::support::{answers, of, run, said, says, server, stage};

const FILE: &str = "\
---
model: anthropic/test
tools:
  - { name: look, result: found, repeatable: true }
  - { name: pay, parameters: { type: object, properties: { amount: { type: number } } }, result: { paid: '{{args.amount}}' } }
house: { rules: [{ tools: [pay], action: ask }] }
---
Pay.
";

const SCRIPT: &str = "
rules:
  - when: { says: pay }
    do: [{ text: 'I look. ' }, { calls: [{ name: look }] }]
  - when: { result: look }
    do: [{ text: 'I pay. ' }, { calls: [{ name: pay, args: { amount: 5 } }, { name: pay, args: { amount: 7 } }] }]
  - when: { result: pay, contains: paid }
    do: [{ text: Paid }]
  - when: { result: pay }
    do: [{ text: Not paid }]";

fn questions(events: &[Value]) -> Vec<String> {
    let asked = events.last().unwrap()["outcome"]["interrupts"].as_array().cloned().unwrap_or_default();
    asked.iter().map(|question| question["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn parallel_calls_are_asked_about_together_and_the_model_goes_on_with_the_results() {
    let server = server(SCRIPT).await;
    let stage = stage(&server, &[("a", FILE)]).await;
    let events = run(&stage, "a", says("r1", "pay them")).await;
    let asked = questions(&events);
    assert_eq!((asked.len(), server.requests().len()), (2, 2));
    let mut input = answers("r2", &asked[0], json!({ "approved": true }));
    let other = answers("r2", &asked[1], json!({ "approved": false, "reason": "too much" }));
    input.resume.as_mut().unwrap().extend(other.resume.unwrap());
    let events = run(&stage, "a", input).await;
    assert_eq!(said(&events), "Paid", "nothing is said twice");
    assert_eq!(of(&events, "TOOL_CALL_START").len(), 0, "nothing is called twice");
    let results: Vec<_> =
        of(&events, "TOOL_CALL_RESULT").iter().map(|event| event["content"].as_str().unwrap()).collect();
    assert!(results[0].contains("\"paid\":5") && results[1].contains("too much"), "{results:?}");
    let requests = server.requests();
    assert_eq!(requests.len(), 3, "the two recorded turns were not asked for again");
    // The model is reminded of all that it said and did in this turn, in order.
    let body = &requests[2].body["messages"];
    let kinds: Vec<_> =
        body.as_array().unwrap().iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["user", "assistant", "user", "assistant", "user"], "{body:#}");
    assert_eq!(body[3]["content"].as_array().unwrap().len(), 3);
    assert_eq!(body[4]["content"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn what_somebody_has_to_look_at_first_is_not_recorded_beside_it() {
    let file = FILE.replace("---\nPay.", "audit: [answers]\n---\nPay.");
    let server = server(SCRIPT).await;
    let stage = stage(&server, &[("a", &file)]).await;
    let events = run(&stage, "a", says("r1", "pay them")).await;
    let log = serde_json::to_string(&events).unwrap();
    assert!(!log.contains("I look") && !log.contains("I pay"), "{log}");
    assert_eq!(questions(&events).len(), 3, "two calls and the draft");
}
