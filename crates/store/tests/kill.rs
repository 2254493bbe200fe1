//! A process is killed in the middle of its work, again and again. What it has acknowledged is there, once, the audit
//! trail says of every append that it is there, and the file opens; so it is in Postgres, whose server goes on.
//!
//! The child is this test binary again, told by a variable to write instead of testing.

use std::{
    collections::HashMap,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
};

use forestage_store::{
    Append, AuditEntry, AuditQuery, Boundary, Durability, Entry, NewAudit, NewThread, Seq, Store, open,
    verify_audit,
};

const STORE: &str = "FORESTAGE_KILL_TEST_STORE";
const ROUND: &str = "FORESTAGE_KILL_TEST_ROUND";
const WRITERS: usize = 16;

#[test]
fn what_was_acknowledged_survives_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("killed.db");
    kill_again_and_again(&format!("sqlite:{}", path.display()), 12, || whole(&path));
}

#[cfg(all(unix, feature = "postgres"))]
#[test]
fn what_was_acknowledged_in_postgres_survives_a_kill() {
    if let Some(url) = forestage_store::conformance::postgres::fresh() {
        kill_again_and_again(&url, 5, || ());
    }
}

fn kill_again_and_again(url: &str, rounds: usize, looks_whole: impl Fn()) {
    let mut acknowledged = HashMap::new();
    for round in 0..rounds {
        // A different place every time, and never the same twice in one run of the test.
        let lines = 40 + round * 97 + std::process::id() as usize % 89;
        acknowledged.extend(write_until_killed(url, round, lines));
        runtime().block_on(check(url, &acknowledged));
        looks_whole();
    }
    assert_eq!(acknowledged.len(), rounds * WRITERS, "every writer of every round got somewhere");
}

/// What the child does.
#[test]
#[ignore = "the other test runs it in a process of its own"]
fn child_writes_until_it_is_killed() {
    let (url, round) = (std::env::var(STORE).expect("set"), std::env::var(ROUND).expect("set"));
    runtime().block_on(async {
        let store = open(&url).await.expect("it opens");
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| tokio::spawn(write(store.clone(), format!("{round}-{writer}"))))
            .collect();
        for writer in writers {
            writer.await.expect("a writer");
        }
    });
}

/// Appends for ever, in blocks of one to three events, and says how far it was acknowledged.
async fn write(store: Arc<dyn Store>, id: String) {
    let new = NewThread::new(id.as_str(), "ann", "hello", 1);
    let made = store.create_and_claim(new, "child".into(), 0, 10).await;
    let (_, lease) = made.expect("writable").expect("a new thread");
    let mut after = Seq::START;
    loop {
        let count = after.0 % 3 + 1;
        let events = (1..=count).map(|offset| text(&id, after.0 + offset).into()).collect();
        let mut append = Append::new(id.as_str(), "r", lease.fence, after, events);
        append.audit.push(told(&id, append.tail()));
        if after == Seq::START {
            append = append.with_boundary(begin());
        }
        if after.0.is_multiple_of(16) {
            append.durability = Durability::Disk;
        }
        after = store.append(append).await.expect("room");
        // One write of a whole line, so that a kill cuts between lines or at the last one.
        let line = format!("ack {id} {}\n", after.0);
        std::io::stdout().write_all(line.as_bytes()).expect("somebody listens");
    }
}

fn text(id: &str, number: u64) -> String {
    format!("{{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"{id}\",\"delta\":\"{number}\"}}")
}

/// What the audit trail has to say of an append.
fn told(id: &str, tail: Seq) -> NewAudit {
    NewAudit {
        at: 1,
        kind: "appended".into(),
        actor: "child".into(),
        origin: "test".into(),
        owner: "ann".into(),
        thread_id: Some(id.into()),
        interrupt_id: None,
        json: tail.0.to_string().into(),
    }
}

fn begin() -> Boundary {
    Boundary::Started { request_hash: 1, agent: "hello".into(), parent: None, at: 1, answers: Vec::new() }
}

/// Lets a child write, kills it once every writer has been heard and so many lines have come, and returns the
/// last number each writer heard.
fn write_until_killed(url: &str, round: usize, lines: usize) -> HashMap<String, u64> {
    let mut child = start(url, round);
    let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
    let (mut heard, mut count, mut line) = (HashMap::new(), 0, String::new());
    let mut killed = false;
    while output.read_line(&mut line).expect("readable") > 0 {
        // The harness may have put words of its own in front.
        if let Some((_, ack)) = line.strip_suffix('\n').and_then(|line| line.split_once("ack ")) {
            let (id, number) = ack.split_once(' ').expect("an id and a number");
            heard.insert(id.to_owned(), number.parse().expect("a number"));
            count += 1;
        }
        // What it had said before it died is read to the end: it was acknowledged.
        if !killed && count >= lines && heard.len() == WRITERS {
            child.kill().expect("it runs");
            killed = true;
        }
        line.clear();
    }
    let status = child.wait().expect("it is ours");
    assert!(killed && !status.success(), "the child ended by itself: {status}");
    heard
}

fn start(url: &str, round: usize) -> Child {
    Command::new(std::env::current_exe().expect("we run"))
        .args(["--exact", "child_writes_until_it_is_killed", "--ignored", "--nocapture"])
        .env(STORE, url)
        .env(ROUND, round.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs again")
}

async fn check(url: &str, acknowledged: &HashMap<String, u64>) {
    let store = open(url).await.expect("it opens");
    for (id, last) in acknowledged {
        let entries =
            store.read(id.as_str().into(), Seq::START, Seq::END, usize::MAX).await.expect("readable");
        assert!(entries.len() as u64 >= *last, "{id}: {last} was acknowledged, {} are there", entries.len());
        let tail = store.thread(id.as_str().into()).await.expect("readable").expect("there").tail;
        assert_eq!(tail.0, entries.len() as u64, "{id}: the index agrees with the log");
        for (index, entry) in entries.iter().enumerate() {
            let number = index as u64 + 1;
            assert_eq!(*entry, Entry::event(Seq(number), "r", text(id, number)), "in order, and once");
        }
        audited(&store, id, tail).await;
    }
    let all = AuditQuery { limit: usize::MAX, ..AuditQuery::all() };
    let trail = store.audit_trail(all).await.expect("readable");
    verify_audit(AuditEntry::BEFORE_FIRST, &trail).expect("nothing is broken");
}

/// The audit trail tells of every append that is there, in order and once, and of no other.
async fn audited(store: &Arc<dyn Store>, id: &str, tail: Seq) {
    let of_it = AuditQuery { thread_id: Some(id.into()), limit: usize::MAX, ..AuditQuery::all() };
    let found = store.audit_trail(of_it).await.expect("readable").into_iter().map(|entry| entry.entry);
    let mut after = Seq::START;
    let expected = std::iter::from_fn(|| {
        after = after.forward(after.0 as usize % 3 + 1);
        (after <= tail).then(|| told(id, after))
    });
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{id}");
}

/// SQLite's own opinion of the file.
fn whole(path: &Path) {
    let connection = rusqlite::Connection::open(path).expect("a file");
    let verdict: String =
        connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("readable");
    assert_eq!(verdict, "ok");
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}
