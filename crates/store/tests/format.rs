//! Files of older formats get what is new and keep what they have.

use std::path::{Path, PathBuf};

use forestage_store::{
    Append, AuditQuery, Boundary, Decide, Decided, InterruptQuery, NewAudit, NewInterrupt, OpenError, Rule,
    Seq, Store, Viewer, sqlite::SqliteStore,
};
use rusqlite::Connection;

/// A file as the first format had it, with a thread on which a question waits and one that was answered.
const FIRST: &str = include_str!("../src/sqlite/schema/1.sql");
const ROWS: &str = r#"
    INSERT INTO thread (key, id, owner, agent, title, created_at, updated_at, head, runs, messages, fence)
        VALUES (1, 't', 'ann', 'hello', 'Old', 1, 5, 'r2', 2, 3, 4);
    INSERT INTO block (key, first, run, body) VALUES (1, 1, 'r1', x'020000007b7d'), (2, 2, 'r2', x'020000007b7d');
    INSERT INTO settled (thread, last, block) VALUES (1, 1, 1), (1, 2, 2);
    INSERT INTO run (thread, id, agent, request_hash, first, last, ended, started_at, ended_at) VALUES
        (1, 'r1', 'hello', 1, 1, 1, 'interrupt', 2, 3), (1, 'r2', 'hello', 1, 2, 2, 'interrupt', 4, 5);
    INSERT INTO interrupt (thread, id, owner, run, json, opened_at, expires_at, status, answer, decided_by,
                           decided_at, decided_run) VALUES
        (1, 'i1', 'ann', 'r1', x'7b7d', 3, NULL, 'resolved', x'31', 'ann', 4, 'r2'),
        (1, 'i2', 'ann', 'r2', x'7b7d', 5, 9, NULL, NULL, NULL, NULL, NULL);
    PRAGMA user_version = 1;
    PRAGMA application_id = 0x46737467;
"#;

fn first_format() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("threads.db");
    let connection = Connection::open(&path).expect("a new file");
    connection.execute_batch(FIRST).and_then(|()| connection.execute_batch(ROWS)).expect("writable");
    (folder, path)
}

fn format_of(path: &Path) -> i64 {
    let connection = Connection::open(path).expect("a file");
    connection.pragma_query_value(None, "user_version", |row| row.get(0)).expect("readable")
}

#[tokio::test]
async fn a_file_of_the_first_format_keeps_what_it_has() {
    let (_folder, path) = first_format();
    let store = SqliteStore::open(&path).await.expect("an older file");
    assert_eq!(format_of(&path), 10);
    let thread = store.thread("t".into()).await.expect("readable").expect("there");
    assert_eq!((thread.title.as_deref(), thread.tail, thread.pending), (Some("Old"), Seq(2), 1));
    assert_eq!(store.read("t".into(), Seq(0), Seq::END, 9).await.expect("readable").len(), 2);
    let query = InterruptQuery { decided: true, ..InterruptQuery::of("ann") };
    let found = store.interrupts(query).await.expect("readable");
    let [answered, waiting] = &found[..] else { panic!("two questions: {found:?}") };
    let decision = answered.decision.as_ref().expect("answered");
    assert_eq!((decision.by.as_str(), decision.run_id.as_deref()), ("ann", Some("r2")));
    assert_eq!((waiting.role.as_deref(), waiting.needs, waiting.private.len()), (None, 1, 0));
    assert_eq!(waiting.decision, None);
    assert!(store.resumable(9).await.expect("readable").is_empty());
}

#[tokio::test]
async fn a_run_that_was_under_way_in_the_first_format_goes_on() {
    let (_folder, path) = first_format();
    let under_way = r"
        INSERT INTO thread (key, id, owner, agent, created_at, updated_at, head, runs, fence)
            VALUES (2, 'u', 'ann', 'hello', 1, 5, 'r', 1, 1);
        INSERT INTO run (thread, id, agent, request_hash, first, started_at) VALUES (2, 'r', 'hello', 1, 1, 2);
        INSERT INTO block (key, first, run, body) VALUES (3, 1, 'r', x'020000007b7d'), (4, 2, 'r', x'020000007b7d');
        INSERT INTO fresh (thread, last, block) VALUES (2, 1, 3), (2, 2, 4);";
    Connection::open(&path).expect("a file").execute_batch(under_way).expect("writable");
    let store = SqliteStore::open(&path).await.expect("an older file");
    let lease = store.claim("u".into(), "x".into(), 0, 10).await.expect("free");
    let more = Append::new("u", "r", lease.fence, Seq(2), vec!["[]".into()]);
    assert_eq!(store.append(more).await.expect("room"), Seq(3));
    let entries = store.read("u".into(), Seq(0), Seq::END, 9).await.expect("readable");
    let shown: Vec<_> = entries.iter().map(|entry| (entry.seq.0, &entry.json[..])).collect();
    assert_eq!(shown, [(1, &b"{}"[..]), (2, b"{}"), (3, b"[]")]);
    let run = store.run("u".into(), "r".into()).await.expect("readable").expect("there");
    assert_eq!((run.first, run.last), (Seq(1), Seq(3)));
}

