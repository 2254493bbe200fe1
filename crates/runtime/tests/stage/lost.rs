//! Runs whose process died.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use forestage_protocol::event::Event;
use forestage_runtime::{
    About, AgentError, Agents, Decider, Limits, Question, RunContext, Stage, Verdict, agent_fn,
};
use forestage_store::Store;
use serde_json::json;

use crate::support::*;

/// Leases that are over quickly.
fn hasty() -> Limits {
    Limits { lease: Duration::from_millis(300), grace: Duration::from_millis(50), ..Limits::default() }
}

/// A process that dies in the middle: its runtime is dropped without a word.
fn die_after_the_tool(url: &str, executed: &Arc<AtomicUsize>) {
    let (url, executed) = (url.to_owned(), executed.clone());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        let stage = stage_with(forestage_store::open(&url).await.unwrap(), hasty(), worker(executed, true));
        let started = start(&stage, input("t1", "r1", vec![user("m1", "work")])).await.unwrap();
        let mut follower = stage.follow_run(&started.thread_id, &started.run_id, started.before);
        let mut seen = Vec::new();
        while types(&seen).last() != Some(&"TEXT_MESSAGE_CONTENT") {
            seen.extend(read(&follower.next().await.unwrap().unwrap()));
        }
    });
    runtime.shutdown_background();
}

type Working = std::pin::Pin<Box<dyn Future<Output = Result<(), AgentError>> + Send>>;

fn worker(executed: Arc<AtomicUsize>, hangs: bool) -> impl Fn(RunContext) -> Working + Send + Sync + 'static {
    move |ctx| Box::pin(work(ctx, executed.clone(), hangs))
}

async fn work(ctx: RunContext, executed: Arc<AtomicUsize>, hangs: bool) -> Result<(), AgentError> {
    let paid = ctx
        .call_tool("pay", &json!({"amount": 5}), async |_| {
            executed.fetch_add(1, Ordering::SeqCst);
            "paid"
        })
        .await?;
    let text = ctx.text()?;
    text.push(format!("{paid}, ")).await?;
    if hangs {
        std::future::pending::<()>().await;
    }
    text.push("done").await?;
    Ok(())
}

async fn closed(store: &Arc<dyn Store>, run: &str) {
    let mut watch = store.watch(&"t1".into());
    while store.run("t1".into(), run.into()).await.unwrap().is_none_or(|run| run.end.is_none()) {
        assert!(watch.changed().await);
    }
}

fn database() -> String {
    let folder = tempfile::tempdir().unwrap().keep();
    format!("sqlite:{}", folder.join("it.db").display())
}

async fn log_of(stage: &Stage) -> Vec<Event> {
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    all(&mut stage.read(&thread, forestage_store::Seq::START)).await
}

#[test]
fn a_lost_run_is_closed_in_order_and_a_retry_does_not_repeat_its_tools() {
    let (url, executed) = (database(), Arc::new(AtomicUsize::new(0)));
    die_after_the_tool(&url, &executed);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = forestage_store::open(&url).await.unwrap();
        let stage = stage_with(store.clone(), hasty(), worker(executed.clone(), false));
        closed(&store, "r1").await;
        let events = log_of(&stage).await;
        assert_eq!(types(&events)[events.len() - 2..], ["TEXT_MESSAGE_END", "RUN_ERROR"]);
        let Some(Event::RunError(error)) = events.last() else { unreachable!() };
        assert_eq!(error.code.as_deref(), Some("run_lost"));

        run(&stage, input("t1", "r2", vec![user("m1", "work")])).await;
        assert_eq!(conversation(&stage, "t1").await.last(), Some(&pair("assistant", "paid, done")));
        assert_eq!(executed.load(Ordering::SeqCst), 1, "the payment was made once");
    });
}

#[test]
fn who_wants_the_thread_next_closes_the_lost_run_first() {
    let (url, executed) = (database(), Arc::new(AtomicUsize::new(0)));
    die_after_the_tool(&url, &executed);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = forestage_store::open(&url).await.unwrap();
        let stage = stage_with(store, hasty(), worker(executed, false));
        let next = forestage_runtime::StartRun {
            on_busy: forestage_runtime::OnBusy::Queue,
            ..forestage_runtime::StartRun::new("it", input("t1", "r2", vec![user("m2", "more")]), OWNER)
        };
        let started = stage.start(next).await.unwrap();
        events_of(&stage, &started).await;
        let names = log_of(&stage).await;
        let ends: Vec<_> = types(&names).into_iter().filter(|name| name.starts_with("RUN_")).collect();
        assert_eq!(ends, ["RUN_STARTED", "RUN_ERROR", "RUN_STARTED", "RUN_FINISHED"]);
    });
}

