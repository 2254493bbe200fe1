//! What was written, and finding it.

use std::sync::Arc;

use super::{append, ended, started, thread};
use crate::{Append, Lease, NewThread, Search, Store, ThreadChange, Utterance};

async fn found(store: &Arc<dyn Store>, owner: &str, text: &str) -> Vec<(String, String)> {
    let found = store.search(Search::new(owner, text, 10)).await.expect("readable");
    found.into_iter().map(|it| (it.thread_id.to_string(), it.utterance.message_id.to_string())).collect()
}

fn pair(thread: &str, message: &str) -> (String, String) {
    (thread.to_owned(), message.to_owned())
}

async fn say(store: &Arc<dyn Store>, lease: &Lease, utterances: Vec<Utterance>) {
    let first = Append { utterances, ..started(lease, "r", 0, &["a"]) };
    store.append(first).await.expect("room");
}

pub(super) async fn messages_are_found_by_all_their_words(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    let asked = Utterance::new("m1", true, "How do I grow TOMATOES\0 in Ålesund, 100 % bio_logically?");
    say(&store, &lease, vec![asked.clone()]).await;
    let answered = vec![Utterance::new("m2", false, "Tomatoes want sun.")];
    let last = Append { utterances: answered, ..ended(append(&lease, "r", 1, &["b"]), "success") };
    store.append(last).await.expect("room");

    let both = [pair("t", "m2"), pair("t", "m1")];
    assert_eq!(found(&store, "ann", "tomato").await, both, "the newest first");
    assert_eq!(found(&store, "ann", "  Grow tomatoes ").await, [pair("t", "m1")], "all words, in any case");
    assert_eq!(found(&store, "ann", "ÅLESUND").await, [pair("t", "m1")], "letters of every language");
    assert_eq!(found(&store, "ann", "100 %").await, [pair("t", "m1")]);
    assert_eq!(found(&store, "ann", "bio_").await, [pair("t", "m1")], "no sign has a meaning");
    assert_eq!(found(&store, "ann", "b_o").await, []);
    assert_eq!(found(&store, "ann", "tomato potato").await, []);
    assert_eq!(found(&store, "ann", " ").await, [], "nothing is found by nothing");
    let one = store.search(Search::new("ann", "tomato", 1)).await.expect("readable");
    assert_eq!(one.len(), 1, "at most as many as are asked for");
    let whole = store.search(Search::new("ann", "grow", 1)).await.expect("readable");
    assert_eq!(whole[0].utterance, asked, "with its text");
    let opening = store.thread("t".into()).await.expect("readable").expect("there").opening;
    assert_eq!(opening.as_deref(), Some(asked.text.as_str()), "a thread says what it began with");
}

pub(super) async fn a_message_that_is_written_again_is_found_as_it_is_now(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    say(&store, &lease, vec![Utterance::new("m1", true, "first")]).await;
    let again = vec![Utterance::new("m1", true, "second")];
    let last = Append { utterances: again, ..ended(append(&lease, "r", 1, &["b"]), "success") };
    store.append(last).await.expect("room");
    assert_eq!(found(&store, "ann", "first").await, []);
    assert_eq!(found(&store, "ann", "second").await, [pair("t", "m1")]);
}

pub(super) async fn only_the_owner_finds_what_is_on_a_thread(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    say(&store, &lease, vec![Utterance::new("m1", true, "secret")]).await;
    store.create_thread(NewThread::new("u", "bob", "hello", 1)).await.expect("free");
    assert_eq!(found(&store, "bob", "secret").await, []);
    assert_eq!(found(&store, "ann", "secret").await, [pair("t", "m1")]);
}

pub(super) async fn what_is_archived_is_found_on_request_and_what_is_deleted_never(store: Arc<dyn Store>) {
    let lease = thread(&store, "t").await;
    say(&store, &lease, vec![Utterance::new("m1", true, "gone")]).await;
    let change = ThreadChange { archived: Some(true), now: 2, ..ThreadChange::default() };
    store.update_thread("t".into(), change).await.expect("writable").expect("there");
    assert_eq!(found(&store, "ann", "gone").await, []);
    let all = Search { archived: true, ..Search::new("ann", "gone", 10) };
    assert_eq!(store.search(all.clone()).await.expect("readable").len(), 1);
    assert!(store.delete_thread("t".into()).await.expect("writable"));
    assert_eq!(store.search(all.clone()).await.expect("readable"), []);
    store.create_thread(NewThread::new("t", "ann", "hello", 3)).await.expect("free");
    assert_eq!(store.search(all).await.expect("readable"), [], "not under the same id either");
}
