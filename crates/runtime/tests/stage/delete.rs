//! Deleting a thread on which something happens.

use std::{sync::Arc, time::Duration};

use forestage_runtime::{OnBusy, Stage};
use forestage_store::Seq;
use tokio::sync::Notify;

use crate::{
    busy::{asking, queued, request, slow, slow_on},
    support::*,
};

/// Long enough for anything; only a failure waits for it.
const PATIENCE: Duration = Duration::from_secs(20);

async fn delete(stage: &Arc<Stage>) {
    let thread_id = "t1".into();
    let deleted = stage.delete(OWNER, &thread_id);
    tokio::time::timeout(PATIENCE, deleted).await.expect("it does not hang").unwrap();
}

#[tokio::test]
async fn deleting_a_thread_cancels_what_runs_and_what_waits() {
    let bell = Arc::new(Notify::new());
    let stage = slow(&bell).await;
    let first = start(&stage, request("r1")).await.unwrap();
    let mut follower = stage.follow(&stage.thread(OWNER, &"t1".into()).await.unwrap(), Seq::START);
    let (second, third) = (queued(&stage, "r2").await, queued(&stage, "r3").await);
    delete(&stage).await;
    for waiting in [second, third] {
        assert_eq!(waiting.await.unwrap().unwrap_err().code, "run_cancelled");
    }
    let mut seen = Vec::new();
    while let Some(batch) = follower.next().await.unwrap() {
        seen.extend(read(&batch));
    }
    let seen = serde_json::to_value(&seen).unwrap();
    let runs: Vec<_> = seen.as_array().unwrap().iter().filter_map(|event| event["runId"].as_str()).collect();
    assert!(runs.iter().all(|run| *run == first.run_id.as_str()), "no other run begins: {runs:?}");
    assert!(stage.store().thread("t1".into()).await.unwrap().is_none());

    let again = stage.start(asking("r2", OnBusy::Queue)).await.unwrap();
    assert_eq!(again.before.seq, Seq::START, "who comes later begins a new thread");
    bell.notify_one();
    events_of(&stage, &again).await;
}

#[tokio::test]
async fn a_thread_is_deleted_even_if_the_caller_hangs_up() {
    let bell = Arc::new(Notify::new());
    let stage = slow(&bell).await;
    start(&stage, request("r1")).await.unwrap();
    let waiting = queued(&stage, "r2").await;
    let mut news = stage.store().watch(&"t1".into());
    let deleting = tokio::spawn({
        let stage = stage.clone();
        async move { stage.delete(OWNER, &"t1".into()).await }
    });
    assert_eq!(waiting.await.unwrap().unwrap_err().code, "run_cancelled", "it has begun");
    deleting.abort();
    let gone = async {
        while stage.store().thread("t1".into()).await.unwrap().is_some() {
            news.changed().await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.expect("it is carried out");
}

#[tokio::test]
async fn deleting_at_once_from_several_sides_is_one_deletion() {
    let bell = Arc::new(Notify::new());
    let stage = slow(&bell).await;
    start(&stage, request("r1")).await.unwrap();
    queued(&stage, "r2").await;
    tokio::join!(delete(&stage), delete(&stage), delete(&stage));
    assert_eq!(stage.delete(OWNER, &"t1".into()).await.unwrap_err().code, "unknown_thread");
}

#[tokio::test]
async fn a_run_that_waits_at_another_process_is_cancelled_with_the_thread_or_begins_a_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("it.db").display());
    let bell = Arc::new(Notify::new());
    let here = slow_on(forestage_store::open(&url).await.unwrap(), &bell);
    let there = slow_on(forestage_store::open(&url).await.unwrap(), &bell);
    let first = start(&here, request("r1")).await.unwrap();
    let waiting = tokio::spawn({
        let there = there.clone();
        async move { there.start(asking("r2", OnBusy::Queue)).await }
    });
    tokio::task::yield_now().await;
    delete(&here).await;
    let second = waiting.await.unwrap().unwrap();
    if second.before.epoch == first.before.epoch {
        // The other process was faster when the first run was over, so this one ran on the thread, and was cancelled with it.
        assert!(second.before.seq > Seq::START);
        assert!(here.thread(OWNER, &first.thread_id).await.is_err(), "nothing is left of it");
        return;
    }
    assert_eq!(second.before.seq, Seq::START, "it is another thread");
    bell.notify_one();
    assert_eq!(types(&events_of(&there, &second).await).last(), Some(&"RUN_FINISHED"));
}
