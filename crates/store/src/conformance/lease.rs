//! Leases.

use std::sync::Arc;

use super::{append, claim, started, thread, with_fence};
use crate::{Append, AppendError, ClaimError, Fence, LeaseLost, Store};

pub(super) async fn one_holder_at_a_time(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    let refused = store.claim("t".into(), "other".into(), 999, 1000).await;
    assert!(
        matches!(&refused, Err(ClaimError::Held { holder, expires_at: 1000 }) if *holder == lease.holder),
        "{refused:?}"
    );
    let nowhere = store.claim("elsewhere".into(), "other".into(), 0, 1000).await;
    assert!(matches!(nowhere, Err(ClaimError::NoThread(_))), "{nowhere:?}");
}

pub(super) async fn fences_grow_with_every_claim(store: Arc<dyn Store>) {
    let first = thread(&store, "t").await;
    let second = claim(&store, "t", 1000).await;
    store.release(second.clone()).await.expect("ours");
    let third = claim(&store, "t", 1001).await;
    assert!(first.fence < second.fence && second.fence < third.fence);
}

pub(super) async fn an_older_fence_is_refused_at_once(store: Arc<dyn Store>) {
    let old = thread(&store, "t").await;
    store.append(started(&old, "r", 0, &["a"])).await.expect("room");
    let new = claim(&store, "t", 1000).await;
    let refused = store.append(append(&old, "r", 1, &["b"])).await;
    assert!(
        matches!(refused, Err(AppendError::Fenced { given, current }) if given == old.fence && current == new.fence),
        "{refused:?}"
    );
    let made_up = store.append(with_fence(append(&new, "r", 1, &["b"]), new.fence.0 + 1)).await;
    assert!(matches!(made_up, Err(AppendError::Fenced { .. })), "{made_up:?}");
    store.append(append(&new, "r", 1, &["b"])).await.expect("the new holder may write");
}

pub(super) async fn a_lease_that_is_renewed_lasts(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    let renewed = store.renew(lease.clone(), 900, 1000).await.expect("still ours");
    assert_eq!((renewed.fence, renewed.expires_at), (lease.fence, 1900));
    let refused = store.claim("t".into(), "other".into(), 1500, 1000).await;
    assert!(matches!(refused, Err(ClaimError::Held { .. })), "{refused:?}");
}

pub(super) async fn a_lost_lease_cannot_be_renewed(store: Arc<dyn Store>) {
    let old = thread(&store, "t").await;
    let new = claim(&store, "t", 1000).await;
    let lost = store.renew(old, 1001, 1000).await;
    assert!(matches!(lost, Err(LeaseLost::Lost(_))), "{lost:?}");
    store.release(new.clone()).await.expect("ours");
    let given_back = store.renew(new, 1001, 1000).await;
    assert!(matches!(given_back, Err(LeaseLost::Lost(_))), "{given_back:?}");
}

pub(super) async fn releasing_an_old_lease_harms_nobody(store: Arc<dyn Store>) {
    let old = thread(&store, "t").await;
    let new = claim(&store, "t", 1000).await;
    store.release(old).await.expect("no matter");
    store.renew(new.clone(), 1001, 1000).await.expect("still held");
    assert_ne!(new.fence, Fence(0));
}

pub(super) async fn a_lease_goes_back_with_an_append_that_says_so(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(started(&lease, "r", 0, &["a"])).await.expect("room");
    let refused = store.claim("t".into(), "other".into(), 1, 1000).await;
    assert!(matches!(refused, Err(ClaimError::Held { .. })), "{refused:?}");
    store.append(append(&lease, "r", 1, &["b"])).await.expect("room");
    store.append(Append { release: true, ..append(&lease, "r", 2, &["c"]) }).await.expect("room");
    let next = store.claim("t".into(), "other".into(), 1, 1000).await.expect("it was given back");
    store.append(append(&next, "r", 3, &["d"])).await.expect("room");
    store.append(Append { release: true, ..append(&next, "r", 4, &[]) }).await.expect("nothing to write");
    store.claim("t".into(), "third".into(), 1, 1000).await.expect("it was given back");
}

pub(super) async fn runs_without_a_holder_are_found(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(started(&lease, "r", 0, &["a"])).await.expect("room");
    let found =
        |runs: Vec<crate::RunRecord>| runs.iter().map(|run| run.run_id.to_string()).collect::<Vec<_>>();
    assert_eq!(found(store.abandoned_runs(999).await.expect("readable")), [""; 0]);
    assert_eq!(found(store.abandoned_runs(1000).await.expect("readable")), ["r"]);
    store.release(lease).await.expect("ours");
    assert_eq!(found(store.abandoned_runs(0).await.expect("readable")), ["r"]);
}
