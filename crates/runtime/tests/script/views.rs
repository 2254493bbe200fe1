//! Views in what an agent says, for houses that want them taken out.

use serde_json::{Value, json};

use crate::support::*;

const VIEW: &str = r#"{"kind":"a2ui.v1","viewId":"v","root":{"type":"screen","children":[]}}"#;

/// An agent that says a text a few signs at a time.
fn script(house: &str, said: &str) -> String {
    let said = json!(said);
    format!("house: {house}\nrules: [{{ do: [{{ text: {{ text: {said}, chunk: 5 }} }}] }}]")
}

async fn play(house: &str, said: &str) -> Vec<Value> {
    say(&stage(&script(house, said)).await, "r1", "hi").await
}

fn customs(events: &[Value]) -> Vec<(&str, &Value)> {
    let custom = events.iter().filter(|event| event["type"] == "CUSTOM");
    custom.map(|event| (event["name"].as_str().unwrap(), &event["value"])).collect()
}

#[tokio::test]
async fn a_block_becomes_an_event_behind_its_message_and_no_piece_of_it_is_said() {
    let said = format!("Look:\n```a2ui\n{VIEW}\n```\nNice?");
    let events = play("{ views: true }", &said).await;
    assert_eq!(text(&events), "Look:\n\nNice?");
    let view: Value = serde_json::from_str(VIEW).unwrap();
    assert_eq!(customs(&events), [("A2UI_RENDER", &json!({ "view": view }))]);
    let kinds = types(&events);
    let at = |kind: &str| kinds.iter().position(|name| *name == kind).unwrap();
    assert!(at("TEXT_MESSAGE_END") < at("CUSTOM"), "{kinds:?}");
}

#[tokio::test]
async fn a_message_that_is_nothing_but_a_view_is_none() {
    let events = play("{ views: true }", &format!("```a2ui\n{VIEW}\n```")).await;
    assert_eq!(customs(&events).len(), 1);
    assert!(!types(&events).iter().any(|kind| kind.starts_with("TEXT_MESSAGE")), "{:?}", types(&events));
}

#[tokio::test]
async fn a_view_that_is_none_is_not_shown_and_the_log_says_why() {
    let events = play("{ views: true }", "So:\n```a2ui\n{\"kind\":\"a2ui.v1\"}\n```").await;
    assert_eq!(text(&events), "So:");
    let customs = customs(&events);
    assert_eq!((customs.len(), customs[0].0), (1, "forestage.invalid_view"));
    assert!(customs[0].1["faults"][0]["path"].is_string(), "{customs:?}");
}

#[tokio::test]
async fn what_may_not_be_said_may_not_be_shown() {
    let house = "{ views: true, moderation: { output: { patterns: [{ pattern: secret, message: No. }] } } }";
    let view = VIEW.replace("\"v\"", "\"secret\"");
    let events = play(house, &format!("Look:\n```a2ui\n{view}\n```")).await;
    assert_eq!(types(&events).last(), Some(&"RUN_ERROR"));
    assert!(customs(&events).is_empty());
}

#[tokio::test]
async fn who_does_not_ask_for_it_keeps_the_text_as_it_is() {
    let said = format!("Look:\n```a2ui\n{VIEW}\n```");
    let events = play("{ views: false }", &said).await;
    assert_eq!((text(&events), customs(&events).len()), (said, 0));
}
