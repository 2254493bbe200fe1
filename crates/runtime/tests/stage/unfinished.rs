//! Calls of which nobody knows whether they were made: the process died in the middle.

use std::sync::{Arc, Mutex};

use forestage_runtime::{
    About, Agents, Limits, RunContext, Stage, agent_fn,
    house::HouseRules,
    tool::{Tools, tool_fn},
    with_house,
};
use forestage_store::Store;
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

use crate::support::*;

/// The keys with which the tool was called.
type Keys = Arc<Mutex<Vec<String>>>;

/// A stage with an agent that calls one tool. The tool says that it was called, and comes to no end if it is told to hang.
fn stage_of(store: Arc<dyn Store>, keys: &Keys, kind: Kind, hangs: Option<Arc<Notify>>) -> Arc<Stage> {
    let keys = keys.clone();
    let act = tool_fn("act", move |call, _: Map<String, Value>| {
        keys.lock().unwrap().push(call.key);
        let hangs = hangs.clone();
        async move {
            if let Some(called) = hangs {
                called.notify_one();
                std::future::pending::<()>().await;
            }
            Ok("acted")
        }
    });
    let act = if kind.is_repeatable { act.repeatable() } else { act };
    let agent = agent_fn(About::new("acts"), |ctx: RunContext| async move {
        for used in ctx.use_tools(vec![("act".to_owned(), json!({}))]).await? {
            ctx.say(used.unwrap_or_else(|error| error.code)).await?;
        }
        Ok(())
    });
    let rules = format!("rules: [{{ tools: [act], action: {} }}]", kind.action);
    let house = HouseRules::parse("house", &rules).unwrap();
    let agents = Agents::from([("it".to_owned(), with_house(agent, Tools::new().with(act).unwrap(), house))]);
    let limits = Limits {
        lease: std::time::Duration::from_millis(300),
        grace: std::time::Duration::from_millis(50),
        ..Limits::default()
    };
    Stage::new(store, agents, limits)
}

#[derive(Clone, Copy)]
struct Kind {
    is_repeatable: bool,
    /// What the rules say about it when the run is tried again.
    action: &'static str,
}

/// Lets a process die while the tool is at work, tries again, and returns the keys and what was said.
fn tried_again(kind: Kind) -> (Vec<String>, String) {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("it.db").display());
    let keys = Keys::default();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        let (called, allowed) = (Arc::new(Notify::new()), Kind { action: "allow", ..kind });
        let store = forestage_store::open(&url).await.unwrap();
        let stage = stage_of(store, &keys, allowed, Some(called.clone()));
        start(&stage, input("t1", "r1", vec![user("m1", "go")])).await.unwrap();
        called.notified().await;
    });
    runtime.shutdown_background();

    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let store = forestage_store::open(&url).await.unwrap();
        let stage = stage_of(store.clone(), &keys, kind, None);
        let mut watch = store.watch(&"t1".into());
        while store.run("t1".into(), "r1".into()).await.unwrap().is_none_or(|run| run.end.is_none()) {
            assert!(watch.changed().await);
        }
        run(&stage, input("t1", "r2", vec![user("m1", "go")])).await;
        let (_, said) = conversation(&stage, "t1").await.pop().unwrap();
        (keys.lock().unwrap().clone(), said)
    })
}

#[test]
fn a_call_that_may_be_repeated_is_made_again_with_its_key() {
    let (keys, said) = tried_again(Kind { is_repeatable: true, action: "allow" });
    assert_eq!((keys.len(), said.as_str()), (2, "acted"));
    assert_eq!(keys[0], keys[1], "so that whoever executes it can tell");
}

#[test]
fn a_call_that_may_not_be_repeated_is_not_and_nobody_says_that_it_was_not_made() {
    for kind in [
        Kind { is_repeatable: false, action: "allow" },
        Kind { is_repeatable: true, action: "deny" },
        Kind { is_repeatable: false, action: "deny" },
    ] {
        let (keys, said) = tried_again(kind);
        assert_eq!((keys.len(), said.as_str()), (1, "outcome_unknown"));
    }
}
