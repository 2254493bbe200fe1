//! Annotations.

use std::sync::Arc;

use super::thread;
use crate::{Annotation, Store};

fn remark(id: &str, at: i64, json: &'static str) -> Annotation {
    Annotation {
        id: id.into(),
        thread_id: "t".into(),
        run_id: Some("r".into()),
        message_id: None,
        kind: "thumb".into(),
        json: json.into(),
        by: "ann".into(),
        at,
    }
}

pub(super) async fn annotations_come_in_the_order_of_their_times(store: Arc<dyn Store>) {
    thread(&store, "t").await;
    thread(&store, "other").await;
    let about = Annotation { message_id: Some("m".into()), run_id: None, ..remark("c", 1, "1") };
    for annotation in [remark("a", 3, "3"), about.clone(), remark("b", 2, "2")] {
        assert!(store.annotate(annotation).await.expect("writable"));
    }
    let kept = store.annotations("t".into()).await.expect("readable");
    assert_eq!(kept, [about, remark("b", 2, "2"), remark("a", 3, "3")]);
    assert_eq!(store.annotations("other".into()).await.expect("readable"), []);
}

pub(super) async fn the_same_annotation_again_replaces_it(store: Arc<dyn Store>) {
    thread(&store, "t").await;
    assert!(store.annotate(remark("a", 1, "1")).await.expect("writable"));
    assert!(store.annotate(remark("a", 2, "2")).await.expect("writable"));
    assert_eq!(store.annotations("t".into()).await.expect("readable"), [remark("a", 2, "2")]);
}

pub(super) async fn annotations_can_be_removed(store: Arc<dyn Store>) {
    thread(&store, "t").await;
    assert!(store.annotate(remark("a", 1, "1")).await.expect("writable"));
    assert!(!store.delete_annotation("elsewhere".into(), "a".into()).await.expect("writable"));
    assert!(store.delete_annotation("t".into(), "a".into()).await.expect("writable"));
    assert!(!store.delete_annotation("t".into(), "a".into()).await.expect("writable"));
    assert_eq!(store.annotations("t".into()).await.expect("readable"), []);
}

pub(super) async fn nothing_is_annotated_that_does_not_exist(store: Arc<dyn Store>) {
    assert!(!store.annotate(remark("a", 1, "1")).await.expect("writable"));
    thread(&store, "t").await;
    assert_eq!(store.annotations("t".into()).await.expect("readable"), []);
}
