//! What an agent remembers of a conversation.

use std::sync::Arc;

use forestage_protocol::event::Event;
use forestage_runtime::{AgentError, RunContext, Stage};
use serde_json::{Value, json};

use crate::support::*;

/// Remembers what it is told under a name, and says what it knows before and after.
async fn keeper(ctx: RunContext) -> Result<(), AgentError> {
    let before = ctx.remembered("mood");
    if let Some(mood) = ctx.last_user_text().filter(|text| text != "?") {
        ctx.remember("mood", &serde_json::from_str::<Value>(&mood)?).await?;
    }
    ctx.say(json!([before, ctx.remembered("mood")]).to_string()).await?;
    Ok(())
}

/// What the agent knew before and after a turn, and what was written of it.
async fn told(stage: &Arc<Stage>, run_id: &str, text: &str) -> (Value, Vec<Value>) {
    let events = run(stage, input("t", run_id, vec![user(run_id, text)])).await;
    let written = events.iter().filter_map(|event| match event {
        Event::Custom(custom) if custom.name == "forestage.memory" => Some(custom.value.to_value().unwrap()),
        _ => None,
    });
    let written = written.collect();
    let said: String = events
        .iter()
        .filter_map(|event| match event {
            Event::TextMessageContent(piece) => Some(piece.delta.as_str()),
            _ => None,
        })
        .collect();
    (serde_json::from_str(&said).unwrap(), written)
}

#[tokio::test]
async fn what_is_remembered_is_there_in_later_runs_until_it_is_forgotten() {
    let stage = stage(keeper).await;
    let noted = |value: Value| vec![json!({ "name": "mood", "value": value })];
    assert_eq!(told(&stage, "r1", "?").await, (json!([null, null]), vec![]));
    assert_eq!(told(&stage, "r2", "\"good\"").await, (json!([null, "good"]), noted(json!("good"))));
    assert_eq!(told(&stage, "r3", "?").await, (json!(["good", "good"]), vec![]));
    assert_eq!(
        told(&stage, "r4", "\"good\"").await,
        (json!(["good", "good"]), vec![]),
        "it is known already"
    );
    assert_eq!(
        told(&stage, "r5", "{\"is\":1}").await,
        (json!(["good", { "is": 1 }]), noted(json!({ "is": 1 })))
    );
    assert_eq!(told(&stage, "r6", "null").await, (json!([{ "is": 1 }, null]), noted(json!(null))));
    assert_eq!(told(&stage, "r7", "?").await, (json!([null, null]), vec![]));
}
