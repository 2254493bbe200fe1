//! Many who follow one inbox: what it costs, and what becomes of them when the store fails.

use std::{sync::Arc, time::Duration};

use forestage_runtime::{Limits, Stage, StartRun};
use forestage_server::{Http, Keys};
use forestage_store::conformance::faulty::Faulty;

use crate::support::*;

/// Long enough for anything; only a failure waits for it.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many questions are asked.
const QUESTIONS: usize = 20;

/// A server on a store that counts and can fail, and somebody elsewhere who asks questions all the same.
async fn start(outage: Duration) -> (Running, Arc<Faulty>, Arc<Stage>) {
    let inner = forestage_store::open("memory:").await.unwrap();
    let store = Faulty::new(inner.clone());
    let limits = Limits { outage, ..Limits::default() };
    let server = Running::on(store.clone(), Keys::default(), Http::default(), limits).await;
    (server, store, Stage::new(inner, agents(&Arc::default()), Limits::default()))
}

async fn follow(server: &Running) -> Stream {
    let mut stream = Stream::new(server.get("/v1/interrupts?follow=true").send().await.unwrap());
    while stream.next().await.unwrap()["type"] != "ready" {}
    stream
}

async fn ask(stage: &Arc<Stage>, thread: &str) {
    let input = serde_json::from_value(input(thread, "r1", "go")).unwrap();
    stage.start(StartRun::new("asking", input, "local")).await.unwrap();
}

/// How often the store is read while so many follow and hear of all questions.
async fn reads(followers: usize) -> u64 {
    let (server, store, elsewhere) = start(PATIENCE).await;
    let mut streams = Vec::new();
    for _ in 0..followers {
        streams.push(follow(&server).await);
    }
    let before = store.reads();
    for number in 0..QUESTIONS {
        ask(&elsewhere, &format!("t{number}")).await;
        for stream in &mut streams {
            let news = tokio::time::timeout(PATIENCE, stream.next()).await.unwrap().unwrap();
            assert_eq!(news["type"], "opened");
        }
    }
    store.reads() - before
}

#[tokio::test]
async fn a_question_is_read_once_for_all_who_follow() {
    let (one, many) = (reads(1).await, reads(50).await);
    // Upkeep reads now and then, too.
    assert!(many <= 2 * one + 20, "{one} reads for one follower, {many} for 50");
}

#[tokio::test]
async fn who_follows_the_inbox_reads_on_when_the_store_is_back() {
    let (server, store, elsewhere) = start(PATIENCE).await;
    let mut stream = follow(&server).await;
    store.fail_reads_after(0);
    ask(&elsewhere, "t1").await;
    store.refused(store.refusals() + 2).await;
    store.heal();
    let news = tokio::time::timeout(PATIENCE, stream.next()).await.expect("it is not deaf").unwrap();
    assert_eq!((&news["type"], &news["interrupt"]["threadId"]), (&"opened".into(), &"t1".into()));
}

#[tokio::test]
async fn who_follows_the_inbox_of_a_store_that_stays_away_is_cut_off_and_can_come_back() {
    let (server, store, elsewhere) = start(Duration::ZERO).await;
    let mut stream = follow(&server).await;
    store.fail_reads_after(0);
    ask(&elsewhere, "t1").await;
    let end = tokio::time::timeout(PATIENCE, stream.rest()).await.expect("it is not deaf");
    end.expect_err("it does not look like an end");
    store.heal();
    let mut again = Stream::new(server.get("/v1/interrupts?follow=true").send().await.unwrap());
    assert_eq!(again.next().await.unwrap()["interrupt"]["threadId"], "t1");
}
