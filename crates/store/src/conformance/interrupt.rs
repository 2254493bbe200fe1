//! Interrupts.

use std::sync::Arc;

use bytes::Bytes;

use super::{append, begin, ended, texts, thread};
use crate::{
    Answer, Append, AppendError, Boundary, Decision, InterruptQuery, InterruptRecord, Lease, NewInterrupt,
    NewThread, Store,
};

/// A run that ends by asking.
pub(super) fn asking(lease: &Lease, run: &str, after: u64, at: i64, ids: &[&str]) -> Append {
    let interrupts = ids.iter().map(|id| ask(id)).collect();
    let end = Boundary::Ended { end: "interrupt".into(), at, messages: 1, interrupts };
    append(lease, run, after, &["?"]).with_boundary(begin(at, Vec::new())).with_boundary(end)
}

pub(super) fn ask(id: &str) -> NewInterrupt {
    NewInterrupt { expires_at: Some(99), ..NewInterrupt::new(id, format!("\"{id}?\"")) }
}

pub(super) fn answer(id: &str, by: &str) -> Answer {
    Answer { interrupt_id: id.into(), status: "resolved".into(), json: "\"yes\"".into(), by: by.into() }
}

/// A run that begins with answers.
pub(super) fn answering(lease: &Lease, run: &str, after: u64, answers: Vec<Answer>) -> Append {
    append(lease, run, after, &["!"]).with_boundary(begin(50, answers))
}

async fn listed(store: &Arc<dyn Store>, query: InterruptQuery) -> Vec<(String, String)> {
    let found = store.interrupts(query).await.expect("readable");
    found.iter().map(|interrupt| (interrupt.thread_id.to_string(), interrupt.id.to_string())).collect()
}

async fn pending(store: &Arc<dyn Store>, id: &str) -> u64 {
    store.thread(id.into()).await.expect("readable").expect("there").pending
}

pub(super) async fn an_interrupt_is_pending_until_it_is_answered(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(asking(&lease, "r1", 0, 40, &["i"])).await.expect("room");
    let open = InterruptRecord {
        id: "i".into(),
        thread_id: "t".into(),
        run_id: "r1".into(),
        agent: "hello".into(),
        owner: "ann".into(),
        role: None,
        needs: 1,
        json: "\"i?\"".into(),
        private: Bytes::new(),
        opened_at: 40,
        expires_at: Some(99),
        votes: Vec::new(),
        decision: None,
    };
    let get = || store.interrupt("i".into(), "ann".into());
    assert_eq!(get().await.expect("readable"), Some(open.clone()));
    assert_eq!(pending(&store, "t").await, 1);
    store.append(answering(&lease, "r2", 1, vec![answer("i", "bob")])).await.expect("room");
    let decision = Decision {
        status: "resolved".into(),
        json: "\"yes\"".into(),
        by: "bob".into(),
        at: 50,
        run_id: Some("r2".into()),
    };
    let decided = InterruptRecord { decision: Some(decision), ..open };
    assert_eq!(get().await.expect("readable"), Some(decided));
    assert_eq!(pending(&store, "t").await, 0);
}

pub(super) async fn the_first_answer_wins(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(asking(&lease, "r1", 0, 40, &["i", "j"])).await.expect("room");
    let first = ended(answering(&lease, "r2", 1, vec![answer("i", "bob")]), "success");
    store.append(first.clone()).await.expect("room");
    store.append(first).await.expect("the same again is no second answer");
    let late = answering(&lease, "r3", 2, vec![answer("j", "eve"), answer("i", "eve")]);
    let refused = store.append(late).await;
    assert!(
        matches!(&refused, Err(AppendError::NotPending { interrupt_id, decided_by: Some(who) })
            if **interrupt_id == *"i" && who == "bob"),
        "{refused:?}"
    );
    assert_eq!(texts(&store, "t", 0).await.len(), 2, "nothing of it is kept");
    assert_eq!(store.run("t".into(), "r3".into()).await.expect("readable"), None);
    let entry = store.thread("t".into()).await.expect("readable").expect("there");
    assert_eq!(
        (entry.pending, entry.runs, entry.head.as_deref()),
        (0, 2, Some("r2")),
        "`j` is of a run that is left"
    );
}

