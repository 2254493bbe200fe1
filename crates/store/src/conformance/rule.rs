//! Rules.

use std::sync::Arc;

use super::{
    append,
    audit::{about, trail},
    decide,
    interrupt::ask,
    started, thread,
};
use crate::{Append, Rule, Store};

/// A rule of ann's for all her threads.
pub(super) fn rule(id: &str, at: i64) -> Rule {
    Rule {
        risk: "medium".to_owned(),
        id: id.into(),
        owner: "ann".into(),
        agent: "hello".into(),
        tool: "mail".into(),
        thread_id: None,
        by: "bob".into(),
        at,
    }
}

fn on(thread: &str, rule: Rule) -> Rule {
    Rule { thread_id: Some(thread.into()), ..rule }
}

async fn of(store: &Arc<dyn Store>, owner: &str) -> Vec<Rule> {
    store.rules(owner.into()).await.expect("readable")
}

async fn put(store: &Arc<dyn Store>, rule: Rule) -> bool {
    store.put_rule(rule).await.expect("writable")
}

pub(super) async fn rules_come_in_the_order_of_their_times(store: Arc<dyn Store>) {
    thread(&store, "t").await;
    let foreign = Rule { owner: "bob".into(), ..rule("a", 1) };
    let bound = on("t", rule("c", 2));
    for rule in [rule("a", 3), foreign.clone(), bound.clone(), rule("b", 2)] {
        assert!(put(&store, rule).await);
    }
    assert_eq!(of(&store, "ann").await, [rule("b", 2), bound, rule("a", 3)]);
    assert_eq!(of(&store, "bob").await, [foreign]);
    assert_eq!(of(&store, "eve").await, []);
}

pub(super) async fn the_same_rule_again_replaces_it(store: Arc<dyn Store>) {
    assert!(put(&store, rule("a", 1)).await);
    let wider = Rule { tool: "fax".into(), ..rule("a", 2) };
    assert!(put(&store, wider.clone()).await);
    assert_eq!(of(&store, "ann").await, [wider]);
}

pub(super) async fn rules_are_removed_by_their_owner(store: Arc<dyn Store>) {
    assert!(put(&store, rule("a", 1)).await);
    let delete = async |owner: &str| {
        store.delete_rule(owner.into(), "a".into(), about("removed", "t")).await.expect("writable")
    };
    assert!(!delete("bob").await);
    assert_eq!(trail(&store).await, [], "nothing was removed");
    assert!(delete("ann").await);
    assert!(!delete("ann").await);
    assert_eq!(of(&store, "ann").await, []);
    let entries = trail(&store).await;
    assert_eq!(entries.iter().map(|entry| &entry.entry).collect::<Vec<_>>(), [&about("removed", "t")]);
}

pub(super) async fn rules_of_a_thread_go_with_it(store: Arc<dyn Store>) {
    assert!(!put(&store, on("t", rule("a", 1))).await, "there is no such thread");
    assert_eq!(of(&store, "ann").await, []);
    thread(&store, "t").await;
    thread(&store, "other").await;
    for rule in [on("t", rule("a", 1)), on("other", rule("b", 2)), rule("c", 3)] {
        assert!(put(&store, rule).await);
    }
    assert!(store.delete_thread("t".into()).await.expect("writable"));
    assert_eq!(of(&store, "ann").await, [on("other", rule("b", 2)), rule("c", 3)]);
    thread(&store, "t").await;
    assert_eq!(of(&store, "ann").await.len(), 2, "a new thread of that id begins without");
}

pub(super) async fn rules_come_with_an_append_exactly_if_it_is_kept(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    let rules = vec![on("t", rule("a", 1)), on("nowhere", rule("x", 1)), rule("b", 2)];
    let first = Append { rules, ..started(&lease, "r", 0, &["a"]) };
    store.append(first.clone()).await.expect("room");
    let kept = [on("t", rule("a", 1)), rule("b", 2)];
    assert_eq!(of(&store, "ann").await, kept);
    let refused = Append { rules: vec![rule("c", 3)], ..append(&lease, "r", 9, &["a"]) };
    assert!(store.append(refused).await.is_err());
    assert_eq!(of(&store, "ann").await, kept);
    assert!(store.delete_rule("ann".into(), "a".into(), about("removed", "t")).await.expect("writable"));
    store.append(first).await.expect("the same again");
    assert_eq!(of(&store, "ann").await, kept[1..], "what was removed since stays removed");
}

pub(super) async fn rules_come_with_a_decision(store: Arc<dyn Store>) {
    decide::asked(&store, ask("i")).await;
    let rules = vec![on("t", rule("a", 1))];
    store.decide(crate::Decide { rules, ..decide::decide("bob", 45) }).await.expect("writable");
    assert_eq!(of(&store, "ann").await, [on("t", rule("a", 1))]);
}
