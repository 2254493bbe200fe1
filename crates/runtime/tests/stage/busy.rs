//! Several requests for one thread.

use std::sync::Arc;

use forestage_protocol::input::RunAgentInput;
use forestage_runtime::{OnBusy, Refusal, RefusalKind, RunContext, Stage, StartRun, Started};
use tokio::sync::Notify;

use crate::support::*;

/// An agent that speaks, and waits for the bell before it ends.
pub(crate) async fn slow(bell: &Arc<Notify>) -> Arc<Stage> {
    slow_on(forestage_store::open("memory:").await.unwrap(), bell)
}

pub(crate) fn slow_on(store: Arc<dyn forestage_store::Store>, bell: &Arc<Notify>) -> Arc<Stage> {
    let bell = bell.clone();
    stage_on(store, move |ctx: RunContext| {
        let bell = bell.clone();
        async move {
            ctx.say(format!("run {}", ctx.run_id())).await?;
            bell.notified().await;
            Ok(())
        }
    })
}

pub(crate) fn request(run: &str) -> RunAgentInput {
    input("t1", run, vec![user(&format!("m-{run}"), "go")])
}

pub(crate) fn asking(run: &str, on_busy: OnBusy) -> StartRun {
    StartRun { on_busy, ..StartRun::new("it", request(run), OWNER) }
}

#[tokio::test]
async fn a_busy_thread_refuses_by_default() {
    let bell = Arc::new(Notify::new());
    let stage = slow(&bell).await;
    let first = start(&stage, request("r1")).await.unwrap();
    let refusal = start(&stage, request("r2")).await.unwrap_err();
    assert_eq!((refusal.kind, refusal.code), (RefusalKind::Conflict, "thread_busy"));
    assert!(refusal.message.contains("r1"));
    bell.notify_one();
    assert_eq!(types(&events_of(&stage, &first).await).last(), Some(&"RUN_FINISHED"));
}

#[tokio::test]
async fn a_queued_run_begins_when_the_thread_is_free() {
    let bell = Arc::new(Notify::new());
    let stage = slow(&bell).await;
    let first = start(&stage, request("r1")).await.unwrap();
    let queued = tokio::spawn({
        let stage = stage.clone();
        async move { stage.start(asking("r2", OnBusy::Queue)).await }
    });
    bell.notify_one();
    events_of(&stage, &first).await;
    let second: Started = queued.await.unwrap().unwrap();
    bell.notify_one();
    events_of(&stage, &second).await;
    let said: Vec<_> = conversation(&stage, "t1").await.into_iter().map(|(_, text)| text).collect();
    assert_eq!(said, ["go", "run r1", "go", "run r2"]);
}

#[tokio::test]
async fn a_replacing_run_cancels_the_one_under_way() {
    let bell = Arc::new(Notify::new());
    let stage = slow(&bell).await;
    let first = start(&stage, request("r1")).await.unwrap();
    let second = stage.start(asking("r2", OnBusy::Replace)).await.unwrap();
    let ended = serde_json::to_value(events_of(&stage, &first).await.last().unwrap()).unwrap();
    assert_eq!(ended["outcome"]["type"], "cancelled");
    bell.notify_one();
    assert_eq!(types(&events_of(&stage, &second).await).last(), Some(&"RUN_FINISHED"));
}

#[tokio::test]
async fn requests_that_arrive_twice_at_once_are_one_run() {
    let bell = Arc::new(Notify::new());
    let stage = slow(&bell).await;
    let twins = (0..8).map(|_| {
        let stage = stage.clone();
        tokio::spawn(async move { start(&stage, request("r1")).await })
    });
    let mut started = Vec::new();
    for twin in twins.collect::<Vec<_>>() {
        started.push(twin.await.unwrap().unwrap());
    }
    assert_eq!(started.iter().filter(|one| !one.attached).count(), 1);
    bell.notify_one();
    let seen = events_of(&stage, &started[0]).await;
    for other in &started[1..] {
        assert_eq!(events_of(&stage, other).await, seen);
    }
}

#[tokio::test]
async fn two_processes_cannot_run_the_same_thread_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("it.db").display());
    let bell = Arc::new(Notify::new());
    let here = slow_on(forestage_store::open(&url).await.unwrap(), &bell);
    let there = slow_on(forestage_store::open(&url).await.unwrap(), &bell);
    let first = start(&here, request("r1")).await.unwrap();
    assert_eq!(start(&there, request("r2")).await.unwrap_err().code, "thread_busy");

    let same = start(&there, request("r1")).await.unwrap();
    assert!(same.attached, "the same request attaches across processes");
    let watching = tokio::spawn({
        let there = there.clone();
        async move { events_of(&there, &same).await }
    });
    bell.notify_one();
    let seen_here = events_of(&here, &first).await;
    assert_eq!(watching.await.unwrap(), seen_here);
    bell.notify_one();
    let second = there.start(asking("r2", OnBusy::Queue)).await.unwrap();
    assert_eq!(types(&events_of(&there, &second).await).last(), Some(&"RUN_FINISHED"));
}

