//! Runs: what is recorded, how they are stopped, compacted and folded.

use std::sync::Arc;

use bytes::Bytes;

use super::{append, begin, claim, ended, started, texts, thread, wakes};
use crate::{Boundary, Compacted, Entry, RunRecord, Seq, Store, StoreError};

async fn record(store: &Arc<dyn Store>, thread: &str, run: &str) -> RunRecord {
    store.run(thread.into(), run.into()).await.expect("readable").expect("there")
}

fn piece(first: u64, last: u64, text: &str, cuts: &str) -> Compacted {
    let (json, cuts) = (Bytes::from(text.to_owned()), Bytes::from(cuts.to_owned()));
    Compacted { first: Seq(first), last: Seq(last), json, cuts }
}

pub(super) async fn a_run_is_recorded_whole(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(ended(started(&lease, "r1", 0, &["a"]), "success")).await.expect("room");
    let (agent, parent) = ("other".to_owned(), Some("r1".into()));
    let begin = Boundary::Started { request_hash: 7, agent, parent, at: 30, answers: Vec::new() };
    store.append(append(&lease, "r2", 1, &["b", "c"]).with_boundary(begin)).await.expect("room");
    let open = RunRecord {
        thread_id: "t".into(),
        run_id: "r2".into(),
        agent: "other".into(),
        parent: Some("r1".into()),
        request_hash: 7,
        first: Seq(2),
        last: Seq(3),
        end: None,
        started_at: 30,
        ended_at: None,
        cancel_requested: false,
        compacted: false,
        snapshot: false,
    };
    assert_eq!(record(&store, "t", "r2").await, open);
    store.append(ended(append(&lease, "r2", 3, &["d"]), "error")).await.expect("room");
    let closed = RunRecord { last: Seq(4), end: Some("error".into()), ended_at: Some(20), ..open };
    assert_eq!(record(&store, "t", "r2").await, closed);
}

pub(super) async fn an_open_run_can_be_asked_to_stop(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(started(&lease, "r", 0, &["a"])).await.expect("room");
    let renewed = store.renew(lease, 0, 1000).await.expect("ours");
    assert!(!renewed.cancel_requested, "nobody has asked");
    let mut watch = store.watch(&"t".into());
    assert!(store.request_cancel("t".into(), "r".into()).await.expect("writable"));
    assert!(wakes(&mut watch).await, "its holder hears of it");
    assert!(store.request_cancel("t".into(), "r".into()).await.expect("writable"), "asking twice is fine");
    let renewed = store.renew(renewed, 0, 1000).await.expect("ours");
    assert!(renewed.cancel_requested && record(&store, "t", "r").await.cancel_requested);
    assert!(claim(&store, "t", 1000).await.cancel_requested, "and so does the next holder");
}

pub(super) async fn a_run_that_is_not_open_cannot_be_stopped(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(ended(started(&lease, "r", 0, &["a"]), "success")).await.expect("room");
    for (thread, run) in [("t", "r"), ("t", "never"), ("elsewhere", "r")] {
        assert!(!store.request_cancel(thread.into(), run.into()).await.expect("writable"), "{thread} {run}");
    }
    let renewed = store.renew(lease, 0, 1000).await.expect("ours");
    assert!(!renewed.cancel_requested && !record(&store, "t", "r").await.cancel_requested);
}

/// Three runs, of which the middle one covers 2 to 6.
async fn three_runs(store: &Arc<dyn Store>) {
    let lease = thread(store, "t").await;
    store.append(ended(started(&lease, "r1", 0, &["a"]), "success")).await.expect("room");
    store.append(started(&lease, "r2", 1, &["b", "c"])).await.expect("room");
    store.append(append(&lease, "r2", 3, &["d"])).await.expect("room");
    store.append(ended(append(&lease, "r2", 4, &["e", "f"]), "success")).await.expect("room");
    store.append(started(&lease, "r3", 6, &["g"])).await.expect("room");
}

pub(super) async fn compacted_entries_take_the_place_of_a_run(store: Arc<dyn Store>) {
    three_runs(&store).await;
    let pieces = vec![piece(2, 2, "b", ""), piece(3, 5, "cde", "1,2"), piece(6, 6, "f", "")];
    assert!(store.compact("t".into(), "r2".into(), pieces.clone()).await.expect("no gaps"));
    let whole =
        Entry { first: Seq(3), seq: Seq(5), run_id: "r2".into(), json: "cde".into(), cuts: "1,2".into() };
    let all = [
        Entry::event(Seq(1), "r1", "a"),
        Entry::event(Seq(2), "r2", "b"),
        whole,
        Entry::event(Seq(6), "r2", "f"),
        Entry::event(Seq(7), "r3", "g"),
    ];
    for after in 0..=7 {
        let read = store.read("t".into(), Seq(after), Seq::END, 99).await.expect("readable");
        let wanted: Vec<_> = all.iter().filter(|entry| entry.seq > Seq(after)).cloned().collect();
        assert_eq!(read, wanted, "a read from inside an entry returns it whole, after {after}");
    }
    assert!(record(&store, "t", "r2").await.compacted);
    assert!(!store.compact("t".into(), "r2".into(), pieces).await.expect("no matter"), "once is enough");
    assert_eq!(store.thread("t".into()).await.expect("readable").expect("there").tail, Seq(7));
}

