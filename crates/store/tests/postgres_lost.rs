//! Connections are lost in the middle of everything: nothing that was acknowledged is lost, nothing is there twice, and
//! followers still hear of what others append.
#![cfg(all(unix, feature = "postgres"))]

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use forestage_store::{
    Append, AppendError, AuditEntry, AuditQuery, Boundary, Entry, NewAudit, NewThread, Seq, Store,
    conformance::postgres, open, verify_audit,
};

const WRITERS: usize = 8;
const APPENDS: u64 = 150;

/// Long enough for any machine; only a failure waits for it.
const PATIENCE: Duration = Duration::from_secs(60);

/// Ends connections by the name they have given.
struct Axe(tokio_postgres::Client);

impl Axe {
    async fn new() -> Option<Self> {
        let server = postgres::server()?;
        let (client, connection) =
            tokio_postgres::connect(server, tokio_postgres::NoTls).await.expect("the server is there");
        tokio::spawn(connection);
        Some(Self(client))
    }

    /// Ends all of them that have asked something like this last, and says how many there were.
    async fn end(&self, name: &str, last: &str) -> usize {
        let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND query LIKE $2";
        self.0.query(sql, &[&name, &last]).await.expect("allowed").len()
    }
}

fn begin() -> Boundary {
    Boundary::Started { request_hash: 1, agent: "hello".into(), parent: None, at: 1, answers: Vec::new() }
}

fn text(id: &str, number: u64) -> String {
    format!("{{\"delta\":\"{id} {number}\"}}")
}

/// Appends one event after the other, again where it did not hear whether it was appended.
async fn write(store: Arc<dyn Store>, id: String, done: Arc<AtomicUsize>) {
    let new = NewThread::new(id.as_str(), "ann", "hello", 1);
    // It may have been created though we did not hear of it, so it is claimed apart.
    insist(|| store.create_thread(new.clone())).await;
    let lease = loop {
        match store.claim(id.as_str().into(), "x".into(), 0, 0).await {
            Ok(lease) => break lease,
            Err(error) => assert!(error.to_string().contains("database failed"), "{error}"),
        }
    };
    for after in 0..APPENDS {
        let mut append =
            Append::new(id.as_str(), "r", lease.fence, Seq(after), vec![text(&id, after + 1).into()]);
        append.audit.push(told(&id, after + 1));
        let append = if after == 0 { append.with_boundary(begin()) } else { append };
        loop {
            match store.append(append.clone()).await {
                Ok(tail) => break assert_eq!(tail, Seq(after + 1)),
                Err(AppendError::Store(error)) => assert!(error.is_retryable(), "{error}"),
                Err(error) => panic!("{id} {after}: {error}"),
            }
        }
        done.fetch_add(1, Ordering::Relaxed);
    }
}

async fn insist<T, E: std::fmt::Display, F: Future<Output = Result<T, E>>>(work: impl Fn() -> F) {
    while let Err(error) = work().await {
        let error = error.to_string();
        assert!(error.contains("exists") || error.contains("database failed"), "{error}");
        if error.contains("exists") {
            return;
        }
    }
}

