//! Agents elsewhere that fail: every way of failing has its code, and nothing of it tells their address.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use forestage_llm::remote::agui::{AgUi, AgUiConfig};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::{
    peer::{Peer, Piece, Reply, beginning, message, run_of, stage_with},
    support::*,
};

/// How a run with an agent that answers like this ends.
async fn ends(config: AgUiConfig) -> (String, String) {
    let events = run(&stage_with(config).await, "peer", says("r1", "Hello")).await;
    let last = events.last().unwrap();
    assert_eq!(last["type"], "RUN_ERROR", "{last}");
    (last["code"].as_str().unwrap().to_owned(), last["message"].as_str().unwrap().to_owned())
}

async fn check(play: fn(&Value) -> Reply, code: &str, says: &str) {
    let peer = Peer::new(move |input, _| play(input)).await;
    let mut config = peer.config();
    config.url = format!("{}?key=hidden-in-the-address", peer.url);
    (config.max_event_bytes, config.idle_timeout) = (1000, Duration::from_millis(300));
    let (found, message) = ends(config).await;
    assert_eq!(found, code, "{message}");
    assert!(message.contains(says), "{message}");
    assert!(!message.contains("hidden") && !message.contains("127.0.0.1"), "{message}");
}

#[tokio::test]
async fn an_answer_that_is_no_stream_of_events_is_told_apart() {
    check(|_| Reply::new(200, "application/json", "{}"), "agent_not_a_stream", "application/json").await;
    check(|_| Reply::new(200, "text/html", "<p>Sign in"), "agent_not_a_stream", "text/html").await;
    check(|_| Reply::new(422, "text/plain", "no: hidden"), "agent_refused", "422").await;
    check(|_| Reply::new(500, "text/plain", "hidden trace"), "agent_refused", "500").await;
}

#[tokio::test]
async fn an_answer_that_stops_is_never_a_success() {
    let half = |input: &Value| beginning(input, message("m", "Hel").into_iter().map(Piece::Event).collect());
    check(half, "agent_broke_off", "without a terminal event").await;
    check(|input| beginning(input, vec![Piece::Death]), "agent_broke_off", "broke off").await;
    check(|_| Reply::new(200, "text/event-stream", ""), "agent_broke_off", "before a run started").await;
}

#[tokio::test]
async fn silence_has_an_end() {
    check(|input| beginning(input, vec![Piece::Silence]), "agent_silent", "0.3 seconds").await;
}

#[tokio::test]
async fn what_is_no_event_or_stands_in_the_wrong_place_ends_the_run() {
    let code = "invalid_agent_event";
    check(|input| beginning(input, vec![Piece::Bytes("data: [DONE]\n\n")]), code, "event 1").await;
    check(|input| beginning(input, vec![Piece::Bytes("data: {\"type\":7}\n\n")]), code, "event 1").await;
    check(|input| beginning(input, vec![Piece::Event(message("m", "x")[1].clone())]), code, "event 1").await;
    let other = json!({ "type": "RUN_FINISHED", "threadId": "elsewhere", "runId": "r1" });
    let play = move |input: &Value| beginning(input, vec![Piece::Event(other.clone())]);
    let peer = Peer::new(move |input, _| play(input)).await;
    assert_eq!(ends(peer.config()).await.0, code);
}

#[tokio::test]
async fn an_event_that_is_too_large_ends_the_run() {
    let play = |input: &Value| run_of(input, message("m", &"long ".repeat(1000)));
    check(play, "agent_event_too_large", "1000 bytes").await;
}

#[tokio::test]
async fn what_came_before_a_failure_stays() {
    let peer = Peer::new(|input, _| {
        let mut said: Vec<_> = message("m", "Heard.").into_iter().map(Piece::Event).collect();
        said.push(Piece::Bytes("data: nonsense\n\n"));
        beginning(input, said)
    })
    .await;
    let events = run(&stage_with(peer.config()).await, "peer", says("r1", "Hello")).await;
    assert_eq!(said(&events), "Heard.");
    assert_eq!(events.last().unwrap()["code"], "invalid_agent_event");
}

#[tokio::test]
async fn an_agent_that_is_not_there_is_called_again_and_then_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let (code, message) = ends(AgUiConfig { retries: 1, ..AgUiConfig::new("peer", &url) }).await;
    assert_eq!(code, "agent_unreachable");
    assert!(message.contains("refused") && !message.contains("127.0.0.1"), "{message}");
}

#[tokio::test]
async fn an_agent_without_time_is_called_again_until_it_has() {
    let peer = Peer::new(|input, before| match before {
        0 | 1 => {
            let mut reply = Reply::new(503, "text/plain", "later");
            reply.headers.push(("retry-after", "0".to_owned()));
            reply
        }
        _ => run_of(input, message("m", "Now.")),
    })
    .await;
    let config = AgUiConfig { retries: 2, ..peer.config() };
    let events = run(&stage_with(config).await, "peer", says("r1", "Hello")).await;
    assert_eq!((said(&events).as_str(), peer.inputs().len()), ("Now.", 3));
}

