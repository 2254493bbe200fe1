//! `GET /v1/ws`.

use std::time::Duration;

use forestage_server::{ApiKey, Http, Keys, hash_key};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, net::TcpStream};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Error, Message},
};

use crate::support::*;

pub(crate) struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    pub(crate) async fn open(server: &Running, query: &str) -> Self {
        let mark = if query.is_empty() { '?' } else { '&' };
        let url = format!("{}/v1/ws{query}{mark}protocol=1.0", server.url.replace("http", "ws"));
        Self(connect_async(url).await.unwrap().0)
    }

    pub(crate) async fn send(&mut self, frame: &Value) {
        self.0.send(Message::text(frame.to_string())).await.unwrap();
    }

    /// Sends the beginning of a text frame of 8 MB, masked with zeros, and nothing more.
    pub(crate) async fn send_beginning(&mut self, bytes: usize) {
        let mut frame = vec![0x81, 0xff];
        frame.extend_from_slice(&(8_u64 << 20).to_be_bytes());
        frame.extend_from_slice(&[0; 4]);
        frame.resize(frame.len() + bytes, b' ');
        // A server that does not read it all holds it up.
        let _ = tokio::time::timeout(Duration::from_secs(1), self.0.get_mut().write_all(&frame)).await;
    }

    pub(crate) async fn next(&mut self) -> Value {
        loop {
            match self.0.next().await.unwrap().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Close(_) => panic!("closed"),
                _ => {}
            }
        }
    }

    /// The code with which the server closes.
    pub(crate) async fn close_code(&mut self) -> u16 {
        loop {
            match self.0.next().await.unwrap().unwrap() {
                Message::Close(frame) => return frame.unwrap().code.into(),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    pub(crate) async fn until(&mut self, stop: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut frames = Vec::new();
        loop {
            frames.push(self.next().await);
            if stop(&frames[frames.len() - 1]) {
                return frames;
            }
        }
    }
}

pub(crate) fn ended(frame: &Value) -> bool {
    matches!(frame["event"]["type"].as_str().or(frame["type"].as_str()), Some("RUN_FINISHED" | "RUN_ERROR"))
}

#[tokio::test]
async fn a_run_is_started_followed_and_cancelled_on_one_socket() {
    let server = Running::start().await;
    let mut socket = Socket::open(&server, "").await;
    let run = json!({"type": "run", "id": 1, "agent": "waiting", "input": input("t1", "r1", "go")});
    socket.send(&run).await;
    let ok = socket.next().await;
    assert_eq!((&ok["type"], &ok["id"], &ok["runId"]), (&json!("ok"), &json!(1), &json!("r1")));
    let seen = socket.until(|frame| frame["event"]["delta"] == "half ").await;
    assert!(seen.iter().all(|frame| frame["cursor"].is_string() && frame["threadId"] == "t1"));
    socket.send(&json!({"type": "cancel", "id": 2, "threadId": "t1", "runId": "r1"})).await;
    let rest = socket.until(ended).await;
    assert_eq!(rest.last().unwrap()["event"]["outcome"]["type"], "cancelled");
}

#[tokio::test]
async fn a_thread_is_followed_from_a_cursor() {
    let server = Running::start().await;
    let whole = server.run("echo", &input("t1", "r1", "one two")).await;
    let mut socket = Socket::open(&server, "").await;
    let follow = json!({"type": "follow", "id": "f", "threadId": "t1", "after": whole[1].id});
    socket.send(&follow).await;
    assert_eq!(socket.next().await["type"], "ok");
    let seen = socket.until(ended).await;
    let seen = seen.iter().map(|frame| Frame {
        id: frame["cursor"].as_str().unwrap().to_owned(),
        event: frame["event"].clone(),
    });
    assert_eq!(merged(&seen.collect::<Vec<_>>()), merged(&whole[2..]));
    socket.send(&json!({"type": "unfollow", "id": "u", "threadId": "t1"})).await;
    assert_eq!(socket.next().await["id"], "u");
    server.run("echo", &input("t1", "r2", "unheard")).await;
    socket.send(&json!({"type": "ping", "id": "p"})).await;
    assert_eq!(socket.next().await["type"], "pong");
}

#[tokio::test]
async fn a_bare_input_is_answered_with_bare_events() {
    let server = Running::start().await;
    let mut socket = Socket::open(&server, "?agent=echo").await;
    for run in ["r1", "r2"] {
        socket.send(&input("t1", run, "hi")).await;
        let events = socket.until(ended).await;
        assert_eq!(events[0]["type"], "RUN_STARTED");
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_frame_is_told() {
    let server = Running::start().await;
    let mut socket = Socket::open(&server, "").await;
    let cases = [
        (json!({"type": "dance", "id": 1}), "invalid_frame"),
        (json!({"threadId": "t", "runId": "r", "messages": []}), "invalid_frame"),
        (json!({"type": "follow", "id": 3, "threadId": "nowhere"}), "unknown_thread"),
        (json!({"type": "run", "id": 4, "agent": "echo", "input": {}}), "missing_field"),
        (json!({"type": "run", "id": 5, "agent": "nobody", "input": input("t", "r", "x")}), "unknown_agent"),
    ];
    for (frame, code) in cases {
        socket.send(&frame).await;
        let answer = socket.next().await;
        assert_eq!((&answer["type"], &answer["error"]["code"]), (&json!("error"), &json!(code)), "{answer}");
        assert_eq!(answer["id"], frame.get("id").cloned().unwrap_or_default());
    }
    socket.0.send(Message::text("{")).await.unwrap();
    assert_eq!(socket.next().await["error"]["code"], "invalid_json");
}

#[tokio::test]
async fn a_socket_takes_its_key_from_the_address() {
    let key = ApiKey { user: "ada".to_owned(), hash: hash_key("secret"), roles: Vec::new() };
    let server = Running::with(Keys::new(&[key]).unwrap(), Http::default()).await;
    let url = format!("{}/v1/ws", server.url.replace("http", "ws"));
    let refused = connect_async(&url).await.unwrap_err();
    assert!(matches!(refused, Error::Http(answer) if answer.status() == 401));
    let mut socket = Socket::open(&server, "?token=secret").await;
    socket.send(&json!({"type": "ping"})).await;
    assert_eq!(socket.next().await["type"], "pong");
}

#[tokio::test]
async fn shutting_down_closes_sockets_with_going_away() {
    let server = Running::start().await;
    let mut socket = Socket::open(&server, "").await;
    server.stop().await;
    loop {
        match socket.0.next().await.unwrap().unwrap() {
            Message::Close(frame) => {
                assert_eq!(u16::from(frame.unwrap().code), 1001);
                return;
            }
            _ => continue,
        }
    }
}

#[tokio::test]
async fn a_run_that_waits_for_its_turn_holds_up_nothing_else_on_the_socket() {
    let server = Running::start().await;
    let mut socket = Socket::open(&server, "").await;
    let run = |id: &str, thread: &str, agent: &str, on_busy: &str| json!({"type": "run", "id": id, "agent": agent, "onBusy": on_busy, "input": input(thread, id, "go")});
    socket.send(&run("r1", "t1", "waiting", "reject")).await;
    socket.until(|frame| frame["event"]["delta"] == "half ").await;
    socket.send(&run("r2", "t1", "echo", "queue")).await;
    socket.send(&json!({"type": "ping", "id": "p"})).await;
    assert_eq!(socket.next().await["type"], "pong");
    socket.send(&run("r3", "t2", "echo", "reject")).await;
    let other = socket.until(ended).await;
    assert_eq!(other.last().unwrap()["threadId"], "t2");
    socket.send(&json!({"type": "cancel", "id": "c", "threadId": "t1", "runId": "r1"})).await;
    let queued = socket.until(|frame| ended(frame) && frame["event"]["runId"] == "r2").await;
    assert!(queued.iter().any(|frame| frame["event"]["outcome"]["type"] == "cancelled"), "{queued:?}");
    assert!(queued.iter().any(|frame| frame["type"] == "ok" && frame["id"] == "r2"));
}

#[tokio::test]
async fn a_follower_of_a_thread_that_is_deleted_is_told_and_the_socket_stays() {
    let server = Running::start().await;
    server.run("echo", &input("t1", "r1", "one")).await;
    let mut socket = Socket::open(&server, "").await;
    socket.send(&json!({"type": "follow", "id": 1, "threadId": "t1", "after": "start"})).await;
    socket.until(ended).await;
    assert_eq!(server.delete_as("", "/v1/threads/t1").await, 204);
    let told = socket.next().await;
    assert_eq!((&told["type"], &told["threadId"]), (&json!("error"), &json!("t1")), "{told}");
    assert_eq!(told["error"]["code"], "thread_deleted");
    socket.send(&json!({"type": "ping", "id": 2})).await;
    assert_eq!(socket.next().await["type"], "pong");
}

#[tokio::test]
async fn a_run_whose_thread_is_deleted_ends_for_everybody_who_watches_it() {
    let server = Running::start().await;
    let mut socket = Socket::open(&server, "").await;
    let run = json!({"type": "run", "id": 1, "agent": "waiting", "input": input("t1", "r1", "go")});
    socket.send(&run).await;
    socket.until(|frame| frame["event"]["delta"] == "half ").await;
    socket.send(&json!({"type": "follow", "id": 2, "threadId": "t1", "after": "start"})).await;
    socket.until(|frame| frame["event"]["delta"] == "half ").await;
    assert_eq!(server.delete_as("", "/v1/threads/t1").await, 204);
    // Both see the end of the run, and the follower that nothing more comes.
    let seen = socket.until(|frame| frame["error"]["code"] == "thread_deleted").await;
    assert!(seen.iter().any(ended), "{seen:?}");
}

/// Asks for runs until one is refused.
async fn refused(server: &Running) -> (u16, Value) {
    let asking = async {
        for run in 0.. {
            let asked = server
                .post("/v1/agents/echo/runs", &input("t", &format!("r{run}"), "go"))
                .send()
                .await
                .unwrap();
            if asked.status() != 200 {
                return body(asked).await;
            }
            asked.text().await.unwrap();
        }
        unreachable!("there are numbers enough")
    };
    tokio::time::timeout(Duration::from_secs(20), asking).await.expect("the memory is taken")
}

#[tokio::test]
async fn half_sent_frames_count_in_the_memory_that_all_requests_share() {
    let http = Http { request_memory_bytes: 256 << 10, ..Http::default() };
    let server = Running::with(Keys::default(), http).await;
    let mut socket = Socket::open(&server, "").await;
    socket.send_beginning(512 << 10).await;
    let (status, told) = refused(&server).await;
    assert_eq!((status, &told["error"]["code"]), (503, &json!("server_busy")), "{told}");

    // Another one that wants as much is told so, and closed.
    let mut other = Socket::open(&server, "").await;
    other.send_beginning(512 << 10).await;
    let told = other.next().await;
    assert_eq!((&told["type"], &told["error"]["code"]), (&json!("error"), &json!("server_busy")), "{told}");
    assert_eq!(other.close_code().await, 1013);

    drop(socket);
    let free = async {
        while server.post("/v1/agents/echo/runs", &input("u", "r", "go")).send().await.unwrap().status()
            != 200
        {}
    };
    tokio::time::timeout(Duration::from_secs(20), free).await.expect("the memory is given back");
}

#[tokio::test]
async fn a_frame_that_does_not_come_to_its_end_is_given_up() {
    let http = Http { body_timeout_seconds: 1, ..Http::default() };
    let server = Running::with(Keys::default(), http).await;
    let mut socket = Socket::open(&server, "").await;
    socket.send_beginning(128 << 10).await;
    let told = tokio::time::timeout(Duration::from_secs(20), socket.next()).await.expect("it is given up");
    assert_eq!(told["error"]["code"], "frame_timeout", "{told}");
    assert_eq!(socket.close_code().await, 1013);
}

#[tokio::test]
async fn many_small_frames_and_pings_are_no_large_one() {
    let http = Http { body_timeout_seconds: 1, request_memory_bytes: 64 << 10, ..Http::default() };
    let server = Running::with(Keys::default(), http).await;
    let mut socket = Socket::open(&server, "").await;
    for _ in 0..2_000 {
        socket.0.feed(Message::Ping(vec![7; 100].into())).await.unwrap();
    }
    for id in 0..20 {
        socket.send(&json!({"type": "ping", "id": id, "more": "x".repeat(30 << 10)})).await;
        let pong = socket.next().await;
        assert_eq!((&pong["type"], &pong["id"]), (&json!("pong"), &json!(id)), "{pong}");
    }
}
