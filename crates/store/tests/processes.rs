//! Several handles on one SQLite file or one Postgres schema, as several processes have them: appends wake followers
//! everywhere, decisions wake the inbox, leases keep writers apart, and there is one audit trail.

use std::{sync::Arc, time::Duration};

use forestage_store::{
    Append, AppendError, AuditEntry, AuditQuery, Boundary, Decide, Decided, Lease, NewAudit, NewInterrupt,
    NewThread, Seq, Store, Watch, open, verify_audit,
};

/// Long enough for any machine; only a failure waits for it.
const PATIENCE: Duration = Duration::from_secs(20);

async fn wakes(watch: &mut Watch) -> bool {
    tokio::time::timeout(PATIENCE, watch.changed()).await.expect("a wake-up")
}

fn append(lease: &Lease, after: u64) -> Append {
    Append::new("t", "r", lease.fence, Seq(after), vec!["{}".into()])
}

fn begin() -> Boundary {
    Boundary::Started { request_hash: 1, agent: "hello".into(), parent: None, at: 1, answers: Vec::new() }
}

/// Where several can be: the URLs of stores with nothing in them.
struct Places {
    urls: Vec<String>,
    _folder: tempfile::TempDir,
}

fn places() -> Places {
    let folder = tempfile::tempdir().expect("a folder");
    #[cfg_attr(not(all(unix, feature = "postgres")), expect(unused_mut, reason = "there is one"))]
    let mut urls = vec![format!("sqlite:{}", folder.path().join("t.db").display())];
    #[cfg(all(unix, feature = "postgres"))]
    urls.extend(forestage_store::conformance::postgres::fresh());
    Places { urls, _folder: folder }
}

type Handle = Arc<dyn Store>;

async fn two(url: &str) -> (Handle, Handle, Lease) {
    let one = open(url).await.expect("a new store");
    let other = open(url).await.expect("the same store");
    let new = NewThread::new("t", "ann", "hello", 1);
    let (_, lease) = one.create_and_claim(new, "one".into(), 0, 10).await.expect("writable").expect("new");
    (one, other, lease)
}

#[tokio::test]
async fn an_append_through_one_handle_wakes_followers_of_another() {
    for url in &places().urls {
        let (one, other, lease) = two(url).await;
        one.append(append(&lease, 0).with_boundary(begin())).await.expect("room");
        let mut watch = other.watch(&"t".into());
        let mut seen = other.read("t".into(), Seq(0), Seq::END, 99).await.expect("readable").len();
        for after in 1..5 {
            one.append(append(&lease, after)).await.expect("room");
            while seen as u64 <= after {
                assert!(wakes(&mut watch).await);
                seen = other.read("t".into(), Seq(0), Seq::END, 99).await.expect("readable").len();
            }
        }
    }
}

#[tokio::test]
async fn a_wish_to_stop_reaches_the_holder_elsewhere() {
    for url in &places().urls {
        let (one, other, lease) = two(url).await;
        one.append(append(&lease, 0).with_boundary(begin())).await.expect("room");
        let mut watch = one.watch(&"t".into());
        assert!(other.request_cancel("t".into(), "r".into()).await.expect("writable"));
        assert!(wakes(&mut watch).await);
        assert!(one.renew(lease, 1, 10).await.expect("ours").cancel_requested);
    }
}

#[tokio::test]
async fn a_thread_that_was_claimed_elsewhere_takes_nothing_from_us() {
    for url in &places().urls {
        let (one, other, lease) = two(url).await;
        one.append(append(&lease, 0).with_boundary(begin())).await.expect("room");
        let next = other.claim("t".into(), "other".into(), 10, 10).await.expect("expired");
        let late = one.append(append(&lease, 1)).await;
        assert!(matches!(late, Err(AppendError::Fenced { .. })), "{late:?}");
        other.append(append(&next, 1)).await.expect("room");
    }
}

fn decide(by: &str) -> Decide {
    Decide {
        thread_id: "t".into(),
        interrupt_id: "i".into(),
        status: "resolved".into(),
        json: "1".into(),
        by: by.into(),
        at: 3,
        vote: false,
        audit: vec![entry(by)],
        rules: Vec::new(),
    }
}

fn entry(actor: &str) -> NewAudit {
    NewAudit {
        at: 3,
        kind: "decided".into(),
        actor: actor.into(),
        origin: "inbox".into(),
        owner: "ann".into(),
        thread_id: Some("t".into()),
        interrupt_id: Some("i".into()),
        json: "{}".into(),
    }
}

#[tokio::test]
async fn a_question_and_its_decision_wake_the_inbox_elsewhere() {
    for url in &places().urls {
        let (one, other, lease) = two(url).await;
        let mut inbox = other.watch_inbox();
        let asked = vec![NewInterrupt::new("i", "{}")];
        let end = Boundary::Ended { end: "interrupt".into(), at: 2, messages: 1, interrupts: asked };
        one.append(append(&lease, 0).with_boundary(begin()).with_boundary(end)).await.expect("room");
        let find = || other.interrupt("i".into(), "ann".into());
        assert!(wakes(&mut inbox).await, "asked");
        assert!(find().await.expect("readable").is_some());
        let decided = one.decide(decide("ann")).await.expect("writable");
        assert!(matches!(decided, Decided::Decided(_)), "{decided:?}");
        assert!(wakes(&mut inbox).await, "decided");
        assert!(find().await.expect("readable").is_some_and(|found| found.decision.is_some()));
        let late = other.decide(decide("eve")).await.expect("writable");
        assert!(matches!(late, Decided::Already(_)), "{late:?}");
        assert_eq!(other.resumable(9).await.expect("readable"), ["t".into()]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn several_handles_write_one_audit_trail() {
    for url in &places().urls {
        let writers: Vec<_> = (0..4).map(|writer| tokio::spawn(tell(url.clone(), writer))).collect();
        for writer in writers {
            writer.await.expect("a writer");
        }
        let store = open(url).await.expect("the same store");
        let entries = store.audit_trail(AuditQuery::all()).await.expect("readable");
        assert_eq!(entries.len(), 100);
        verify_audit(AuditEntry::BEFORE_FIRST, &entries).expect("one chain");
    }
}

async fn tell(url: String, writer: usize) {
    let store = open(&url).await.expect("a store");
    for _ in 0..25 {
        store.audit(entry(&format!("w{writer}"))).await.expect("writable");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_handles_write_at_once_without_losing_anything() {
    for url in &places().urls {
        let writers: Vec<_> =
            (0..4).map(|writer| tokio::spawn(fill(url.clone(), format!("t{writer}")))).collect();
        for writer in writers {
            writer.await.expect("a writer");
        }
        let store = open(url).await.expect("the same store");
        for writer in 0..4 {
            let read =
                store.read(format!("t{writer}").into(), Seq(0), Seq::END, 999).await.expect("readable");
            assert_eq!(read.len(), 100);
        }
    }
}

async fn fill(url: String, id: String) {
    let store = open(&url).await.expect("a store");
    let new = NewThread::new(id.as_str(), "ann", "hello", 1);
    let (_, lease) = store.create_and_claim(new, "x".into(), 0, 10).await.expect("writable").expect("new");
    for after in 0..100 {
        let append = Append::new(id.as_str(), "r", lease.fence, Seq(after), vec!["{}".into()]);
        let append = if after == 0 { append.with_boundary(begin()) } else { append };
        store.append(append).await.expect("room");
    }
}
