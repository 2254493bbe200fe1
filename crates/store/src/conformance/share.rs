//! Shares.

use std::sync::Arc;

use super::{
    audit::{about, trail},
    thread,
};
use crate::{Share, Store};

/// A share of the thread `t`; the number tells it from others.
pub(super) fn share(id: &str, number: u8) -> Share {
    Share {
        id: id.into(),
        thread_id: "t".into(),
        hash: [number; 32],
        by: "ann".into(),
        at: i64::from(number),
        expires_at: None,
    }
}

async fn put(store: &Arc<dyn Store>, share: Share) -> bool {
    store.put_share(share, about("shared", "t")).await.expect("writable")
}

async fn on(store: &Arc<dyn Store>, thread: &str) -> Vec<Share> {
    store.shares(thread.into()).await.expect("readable")
}

async fn opens(store: &Arc<dyn Store>, number: u8) -> Option<Share> {
    store.share([number; 32]).await.expect("readable")
}

pub(super) async fn shares_come_in_the_order_of_their_times(store: Arc<dyn Store>) {
    thread(&store, "t").await;
    thread(&store, "other").await;
    let ends = Share { expires_at: Some(9), ..share("c", 1) };
    for share in [share("a", 3), ends.clone(), share("b", 2)] {
        assert!(put(&store, share).await);
    }
    assert_eq!(on(&store, "t").await, [ends, share("b", 2), share("a", 3)]);
    assert_eq!(on(&store, "other").await, []);
}

pub(super) async fn a_share_is_found_by_what_opens_it(store: Arc<dyn Store>) {
    thread(&store, "t").await;
    thread(&store, "other").await;
    let elsewhere = Share { thread_id: "other".into(), ..share("a", 2) };
    for share in [share("a", 1), elsewhere.clone()] {
        assert!(put(&store, share).await);
    }
    assert_eq!(opens(&store, 1).await, Some(share("a", 1)));
    assert_eq!(opens(&store, 2).await, Some(elsewhere));
    assert_eq!(opens(&store, 3).await, None);
}

pub(super) async fn a_share_that_was_taken_back_opens_nothing(store: Arc<dyn Store>) {
    thread(&store, "t").await;
    for share in [share("a", 1), share("b", 2)] {
        assert!(put(&store, share).await);
    }
    let delete = async |thread: &str| {
        store.delete_share(thread.into(), "a".into(), about("unshared", "t")).await.expect("writable")
    };
    assert!(!delete("elsewhere").await);
    assert!(delete("t").await);
    assert!(!delete("t").await);
    assert_eq!((opens(&store, 1).await, on(&store, "t").await), (None, vec![share("b", 2)]));
    let kinds: Vec<_> = trail(&store).await.into_iter().map(|entry| entry.entry.kind).collect();
    assert_eq!(kinds, ["shared", "shared", "unshared"], "on record exactly if something was done");
}

pub(super) async fn shares_go_with_their_thread(store: Arc<dyn Store>) {
    assert!(!put(&store, share("a", 1)).await, "there is no such thread");
    assert_eq!(trail(&store).await, []);
    thread(&store, "t").await;
    assert!(put(&store, share("a", 1)).await);
    assert!(store.delete_thread("t".into()).await.expect("writable"));
    assert_eq!(opens(&store, 1).await, None);
    thread(&store, "t").await;
    assert_eq!((opens(&store, 1).await, on(&store, "t").await), (None, vec![]), "a new one begins without");
}
