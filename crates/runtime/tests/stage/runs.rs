//! Runs from beginning to end.

use std::time::Duration;

use forestage_protocol::{
    event::{Event, RunError, TextMessageContent},
    input::{Context, RunAgentInput},
    tool::Tool,
};
use forestage_runtime::{Limits, RefusalKind, RunContext, StartRun};
use serde_json::json;

use crate::support::*;

#[tokio::test]
async fn a_run_begins_speaks_and_ends() {
    let stage = stage(echo).await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "hello there")])).await;
    assert_eq!(
        types(&events),
        [
            "RUN_STARTED",
            "TEXT_MESSAGE_START",
            "TEXT_MESSAGE_CONTENT",
            "TEXT_MESSAGE_CONTENT",
            "TEXT_MESSAGE_END",
            "RUN_FINISHED"
        ]
    );
    assert_eq!(
        conversation(&stage, "t1").await,
        [pair("user", "hello there"), pair("assistant", "hello there")]
    );
}

#[tokio::test]
async fn the_log_keeps_what_a_client_brings_and_not_what_it_passes_through() {
    let stage = stage(echo).await;
    let brought = RunAgentInput {
        tools: Some(vec![Tool::new("clock", "tells the time")]),
        context: Some(vec![Context::new("page", "cart")]),
        state: Some(json!({ "a": 1 }).into()),
        forwarded_props: Some(json!({ "key": "secret" }).into()),
        ..input("t1", "r1", vec![user("m1", "hi")])
    };
    let events = run(&stage, brought).await;
    let Event::RunStarted(started) = &events[0] else { panic!("{:?}", types(&events)) };
    let kept = serde_json::to_value(started.input.as_deref().unwrap()).unwrap();
    assert_eq!(kept["tools"][0]["name"], "clock");
    assert_eq!(kept["context"], json!([{ "description": "page", "value": "cart" }]));
    assert_eq!(kept["messages"][0]["id"], "m1");
    assert_eq!((kept.get("forwardedProps"), kept.get("state")), (None, None));
    let Event::StateSnapshot(state) = &events[1] else { panic!("{:?}", types(&events)) };
    assert_eq!(state.snapshot, json!({ "a": 1 }).into());
}

#[tokio::test]
async fn the_same_request_attaches_and_another_under_its_id_is_a_conflict() {
    let stage = stage(echo).await;
    let request = input("t1", "r1", vec![user("m1", "hello")]);
    let first = run(&stage, request.clone()).await;
    let again = start(&stage, request).await.unwrap();
    assert!(again.attached);
    assert_eq!(events_of(&stage, &again).await, first);

    let other = start(&stage, input("t1", "r1", vec![user("m1", "something else")])).await.unwrap_err();
    assert_eq!((other.kind, other.code), (RefusalKind::Conflict, "run_conflict"));
}

#[tokio::test]
async fn an_agent_that_fails_ends_its_run_with_its_code() {
    let stage = stage(|ctx: RunContext| async move {
        let _text = ctx.text()?;
        Err(forestage_runtime::AgentError::new("no_luck", "it did not work"))
    })
    .await;
    let events = run(&stage, input("t1", "r1", vec![])).await;
    assert_eq!(types(&events), ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "RUN_ERROR"]);
    let Some(Event::RunError(error)) = events.last() else { panic!("no error") };
    assert_eq!((error.code.as_deref(), error.message.as_str()), (Some("no_luck"), "it did not work"));
}

#[tokio::test]
async fn an_agent_that_panics_or_breaks_a_rule_harms_only_its_run() {
    let stage = stage(|ctx: RunContext| async move {
        match ctx.last_user_text().as_deref() {
            Some("panic") => panic!("on purpose"),
            Some("end") => ctx.emit(RunError::new("I quit")).await?,
            _ => ctx.emit(TextMessageContent::new("nobody", "opened this")).await?,
        }
        Ok(())
    })
    .await;
    let panicked = run(&stage, input("t1", "r1", vec![user("m1", "panic")])).await;
    assert_eq!(code(&panicked), Some("agent_panicked".to_owned()));
    let usurped = run(&stage, input("t1", "r3", vec![user("m3", "end")])).await;
    assert_eq!(code(&usurped), Some("agent_error".to_owned()));
    let illegal = run(&stage, input("t1", "r2", vec![user("m2", "rules")])).await;
    assert_eq!(code(&illegal), Some("text_message_not_open".to_owned()));
}

