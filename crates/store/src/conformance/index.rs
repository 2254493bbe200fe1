//! Threads and runs.

use std::sync::Arc;

use super::{append, begin, ended, started, texts, thread, wakes};
use crate::{
    Annotation, Answer, Append, AppendError, Boundary, ClaimError, CreateError, Creation, InterruptQuery,
    NewInterrupt, NewThread, Seq, Store, ThreadChange, ThreadQuery,
};

async fn create(store: &Arc<dyn Store>, id: &str, owner: &str, now: i64) {
    store.create_thread(NewThread::new(id, owner, "hello", now)).await.expect("a new thread");
}

async fn listed(store: &Arc<dyn Store>, query: ThreadQuery) -> Vec<String> {
    let page = store.threads(query).await.expect("readable");
    page.items.iter().map(|thread| thread.id.to_string()).collect()
}

fn titled(title: &str, now: i64) -> ThreadChange {
    ThreadChange { title: Some(Some(title.to_owned())), now, ..ThreadChange::default() }
}

pub(super) async fn an_id_is_used_once(store: Arc<dyn Store>) {
    create(&store, "t", "ann", 1).await;
    let refused = store.create_thread(NewThread::new("t", "bob", "hello", 2)).await;
    assert!(matches!(refused, Err(CreateError::Exists(_))), "{refused:?}");
    let entry = store.thread("t".into()).await.expect("readable").expect("there");
    assert_eq!((entry.owner.as_str(), entry.created_at, entry.title), ("ann", 1, None));
}

pub(super) async fn a_thread_can_be_created_and_claimed_at_once(store: Arc<dyn Store>) {
    let new = |owner| NewThread::new("t", owner, "hello", 1);
    let made = store.create_and_claim(new("ann"), "one".into(), 5, 10).await.expect("writable");
    let (entry, lease) = made.expect("a new thread");
    assert_eq!(store.thread("t".into()).await.expect("readable"), Some(entry));
    assert_eq!((lease.holder.as_str(), lease.expires_at), ("one", 15));
    store.append(started(&lease, "r", 0, &["a"])).await.expect("the lease counts");
    let held = store.claim("t".into(), "two".into(), 14, 10).await;
    assert!(matches!(held, Err(ClaimError::Held { .. })), "{held:?}");
    assert_eq!(store.create_and_claim(new("bob"), "two".into(), 99, 10).await.expect("writable"), None);
    store.append(append(&lease, "r", 1, &["b"])).await.expect("nothing has changed");
}

fn creating(owner: &str, run: &str, answers: Vec<Answer>) -> Append {
    let thread = NewThread::new("t", owner, "hello", 1);
    let creation = Creation { thread, holder: "one".into(), for_ms: 10 };
    let append = append(&creation.lease(), run, 0, &["a"]).with_boundary(begin(1, answers));
    Append { creation: Some(creation), ..append }
}

pub(super) async fn a_thread_can_begin_with_an_append(store: Arc<dyn Store>) {
    let answer =
        Answer { interrupt_id: "i".into(), status: "resolved".into(), json: "1".into(), by: "ann".into() };
    let refused = store.append(creating("ann", "r", vec![answer])).await;
    assert!(matches!(refused, Err(AppendError::NotPending { .. })), "{refused:?}");
    assert_eq!(store.thread("t".into()).await.expect("readable"), None, "all of it or nothing");

    for _ in 0..2 {
        let tail = store.append(creating("ann", "r", Vec::new())).await;
        assert_eq!(tail.expect("a new thread, or the same again"), Seq(1));
    }
    let entry = store.thread("t".into()).await.expect("readable").expect("there");
    assert_eq!((entry.owner.as_str(), entry.created_at, entry.runs), ("ann", 1, 1));
    let held = store.claim("t".into(), "two".into(), 10, 10).await;
    assert!(matches!(held, Err(ClaimError::Held { expires_at: 11, .. })), "{held:?}");
    let other = store.append(creating("bob", "q", Vec::new())).await;
    assert!(matches!(other, Err(AppendError::Exists(_))), "{other:?}");
}

pub(super) async fn an_append_can_give_the_lease_back(store: Arc<dyn Store>) {
    let first = creating("ann", "r", Vec::new());
    let lease = first.creation.as_ref().expect("creates").lease();
    store.append(first).await.expect("a new thread");
    let last = ended(append(&lease, "r", 1, &["b"]), "success");
    store.append(Append { release: true, ..last }).await.expect("room");
    let next = store.claim("t".into(), "two".into(), 2, 10).await.expect("nobody holds it");
    assert!(next.fence > lease.fence);
}

pub(super) async fn threads_are_listed_by_owner_newest_first(store: Arc<dyn Store>) {
    create(&store, "a", "ann", 1).await;
    create(&store, "b", "ann", 3).await;
    create(&store, "c", "ann", 2).await;
    create(&store, "x", "bob", 9).await;
    assert_eq!(listed(&store, ThreadQuery::of("ann")).await, ["b", "c", "a"]);
    store.update_thread("a".into(), titled("moved", 7)).await.expect("writable").expect("there");
    assert_eq!(listed(&store, ThreadQuery::of("ann")).await, ["a", "b", "c"]);
    assert_eq!(listed(&store, ThreadQuery::of("nobody")).await, [""; 0]);
}

