//! The file of a store as the system sees it.

#![cfg(unix)]

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use forestage_store::{NewThread, Store, sqlite::SqliteStore};

async fn open(path: &Path) -> SqliteStore {
    let store = SqliteStore::open(path).await.expect("a new file");
    store.create_thread(NewThread::new("t", "ann", "hello", 1)).await.expect("a new thread");
    store
}

#[tokio::test]
async fn nobody_but_the_owner_can_read_what_is_stored() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("threads.db");
    let _store = open(&path).await;
    let files = fs::read_dir(folder.path()).expect("a folder").map(|file| file.expect("a file"));
    let modes: Vec<_> = files
        .map(|file| (file.file_name(), file.metadata().expect("it is there").permissions().mode() & 0o777))
        .collect();
    assert_eq!(modes.len(), 3, "the database, its log and their index: {modes:?}");
    assert!(modes.iter().all(|(_, mode)| *mode == 0o600), "{modes:?}");
}

#[tokio::test]
async fn a_file_that_is_gone_or_replaced_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("threads.db");
    let store = open(&path).await;
    store.check_writable().await.expect("it is there");
    let aside = folder.path().join("aside.db");
    fs::rename(&path, &aside).expect("it moves");
    let gone = store.check_writable().await.expect_err("it is gone").to_string();
    assert!(gone.contains("threads.db is gone"), "{gone}");
    fs::copy(&aside, &path).expect("a copy");
    let other = store.check_writable().await.expect_err("it is a copy").to_string();
    assert!(other.contains("another file"), "{other}");
    fs::rename(&aside, &path).expect("it moves back");
    store.check_writable().await.expect("it is there again");
}
