//! Viewers: from anywhere, at any time, to the same conversation.

use std::sync::Arc;

use forestage_protocol::{apply::ThreadView, event::Event, verify::Verifier};
use forestage_runtime::{Batch, RunContext, Stage};
use forestage_store::{Seq, Store};
use serde_json::json;
use tokio::sync::Notify;

use crate::support::*;

/// Says a bit of everything.
async fn tour(ctx: RunContext) -> Result<(), forestage_runtime::AgentError> {
    let step = ctx.step("look")?;
    let thought = ctx.reasoning()?;
    for word in ["hm ", "so ", "then"] {
        thought.push(word).await?;
    }
    drop(thought);
    let call = ctx.tool_call("search")?;
    for piece in ["{\"q\":", "\"käse\"", "}"] {
        call.push(piece).await?;
    }
    let id = call.end();
    ctx.tool_result(&id, "found").await?;
    drop(step);
    ctx.send_state(&json!({"n": 0})).await?;
    let other = ctx.subagent("helper")?;
    let text = other.text()?;
    for n in 0..10 {
        text.push(format!("wört {n} ")).await?;
        ctx.update_state(|state| state["n"] = json!(n)).await?;
    }
    drop(text);
    other.finish();
    let mut activity = ctx.activity("PLAN", json!({"done": 0}).as_object().unwrap().clone()).await?;
    activity.update(json!({"done": 1}).as_object().unwrap().clone()).await?;
    ctx.say("good bye").await?;
    Ok(())
}

fn fold(events: &[Event]) -> (serde_json::Value, serde_json::Value) {
    let (mut view, mut verifier) = (ThreadView::default(), Verifier::default());
    for event in events {
        verifier.check(event).unwrap();
        view.apply(event);
    }
    (serde_json::to_value(view.messages().collect::<Vec<_>>()).unwrap(), view.state().clone())
}

async fn shortened(store: &Arc<dyn Store>) {
    let mut watch = store.watch(&"t1".into());
    while !store.uncompacted_runs(1).await.unwrap().is_empty() {
        // Compaction has no event of its own to wait for.
        let _ = tokio::time::timeout(std::time::Duration::from_millis(20), watch.changed()).await;
    }
}

#[tokio::test]
async fn every_cursor_continues_exactly_before_and_after_compaction() {
    for url in ["memory:".to_owned(), sqlite()] {
        let store = forestage_store::open(&url).await.unwrap();
        let stage = stage_on(store.clone(), tour);
        let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
        let whole = fold(&events);
        for round in ["as written", "shortened"] {
            let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
            for seen in 0..=events.len() {
                let mut story = events[..seen].to_vec();
                story.extend(all(&mut stage.read(&thread, Seq(seen as u64))).await);
                assert_eq!(fold(&story), whole, "{url} {round}: from {seen}");
            }
            shortened(&store).await;
        }
        let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
        let shorter = all(&mut stage.read(&thread, Seq::START)).await;
        assert!(shorter.len() < events.len(), "{} of {}", shorter.len(), events.len());
        assert_eq!(stage.conversation(&thread, None).await.unwrap().state, whole.1);
    }
}

fn sqlite() -> String {
    let folder = tempfile::tempdir().unwrap().keep();
    format!("sqlite:{}", folder.join("it.db").display())
}

#[tokio::test]
async fn who_joins_without_a_cursor_sees_the_same_conversation_at_any_moment() {
    let go = Arc::new(Notify::new());
    let stage = {
        let go = go.clone();
        stage(move |ctx: RunContext| {
            let go = go.clone();
            async move {
                let (step, text) = (ctx.step("talk")?, ctx.text()?);
                for word in ["a ", "b ", "c ", "d "] {
                    go.notified().await;
                    text.push(word).await?;
                }
                drop((text, step));
                Ok(())
            }
        })
        .await
    };
    let started = start(&stage, input("t1", "r1", vec![user("m1", "go")])).await.unwrap();
    let mut live = stage.follow_run(&started.thread_id, &started.run_id, started.before);
    let mut seen = Vec::new();
    let mut joined: Vec<(Vec<Event>, _)> = Vec::new();
    for _ in 0..4 {
        let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
        let prelude = stage.prelude(&thread).await.unwrap().unwrap();
        let follower = stage.follow_run(&started.thread_id, &started.run_id, prelude.cursor);
        joined.push((prelude.events, follower));
        go.notify_one();
        let before = seen.len();
        while !seen[before..].iter().any(|event| matches!(event, Event::TextMessageContent(_))) {
            seen.extend(read(&live.next().await.unwrap().unwrap()));
        }
    }
    seen.extend(all(&mut live).await);
    for (mut story, mut follower) in joined {
        story.extend(all(&mut follower).await);
        assert_eq!(fold(&story), fold(&seen));
    }
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let late = stage.prelude(&thread).await.unwrap().unwrap();
    assert_eq!(fold(&late.events), fold(&seen));
    assert_eq!(types(&late.events).last(), Some(&"RUN_FINISHED"));
}

