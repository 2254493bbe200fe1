//! What a copy of the database file alone has, without the write-ahead log beside it, and who may delete it.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use forestage_store::{
    NewThread, Store, StoreError,
    sqlite::{SqliteStore, is_in_use},
};

/// Long enough for any machine; only a failure waits for it.
const PATIENCE: Duration = Duration::from_secs(20);

async fn store_with_a_thread(path: &Path) -> SqliteStore {
    let store = SqliteStore::open(path).await.expect("a new file");
    store.create_thread(NewThread::new("t", "ann", "hello", 1)).await.expect("a new thread");
    store
}

/// Whether a copy of the file alone has the thread. One of which half was moved may not even be readable.
async fn copy_has_it(path: &Path) -> bool {
    copy_has(path, "t").await
}

async fn copy_has(path: &Path, id: &str) -> bool {
    let copy = path.with_extension("copy.db");
    std::fs::copy(path, &copy).expect("a copy");
    let Ok(store) = SqliteStore::open(&copy).await else { return false };
    let thread = store.thread(id.into()).await.ok().flatten();
    drop(store);
    for suffix in ["", "-wal", "-shm"] {
        let mut name = copy.clone().into_os_string();
        name.push(suffix);
        let _ = std::fs::remove_file(name);
    }
    thread.is_some()
}

#[tokio::test]
async fn a_copy_of_a_settled_store_has_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.db");
    let store = store_with_a_thread(&path).await;
    let other = SqliteStore::open(&path).await.expect("the same file");
    let _watch = (store.watch(&"t".into()), other.watch(&"t".into()));
    store.settle().await.expect("nobody holds it up");
    assert!(copy_has_it(&path).await);
    let log = std::fs::metadata(folder.path().join("t.db-wal")).expect("a log");
    assert_eq!(log.len(), 0);
}

#[tokio::test]
async fn a_reader_holds_settling_up_and_nothing_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.db");
    let store = store_with_a_thread(&path).await;
    let reader = rusqlite::Connection::open(&path).expect("the same file");
    reader.execute_batch("BEGIN; SELECT count(*) FROM thread").expect("a snapshot");
    store.create_thread(NewThread::new("t2", "ann", "hello", 1)).await.expect("a new thread");
    let refused = store.settle().await;
    assert!(matches!(refused, Err(StoreError::Unsettled)), "{refused:?}");
    assert!(store.thread("t2".into()).await.expect("readable").is_some());
    reader.execute_batch("ROLLBACK").expect("the end of the snapshot");
    store.settle().await.expect("nobody holds it up");
}

#[tokio::test]
async fn a_copy_of_a_store_that_rests_has_everything_once_no_reader_holds_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.db");
    let store = store_with_a_thread(&path).await;
    let reader = rusqlite::Connection::open(&path).expect("the same file");
    reader.execute_batch("BEGIN; SELECT count(*) FROM thread").expect("a snapshot");
    store.create_thread(NewThread::new("t2", "ann", "hello", 1)).await.expect("a new thread");
    // When the store rests, as much is moved as the reader lets.
    let before = moved_frames(&path);
    let begin = Instant::now();
    while moved_frames(&path) == before {
        assert!(begin.elapsed() < PATIENCE, "nothing was moved");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(!copy_has(&path, "t2").await, "the reader still sees what was before");
    reader.execute_batch("ROLLBACK").expect("the end of the snapshot");
    until_copied(&path, "t2").await;
}

/// How many frames of the write-ahead log have been moved into the database: `nBackfill` of SQLite's index of the log.
fn moved_frames(path: &Path) -> u32 {
    let index = std::fs::read(path.with_extension("db-shm")).expect("the index of the log");
    u32::from_ne_bytes(index[96..100].try_into().expect("four bytes"))
}

/// Waits until a copy has a thread. Nobody is told when the log is moved, but a copy shows it.
async fn until_copied(path: &Path, id: &str) {
    let begin = Instant::now();
    while !copy_has(path, id).await {
        assert!(begin.elapsed() < PATIENCE, "`{id}` was never moved");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_file_is_in_use_while_somebody_has_it_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.db");
    assert!(!is_in_use(&path).expect("nothing is there"));
    let store = store_with_a_thread(&path).await;
    assert!(is_in_use(&path).expect("readable"));
    assert!(store.thread("t".into()).await.expect("readable").is_some(), "asking changes nothing");
    let other = folder.path().join("text");
    std::fs::write(&other, "this is no database, but long enough to be one, one might think").expect("room");
    assert!(!is_in_use(&other).expect("readable"));
}
