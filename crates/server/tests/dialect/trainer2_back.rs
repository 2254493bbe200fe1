//! A socket that comes back to a thread with `?threadId=` sees what goes on there, whoever begins it.

use std::sync::Arc;

use forestage_runtime::{About, RunContext, agent_fn};
use forestage_server::{Http, Keys};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::{
    support::*,
    trainer2::{agents, chunks, coach, run, says},
    wire::serve_agent,
};

const ECHO: &str = "rules: [{ do: [{ text: 'You said {{user}}.' }] }]";

async fn echo() -> Running {
    serve(agents(&[("echo", ECHO)]), Keys::default(), "memory:", Http::default()).await
}

/// What the next run on a socket says, with its id.
async fn next_run(socket: &mut Socket) -> (Value, Vec<Value>) {
    let frames = socket.until("RUN_FINISHED").await;
    assert_eq!(frames[0]["type"], "RUN_STARTED", "{frames:#?}");
    (frames[0]["runId"].clone(), frames)
}

#[tokio::test]
async fn runs_that_others_begin_are_shown_as_they_happen() {
    let server = echo().await;
    let mut other = Socket::open(&server, "/realtime").await;
    run(&mut other, &says("t1", "r1", "one")).await;
    let mut back = Socket::open(&server, "/realtime?threadId=t1").await;
    // The answer to a frame of its own says that it listens.
    run(&mut back, &says("t2", "other", "else")).await;
    for (id, text) in [("r2", "two"), ("r3", "three")] {
        run(&mut other, &says("t1", id, text)).await;
        let (shown, frames) = next_run(&mut back).await;
        assert_eq!((&shown, chunks(&frames)), (&json!(id), vec![format!("You said {text}.").as_str()]));
    }
}

#[tokio::test]
async fn runs_of_its_own_are_shown_once() {
    let server = echo().await;
    let mut back = Socket::open(&server, "/realtime?threadId=t1").await;
    for (id, text) in [("r1", "one"), ("r2", "two")] {
        let frames = run(&mut back, &says("t1", id, text)).await;
        assert_eq!(kinds(&frames), ["RUN_STARTED", "TEXT_MESSAGE_CHUNK", "RUN_FINISHED"]);
        assert_eq!(frames[0]["runId"], id, "nothing of the run before comes twice");
    }
    let again = run(&mut back, &says("t1", "r1", "one")).await;
    assert_eq!(
        (&again[0]["runId"], chunks(&again)),
        (&json!("r1"), vec!["You said one."]),
        "asked for again"
    );
}

#[tokio::test]
async fn a_run_that_ends_while_its_client_comes_back_is_shown_once_at_a_time() {
    const MESSAGES: usize = 1000;
    let go = Arc::new(Notify::new());
    let waits = go.clone();
    let agent = agent_fn(About::new("says a lot"), move |ctx: RunContext| {
        let waits = waits.clone();
        async move {
            ctx.say("One.").await?;
            waits.notified().await;
            for _ in 1..MESSAGES {
                ctx.say("x".repeat(20_000)).await?;
            }
            Ok(())
        }
    });
    let server = serve_agent(agent, Keys::default(), Http::default()).await;
    let mut first = Socket::open(&server, "/realtime?threadId=t1").await;
    first.send(&says("t1", "r1", "go")).await;
    first.until("TEXT_MESSAGE_CHUNK").await;
    let mut back = Socket::open(&server, "/realtime?threadId=t1").await;
    let mut frames = back.until("TEXT_MESSAGE_CHUNK").await;
    go.notify_one();
    // The run is over, and most of it is still on its way to a client that does not read.
    first.until("RUN_FINISHED").await;
    back.send(&says("t1", "r1", "go")).await;
    frames.extend(back.until("RUN_FINISHED").await);
    let count = |kind: &str| frames.iter().filter(|frame| frame["type"] == kind).count();
    assert_eq!((count("RUN_STARTED"), count("TEXT_MESSAGE_CHUNK")), (1, MESSAGES));
}

#[tokio::test]
async fn a_thread_that_is_not_there_yet_is_shown_when_somebody_begins_it() {
    let server = echo().await;
    let mut early = Socket::open(&server, "/realtime?threadId=t1").await;
    run(&mut early, &says("t2", "other", "else")).await;
    let mut other = Socket::open(&server, "/realtime").await;
    run(&mut other, &says("t1", "r1", "one")).await;
    let (id, frames) = next_run(&mut early).await;
    assert_eq!((id, chunks(&frames)), (json!("r1"), vec!["You said one."]));
}

#[tokio::test]
async fn a_gate_that_opens_later_is_shown_and_answered() {
    let server = coach().await;
    let mut first = Socket::open(&server, "/realtime?mode=audit").await;
    let mut back = Socket::open(&server, "/realtime?threadId=t1").await;
    run(&mut back, &says("t2", "other", "HELLO")).await;
    first.send(&says("t1", "r1", "HELLO")).await;
    let staged = back.next().await;
    assert_eq!(staged["type"], "RUN_STAGED");
    back.send(&json!({ "type": "RUN_STAGE_DENIED", "threadId": "t1", "runId": "r1" })).await;
    for socket in [&mut back, &mut first] {
        let frames = socket.until("RUN_FINISHED").await;
        let kinds = kinds(&frames).into_iter().filter(|kind| kind != "RUN_STAGED").collect::<Vec<_>>();
        assert_eq!(kinds, ["RUN_STAGE_DENIED", "RUN_FINISHED"], "a run that is not sent never starts");
    }
}