#[tokio::test]
async fn a_viewer_who_reads_nothing_holds_nothing() {
    let stage = stage(|ctx: RunContext| async move {
        let text = ctx.text()?;
        for _ in 0..5_000 {
            text.push("x".repeat(1_000)).await?;
        }
        Ok(())
    })
    .await;
    let started = start(&stage, input("t1", "r1", vec![])).await.unwrap();
    let mut stalled = stage.follow_run(&started.thread_id, &started.run_id, started.before);
    let first = stalled.next().await.unwrap().unwrap();
    let others = events_of(&stage, &started).await;
    assert_eq!(others.len(), 5_004);
    let mut late: Vec<Event> = read(&first);
    late.extend(all(&mut stalled).await);
    assert_eq!(late, others, "and comes back to the exact word");
}

#[tokio::test]
async fn a_follower_of_a_thread_sees_run_after_run() {
    let stage = stage(echo).await;
    run(&stage, input("t1", "r1", vec![user("m1", "one")])).await;
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let mut follower = stage.follow(&thread, thread.tail);
    let second = run(&stage, input("t1", "r2", vec![user("m2", "two")])).await;
    let mut seen = Vec::new();
    while seen.len() < second.len() {
        seen.extend(read(&follower.next().await.unwrap().unwrap()));
    }
    assert_eq!(seen, second);
}

#[tokio::test]
async fn coalesced_batches_fold_to_the_same_with_fewer_events() {
    let stage = stage(tour).await;
    let started = start(&stage, input("t1", "r1", vec![user("m1", "go")])).await.unwrap();
    let mut follower = stage.follow_run(&started.thread_id, &started.run_id, started.before);
    let mut batches = Vec::new();
    while let Some(batch) = follower.next().await.unwrap() {
        batches.push(batch);
    }
    let whole = Batch::join(&batches).unwrap();
    let fewer = whole.coalesced();
    assert!(fewer.entries().len() < whole.entries().len());
    assert_eq!(fold(&read(&fewer)), fold(&read(&whole)));
    assert_eq!(fewer.last(), whole.last());
}

#[tokio::test]
async fn a_recording_comes_back_as_the_same_thread() {
    let stage: Arc<Stage> = stage(tour).await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    let copy = stage.import(OWNER, "it", &"t2".into(), events.clone()).await.unwrap();
    let same = |thread: &str| {
        let stage = stage.clone();
        let thread = thread.to_owned();
        async move { conversation(&stage, &thread).await }
    };
    assert_eq!(same("t2").await, same("t1").await);
    assert_eq!((copy.runs, copy.messages), (1, 7));
    let twice = stage.import(OWNER, "it", &"t2".into(), events.clone()).await.unwrap_err();
    assert_eq!(twice.code, "thread_exists");
    let cut = stage.import(OWNER, "it", &"t3".into(), events[..5].to_vec()).await.unwrap_err();
    assert_eq!(cut.path.as_deref(), Some("[5]"));
    assert!(stage.thread(OWNER, &"t3".into()).await.is_err(), "nothing was stored");
}

#[tokio::test]
async fn a_viewer_far_behind_holds_few_bytes_at_a_time_however_large_the_events() {
    let stage = stage(|ctx: RunContext| async move {
        for _ in 0..100 {
            ctx.custom("large", json!("x".repeat(64 << 10))).await?;
        }
        Ok(())
    })
    .await;
    run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let mut viewer = stage.read(&thread, Seq::START);
    let mut sizes = Vec::new();
    while let Some(batch) = viewer.next().await.unwrap() {
        sizes.push(batch.entries().iter().map(|entry| entry.json.len()).sum::<usize>());
    }
    // How large they are is known after the first few.
    let (first, rest) = sizes.split_first().unwrap();
    assert!(*first < 2 << 20 && rest.iter().all(|size| *size <= 256 << 10), "{sizes:?}");
    assert!(sizes.iter().sum::<usize>() > 100 * (64 << 10));
}

#[tokio::test]
async fn a_deleted_thread_ends_its_viewers() {
    for url in ["memory:".to_owned(), sqlite()] {
        let stage = stage_on(forestage_store::open(&url).await.unwrap(), echo);
        run(&stage, input("t1", "r1", vec![user("m1", "one")])).await;
        let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
        let mut viewer = stage.follow(&thread, thread.tail);
        let watching = tokio::spawn(async move { viewer.next().await.unwrap().is_none() });
        tokio::task::yield_now().await;
        stage.delete(OWNER, &"t1".into()).await.unwrap();
        assert!(watching.await.unwrap(), "{url}");
    }
}

#[tokio::test]
async fn what_is_there_is_read_without_waiting_for_more() {
    let stage = stage(echo).await;
    let said = run(&stage, input("t1", "r1", vec![user("m1", "hello")])).await;
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let mut follower = stage.follow(&thread, Seq::START);
    let mut seen = Vec::new();
    while let Some(batch) = follower.ready().await.unwrap() {
        seen.extend(read(&batch));
    }
    assert_eq!(seen, said);
}
