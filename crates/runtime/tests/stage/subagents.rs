//! Subagents: what is said through one carries its name.

use forestage_runtime::{AgentError, RunContext};
use serde_json::{Map, Value, json};

use crate::support::*;

/// Says a bit of everything that others can say in a run.
async fn speak(ctx: &RunContext) -> Result<(), AgentError> {
    let step = ctx.step("look")?;
    let thought = ctx.reasoning()?;
    thought.push("hm").await?;
    drop(thought);
    let text = ctx.text()?;
    text.push("Let me see.").await?;
    drop(text);
    let call = ctx.tool_call("search")?;
    call.push("{}").await?;
    let id = call.end();
    ctx.tool_result(&id, "found").await?;
    let mut activity = ctx.activity("PLAN", Map::new()).await?;
    activity.update(json!({ "done": 1 }).as_object().unwrap().clone()).await?;
    step.end();
    Ok(())
}

async fn said(
    agent: fn(RunContext) -> futures_util::future::BoxFuture<'static, Result<(), AgentError>>,
) -> Vec<Value> {
    let events = run(&stage(agent).await, input("t", "r", vec![user("u", "go")])).await;
    events.iter().map(|event| serde_json::from_str(&event.to_json()).unwrap()).collect()
}

/// Where the first event of a type is.
fn place(events: &[Value], kind: &str) -> usize {
    events.iter().position(|event| event["type"] == kind).unwrap_or_else(|| panic!("no {kind}"))
}

#[tokio::test]
async fn everything_that_a_subagent_says_carries_its_name_and_nothing_else_does() {
    let events = said(|ctx| {
        Box::pin(async move {
            speak(&ctx).await?;
            let helper = ctx.subagent("helper")?;
            speak(&helper).await?;
            helper.finish();
            speak(&ctx).await
        })
    })
    .await;
    let (first, last) = (place(&events, "SUBAGENT_STARTED"), place(&events, "SUBAGENT_FINISHED"));
    let name = &events[first]["subagentRunId"];
    let kinds = |events: &[Value]| events.iter().map(|event| event["type"].clone()).collect::<Vec<_>>();
    assert!(kinds(&events[..first]).ends_with(&kinds(&events[first + 1..last])), "the same is said by both");
    for (at, event) in events.iter().enumerate() {
        let expected = if (first..=last).contains(&at) { Some(name) } else { None };
        assert_eq!(event.get("subagentRunId"), expected, "{event}");
    }
}

#[tokio::test]
async fn a_subagent_of_a_subagent_names_it_and_one_that_fails_says_why() {
    let events = said(|ctx| {
        Box::pin(async move {
            let helper = ctx.subagent("helper")?;
            helper.subagent("scout")?.fail("lost the way");
            helper.finish();
            Ok(())
        })
    })
    .await;
    let helper = place(&events, "SUBAGENT_STARTED");
    assert_eq!(
        (&events[helper]["name"], events[helper].get("parentSubagentRunId")),
        (&json!("helper"), None)
    );
    let scout = &events[helper + 1];
    assert_eq!(
        (&scout["name"], &scout["parentSubagentRunId"]),
        (&json!("scout"), &events[helper]["subagentRunId"])
    );
    let failed = &events[place(&events, "SUBAGENT_ERROR")];
    assert_eq!(
        (&failed["subagentRunId"], &failed["message"]),
        (&scout["subagentRunId"], &json!("lost the way"))
    );
}