pub(super) async fn pages_follow_each_other_without_overlap(store: Arc<dyn Store>) {
    for id in ["a", "b", "c", "d", "e"] {
        create(&store, id, "ann", 5).await;
    }
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page =
            store.threads(ThreadQuery { limit: 2, after, ..ThreadQuery::of("ann") }).await.expect("readable");
        seen.extend(page.items.iter().map(|thread| thread.id.to_string()));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(seen, ["e", "d", "c", "b", "a"]);
}

pub(super) async fn titles_can_be_searched(store: Arc<dyn Store>) {
    create(&store, "t-1", "ann", 1).await;
    create(&store, "t-2", "ann", 2).await;
    store.update_thread("t-1".into(), titled("Tomatoes & 100 % water_", 3)).await.expect("writable");
    let search = |text: &str| ThreadQuery { search: Some(text.to_owned()), ..ThreadQuery::of("ann") };
    assert_eq!(listed(&store, search("TOMATO")).await, ["t-1"]);
    assert_eq!(listed(&store, search("100 %")).await, ["t-1"]);
    assert_eq!(listed(&store, search("_w")).await, [""; 0]);
    assert_eq!(listed(&store, search("t-2")).await, ["t-2"]);
}

pub(super) async fn archived_threads_are_listed_on_request(store: Arc<dyn Store>) {
    create(&store, "t", "ann", 1).await;
    let change = ThreadChange { archived: Some(true), now: 2, ..ThreadChange::default() };
    store.update_thread("t".into(), change).await.expect("writable").expect("there");
    assert_eq!(listed(&store, ThreadQuery::of("ann")).await, [""; 0]);
    assert_eq!(listed(&store, ThreadQuery { archived: true, ..ThreadQuery::of("ann") }).await, ["t"]);
    let nothing = store.update_thread("nowhere".into(), titled("x", 1)).await.expect("writable");
    assert_eq!(nothing, None);
}

pub(super) async fn a_thread_remembers_that_its_answers_are_to_be_looked_at(store: Arc<dyn Store>) {
    create(&store, "t", "ann", 1).await;
    let entry = async || store.thread("t".into()).await.expect("readable").expect("there");
    assert!(!entry().await.review);
    for review in [true, false, true] {
        let change = ThreadChange { review: Some(review), now: 2, ..ThreadChange::default() };
        let changed = store.update_thread("t".into(), change).await.expect("writable").expect("there");
        assert_eq!(changed.review, review);
    }
    store.update_thread("t".into(), titled("x", 3)).await.expect("writable").expect("there");
    assert!(entry().await.review, "what is not changed stays");
}

pub(super) async fn a_deleted_thread_is_gone_with_all_it_had(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    let interrupts = vec![NewInterrupt::new("i", "{}")];
    let end = Boundary::Ended { end: "interrupt".into(), at: 2, messages: 1, interrupts };
    store.append(started(&lease, "r", 0, &["a"]).with_boundary(end)).await.expect("room");
    assert!(store.put_snapshot("t".into(), "r".into(), "x".into()).await.expect("writable"));
    assert!(store.annotate(remark()).await.expect("writable"));
    let mut watch = store.watch(&"t".into());
    assert!(store.delete_thread("t".into()).await.expect("writable"));
    assert!(wakes(&mut watch).await, "followers hear of it");
    assert!(!store.delete_thread("t".into()).await.expect("writable"));
    let claimed = store.claim("t".into(), "x".into(), 0, 1).await;
    assert!(matches!(claimed, Err(ClaimError::NoThread(_))), "{claimed:?}");
    is_empty(&store).await;
    create(&store, "t", "ann", 5).await;
    is_empty(&store).await;
    let lease = super::claim(&store, "t", 0).await;
    let again = append(&lease, "r", 0, &["b"]).with_boundary(begin(9, Vec::new()));
    store.append(again).await.expect("the old run is forgotten");
}

fn remark() -> Annotation {
    Annotation {
        id: "a".into(),
        thread_id: "t".into(),
        run_id: None,
        message_id: None,
        kind: "note".into(),
        json: "{}".into(),
        by: "ann".into(),
        at: 1,
    }
}

async fn is_empty(store: &Arc<dyn Store>) {
    assert_eq!(texts(store, "t", 0).await, []);
    assert_eq!(store.runs("t".into()).await.expect("readable"), []);
    assert_eq!(store.snapshot("t".into(), "r".into()).await.expect("readable"), None);
    assert_eq!(store.annotations("t".into()).await.expect("readable"), []);
    let query = InterruptQuery { decided: true, ..InterruptQuery::of("ann") };
    assert_eq!(store.interrupts(query).await.expect("readable"), []);
}