pub(super) async fn only_pending_interrupts_of_the_thread_can_be_answered(store: Arc<dyn Store>) {
    let (lease, other) = (thread(&store, "t").await, thread(&store, "other").await);
    store.append(asking(&other, "r1", 0, 40, &["i"])).await.expect("room");
    let unknown = store.append(answering(&lease, "r2", 0, vec![answer("i", "bob")])).await;
    assert!(matches!(unknown, Err(AppendError::NotPending { decided_by: None, .. })), "{unknown:?}");
    let twice = vec![answer("i", "bob"), answer("i", "eve")];
    let refused = store.append(answering(&other, "r2", 1, twice)).await;
    assert!(
        matches!(&refused, Err(AppendError::NotPending { decided_by: Some(who), .. }) if who == "bob"),
        "{refused:?}"
    );
    assert_eq!(pending(&store, "other").await, 1);
}

pub(super) async fn interrupts_are_listed_by_owner_oldest_first(store: Arc<dyn Store>) {
    let (one, two) = (thread(&store, "t1").await, thread(&store, "t2").await);
    store.create_thread(NewThread::new("x", "bob", "hello", 1)).await.expect("a new thread");
    let foreign = super::claim(&store, "x", 0).await;
    store.append(asking(&one, "r", 0, 42, &["b", "c"])).await.expect("room");
    store.append(asking(&two, "r", 0, 41, &["a"])).await.expect("room");
    store.append(asking(&foreign, "r", 0, 40, &["z"])).await.expect("room");
    let pair = |thread: &str, id: &str| (thread.to_owned(), id.to_owned());
    let of = InterruptQuery::of;
    let all = [pair("t2", "a"), pair("t1", "b"), pair("t1", "c")];
    assert_eq!(listed(&store, of("ann")).await, all);
    assert_eq!(listed(&store, InterruptQuery { limit: 2, ..of("ann") }).await, all[..2]);
    assert_eq!(listed(&store, InterruptQuery { thread_id: Some("t1".into()), ..of("ann") }).await, all[1..]);
    assert_eq!(listed(&store, InterruptQuery { thread_id: Some("x".into()), ..of("ann") }).await, []);
    store.append(answering(&one, "r2", 1, vec![answer("b", "ann")])).await.expect("room");
    assert_eq!(listed(&store, of("ann")).await, all[..1], "`c` is of a run that is left");
    assert_eq!(listed(&store, InterruptQuery { decided: true, ..of("ann") }).await, all[..2]);
}

pub(super) async fn an_interrupt_is_found_by_its_owner_only(store: Arc<dyn Store>) {
    let (one, two) = (thread(&store, "t1").await, thread(&store, "t2").await);
    store.append(asking(&one, "r", 0, 42, &["i"])).await.expect("room");
    store.append(asking(&two, "r", 0, 41, &["i"])).await.expect("room");
    let found = store.interrupt("i".into(), "ann".into()).await.expect("readable").expect("there");
    assert_eq!(&*found.thread_id, "t1", "the newest of that id");
    assert_eq!(store.interrupt("i".into(), "bob".into()).await.expect("readable"), None);
    assert_eq!(store.interrupt("k".into(), "ann".into()).await.expect("readable"), None);
}

pub(super) async fn asking_again_under_an_id_opens_it_anew(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(asking(&lease, "r1", 0, 40, &["i"])).await.expect("room");
    let answered = ended(answering(&lease, "r2", 1, vec![answer("i", "bob")]), "success");
    store.append(answered).await.expect("room");
    store.append(asking(&lease, "r3", 2, 60, &["i"])).await.expect("room");
    let found = store.interrupt("i".into(), "ann".into()).await.expect("readable").expect("there");
    assert_eq!((&*found.run_id, found.opened_at, found.decision), ("r3", 60, None));
    assert_eq!(listed(&store, InterruptQuery { decided: true, ..InterruptQuery::of("ann") }).await.len(), 1);
}
