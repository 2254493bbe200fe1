//! Wake-ups.

use std::{sync::Arc, time::Duration};

use super::{PATIENCE, append, started, texts, thread, wakes};
use crate::{Append, Seq, Store};

pub(super) async fn a_follower_hears_of_every_last_append(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    let mut watch = store.watch(&"t".into());
    store.append(started(&lease, "r", 0, &["a"])).await.expect("room");
    for after in 1..50 {
        assert!(wakes(&mut watch).await, "after append {after}");
        assert_eq!(texts(&store, "t", 0).await.len(), after);
        store.append(append(&lease, "r", after as u64, &["b"])).await.expect("room");
    }
}

pub(super) async fn followers_of_other_threads_sleep_on(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    let mut other = store.watch(&"other".into());
    store.append(started(&lease, "r", 0, &["a"])).await.expect("room");
    assert!(tokio::time::timeout(Duration::ZERO, other.changed()).await.is_err());
}

pub(super) async fn many_writers_and_a_follower_see_one_order(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    store.append(started(&lease, "r", 0, &["start"])).await.expect("room");
    let follower = tokio::spawn(follow(store.clone(), 41));
    let writers: Vec<_> = (0..4)
        .map(|writer| {
            let (store, lease) = (store.clone(), lease.clone());
            tokio::spawn(async move {
                for number in 0..10 {
                    let text = format!("{writer}-{number}");
                    insist(&store, append(&lease, "r", 0, &[&text])).await;
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.expect("a writer");
    }
    let followed = tokio::time::timeout(PATIENCE, follower).await.expect("in time").expect("a follower");
    assert_eq!(followed, texts(&store, "t", 0).await);
}

/// Appends at whatever is the end, as often as it takes.
async fn insist(store: &Arc<dyn Store>, mut append: Append) {
    while let Err(error) = store.append(append.clone()).await {
        match error {
            crate::AppendError::Conflict { found, .. } => append.after = found,
            other => panic!("{other}"),
        }
    }
}

async fn follow(store: Arc<dyn Store>, until: usize) -> Vec<(u64, String)> {
    let mut watch = store.watch(&"t".into());
    let mut seen = Vec::new();
    while seen.len() < until {
        let after = Seq(seen.len() as u64);
        let entries = store.read("t".into(), after, Seq::END, 7).await.expect("readable");
        if entries.is_empty() {
            watch.changed().await;
        }
        seen.extend(entries.iter().map(super::shown));
    }
    seen
}