fn told(id: &str, number: u64) -> NewAudit {
    NewAudit {
        at: 1,
        kind: "appended".into(),
        actor: "x".into(),
        origin: "test".into(),
        owner: "ann".into(),
        thread_id: Some(id.into()),
        interrupt_id: None,
        json: number.to_string().into(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn backends_that_are_ended_in_the_middle_of_appends_lose_nothing_and_double_nothing() {
    let (Some(axe), Some(url)) = (Axe::new().await, postgres::fresh()) else { return };
    let name = format!("lost-{}", std::process::id());
    let store = open(&format!("{url}&application_name={name}")).await.expect("a new schema");
    let done = Arc::new(AtomicUsize::new(0));
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| tokio::spawn(write(store.clone(), format!("t{writer}"), done.clone())))
        .collect();
    let (mut ended, mut swings) = (0, 0);
    while writers.iter().any(|writer| !writer.is_finished()) {
        let before = done.load(Ordering::Relaxed);
        ended += axe.end(&name, "%").await;
        swings += 1;
        // The next blow comes when they have got somewhere.
        while done.load(Ordering::Relaxed) < before + 40 && writers.iter().any(|writer| !writer.is_finished())
        {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
    for writer in writers {
        writer.await.expect("a writer");
    }
    assert!(swings > 10 && ended >= swings, "{ended} were ended with {swings} blows");
    for writer in 0..WRITERS {
        let id = format!("t{writer}");
        let entries = store.read(id.as_str().into(), Seq(0), Seq::END, usize::MAX).await.expect("readable");
        let expected: Vec<_> =
            (1..=APPENDS).map(|number| Entry::event(Seq(number), "r", text(&id, number))).collect();
        assert_eq!(entries, expected, "in order, and once");
        let query =
            AuditQuery { thread_id: Some(id.as_str().into()), limit: usize::MAX, ..AuditQuery::all() };
        let trail = store.audit_trail(query).await.expect("readable");
        let said: Vec<_> = trail.into_iter().map(|entry| entry.entry).collect();
        assert_eq!(said, (1..=APPENDS).map(|number| told(&id, number)).collect::<Vec<_>>());
    }
    let all = AuditQuery { limit: usize::MAX, ..AuditQuery::all() };
    let trail = store.audit_trail(all).await.expect("readable");
    verify_audit(AuditEntry::BEFORE_FIRST, &trail).expect("one chain");
}

#[tokio::test]
async fn followers_hear_of_appends_after_the_connection_that_listens_was_lost() {
    let (Some(axe), Some(url)) = (Axe::new().await, postgres::fresh()) else { return };
    let name = format!("deaf-{}", std::process::id());
    let one = open(&url).await.expect("a new schema");
    let other = open(&format!("{url}&application_name={name}")).await.expect("the same schema");
    let new = NewThread::new("t", "ann", "hello", 1);
    let (_, lease) = one.create_and_claim(new, "one".into(), 0, 10).await.expect("writable").expect("new");
    let (mut watch, mut inbox) = (other.watch(&"t".into()), other.watch_inbox());
    for after in 0..6 {
        if after % 2 == 0 {
            assert_eq!(axe.end(&name, "SELECT pg_backend_pid()%").await, 1, "one listens");
        }
        let append = Append::new("t", "r", lease.fence, Seq(after), vec!["{}".into()]);
        let append = if after == 0 { append.with_boundary(begin()) } else { append };
        one.append(append).await.expect("room");
        let hears = async {
            while other.thread("t".into()).await.expect("readable").expect("there").tail <= Seq(after) {
                assert!(watch.changed().await);
            }
            // Who begins to listen again wakes everybody, so whoever has heard of it listens.
            if after % 2 == 0 {
                assert!(inbox.changed().await);
            }
        };
        tokio::time::timeout(PATIENCE, hears).await.expect("it is heard of");
    }
}

#[tokio::test]
async fn a_thread_that_somebody_holds_up_does_not_hold_up_the_others_for_ever() {
    let (Some(axe), Some(url)) = (Axe::new().await, postgres::fresh()) else { return };
    let store = open(&url).await.expect("a new schema");
    let mut leases = Vec::new();
    for id in ["held", "free"] {
        let new = NewThread::new(id, "ann", "hello", 1);
        let made = store.create_and_claim(new, "x".into(), 0, 10).await;
        leases.push(made.expect("writable").expect("new").1);
    }
    let append = |at: usize| {
        let lease = &leases[at];
        let first = Append::new(&lease.thread_id, "r", lease.fence, Seq(0), vec!["{}".into()]);
        tokio::time::timeout(PATIENCE, store.append(first.with_boundary(begin())))
    };
    let schema = url.rsplit_once("schema=").expect("it has one").1;
    let hold = format!("BEGIN; SELECT 1 FROM {schema}.thread WHERE id = 'held' FOR UPDATE");
    axe.0.batch_execute(&hold).await.expect("free");
    let (held, free) = tokio::join!(append(0), append(1));
    let held = held.expect("it gives up in time");
    assert!(matches!(&held, Err(AppendError::Store(error)) if error.is_retryable()), "{held:?}");
    free.expect("in time").expect("nobody holds it");
    axe.0.batch_execute("ROLLBACK").await.expect("ours");
    append(0).await.expect("in time").expect("nobody holds it any more");
}
