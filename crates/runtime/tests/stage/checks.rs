//! Tools of clients that are checked: calls before they are shown, answers before they count.

use std::sync::Arc;

use forestage_protocol::{
    Fault,
    event::{Event, ToolCallArgs, ToolCallEnd, ToolCallStart},
    message::{Message, ToolMessage},
};
use forestage_runtime::{
    About, AgentError, Agents, Limits, RunContext, Stage, agent_fn,
    tool::{Check, Checks},
    with_checks,
};
use serde_json::{Value, json};

use crate::support::*;

/// Knows a tool that counts to a number: it counts at most to ten, and answers with the number.
struct Counting;

impl Check for Counting {
    fn knows(&self, tool: &str) -> bool {
        tool == "count"
    }

    fn check_call(&self, _: &str, arguments: &Value) -> Result<(), Vec<Fault>> {
        let fits = arguments["to"].as_i64().is_some_and(|to| to <= 10);
        if fits { Ok(()) } else { Err(vec![Fault::new("too_far", "/to", "at most to ten")]) }
    }

    fn warnings(&self, _: &str, arguments: &Value) -> Vec<Fault> {
        let is_little = arguments["to"].as_i64().is_some_and(|to| to < 1);
        is_little.then(|| Fault::new("too_little", "/to", "there is nothing to count")).into_iter().collect()
    }

    fn check_answer(&self, _: &str, arguments: &Value, answer: &str) -> Result<Option<Value>, Vec<Fault>> {
        match answer.parse::<i64>() {
            Ok(number) => Ok(Some(json!({ "counted": Some(number) == arguments["to"].as_i64() }))),
            Err(error) => Err(vec![Fault::new("no_number", "", error.to_string())]),
        }
    }
}

async fn counting<F, R>(agent: F) -> Arc<Stage>
where
    F: Fn(RunContext) -> R + Send + Sync + 'static,
    R: Future<Output = Result<(), AgentError>> + Send + 'static,
{
    let agent = with_checks(agent_fn(About::new("counts"), agent), Checks::default().with(Counting));
    let store = forestage_store::open("memory:").await.unwrap();
    Stage::new(store, Agents::from([("it".to_owned(), agent)]), Limits::default())
}

fn kinds(events: &[Event]) -> Vec<&'static str> {
    events.iter().map(|event| event.event_type().as_str()).collect()
}

#[tokio::test]
async fn an_answer_is_judged_by_the_arguments_that_were_shown_and_what_is_found_out_is_kept() {
    let stage = counting(|ctx: RunContext| async move {
        if !matches!(ctx.messages().last(), Some(Message::Tool(_))) {
            ctx.call_client_tool("count", &json!({ "to": 3 })).await?;
        }
        Ok(())
    })
    .await;
    let first = run(&stage, input("t1", "r1", vec![user("m1", "count")])).await;
    let end = serde_json::to_value(first.last().unwrap()).unwrap();
    let call = end["outcome"]["pendingToolCallIds"][0].as_str().unwrap().to_owned();
    let answer = |text: &str| Message::from(ToolMessage::new("m2", text, call.as_str()));

    let refusal = start(&stage, input("t1", "r2", vec![answer("three")])).await.unwrap_err();
    assert_eq!((refusal.code, refusal.path.as_deref()), ("invalid_answer", Some("messages[0].content")));
    assert_eq!(refusal.faults[0].code, "no_number");

    run(&stage, input("t1", "r3", vec![answer("4")])).await;
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let conversation = stage.conversation(&thread, None).await.unwrap();
    let kept = serde_json::to_value(conversation.messages.last().unwrap()).unwrap();
    assert_eq!(kept["metadata"], json!({ "forestage": { "check": { "counted": false } } }));
}