#[tokio::test]
async fn a_file_of_the_first_format_gets_what_is_new() {
    let (_folder, path) = first_format();
    let store = SqliteStore::open(&path).await.expect("an older file");
    assert_eq!(store.due_interrupts(9, 9).await.expect("readable").len(), 1);
    let decided = store.decide(decide()).await.expect("writable");
    assert!(matches!(decided, Decided::Decided(_)), "{decided:?}");
    assert_eq!(store.resumable(9).await.expect("readable"), ["t".into()]);
    assert_eq!(store.audit_trail(AuditQuery::all()).await.expect("readable").len(), 1);
    assert_eq!(store.rules("ann".into()).await.expect("readable").len(), 1);
    let lease = store.claim("t".into(), "x".into(), 0, 10).await.expect("free");
    store.append(asking(lease.fence)).await.expect("room");
    let boss = Viewer { user: "eve".into(), roles: vec!["boss".into()] };
    let found = store.interrupt("i3".into(), boss).await.expect("readable").expect("there");
    assert_eq!((found.needs, &found.private[..]), (2, &b"draft"[..]));
}

fn decide() -> Decide {
    let audit = NewAudit {
        at: 8,
        kind: "decided".into(),
        actor: "ann".into(),
        origin: "inbox".into(),
        owner: "ann".into(),
        thread_id: Some("t".into()),
        interrupt_id: Some("i2".into()),
        json: "{}".into(),
    };
    let (owner, agent, tool, by) = ("ann".into(), "hello".into(), "mail".into(), "ann".into());
    let rule = Rule {
        id: "a".into(),
        owner,
        agent,
        tool,
        risk: "low".into(),
        thread_id: Some("t".into()),
        by,
        at: 8,
    };
    Decide {
        thread_id: "t".into(),
        interrupt_id: "i2".into(),
        status: "resolved".into(),
        json: "1".into(),
        by: "ann".into(),
        at: 8,
        vote: true,
        audit: vec![audit],
        rules: vec![rule],
    }
}

fn asking(fence: forestage_store::Fence) -> Append {
    let begin = Boundary::Started {
        request_hash: 1,
        agent: "hello".into(),
        parent: None,
        at: 10,
        answers: Vec::new(),
    };
    let asked = NewInterrupt {
        role: Some("boss".into()),
        needs: 2,
        private: "draft".into(),
        ..NewInterrupt::new("i3", "{}")
    };
    let end = Boundary::Ended { end: "interrupt".into(), at: 11, messages: 4, interrupts: vec![asked] };
    Append::new("t", "r3", fence, Seq(2), vec!["{}".into()]).with_boundary(begin).with_boundary(end)
}

#[tokio::test]
async fn a_file_without_a_table_of_its_format_is_refused_with_a_sentence() {
    for table in ["fresh", "annotation"] {
        let (_folder, path) = first_format();
        Connection::open(&path)
            .expect("a file")
            .execute_batch(&format!("DROP TABLE {table}"))
            .expect("writable");
        let before = std::fs::read(&path).expect("readable");
        let error = SqliteStore::open(&path).await.expect_err("incomplete");
        assert!(
            matches!(&error, OpenError::Incomplete { format: 1, table: missing, .. } if *missing == table),
            "{error}"
        );
        let text = error.to_string();
        assert!(text.contains(&format!("`{table}`")) && text.contains("begin with a new file"), "{text}");
        assert_eq!(std::fs::read(&path).expect("readable"), before, "it is left alone");
    }
    let (_folder, path) = first_format();
    drop(SqliteStore::open(&path).await.expect("an older file"));
    Connection::open(&path).expect("a file").execute_batch("DROP TABLE rule").expect("writable");
    let error = SqliteStore::open(&path).await.expect_err("incomplete");
    assert!(matches!(error, OpenError::Incomplete { format: 10, table: "rule", .. }), "{error}");
}
