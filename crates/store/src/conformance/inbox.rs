//! The inbox: what waits, for whom, until when, and what can go on.

use std::{sync::Arc, time::Duration};

use super::{
    append, claim,
    decide::{asked, decide},
    ended,
    interrupt::{answer, answering, ask, asking},
    started, thread, wakes,
};
use crate::{
    Boundary, Decide, InterruptQuery, Lease, NewInterrupt, NewThread, Store, ThreadChange, ThreadStatus,
    Viewer, Watch,
};

/// A thread of somebody on which a run asks at a time.
async fn asks(store: &Arc<dyn Store>, id: &str, owner: &str, at: i64, new: NewInterrupt) -> Lease {
    store.create_thread(NewThread::new(id, owner, "hello", 1)).await.expect("a new thread");
    let lease = claim(store, id, 0).await;
    let end = Boundary::Ended { end: "interrupt".into(), at, messages: 1, interrupts: vec![new] };
    store.append(started(&lease, "r1", 0, &["?"]).with_boundary(end)).await.expect("room");
    lease
}

fn for_role(id: &str, role: &str) -> NewInterrupt {
    NewInterrupt { role: Some(role.into()), ..ask(id) }
}

fn viewer(user: &str, roles: &[&str]) -> Viewer {
    Viewer { user: user.into(), roles: roles.iter().map(|role| (*role).to_owned()).collect() }
}

async fn listed(store: &Arc<dyn Store>, query: InterruptQuery) -> Vec<String> {
    let found = store.interrupts(query).await.expect("readable");
    found.iter().map(|interrupt| interrupt.id.to_string()).collect()
}

async fn due(store: &Arc<dyn Store>, now: i64, limit: usize) -> Vec<String> {
    let found = store.due_interrupts(now, limit).await.expect("readable");
    found.iter().map(|interrupt| interrupt.id.to_string()).collect()
}

async fn resumable(store: &Arc<dyn Store>) -> Vec<String> {
    let found = store.resumable(9).await.expect("readable");
    found.iter().map(ToString::to_string).collect()
}

async fn move_head(store: &Arc<dyn Store>, run: &str) {
    let change = ThreadChange { head: Some(Some(run.into())), now: 70, ..ThreadChange::default() };
    store.update_thread("t".into(), change).await.expect("writable").expect("there");
}

pub(super) async fn who_has_the_role_sees_what_names_it(store: Arc<dyn Store>) {
    asks(&store, "t1", "ann", 41, for_role("a", "boss")).await;
    asks(&store, "t2", "bob", 42, for_role("b", "nurse")).await;
    asks(&store, "t3", "bob", 43, ask("c")).await;
    let sees = async |user, roles: &[&str]| listed(&store, InterruptQuery::of(viewer(user, roles))).await;
    assert_eq!(sees("ann", &[]).await, ["a"], "the owner sees what others decide");
    assert_eq!(sees("bob", &[]).await, ["b", "c"]);
    assert_eq!(sees("eve", &["boss"]).await, ["a"]);
    assert_eq!(sees("eve", &["clerk", "nurse", "boss"]).await, ["a", "b"]);
    assert_eq!(sees("bob", &["boss", "nurse"]).await, ["a", "b", "c"], "each once");
    assert_eq!(sees("eve", &["ann"]).await, [""; 0], "a role is no user");
    let get = async |id: &str, viewer| store.interrupt(id.into(), viewer).await.expect("readable");
    assert!(get("a", viewer("eve", &["boss"])).await.is_some());
    assert!(get("b", viewer("eve", &["boss"])).await.is_none());
    assert!(get("c", viewer("eve", &["boss", "nurse"])).await.is_none());
    let record = get("a", viewer("ann", &[])).await.expect("her own");
    assert!(record.may_decide(&viewer("eve", &["boss"])) && !record.may_decide(&viewer("ann", &[])));
}

pub(super) async fn interrupts_are_listed_in_pages(store: Arc<dyn Store>) {
    let (one, two) = (thread(&store, "t1").await, thread(&store, "t2").await);
    store.append(asking(&one, "r", 0, 41, &["b", "a"])).await.expect("room");
    store.append(asking(&two, "r", 0, 41, &["c", "a"])).await.expect("room");
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let query = InterruptQuery { limit: 1, after, ..InterruptQuery::of("ann") };
        let page = store.interrupts(query).await.expect("readable");
        let Some(last) = page.last() else { break };
        after = Some(last.place());
        seen.extend(page.iter().map(|found| format!("{}/{}", found.thread_id, found.id)));
    }
    assert_eq!(seen, ["t1/a", "t1/b", "t2/a", "t2/c"]);
}

pub(super) async fn what_is_pending_counts_on_the_branch_that_is_shown(store: Arc<dyn Store>) {
    let lease = asked(&store, ask("i")).await;
    store.append(ended(started(&lease, "r2", 1, &["a"]), "success")).await.expect("room");
    let waits = async || {
        let entry = store.thread("t".into()).await.expect("readable").expect("there");
        let count = usize::from(entry.pending == 1);
        assert_eq!(entry.status, [ThreadStatus::Idle, ThreadStatus::Waiting][count]);
        assert_eq!(listed(&store, InterruptQuery::of("ann")).await.len(), count);
        let all = InterruptQuery { decided: true, ..InterruptQuery::of("ann") };
        assert_eq!(listed(&store, all).await.len(), count);
        assert_eq!(due(&store, 200, 9).await.len(), count);
        assert!(store.interrupt("i".into(), "ann".into()).await.expect("readable").is_some());
        count == 1
    };
    assert!(!waits().await);
    move_head(&store, "r1").await;
    assert!(waits().await, "somebody went back to it");
}

