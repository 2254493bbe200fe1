//! What tools remember.

use std::sync::Arc;

use crate::{Note, Store};

fn note(owner: &str, body: &'static str, version: u64) -> Note {
    Note { owner: owner.to_owned(), name: "profile".to_owned(), body: body.into(), version }
}

async fn put(store: &Arc<dyn Store>, note: Note) -> bool {
    store.put_note(note).await.expect("writable")
}

async fn of(store: &Arc<dyn Store>, owner: &str) -> Option<Note> {
    store.note(owner.to_owned(), "profile".to_owned()).await.expect("readable")
}

pub(super) async fn notes_belong_to_their_owner(store: Arc<dyn Store>) {
    assert_eq!(of(&store, "ann").await, None);
    assert!(put(&store, note("ann", "a", 0)).await);
    assert_eq!(of(&store, "ann").await, Some(note("ann", "a", 1)));
    assert_eq!(of(&store, "bob").await, None);
    assert!(put(&store, note("bob", "b", 0)).await);
    assert_eq!(of(&store, "ann").await, Some(note("ann", "a", 1)));
}

pub(super) async fn a_note_that_was_written_since_is_not_overwritten(store: Arc<dyn Store>) {
    assert!(!put(&store, note("ann", "x", 3)).await, "there is none to replace");
    assert!(put(&store, note("ann", "a", 0)).await);
    assert!(!put(&store, note("ann", "late", 0)).await);
    assert!(put(&store, note("ann", "b", 1)).await);
    assert!(!put(&store, note("ann", "late", 1)).await);
    assert_eq!(of(&store, "ann").await, Some(note("ann", "b", 2)));
}