pub(super) async fn long_compacted_runs_are_read_in_pieces(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    let long: Vec<String> = (0..40).map(|index| format!("{index}{}", "x".repeat(9000))).collect();
    let events: Vec<&str> = long.iter().map(String::as_str).collect();
    store.append(ended(started(&lease, "r", 0, &events), "success")).await.expect("room");
    let pieces: Vec<_> = (0..20)
        .map(|index| piece(index * 2 + 1, index * 2 + 2, &long[index as usize], &index.to_string()))
        .collect();
    assert!(store.compact("t".into(), "r".into(), pieces.clone()).await.expect("no gaps"));
    let mut read = Vec::new();
    loop {
        let after = read.last().map_or(Seq::START, |entry: &Entry| entry.seq);
        let some = store.read("t".into(), after, Seq::END, 3).await.expect("readable");
        if some.is_empty() {
            break;
        }
        read.extend(some);
    }
    let shown: Vec<_> = read
        .into_iter()
        .map(|entry| Compacted { first: entry.first, last: entry.seq, json: entry.json, cuts: entry.cuts })
        .collect();
    assert_eq!(shown, pieces);
}

pub(super) async fn compaction_leaves_no_hole(store: Arc<dyn Store>) {
    three_runs(&store).await;
    let before = texts(&store, "t", 0).await;
    for pieces in [
        vec![],
        vec![piece(2, 5, "x", "")],
        vec![piece(3, 6, "x", "")],
        vec![piece(1, 6, "x", "")],
        vec![piece(2, 7, "x", "")],
        vec![piece(2, 3, "x", ""), piece(5, 6, "x", "")],
        vec![piece(2, 4, "x", ""), piece(4, 6, "x", "")],
        vec![piece(2, 3, "x", ""), piece(4, 3, "x", ""), piece(4, 6, "x", "")],
    ] {
        let refused = store.compact("t".into(), "r2".into(), pieces.clone()).await;
        assert!(matches!(refused, Err(StoreError::NotCovered(_))), "{pieces:?}");
    }
    for (thread, run) in [("t", "r3"), ("t", "never"), ("elsewhere", "r2")] {
        let done = store.compact(thread.into(), run.into(), vec![piece(7, 7, "x", "")]).await;
        assert!(!done.expect("no such ended run"), "{thread} {run}");
    }
    assert_eq!(texts(&store, "t", 0).await, before);
    assert!(!record(&store, "t", "r2").await.compacted);
}

pub(super) async fn compaction_swallows_nothing_of_another_run(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(started(&lease, "r1", 0, &["a"])).await.expect("room");
    store.append(started(&lease, "r2", 1, &["b"])).await.expect("room");
    store.append(ended(append(&lease, "r1", 2, &["c"]), "success")).await.expect("room");
    let refused = store.compact("t".into(), "r1".into(), vec![piece(1, 3, "x", "")]).await;
    assert!(matches!(refused, Err(StoreError::NotCovered(_))), "{refused:?}");
    assert_eq!(texts(&store, "t", 0).await.len(), 3);
}

pub(super) async fn ended_runs_are_found_for_compaction_oldest_first(store: Arc<dyn Store>) {
    for (id, at) in [("t1", 3), ("t2", 1), ("t3", 2)] {
        let lease = thread(&store, id).await;
        let end = Boundary::Ended { end: "success".into(), at, messages: 0, interrupts: Vec::new() };
        store.append(started(&lease, id, 0, &["a"]).with_boundary(end)).await.expect("room");
        store.append(started(&lease, "open", 1, &["b"])).await.expect("room");
    }
    let found = |runs: Vec<RunRecord>| runs.iter().map(|run| run.run_id.to_string()).collect::<Vec<_>>();
    assert_eq!(found(store.uncompacted_runs(9).await.expect("readable")), ["t2", "t3", "t1"]);
    assert_eq!(found(store.uncompacted_runs(2).await.expect("readable")), ["t2", "t3"]);
    assert!(store.compact("t2".into(), "t2".into(), vec![piece(1, 1, "a", "")]).await.expect("no gaps"));
    assert_eq!(found(store.uncompacted_runs(9).await.expect("readable")), ["t3", "t1"]);
}

pub(super) async fn a_snapshot_is_kept_for_a_run(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    let first = append(&lease, "r", 0, &["a"]).with_boundary(begin(1, Vec::new()));
    store.append(first).await.expect("room");
    let (thread, run) = (|| "t".into(), || "r".into());
    assert_eq!(store.snapshot(thread(), run()).await.expect("readable"), None);
    for body in ["one", "two"] {
        assert!(store.put_snapshot(thread(), run(), body.into()).await.expect("writable"));
        assert_eq!(store.snapshot(thread(), run()).await.expect("readable"), Some(body.into()));
    }
    assert!(record(&store, "t", "r").await.snapshot);
    for (thread, run) in [("t", "never"), ("elsewhere", "r")] {
        assert!(!store.put_snapshot(thread.into(), run.into(), "x".into()).await.expect("writable"));
        assert_eq!(store.snapshot(thread.into(), run.into()).await.expect("readable"), None);
    }
}