#[tokio::test]
async fn nobody_is_called_again_after_the_first_event_or_a_clear_no() {
    for status in [400, 401, 404, 500, 504] {
        let peer = Peer::new(move |_, _| Reply::new(status, "text/plain", "no")).await;
        ends(AgUiConfig { retries: 3, ..peer.config() }).await;
        assert_eq!(peer.inputs().len(), 1, "{status}");
    }
    let peer = Peer::new(|input, _| beginning(input, vec![Piece::Death])).await;
    ends(AgUiConfig { retries: 3, ..peer.config() }).await;
    assert_eq!(peer.inputs().len(), 1);
}

#[tokio::test]
async fn secrets_stay_on_their_host() {
    let other = Peer::new(|input, _| run_of(input, vec![])).await;
    let url = other.url.clone();
    let peer = Peer::new(move |_, _| {
        let mut reply = Reply::new(307, "text/plain", "");
        reply.headers.push(("location", url.clone()));
        reply
    })
    .await;
    let (code, message) = ends(peer.config()).await;
    assert_eq!((code.as_str(), other.inputs().len()), ("agent_refused", 0));
    assert!(message.contains("somewhere else"), "{message}");
}

#[tokio::test]
async fn a_missing_slash_is_followed_on_the_same_host() {
    let peer = Peer::new(|input, before| match before {
        0 => {
            let mut reply = Reply::new(307, "text/plain", "");
            reply.headers.push(("location", "/agent/".to_owned()));
            reply
        }
        _ => run_of(input, message("m", "Here.")),
    })
    .await;
    let events = run(&stage_with(peer.config()).await, "peer", says("r1", "Hello")).await;
    assert_eq!(said(&events), "Here.");
}

#[tokio::test]
async fn what_the_agent_says_of_its_failure_is_told() {
    let peer = Peer::new(|input, _| {
        let error = json!({ "type": "RUN_ERROR", "code": "quota", "message": "no more today" });
        beginning(input, vec![Piece::Event(error)])
    })
    .await;
    let expected = ("quota".to_owned(), "no more today".to_owned());
    assert_eq!(ends(peer.config()).await, expected);
}

#[tokio::test]
async fn a_failure_after_the_end_is_a_failure() {
    let peer = Peer::new(|input, _| {
        let mut reply = run_of(input, message("m", "Done."));
        reply.pieces.push(Piece::Event(json!({ "type": "RUN_ERROR", "message": "not saved" })));
        reply
    })
    .await;
    assert_eq!(ends(peer.config()).await.1, "not saved");
}

#[tokio::test]
async fn a_run_that_is_cancelled_hangs_up() {
    let peer = Peer::new(|input, _| {
        let mut said: Vec<_> = message("m", "Wait").into_iter().take(2).map(Piece::Event).collect();
        said.push(Piece::Silence);
        beginning(input, said)
    })
    .await;
    let stage = stage_with(peer.config()).await;
    let request = forestage_runtime::StartRun::new("peer", says("r1", "Hello"), "ada");
    let started = stage.start(request).await.unwrap();
    let mut follower = stage.follow_run(&started.thread_id, &started.run_id, started.before);
    let seen = AtomicUsize::new(0);
    let mut last = Value::Null;
    while let Some(batch) = follower.next().await.unwrap() {
        for entry in batch.entries() {
            last = serde_json::from_slice(&entry.json).unwrap();
            if last["type"] == "TEXT_MESSAGE_CONTENT" && seen.fetch_add(1, Ordering::SeqCst) == 0 {
                assert!(stage.cancel("ada", &started.thread_id, &started.run_id).await.unwrap());
            }
        }
    }
    assert_eq!(last["outcome"]["type"], "cancelled");
    peer.is_left().await;
}

#[test]
fn a_secret_that_is_not_there_is_told_by_its_name() {
    let mut config = AgUiConfig::new("peer", "http://127.0.0.1:1/");
    config.headers = vec![("authorization".to_owned(), "Bearer ${NO_SUCH_TOKEN_HERE}".to_owned())];
    let error = AgUi::new(config).unwrap_err().to_string();
    assert!(error.contains("authorization") && error.contains("NO_SUCH_TOKEN_HERE"), "{error}");
}

#[test]
fn a_secret_prints_as_nothing() {
    let mut config = AgUiConfig::new("peer", "http://127.0.0.1:1/");
    config.headers = vec![("x-key".to_owned(), "${PATH}".to_owned())];
    let path = std::env::var("PATH").unwrap();
    assert!(!format!("{:?}", AgUi::new(config).unwrap()).contains(&path));
}