pub(super) async fn what_is_due_comes_oldest_first(store: Arc<dyn Store>) {
    let until = |id: &str, expires_at| NewInterrupt { expires_at, ..ask(id) };
    asks(&store, "t1", "ann", 41, until("late", Some(102))).await;
    asks(&store, "t2", "bob", 42, until("early", Some(100))).await;
    asks(&store, "t3", "ann", 43, until("never", None)).await;
    asks(&store, "t", "ann", 44, until("i", Some(101))).await;
    assert_eq!(due(&store, 99, 9).await, [""; 0]);
    assert_eq!(due(&store, 100, 9).await, ["early"]);
    assert_eq!(due(&store, 500, 9).await, ["early", "i", "late"]);
    assert_eq!(due(&store, 500, 2).await, ["early", "i"]);
    store.decide(Decide { status: "expired".into(), ..decide("clock", 500) }).await.expect("writable");
    assert_eq!(due(&store, 500, 9).await, ["early", "late"]);
}

pub(super) async fn a_thread_can_go_on_when_all_is_decided(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(asking(&lease, "r1", 0, 40, &["i", "j"])).await.expect("room");
    assert_eq!(resumable(&store).await, [""; 0]);
    store.decide(decide("ann", 45)).await.expect("writable");
    assert_eq!(resumable(&store).await, [""; 0], "`j` is not decided");
    store.decide(Decide { interrupt_id: "j".into(), ..decide("ann", 46) }).await.expect("writable");
    assert_eq!(resumable(&store).await, ["t"]);
    let answers = vec![answer("i", "ann"), answer("j", "ann")];
    store.append(answering(&lease, "r2", 1, answers)).await.expect("room");
    assert_eq!(resumable(&store).await, [""; 0], "a run has carried them in");
    store.append(ended(append(&lease, "r2", 2, &["!"]), "error")).await.expect("room");
    move_head(&store, "r1").await;
    assert_eq!(resumable(&store).await, [""; 0], "once is enough");
}

pub(super) async fn what_can_go_on_is_the_head(store: Arc<dyn Store>) {
    let lease = asked(&store, ask("i")).await;
    store.append(ended(started(&lease, "r2", 1, &["a"]), "interrupt")).await.expect("room");
    store.decide(decide("ann", 45)).await.expect("writable");
    assert_eq!(resumable(&store).await, [""; 0], "nobody asked on this branch");
    move_head(&store, "r1").await;
    assert_eq!(resumable(&store).await, ["t"]);
}

pub(super) async fn what_was_decided_first_goes_on_first(store: Arc<dyn Store>) {
    for (id, decided_at) in [("t1", 52), ("t2", 51), ("t3", 53)] {
        asks(&store, id, "ann", 40, ask("i")).await;
        let decide = Decide { thread_id: id.into(), ..decide("ann", decided_at) };
        store.decide(decide).await.expect("writable");
    }
    assert_eq!(resumable(&store).await, ["t2", "t1", "t3"]);
    assert_eq!(store.resumable(1).await.expect("readable"), ["t2".into()]);
}

pub(super) async fn who_watches_the_inbox_hears_of_every_change(store: Arc<dyn Store>) {
    let mut watch = store.watch_inbox();
    let lease = asked(&store, NewInterrupt { needs: 2, ..ask("i") }).await;
    assert!(wakes(&mut watch).await, "asked");
    store.decide(Decide { vote: true, ..decide("bob", 45) }).await.expect("writable");
    assert!(wakes(&mut watch).await, "a vote");
    store.decide(Decide { vote: true, ..decide("ann", 46) }).await.expect("writable");
    assert!(wakes(&mut watch).await, "decided");
    store.append(asking(&lease, "r2", 1, 50, &["j"])).await.expect("room");
    assert!(wakes(&mut watch).await, "asked again");
    store.append(ended(answering(&lease, "r3", 2, vec![answer("j", "ann")]), "success")).await.expect("room");
    assert!(wakes(&mut watch).await, "answered");
    move_head(&store, "r1").await;
    assert!(wakes(&mut watch).await, "another branch");
    assert!(store.delete_thread("t".into()).await.expect("writable"));
    assert!(wakes(&mut watch).await, "deleted");
}

pub(super) async fn who_watches_the_inbox_sleeps_while_agents_talk(store: Arc<dyn Store>) {
    let lease = asked(&store, ask("i")).await;
    store.decide(decide("ann", 45)).await.expect("writable");
    let mut watch = store.watch_inbox();
    store.append(started(&lease, "r2", 1, &["a"])).await.expect("room");
    store.append(ended(append(&lease, "r2", 2, &["b"]), "success")).await.expect("room");
    store.decide(decide("eve", 46)).await.expect("writable");
    assert!(sleeps(&mut watch).await);
}

async fn sleeps(watch: &mut Watch) -> bool {
    tokio::time::timeout(Duration::ZERO, watch.changed()).await.is_err()
}