#[tokio::test]
async fn a_call_that_is_unwise_is_shown_and_its_warnings_are_there_for_whoever_asks() {
    let stage = counting(|ctx: RunContext| async move {
        let arguments = json!({ "to": 0 });
        let call = ctx.use_client_tool("count", &arguments).await?.expect("it is shown");
        let warned = ctx.warned_calls(&ctx.conversation().await?);
        let told = warned.iter().map(|call| json!([call.id, call.name, call.message]));
        ctx.set_result(&json!({
            "call": call,
            "warnings": ctx.call_warnings("count", &arguments),
            "none": [ctx.call_warnings("count", &json!({ "to": 1 })), ctx.call_warnings("other", &arguments)],
            "told": told.collect::<Vec<_>>(),
        }))?;
        Ok(())
    })
    .await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "count")])).await;
    assert!(kinds(&events).contains(&"TOOL_CALL_START"), "{events:?}");
    let end = serde_json::to_value(events.last().unwrap()).unwrap();
    let warning =
        json!({ "code": "too_little", "path": "arguments.to", "message": "there is nothing to count" });
    assert_eq!(end["result"]["warnings"], json!([warning]));
    assert_eq!(end["result"]["none"], json!([[], []]));
    let sentence = "arguments.to: there is nothing to count";
    assert_eq!(end["result"]["told"], json!([[end["result"]["call"], "count", sentence]]));
}

#[tokio::test]
async fn a_call_is_shown_whole_however_it_is_mixed_with_words() {
    let stage = counting(|ctx: RunContext| async move {
        ctx.emit(ToolCallStart::new("c1", "count")).await?;
        ctx.emit(ToolCallArgs::new("c1", "{\"to\"")).await?;
        ctx.say("meanwhile").await?;
        ctx.emit(ToolCallArgs::new("c1", ":7}")).await?;
        ctx.emit(ToolCallEnd::new("c1")).await?;
        Ok(())
    })
    .await;
    let events = run(&stage, input("t1", "r1", vec![])).await;
    let shown = [
        "RUN_STARTED",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "TOOL_CALL_START",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_END",
        "RUN_FINISHED",
    ];
    assert_eq!(kinds(&events), shown);
}

#[tokio::test]
async fn a_call_that_is_left_open_is_judged_when_the_run_ends() {
    for (arguments, shown) in [
        (
            "{\"to\":7}",
            &["RUN_STARTED", "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "RUN_FINISHED"][..],
        ),
        ("{\"to\":70}", &["RUN_STARTED", "RUN_ERROR"]),
        ("{\"to\":", &["RUN_STARTED", "RUN_ERROR"]),
    ] {
        let stage = counting(move |ctx: RunContext| async move {
            ctx.emit(ToolCallStart::new("c1", "count")).await?;
            ctx.emit(ToolCallArgs::new("c1", arguments)).await?;
            Ok(())
        })
        .await;
        assert_eq!(kinds(&run(&stage, input("t1", "r1", vec![])).await), shown, "{arguments}");
    }
}

#[tokio::test]
async fn arguments_that_never_end_are_stopped() {
    let stage = counting(|ctx: RunContext| async move {
        let call = ctx.tool_call("count")?;
        loop {
            call.push("9".repeat(1 << 20)).await?;
        }
    })
    .await;
    let events = run(&stage, input("t1", "r1", vec![])).await;
    let last = serde_json::to_value(events.last().unwrap()).unwrap();
    assert_eq!((kinds(&events), &last["code"]), (vec!["RUN_STARTED", "RUN_ERROR"], &json!("run_too_large")));
}

#[tokio::test]
async fn a_client_need_not_offer_a_tool_that_is_known_here() {
    let stage = counting(|ctx: RunContext| async move {
        let unknown = ctx.use_client_tool("draw", &json!({})).await?.unwrap_err();
        let far = ctx.use_client_tool("count", &json!({ "to": 11 })).await?.unwrap_err();
        let known = ctx.use_client_tool("count", &json!({ "to": 10 })).await?.is_ok();
        ctx.set_result(&json!([unknown.code, far.code, far.path, known]))?;
        Ok(())
    })
    .await;
    let events = run(&stage, input("t1", "r1", vec![])).await;
    let last = serde_json::to_value(events.last().unwrap()).unwrap();
    assert_eq!(last["result"], json!(["unknown_tool", "invalid_arguments", "arguments.to", true]));
}

#[tokio::test]
async fn an_agent_may_do_without_checks() {
    let agent = agent_fn(About::new("shows anything"), |ctx: RunContext| async move {
        ctx.call_client_tool("its:render_quick_quiz", &json!({})).await?;
        Ok(())
    });
    let store = forestage_store::open("memory:").await.unwrap();
    let agents = Agents::from([("it".to_owned(), with_checks(agent, Checks::none()))]);
    let stage = Stage::new(store, agents, Limits::default());
    assert_eq!(kinds(&run(&stage, input("t1", "r1", vec![])).await)[1], "TOOL_CALL_START");
}