#[tokio::test]
async fn cancelling_and_finishing_at_once_ends_in_one_of_both() {
    for _ in 0..50 {
        let bell = Arc::new(Notify::new());
        let stage = slow(&bell).await;
        let started = start(&stage, request("r1")).await.unwrap();
        let (thread, run) = (started.thread_id.clone(), started.run_id.clone());
        let (_, cancelled) = tokio::join!(async { bell.notify_one() }, stage.cancel(OWNER, &thread, &run));
        cancelled.unwrap();
        let events = events_of(&stage, &started).await;
        assert_eq!(types(&events).iter().filter(|name| **name == "RUN_FINISHED").count(), 1);
        assert_eq!(types(&events).last(), Some(&"RUN_FINISHED"));
    }
}

#[tokio::test]
async fn of_several_who_replace_each_other_one_stays_and_all_come_to_an_end() {
    let bell = Arc::new(Notify::new());
    let stage = slow(&bell).await;
    start(&stage, request("r0")).await.unwrap();
    let rivals = (1..5).map(|number| {
        let stage = stage.clone();
        tokio::spawn(async move { stage.start(asking(&format!("r{number}"), OnBusy::Replace)).await })
    });
    let mut outcomes = Vec::new();
    for rival in rivals.collect::<Vec<_>>() {
        outcomes.push(rival.await.unwrap());
    }
    bell.notify_one();
    let runs = stage.store().runs("t1".into()).await.unwrap();
    let last = runs.last().unwrap().run_id.clone();
    let before = outcomes.iter().flatten().find(|started| started.run_id == last).unwrap();
    assert_eq!(types(&events_of(&stage, before).await).last(), Some(&"RUN_FINISHED"));
    let ends: Vec<_> =
        stage.store().runs("t1".into()).await.unwrap().into_iter().map(|run| run.end.unwrap()).collect();
    assert_eq!(ends.iter().filter(|end| *end == "success").count(), 1, "{ends:?}");
}

#[tokio::test]
async fn a_queued_run_gets_its_turn_even_if_nobody_waits_for_it() {
    let bell = Arc::new(Notify::new());
    let stage = slow(&bell).await;
    let first = start(&stage, request("r1")).await.unwrap();
    let queued = tokio::spawn({
        let stage = stage.clone();
        async move { stage.start(asking("r2", OnBusy::Queue)).await }
    });
    // It has to be asked before it can be left.
    tokio::task::yield_now().await;
    queued.abort();
    let mut follower =
        stage.follow(&stage.thread(OWNER, &"t1".into()).await.unwrap(), forestage_store::Seq::START);
    bell.notify_one();
    events_of(&stage, &first).await;
    let mut seen = Vec::new();
    while !seen.iter().any(|event| serde_json::to_value(event).unwrap()["delta"] == "run r2") {
        seen.extend(read(&follower.next().await.unwrap().unwrap()));
    }
    bell.notify_one();
}

/// Asks for a run that has to wait, and returns when it does: the same request again is taken for the same run from then on.
pub(crate) async fn queued(
    stage: &Arc<Stage>,
    run: &str,
) -> tokio::task::JoinHandle<Result<Started, Refusal>> {
    let task = tokio::spawn({
        let (stage, request) = (stage.clone(), asking(run, OnBusy::Queue));
        async move { stage.start(request).await }
    });
    let other = StartRun {
        input: input("t1", run, vec![user("m", "something else")]),
        ..asking(run, OnBusy::Reject)
    };
    while stage.start(other.clone()).await.unwrap_err().code != "run_conflict" {
        tokio::task::yield_now().await;
    }
    task
}

#[tokio::test]
async fn a_queued_run_is_cancelled_before_it_begins_by_its_owner_alone() {
    let bell = Arc::new(Notify::new());
    let stage = slow(&bell).await;
    let first = start(&stage, request("r1")).await.unwrap();
    let waiting = queued(&stage, "r2").await;
    let stranger = stage.cancel("eve", &"t1".into(), &"r2".into()).await.unwrap_err();
    assert_eq!(stranger.code, "unknown_thread");
    assert!(stage.cancel(OWNER, &"t1".into(), &"r2".into()).await.unwrap());
    assert_eq!(waiting.await.unwrap().unwrap_err().code, "run_cancelled");
    bell.notify_one();
    events_of(&stage, &first).await;
    assert_eq!(stage.store().runs("t1".into()).await.unwrap().len(), 1, "it never begins");
}

#[tokio::test]
async fn the_same_request_again_waits_for_the_run_that_is_queued() {
    let bell = Arc::new(Notify::new());
    let stage = slow(&bell).await;
    let first = start(&stage, request("r1")).await.unwrap();
    let waiting = queued(&stage, "r2").await;
    let again = tokio::spawn({
        let stage = stage.clone();
        async move { stage.start(asking("r2", OnBusy::Reject)).await }
    });
    tokio::task::yield_now().await;
    bell.notify_one();
    events_of(&stage, &first).await;
    let (second, again) = (waiting.await.unwrap().unwrap(), again.await.unwrap().unwrap());
    assert_eq!((second.before, second.attached), (again.before, false));
    assert!(again.attached);
    bell.notify_one();
    assert_eq!(types(&events_of(&stage, &again).await).last(), Some(&"RUN_FINISHED"));
}