#[tokio::test]
async fn deleting_a_thread_stops_its_run_at_another_process_first() {
    let url = database();
    let holder =
        stage_with(forestage_store::open(&url).await.unwrap(), hasty(), worker(Arc::default(), true));
    let other = stage_with(forestage_store::open(&url).await.unwrap(), hasty(), worker(Arc::default(), true));
    let started = start(&holder, input("t1", "r1", vec![user("m1", "work")])).await.unwrap();
    let mut follower = holder.follow_run(&started.thread_id, &started.run_id, started.before);
    let mut seen = Vec::new();
    while types(&seen).last() != Some(&"TEXT_MESSAGE_CONTENT") {
        seen.extend(read(&follower.next().await.unwrap().unwrap()));
    }
    other.delete(OWNER, &"t1".into()).await.unwrap();
    let Some(Event::RunFinished(end)) = all(&mut follower).await.pop() else { panic!("no end") };
    assert_eq!(serde_json::to_value(&end).unwrap()["outcome"], json!({"type": "cancelled"}));
    assert!(holder.thread(OWNER, &"t1".into()).await.is_err(), "and then it is gone");
}

#[test]
fn a_thread_whose_process_died_is_deleted_all_the_same() {
    let (url, executed) = (database(), Arc::new(AtomicUsize::new(0)));
    die_after_the_tool(&url, &executed);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let stage = stage_with(forestage_store::open(&url).await.unwrap(), hasty(), worker(executed, false));
        stage.delete(OWNER, &"t1".into()).await.unwrap();
        assert!(stage.thread(OWNER, &"t1".into()).await.is_err());
    });
}

/// Asks, and when it is answered, hangs or tells.
fn asker(hangs: bool) -> Agents {
    let agent = agent_fn(About::new("asks"), move |ctx: RunContext| async move {
        ctx.ask(Question::new("input_required", "Sure?").id("sure")).await?;
        if hangs {
            std::future::pending::<()>().await;
        }
        ctx.say("done").await?;
        Ok(())
    });
    Agents::from([("it".to_owned(), agent)])
}

/// A process that dies, or is stopped, in a run that it began itself.
fn end_in_a_run_of_its_own(url: &str, in_order: bool) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        let stage = Stage::new(forestage_store::open(url).await.unwrap(), asker(true), hasty());
        run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
        let owner = Decider { user: OWNER.to_owned(), ..Decider::default() };
        let ruling = stage.decide(&owner, &"sure".into(), Verdict::resolved(json!(true))).await.unwrap();
        assert_eq!(ruling.run.unwrap().run_id.as_str(), "r1-answered");
        if in_order {
            stage.close().await;
        }
    });
    runtime.shutdown_background();
}

#[test]
fn what_the_server_began_goes_on_as_soon_as_its_agent_is_there() {
    for in_order in [false, true] {
        let url = database();
        end_in_a_run_of_its_own(&url, in_order);
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let store = forestage_store::open(&url).await.unwrap();
            // Agents are read from files, and come later than the stage.
            let stage = Stage::new(store.clone(), Agents::default(), hasty());
            closed(&store, "r1-answered").await;
            assert!(is_tried(&store).await, "it stays to be found, whoever comes next");
            stage.set_agents(asker(false));
            let goes_on =
                tokio::time::timeout(Duration::from_secs(10), closed(&store, "r1-answered-answered"));
            goes_on.await.expect("it goes on at once");
            assert_eq!(conversation(&stage, "t1").await.last(), Some(&pair("assistant", "done")));
        });
    }
}

/// Long enough for runs to be shortened; the one that is to be gone on after is not.
async fn is_tried(store: &Arc<dyn Store>) -> bool {
    let mut watch = store.watch(&"t1".into());
    while !store.run("t1".into(), "r1".into()).await.unwrap().unwrap().compacted {
        let _ = tokio::time::timeout(Duration::from_millis(50), watch.changed()).await;
    }
    !store.run("t1".into(), "r1-answered".into()).await.unwrap().unwrap().compacted
}

#[tokio::test]
async fn closing_the_stage_ends_runs_that_do_not_end_themselves() {
    let store = forestage_store::open("memory:").await.unwrap();
    let stage = stage_with(store, hasty(), worker(Arc::default(), true));
    let started = start(&stage, input("t1", "r1", vec![user("m1", "work")])).await.unwrap();
    stage.close().await;
    let events = events_of(&stage, &started).await;
    let Some(Event::RunError(error)) = events.last() else { panic!("{:?}", types(&events)) };
    assert_eq!(error.code.as_deref(), Some("shutdown"));
    assert_eq!(start(&stage, input("t1", "r2", vec![])).await.unwrap_err().code, "shutting_down");
}
