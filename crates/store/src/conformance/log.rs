//! The log.

use std::sync::Arc;

use super::{append, ended, started, texts, thread};
use crate::{AppendError, Seq, Store};

fn numbered(texts: &[&str]) -> Vec<(u64, String)> {
    texts.iter().enumerate().map(|(index, text)| (index as u64 + 1, (*text).to_owned())).collect()
}

pub(super) async fn entries_are_numbered_from_one_without_gaps(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    assert_eq!(store.append(started(&lease, "r", 0, &["a", "b"])).await.expect("room"), Seq(2));
    assert_eq!(store.append(append(&lease, "r", 2, &["c"])).await.expect("room"), Seq(3));
    assert_eq!(texts(&store, "t", 0).await, numbered(&["a", "b", "c"]));
    let entry = store.thread("t".into()).await.expect("readable").expect("there");
    assert_eq!(entry.tail, Seq(3));
}

pub(super) async fn reading_goes_on_from_any_place(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(started(&lease, "r", 0, &["a", "b"])).await.expect("room");
    store.append(append(&lease, "r", 2, &["c", "d", "e"])).await.expect("room");
    let all = numbered(&["a", "b", "c", "d", "e"]);
    for after in 0..=6_usize {
        assert_eq!(texts(&store, "t", after as u64).await, all[after.min(5)..], "after {after}");
        for limit in 1..4 {
            let some = store.read("t".into(), Seq(after as u64), Seq::END, limit).await.expect("readable");
            assert!(some.len() <= limit && (after >= 5 || !some.is_empty()), "after {after}, {limit}");
            assert!(
                some.iter().enumerate().all(|(index, entry)| entry.seq == Seq((after + index + 1) as u64))
            );
        }
    }
}

pub(super) async fn a_read_stops_where_it_is_told(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(started(&lease, "r", 0, &["a", "b", "c"])).await.expect("room");
    store.append(append(&lease, "r", 3, &["d", "e"])).await.expect("room");
    for (after, until) in [(0, 0), (0, 2), (1, 3), (1, 4), (4, 4), (4, 9)] {
        let some = store.read("t".into(), Seq(after), Seq(until), 99).await.expect("readable");
        let numbers: Vec<u64> = some.iter().map(|entry| entry.seq.0).collect();
        assert_eq!(numbers, (after + 1..=until.min(5)).collect::<Vec<_>>(), "after {after} until {until}");
    }
}

pub(super) async fn bytes_come_back_as_they_went_in(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    let big = format!("{{\"x\":\"{}\"}}", "ü\\n".repeat(100_000));
    store.append(started(&lease, "r", 0, &["{}", &big, "", "{\"e\":\"👩‍🚀\"}"])).await.expect("room");
    assert_eq!(texts(&store, "t", 0).await, numbered(&["{}", &big, "", "{\"e\":\"👩‍🚀\"}"]));
}

pub(super) async fn a_writer_with_the_wrong_end_is_refused(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(started(&lease, "r", 0, &["a"])).await.expect("room");
    for after in [0, 2, 9] {
        let refused = store.append(append(&lease, "r", after, &["x"])).await;
        assert!(
            matches!(refused, Err(AppendError::Conflict { expected, found }) if expected == Seq(after) && found == Seq(1)),
            "{refused:?}"
        );
    }
    assert_eq!(texts(&store, "t", 0).await, numbered(&["a"]));
}

pub(super) async fn the_same_append_again_changes_nothing(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    let first = started(&lease, "r", 0, &["a", "b"]);
    store.append(first.clone()).await.expect("room");
    assert_eq!(store.append(first.clone()).await.expect("the same again"), Seq(2));
    store.append(append(&lease, "r", 2, &["c"])).await.expect("room");
    assert_eq!(store.append(first).await.expect("even later"), Seq(2));
    assert_eq!(texts(&store, "t", 0).await, numbered(&["a", "b", "c"]));
}

pub(super) async fn a_long_append_is_like_a_short_one(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    let long: Vec<String> = (0..300).map(|number| format!("{{\"delta\":\"word{number}\"}}")).collect();
    let long: Vec<&str> = long.iter().map(String::as_str).collect();
    let first = started(&lease, "r", 0, &long);
    assert_eq!(store.append(first.clone()).await.expect("room"), Seq(300));
    assert_eq!(store.append(first).await.expect("the same again"), Seq(300));
    let other = store.append(started(&lease, "r", 0, &[&long[1..], &long[..1]].concat())).await;
    assert!(matches!(other, Err(AppendError::Conflict { .. })), "{other:?}");
    assert_eq!(texts(&store, "t", 0).await, numbered(&long));
    assert_eq!(texts(&store, "t", 250).await, numbered(&long)[250..]);
}

