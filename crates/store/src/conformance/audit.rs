//! The audit trail.

use std::sync::Arc;

use super::{
    append, ended,
    interrupt::{answer, answering},
    started, thread,
};
use crate::{Append, AuditEntry, AuditQuery, NewAudit, Store, verify_audit};

/// Something that happened on a thread of ann's.
pub(super) fn about(kind: &str, thread: &str) -> NewAudit {
    NewAudit {
        at: 7,
        kind: kind.into(),
        actor: "bob".into(),
        origin: "inbox".into(),
        owner: "ann".into(),
        thread_id: Some(thread.into()),
        interrupt_id: None,
        json: "{\"why\":\"\u{e4}\"}".into(),
    }
}

/// All of it, which is whole.
pub(super) async fn trail(store: &Arc<dyn Store>) -> Vec<AuditEntry> {
    let entries = store.audit_trail(AuditQuery::all()).await.expect("readable");
    verify_audit(AuditEntry::BEFORE_FIRST, &entries).expect("nothing is broken");
    entries
}

async fn kinds(store: &Arc<dyn Store>, query: AuditQuery) -> Vec<String> {
    let entries = store.audit_trail(query).await.expect("readable");
    entries.into_iter().map(|entry| entry.entry.kind).collect()
}

fn with_audit(append: Append, kinds: &[&str]) -> Append {
    Append { audit: kinds.iter().map(|kind| about(kind, "t")).collect(), ..append }
}

pub(super) async fn the_audit_trail_is_one_sealed_row(store: Arc<dyn Store>) {
    assert_eq!(trail(&store).await, []);
    let bare = NewAudit { at: -1, thread_id: None, json: "".into(), ..about("", "t") };
    let full = NewAudit { interrupt_id: Some("i".into()), ..about("asked", "t") };
    let mut added = Vec::new();
    for new in [bare, full, about("asked", "nowhere")] {
        let entry = store.audit(new.clone()).await.expect("writable");
        assert_eq!((entry.seq, &entry.entry), (added.len() as u64 + 1, &new));
        added.push(entry);
    }
    assert_eq!(trail(&store).await, added);
}

pub(super) async fn the_audit_trail_is_read_by_what_it_is_about(store: Arc<dyn Store>) {
    let foreign = NewAudit { owner: "bob".into(), ..about("b", "t2") };
    let asked = NewAudit { interrupt_id: Some("i".into()), ..about("c", "t1") };
    let general = NewAudit { thread_id: None, ..about("d", "") };
    for new in [about("a", "t1"), foreign, asked, general] {
        store.audit(new).await.expect("writable");
    }
    let all = AuditQuery::all;
    assert_eq!(kinds(&store, all()).await, ["a", "b", "c", "d"]);
    assert_eq!(kinds(&store, AuditQuery { owner: Some("ann".into()), ..all() }).await, ["a", "c", "d"]);
    assert_eq!(kinds(&store, AuditQuery { thread_id: Some("t1".into()), ..all() }).await, ["a", "c"]);
    assert_eq!(kinds(&store, AuditQuery { interrupt_id: Some("i".into()), ..all() }).await, ["c"]);
    let both = AuditQuery { owner: Some("bob".into()), thread_id: Some("t1".into()), ..all() };
    assert_eq!(kinds(&store, both).await, [""; 0]);
    assert_eq!(kinds(&store, AuditQuery { after: 1, limit: 2, ..all() }).await, ["b", "c"]);
    assert_eq!(kinds(&store, AuditQuery { after: 4, ..all() }).await, [""; 0]);
    let next = AuditQuery { owner: Some("ann".into()), after: 1, limit: 1, ..all() };
    assert_eq!(kinds(&store, next).await, ["c"]);
}

pub(super) async fn what_an_append_tells_the_audit_trail_is_there_exactly_if_it_is(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    let first = with_audit(started(&lease, "r", 0, &["a"]), &["began", "checked"]);
    store.append(first.clone()).await.expect("room");
    store.append(with_audit(append(&lease, "r", 1, &["b"]), &["said"])).await.expect("room");
    store.append(first).await.expect("the same again");
    let wrong_end = with_audit(append(&lease, "r", 1, &["c"]), &["lost"]);
    assert!(store.append(wrong_end).await.is_err());
    store.append(ended(append(&lease, "r", 2, &["d"]), "success")).await.expect("room");
    let unasked = with_audit(answering(&lease, "r2", 3, vec![answer("i", "eve")]), &["lost"]);
    assert!(store.append(unasked).await.is_err());
    let kinds: Vec<_> = trail(&store).await.into_iter().map(|entry| entry.entry.kind).collect();
    assert_eq!(kinds, ["began", "checked", "said"]);
}

pub(super) async fn the_audit_trail_outlives_its_threads(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(with_audit(started(&lease, "r", 0, &["a"]), &["began"])).await.expect("room");
    let before = trail(&store).await;
    assert!(store.delete_thread("t".into()).await.expect("writable"));
    assert_eq!(trail(&store).await, before);
    let of_it = AuditQuery { thread_id: Some("t".into()), ..AuditQuery::all() };
    assert_eq!(store.audit_trail(of_it).await.expect("readable"), before);
}

pub(super) async fn many_writers_make_one_audit_trail(store: Arc<dyn Store>) {
    let writers: Vec<_> = (0..4)
        .map(|writer| {
            let store = store.clone();
            tokio::spawn(async move {
                for _ in 0..10 {
                    store.audit(about(&format!("w{writer}"), "t")).await.expect("writable");
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.expect("a writer");
    }
    assert_eq!(trail(&store).await.len(), 40);
}
