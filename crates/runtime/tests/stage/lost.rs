//! Runs whose process died.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use forestage_protocol::event::Event;
use forestage_runtime::{AgentError, Limits, RunContext, Stage};
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

async fn closed(store: &Arc<dyn Store>) {
    let mut watch = store.watch(&"t1".into());
    while store.run("t1".into(), "r1".into()).await.unwrap().unwrap().end.is_none() {
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
        closed(&store).await;
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
