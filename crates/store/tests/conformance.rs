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
async fn a_folder_and_a_damaged_file_are_refused_with_a_sentence() {
    let (folder, path) = file();
    let error = SqliteStore::open(folder.path()).await.expect_err("a folder");
    assert!(matches!(error, OpenError::NotAFile(_)), "{error}");
    let database = rusqlite::Connection::open(&path).expect("a new file");
    database.execute_batch("CREATE TABLE thread (id TEXT)").expect("writable");
    drop(database);
    let mut bytes = std::fs::read(&path).expect("readable");
    // The head of the file is still one of a database; what comes behind it is not.
    bytes[100..].fill(0xff);
    std::fs::write(&path, bytes).expect("writable");
    let error = SqliteStore::open(&path).await.expect_err("damaged");
    assert!(matches!(error, OpenError::Damaged { .. }), "{error}");
}

#[tokio::test]
async fn a_database_of_something_else_is_left_alone() {
    let (_folder, path) = file();
    rusqlite::Connection::open(&path)
        .expect("a file")
        .execute_batch("CREATE TABLE birds (name)")
        .expect("writable");
    let before = std::fs::read(&path).expect("readable");
    let error = SqliteStore::open(&path).await.expect_err("not ours");
    assert!(matches!(error, OpenError::Foreign(_)), "{error}");
    assert_eq!(std::fs::read(&path).expect("readable"), before);
}

#[tokio::test]
async fn an_unknown_scheme_is_named() {
    let error = open("mysql://x").await.err().expect("unknown");
    assert!(error.to_string().contains("mysql://x"), "{error}");
}

#[tokio::test]
async fn an_unknown_setting_is_named() {
    let (_folder, path) = file();
    for setting in ["durability=none", "sync=off", "durability"] {
        let error = open(&format!("sqlite:{}?{setting}", path.display())).await.err().expect("unknown");
        assert!(matches!(error, OpenError::UnknownSetting { .. }), "{error}");
        assert!(
            error.to_string().contains(setting) && error.to_string().contains("durability=disk"),
            "{error}"
        );
    }
    assert!(!path.exists(), "nothing was made");
    let error = open("memory:?durability=disk").await.err().expect("memory has no disk");
    assert!(error.to_string().contains("durability=disk"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_store_in_sqlite_keeps_the_contract_when_all_is_synced() {
    let folder = tempfile::tempdir().expect("a folder");
    let count = std::cell::Cell::new(0);
    conformance::check_all(|| {
        count.set(count.get() + 1);
        let url = format!("sqlite:{}/{}.db?durability=disk", folder.path().display(), count.get());
        async move { open(&url).await.expect("a new file") }
    })
    .await;
}

#[tokio::test]
async fn an_append_wakes_followers_though_nobody_waits_for_it() {
    let (_folder, path) = file();
    let store = SqliteStore::open(&path).await.expect("a new file");
    let new = NewThread::new("t", "ann", "hello", 1);
    let (_, lease) = store.create_and_claim(new, "a".into(), 0, 10).await.expect("writable").expect("new");
    let mut watch = store.watch(&"t".into());
    let first = Append::new("t", "r", lease.fence, Seq(0), vec!["{}".into()]);
    drop(store.append(first.with_boundary(begin(7))));
    assert!(watch.changed().await);
    assert_eq!(store.read("t".into(), Seq(0), Seq::END, 9).await.expect("readable").len(), 1);
}

fn begin(request_hash: u64) -> Boundary {
    Boundary::Started { request_hash, agent: "hello".into(), parent: None, at: 1, answers: Vec::new() }
}

fn file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("threads.db");
    (folder, path)
}
