//! Every store keeps the contract, and what SQLite has acknowledged is there when the file is opened again.

use std::{path::PathBuf, sync::Arc};

use forestage_store::{
    Append, Boundary, NewThread, OpenError, Seq, Store, conformance, memory::MemoryStore, open,
    sqlite::SqliteStore,
};

#[tokio::test]
async fn the_store_in_memory_keeps_the_contract() {
    conformance::check_all(|| async { Arc::new(MemoryStore::default()) as Arc<dyn Store> }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_store_in_sqlite_keeps_the_contract() {
    let folder = tempfile::tempdir().expect("a folder");
    let count = std::cell::Cell::new(0);
    conformance::check_all(|| {
        count.set(count.get() + 1);
        let path = folder.path().join(format!("{}.db", count.get()));
        async move { Arc::new(SqliteStore::open(path).await.expect("a new file")) as Arc<dyn Store> }
    })
    .await;
}

#[tokio::test]
async fn what_was_acknowledged_is_there_after_opening_again() {
    let (_folder, path) = file();
    let url = format!("sqlite:{}", path.display());
    {
        let store = open(&url).await.expect("a new file");
        store.create_thread(NewThread::new("t", "ann", "hello", 1)).await.expect("a new thread");
        let lease = store.claim("t".into(), "a".into(), 0, 10).await.expect("free");
        let first = Append::new("t", "r", lease.fence, Seq(0), vec!["{}".into()]);
        store.append(first.with_boundary(begin(7))).await.expect("room");
    }
    let store = open(&url).await.expect("the same file");
    assert_eq!(store.read("t".into(), Seq(0), Seq::END, 9).await.expect("readable").len(), 1);
    let lost = store.abandoned_runs(10).await.expect("readable");
    assert_eq!((lost.len(), lost[0].request_hash), (1, 7));
    let lease = store.claim("t".into(), "b".into(), 10, 10).await.expect("expired");
    assert!(lease.fence.0 > 1, "fences go on after a restart");
}

#[tokio::test]
async fn a_file_of_a_newer_version_is_refused_with_a_sentence() {
    let (_folder, path) = file();
    drop(SqliteStore::open(&path).await.expect("a new file"));
    rusqlite::Connection::open(&path)
        .expect("a file")
        .pragma_update(None, "user_version", 99)
        .expect("writable");
    let error = SqliteStore::open(&path).await.expect_err("too new");
    assert!(matches!(error, OpenError::TooNew { found: 99, .. }), "{error}");
    assert!(error.to_string().contains("use a newer forestage"), "{error}");
}

#[tokio::test]
async fn a_database_of_something_else_is_left_alone() {
    let (_folder, path) = file();
    rusqlite::Connection::open(&path)
        .expect("a file")
        .execute_batch("CREATE TABLE birds (name)")
        .expect("writable");
    let error = SqliteStore::open(&path).await.expect_err("not ours");
    assert!(matches!(error, OpenError::Foreign(_)), "{error}");
}

#[tokio::test]
async fn an_unknown_scheme_is_named() {
    let error = open("mysql://x").await.err().expect("unknown");
    assert!(error.to_string().contains("mysql://x"), "{error}");
}

fn begin(request_hash: u64) -> Boundary {
    Boundary::Started { request_hash, agent: "hello".into(), parent: None, at: 1, answers: Vec::new() }
}

fn file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("threads.db");
    (folder, path)
}
