//! What a thread's entry says about its runs.

use std::sync::Arc;

use super::{append, begin, ended, started, thread};
use crate::{
    Boundary, NewInterrupt, NewThread, RunRecord, Seq, Store, Thread, ThreadChange, ThreadQuery, ThreadStatus,
};

async fn entry(store: &Arc<dyn Store>) -> Thread {
    store.thread("t".into()).await.expect("readable").expect("there")
}

async fn is(store: &Arc<dyn Store>, status: ThreadStatus) {
    assert_eq!(entry(store).await.status, status);
    for other in [ThreadStatus::Idle, ThreadStatus::Running, ThreadStatus::Waiting, ThreadStatus::Failed] {
        let page = store.threads(ThreadQuery { status: Some(other), ..ThreadQuery::of("ann") }).await;
        let found = page.expect("readable").items.len();
        assert_eq!(found, usize::from(other == status), "{} lists {}", status.as_str(), other.as_str());
    }
}

pub(super) async fn a_thread_says_what_it_is_doing(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    is(&store, ThreadStatus::Idle).await;
    store.append(started(&lease, "r1", 0, &["a"])).await.expect("room");
    is(&store, ThreadStatus::Running).await;
    store.append(ended(append(&lease, "r1", 1, &["b"]), "error")).await.expect("room");
    is(&store, ThreadStatus::Failed).await;
    let interrupts = vec![NewInterrupt::new("i", "{}")];
    let end = Boundary::Ended { end: "interrupt".into(), at: 3, messages: 2, interrupts };
    store.append(started(&lease, "r2", 2, &["c"]).with_boundary(end)).await.expect("room");
    is(&store, ThreadStatus::Waiting).await;
    let cancelled = crate::Answer {
        interrupt_id: "i".into(),
        status: "cancelled".into(),
        json: "null".into(),
        by: "ann".into(),
    };
    let next = append(&lease, "r3", 3, &["d"]).with_boundary(begin(4, vec![cancelled]));
    store.append(ended(next, "success")).await.expect("room");
    is(&store, ThreadStatus::Idle).await;
    store.append(ended(started(&lease, "r4", 4, &["e"]), RunRecord::TOOL_CALLS)).await.expect("room");
    is(&store, ThreadStatus::Waiting).await;
    store.append(ended(started(&lease, "r5", 5, &["f"]), "success")).await.expect("room");
    is(&store, ThreadStatus::Idle).await;
}

pub(super) async fn boundaries_move_the_entry_and_events_do_not(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(started(&lease, "r1", 0, &["a"])).await.expect("room");
    let begun = entry(&store).await;
    assert_eq!((begun.updated_at, begun.runs, begun.messages, begun.head.as_deref()), (10, 1, 0, Some("r1")));
    store.append(append(&lease, "r1", 1, &["b"])).await.expect("room");
    assert_eq!(entry(&store).await, Thread { tail: Seq(2), ..begun });
    store.append(ended(append(&lease, "r1", 2, &["c"]), "success")).await.expect("room");
    let over = entry(&store).await;
    assert_eq!((over.updated_at, over.runs, over.messages, over.tail), (20, 1, 1, Seq(3)));
}

pub(super) async fn the_head_is_the_run_that_began_last_or_was_chosen(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    assert_eq!(entry(&store).await.head, None);
    store.append(ended(started(&lease, "r1", 0, &["a"]), "success")).await.expect("room");
    store.append(ended(started(&lease, "r2", 1, &["b"]), "error")).await.expect("room");
    assert_eq!(entry(&store).await.head, Some("r2".into()));
    is(&store, ThreadStatus::Failed).await;
    let to = |head| ThreadChange { head: Some(head), now: 30, ..ThreadChange::default() };
    let moved = store.update_thread("t".into(), to(Some("r1".into()))).await.expect("writable");
    assert_eq!(moved.expect("there").head, Some("r1".into()));
    is(&store, ThreadStatus::Idle).await;
    let named = ThreadChange { title: Some(Some("x".into())), now: 31, ..ThreadChange::default() };
    let named = store.update_thread("t".into(), named).await.expect("writable").expect("there");
    assert_eq!(named.head, Some("r1".into()), "what is not changed stays");
    let gone = store.update_thread("t".into(), to(None)).await.expect("writable").expect("there");
    assert_eq!((gone.head, gone.title.as_deref()), (None, Some("x")));
}

pub(super) async fn threads_can_be_listed_by_agent(store: Arc<dyn Store>) {
    for (id, agent) in [("a", "tutor"), ("b", "coach"), ("c", "tutor")] {
        store.create_thread(NewThread::new(id, "ann", agent, 1)).await.expect("a new thread");
    }
    let query = ThreadQuery { agent: Some("tutor".into()), ..ThreadQuery::of("ann") };
    let page = store.threads(query).await.expect("readable");
    let ids: Vec<_> = page.items.iter().map(|thread| thread.id.as_str()).collect();
    assert_eq!(ids, ["c", "a"]);
}
