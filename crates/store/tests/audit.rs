//! The audit trail in a SQLite file: SQL cannot change it, and who takes the guards away is found out.

use std::path::{Path, PathBuf};

use forestage_store::{
    AuditBroken, AuditEntry, AuditQuery, NewAudit, Store, sqlite::SqliteStore, verify_audit,
};
use rusqlite::Connection;

fn entry(kind: &str) -> NewAudit {
    NewAudit {
        at: 7,
        kind: kind.into(),
        actor: "ann".into(),
        origin: "inbox".into(),
        owner: "ann".into(),
        thread_id: Some("t".into()),
        interrupt_id: Some("i".into()),
        json: "{\"approved\":true}".into(),
    }
}

/// A file with three entries.
async fn file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("threads.db");
    let store = SqliteStore::open(&path).await.expect("a new file");
    for kind in ["asked", "decided", "carried"] {
        store.audit(entry(kind)).await.expect("writable");
    }
    (folder, path)
}

async fn verify(path: &Path) -> Result<[u8; 32], AuditBroken> {
    let store = SqliteStore::open(path).await.expect("the same file");
    let entries = store.audit_trail(AuditQuery::all()).await.expect("readable");
    verify_audit(AuditEntry::BEFORE_FIRST, &entries)
}

#[tokio::test]
async fn sql_cannot_change_the_audit_trail() {
    let (_folder, path) = file().await;
    let whole = verify(&path).await.expect("whole");
    let connection = Connection::open(&path).expect("a file");
    let copy = "at, kind, actor, origin, owner, thread, interrupt, json, hash FROM audit WHERE seq = 1";
    for statement in [
        "UPDATE audit SET actor = 'eve' WHERE seq = 2".to_owned(),
        "UPDATE audit SET seq = 9 WHERE seq = 3".to_owned(),
        "DELETE FROM audit WHERE seq = 3".to_owned(),
        "DELETE FROM audit".to_owned(),
        format!("INSERT OR REPLACE INTO audit SELECT 2, {copy}"),
        format!("INSERT INTO audit SELECT 5, {copy}"),
    ] {
        let error = connection.execute(&statement, []).expect_err("refused");
        assert!(error.to_string().contains("the audit trail"), "{statement}: {error}");
    }
    assert_eq!(verify(&path).await, Ok(whole));
}

#[tokio::test]
async fn who_changes_a_byte_behind_the_guards_is_found_out() {
    for (change, number) in [
        (
            "UPDATE audit SET json = CAST(replace(CAST(json AS TEXT), 'true', 'trux') AS BLOB) WHERE seq = 2",
            2,
        ),
        ("UPDATE audit SET actor = 'eve' WHERE seq = 3", 3),
        ("UPDATE audit SET at = 8 WHERE seq = 1", 1),
        ("UPDATE audit SET thread = NULL WHERE seq = 2", 2),
        ("UPDATE audit SET hash = zeroblob(32) WHERE seq = 1", 1),
        ("DELETE FROM audit WHERE seq = 2", 2),
    ] {
        let (_folder, path) = file().await;
        let connection = Connection::open(&path).expect("a file");
        connection
            .execute_batch("DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_removed")
            .expect("whoever has the file can do this");
        assert_eq!(connection.execute(change, []).expect("no guard is left"), 1, "{change}");
        assert_eq!(verify(&path).await, Err(AuditBroken { seq: number }), "{change}");
    }
}
