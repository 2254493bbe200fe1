//! `GET /v1/ws`.

use forestage_server::{ApiKey, Http, Keys, hash_key};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
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