pub(super) async fn many_short_appends_are_like_a_long_one(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    let all: Vec<String> = (0..150).map(|number| format!("word{number}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    store.append(started(&lease, "r", 0, &all[..1])).await.expect("room");
    for (after, text) in all.iter().enumerate().skip(1) {
        let one = append(&lease, "r", after as u64, &[text]);
        assert_eq!(store.append(one).await.expect("room"), Seq(after as u64 + 1));
    }
    for place in [0, 1, 63, 64, 65, 127, 128, 149, 150] {
        assert_eq!(texts(&store, "t", place as u64).await, numbered(&all)[place..]);
        let page = store.read("t".into(), Seq(place as u64), Seq(140), 3).await.expect("readable");
        assert_eq!(page.len(), 140_usize.saturating_sub(place).min(3), "after {place}");
    }
    for after in [1, 80, 149] {
        let again = append(&lease, "r", after, &[all[after as usize]]);
        assert_eq!(store.append(again).await.expect("the same again"), Seq(after + 1));
    }
    let run =
        |store: Arc<dyn Store>| async move { store.run("t".into(), "r".into()).await.expect("readable") };
    assert_eq!(run(store.clone()).await.expect("there").last, Seq(150));
    store.append(ended(append(&lease, "r", 150, &["end"]), "success")).await.expect("room");
    assert_eq!(run(store.clone()).await.expect("there").last, Seq(151));
    assert_eq!(texts(&store, "t", 0).await, numbered(&[&all[..], &["end"]].concat()));
}

pub(super) async fn runs_that_take_turns_on_a_thread_keep_their_order(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(started(&lease, "r1", 0, &["a"])).await.expect("room");
    store.append(started(&lease, "r2", 1, &["b"])).await.expect("room");
    store.append(append(&lease, "r1", 2, &["c"])).await.expect("room");
    store.append(append(&lease, "r2", 3, &["d"])).await.expect("room");
    assert_eq!(texts(&store, "t", 0).await, numbered(&["a", "b", "c", "d"]));
    let runs = store.runs("t".into()).await.expect("readable");
    let ends: Vec<_> = runs.iter().map(|run| (&*run.run_id, run.first.0, run.last.0)).collect();
    assert_eq!(ends, [("r1", 1, 3), ("r2", 2, 4)]);
}

pub(super) async fn a_thread_that_does_not_exist_takes_nothing(store: Arc<dyn Store>) {
    let mut lease = thread(&store, "t").await;
    lease.thread_id = "elsewhere".into();
    let refused = store.append(append(&lease, "r", 0, &["a"])).await;
    assert!(matches!(refused, Err(AppendError::NoThread(_))), "{refused:?}");
    assert_eq!(texts(&store, "elsewhere", 0).await, []);
}

pub(super) async fn runs_are_recorded_with_their_boundaries(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(started(&lease, "r1", 0, &["a"])).await.expect("room");
    store.append(append(&lease, "r1", 1, &["b"])).await.expect("room");
    let open = store.run("t".into(), "r1".into()).await.expect("readable").expect("there");
    assert_eq!((open.first, open.last, open.end, open.request_hash), (Seq(1), Seq(2), None, u64::MAX));
    let last = ended(append(&lease, "r1", 2, &["c"]), "success");
    store.append(last).await.expect("room");
    let short = ended(started(&lease, "r2", 3, &["d"]), "error");
    store.append(short).await.expect("room");
    let runs = store.runs("t".into()).await.expect("readable");
    let shown: Vec<_> =
        runs.iter().map(|run| (&*run.run_id, run.first.0, run.last.0, run.end.as_deref())).collect();
    assert_eq!(shown, [("r1", 1, 3, Some("success")), ("r2", 4, 4, Some("error"))]);
}

pub(super) async fn a_run_that_has_ended_takes_nothing_more(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    let whole = ended(started(&lease, "r", 0, &["a"]), "success");
    store.append(whole).await.expect("room");
    for late in
        [append(&lease, "r", 1, &["b"]), started(&lease, "r", 1, &["b"]), append(&lease, "never", 1, &["b"])]
    {
        let refused = store.append(late).await;
        assert!(matches!(refused, Err(AppendError::RunClosed(_))), "{refused:?}");
    }
    assert_eq!(texts(&store, "t", 0).await, numbered(&["a"]));
}

pub(super) async fn a_run_that_has_not_begun_takes_nothing_beside_one_that_is_open(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(started(&lease, "r", 0, &["a"])).await.expect("room");
    store.append(append(&lease, "r", 1, &["b"])).await.expect("room");
    let refused = store.append(append(&lease, "never", 2, &["x"])).await;
    assert!(matches!(refused, Err(AppendError::RunClosed(_))), "{refused:?}");
    store.append(append(&lease, "r", 2, &["c"])).await.expect("room");
    assert_eq!(texts(&store, "t", 0).await, numbered(&["a", "b", "c"]));
}

pub(super) async fn threads_do_not_mix(store: Arc<dyn Store>) {
    let (one, two) = (thread(&store, "t1").await, thread(&store, "t2").await);
    store.append(started(&one, "r", 0, &["a"])).await.expect("room");
    store.append(started(&two, "r", 0, &["x", "y"])).await.expect("room");
    assert_eq!(texts(&store, "t1", 0).await, numbered(&["a"]));
    assert_eq!(texts(&store, "t2", 0).await, numbered(&["x", "y"]));
}
