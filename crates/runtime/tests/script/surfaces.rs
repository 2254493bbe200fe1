//! Scripts that draw, and what they hear when it goes wrong.

use serde_json::{Value, json};

use crate::support::*;

const BROKEN: &str = "{ a2ui_json: [{ surfaceUpdate: { surfaceId: s, components: [{ id: root, component: { Tex: {} } }] } }] }";

fn statuses(events: &[Value]) -> Vec<&str> {
    let activities = events.iter().filter(|event| event["type"] == "ACTIVITY_SNAPSHOT");
    activities.map(|event| event["content"]["status"].as_str().unwrap_or("drawn")).collect()
}

#[tokio::test]
async fn a_script_hears_what_is_wrong_and_how_to_repair_it_a_bounded_number_of_times() {
    let attempt = format!(
        "- tool:\n    name: send_a2ui_json_to_client\n    args: {BROKEN}\n    failed:\n      - text: \"{{{{answer.code}}}}: {{{{answer.hint}}}} \"\n"
    );
    let events = say(&stage_doing(&attempt.repeat(4)).await, "r1", "go").await;
    assert_eq!(statuses(&events), ["retrying", "retrying", "failed"]);
    let said = text(&events);
    assert_eq!(said.matches("invalid_a2ui: ").count(), 2, "{said}");
    assert_eq!(said.matches("a2ui_recovery_exhausted: ").count(), 2, "{said}");
    assert!(said.contains("unknown_component at /0/surfaceUpdate/components/0"), "{said}");
    let results: Vec<_> = events.iter().filter(|event| event["type"] == "TOOL_CALL_RESULT").collect();
    let first: Value = serde_json::from_str(results[0]["content"].as_str().unwrap()).unwrap();
    assert_eq!((results.len(), &first["error"]["code"]), (4, &json!("invalid_a2ui")));
    assert!(first["error"]["hint"].as_str().unwrap().contains("2 attempts left"), "{first}");
    assert_eq!(types(&events).last(), Some(&"RUN_FINISHED"));
}

#[tokio::test]
async fn a_script_that_sends_its_call_in_chunks_is_seen_to_build() {
    let components = "[{ id: root, component: Column, children: [] }]";
    let steps = format!(
        "- tool:\n    name: render_a2ui\n    args: {{ surfaceId: s, components: {components} }}\n    chunk: 12\n"
    );
    let events = say(&stage_doing(&steps).await, "r1", "go").await;
    assert_eq!(statuses(&events), ["building", "building"], "announced, then painted");
    let completed =
        events.iter().filter(|event| event["type"] == "ACTIVITY_DELTA").map(|event| &event["patch"]);
    assert_eq!(completed.collect::<Vec<_>>(), [&json!([{ "op": "remove", "path": "/status" }])]);
}
