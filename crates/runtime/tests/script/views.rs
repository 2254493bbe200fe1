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

/// An agent that shows a view, then this, and then says something.
async fn shows(value: Value) -> Vec<Value> {
    let first: Value = serde_json::from_str(VIEW).unwrap();
    let script = json!({ "rules": [{ "do": [
        { "custom": { "name": "A2UI_RENDER", "value": { "view": first } } },
        { "custom": { "name": "A2UI_RENDER", "value": value } },
        { "text": "Still here." },
    ] }] });
    say(&stage(&script.to_string()).await, "r1", "hi").await
}

#[tokio::test]
async fn an_event_that_shows_what_is_no_view_is_told_and_shows_nothing() {
    for (value, place) in [
        (json!({ "view": { "kind": "a2ui.v1", "viewId": "v" } }), "root"),
        (
            json!({ "view": { "kind": "a2ui.v1", "viewId": "", "root": { "type": "text", "text": "x" } } }),
            "viewId",
        ),
        (
            json!({ "view": { "kind": "a2ui.v1", "viewId": "v", "root": { "type": "hologram" } } }),
            "root.type",
        ),
        (json!({ "view": "a form" }), ""),
        (json!({}), "view"),
    ] {
        let events = shows(value.clone()).await;
        assert_eq!((text(&events).as_str(), types(&events).last()), ("Still here.", Some(&"RUN_FINISHED")));
        let told = customs(&events);
        let names: Vec<_> = told.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["A2UI_RENDER", "forestage.invalid_view"], "{value}");
        assert_eq!(told[1].1["faults"][0]["path"], place, "{value}");
        let drawn = types(&events).iter().filter(|kind| kind.starts_with("ACTIVITY")).count();
        assert_eq!(drawn, 1, "what is on the screen stays as it is: {value}");
    }
}

#[tokio::test]
async fn null_closes_the_view_and_another_view_takes_its_place() {
    let other: Value = serde_json::from_str(&VIEW.replace("\"v\"", "\"w\"")).unwrap();
    for view in [Value::Null, other] {
        let events = shows(json!({ "view": view })).await;
        let told = customs(&events);
        assert_eq!(told[1], ("A2UI_RENDER", &json!({ "view": view })));
        let activity = events.iter().rfind(|event| event["type"] == "ACTIVITY_SNAPSHOT").unwrap();
        assert_eq!(activity["content"]["view"], view);
    }
}