#[tokio::test]
async fn a_run_has_limits() {
    let limits = Limits { run_time: Duration::from_millis(30), run_events: 50, ..Limits::default() };
    let store = forestage_store::open("memory:").await.unwrap();
    let stage = stage_with(store, limits, |ctx: RunContext| async move {
        let text = ctx.text()?;
        while ctx.last_user_text().as_deref() == Some("talk") {
            text.push("and on ").await?;
        }
        std::future::pending::<()>().await;
        Ok(())
    });
    let long = run(&stage, input("t1", "r1", vec![user("m1", "wait")])).await;
    assert_eq!(code(&long), Some("run_timeout".to_owned()));
    let large = run(&stage, input("t1", "r2", vec![user("m2", "talk")])).await;
    assert_eq!(code(&large), Some("run_too_large".to_owned()));
}

#[tokio::test]
async fn cancelling_ends_what_is_open_and_everybody_sees_it() {
    let stage = stage(|ctx: RunContext| async move {
        let step = ctx.step("think")?;
        let text = ctx.text()?;
        text.push("half a sent").await?;
        std::future::pending::<()>().await;
        drop((step, text));
        Ok(())
    })
    .await;
    let started = start(&stage, input("t1", "r1", vec![])).await.unwrap();
    let mut follower = stage.follow_run(&started.thread_id, &started.run_id, started.before);
    let mut seen = Vec::new();
    while types(&seen).last() != Some(&"TEXT_MESSAGE_CONTENT") {
        seen.extend(read(&follower.next().await.unwrap().unwrap()));
    }
    assert!(stage.cancel(OWNER, &"t1".into(), &"r1".into()).await.unwrap());
    seen.extend(all(&mut follower).await);
    assert_eq!(types(&seen)[4..], ["TEXT_MESSAGE_END", "STEP_FINISHED", "RUN_FINISHED"]);
    let last = serde_json::to_value(seen.last().unwrap()).unwrap();
    assert_eq!(last["outcome"], json!({"type": "cancelled"}));
    assert_eq!(conversation(&stage, "t1").await, [pair("assistant", "half a sent")]);
    assert!(!stage.cancel(OWNER, &"t1".into(), &"r1".into()).await.unwrap());
}

#[tokio::test]
async fn state_travels_as_differences() {
    let stage = stage(|ctx: RunContext| async move {
        ctx.set_state(
            &json!({"steps": ["one"], "note": "a rather long text that is worth no second sending"}),
        )
        .await?;
        ctx.update_state(|state| state["steps"] = json!(["one", "two"])).await?;
        Ok(())
    })
    .await;
    let events = run(&stage, input("t1", "r1", vec![])).await;
    assert_eq!(types(&events)[1..3], ["STATE_SNAPSHOT", "STATE_DELTA"]);
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let state = stage.conversation(&thread, None).await.unwrap().state;
    assert_eq!(state["steps"], json!(["one", "two"]));
}

#[tokio::test]
async fn a_stranger_finds_nothing() {
    let stage = stage(echo).await;
    run(&stage, input("t1", "r1", vec![user("m1", "mine")])).await;
    assert_eq!(stage.thread("eve", &"t1".into()).await.unwrap_err().kind, RefusalKind::NotFound);
    let theirs = stage.start(StartRun::new("it", input("t1", "r2", vec![]), "eve")).await.unwrap_err();
    assert_eq!((theirs.kind, theirs.code), (RefusalKind::NotFound, "unknown_thread"));
    let cancel = stage.cancel("eve", &"t1".into(), &"r1".into()).await.unwrap_err();
    assert_eq!(cancel.kind, RefusalKind::NotFound);
}

#[tokio::test]
async fn an_unknown_agent_is_named_with_those_there_are() {
    let stage = stage(echo).await;
    let refusal = stage.start(StartRun::new("nobody", input("t1", "r1", vec![]), OWNER)).await.unwrap_err();
    assert_eq!((refusal.code, refusal.hint.as_deref()), ("unknown_agent", Some("there are: it")));
}

fn code(events: &[Event]) -> Option<String> {
    match events.last() {
        Some(Event::RunError(error)) => error.code.clone(),
        _ => None,
    }
}
