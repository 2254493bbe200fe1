//! Contracts 002 and 004 for agents that know nothing of them: a model, a script, an agent elsewhere and a Rust function.

use serde_json::{Value, json};

use crate::{
    agora_agents::{Walk, form},
    support::*,
    trainer2::{chunks, of, says},
    wire::*,
};

/// Sends an input of 004.
async fn run(walk: &Walk, run: &str, text: &str, resume: Option<Value>) -> Vec<Value> {
    let mut body = json!({
        "threadId": "t1", "runId": run, "messages": [user(run, text)],
        "tools": [], "context": [], "state": {}, "forwardedProps": {},
    });
    if let Some(resume) = resume {
        body["messages"] = json!([]);
        body["resume"] = resume;
    }
    let frames = stream(&walk.server, "/run?agent=general-agent", &body).await;
    judge("net", &frames);
    frames
}

#[tokio::test]
async fn every_kind_of_agent_speaks_calls_and_fails_as_004_has_it() {
    for walk in Walk::all().await {
        let frames = run(&walk, "r1", "hello", None).await;
        assert_eq!(text(&frames), "Hello there.", "{}", walk.kind);
        let frames = run(&walk, "r2", "search", None).await;
        let mut call: Vec<_> =
            kinds(&frames).into_iter().filter(|kind| kind.starts_with("TOOL_CALL")).collect();
        // A model's arguments come in pieces.
        call.dedup();
        let whole = ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT"];
        assert_eq!(call, whole, "{}", walk.kind);
        assert_eq!(frames.last().unwrap()["outcome"], "success", "{}", walk.kind);
        let frames = run(&walk, "r3", "fail", None).await;
        assert_eq!(frames.last().unwrap()["type"], "RUN_ERROR", "{}", walk.kind);
    }
}

#[tokio::test]
async fn every_kind_of_agent_pauses_for_an_approval_and_goes_on_as_004_has_it() {
    for (approved, said) in [(true, "The report is ready."), (false, "There is no report: ")] {
        for walk in Walk::all().await {
            let frames = run(&walk, "r1", "report", None).await;
            let last = frames.last().unwrap();
            assert_eq!(last["outcome"], "interrupt", "{}", walk.kind);
            let payload = json!({
                "functionName": "generate_final_report", "functionArguments": { "inspectionId": "INS-1" },
            });
            assert_eq!(last["interrupt"]["payload"], payload, "{}", walk.kind);
            let answer =
                json!({ "interruptId": last["interrupt"]["id"], "payload": { "approved": approved } });
            let frames = run(&walk, "r2", "", Some(answer)).await;
            assert!(text(&frames).starts_with(said), "{}: {frames:#?}", walk.kind);
            assert_eq!(frames.last().unwrap()["outcome"], "success", "{}", walk.kind);
        }
    }
}

#[tokio::test]
async fn every_kind_of_agent_speaks_calls_and_draws_as_002_has_it() {
    for walk in Walk::all().await {
        let mut socket = Socket::open(&walk.server, "/realtime?agent=general-agent").await;
        socket.send(&says("t1", "r1", "search")).await;
        let frames = socket.until("RUN_FINISHED").await;
        let expected =
            ["RUN_STARTED", "TOOL_CALL_STARTED", "TOOL_CALL_RESULT", "TEXT_MESSAGE_CHUNK", "RUN_FINISHED"];
        assert_eq!(kinds(&frames), expected, "{}", walk.kind);
        assert_eq!(chunks(&frames), ["Based on the regulations it is fine."], "{}", walk.kind);
        socket.send(&says("t1", "r2", "form")).await;
        let frames = socket.until("RUN_FINISHED").await;
        let drawn = of(&frames, "CUSTOM");
        assert_eq!((drawn.len(), &drawn[0]["value"]["view"]), (1, &form()), "{}", walk.kind);
        assert!(!chunks(&frames).concat().contains("a2ui"), "{}: {frames:#?}", walk.kind);
        socket.send(&says("t1", "r3", "fail")).await;
        socket.until("RUN_ERROR").await;
    }
}
