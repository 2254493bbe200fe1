//! Sockets of the coach's contract whose server is killed right after somebody has decided: whoever comes back sees how
//! the thread goes on by itself.

use forestage::server::dialect::{Rules, trainer2::Judge};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite::Message};

use crate::{
    raw,
    support::{Process, in_time, is_terminal, text},
};

/// Runs of a dead process are closed after so many milliseconds.
const LEASE: u32 = 300;

struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    async fn open(server: &Process, query: &str) -> Self {
        let url = format!("ws://{}/realtime?agent=teller{query}", server.address());
        Self(connect_async(url).await.expect("it is up").0)
    }

    async fn send(&mut self, frame: &Value) {
        self.0.send(Message::text(frame.to_string())).await.expect("it is open");
    }

    /// All frames until one of this kind, that one included.
    async fn until(&mut self, kind: &str) -> Vec<Value> {
        let mut frames: Vec<Value> = Vec::new();
        while frames.last().is_none_or(|frame| frame["type"] != kind) {
            let message = in_time(self.0.next()).await.expect("it is open").expect("a frame");
            if let Message::Text(text) = message {
                frames.push(serde_json::from_str(&text).expect("JSON"));
            }
        }
        frames
    }
}

fn kinds(frames: &[Value]) -> Vec<(&str, &str)> {
    frames.iter().map(|frame| (text(&frame["type"]), text(&frame["runId"]))).collect()
}

/// A server that was killed when a call was refused and the agent was on its way back to the question. It runs again, and
/// what goes on there by itself waits at the gate.
async fn killed_after_a_refusal(folder: &TempDir) -> Process {
    let file = folder.path().join("house.db");
    let mut server = Process::start(&file, "127.0.0.1:0", LEASE);
    let mut socket = Socket::open(&server, "").await;
    socket.send(&json!({ "threadId": "t", "runId": "r", "message": "pay ann 7 before" })).await;
    let proposed = socket.until("TOOL_CALL_PROPOSED").await.pop().expect("a gate");
    let id = &proposed["toolCallId"];
    socket
        .send(&json!({ "type": "TOOL_CALL_DENIED", "threadId": "t", "toolCallId": id, "reason": "no" }))
        .await;
    until(&server, |event| event["type"] == "RUN_STARTED" && event["runId"] == "r-answered").await;
    server.kill();
    Process::start(&file, "127.0.0.1:0", LEASE)
}

/// Follows the thread until something happens.
async fn until(server: &Process, happens: impl Fn(&Value) -> bool) {
    let mut frames = raw::follow(&server.url, "t", "start").await.expect("it is up");
    while !happens(&in_time(frames.next()).await.expect("the thread goes on").event) {}
}

const STORY: [(&str, &str); 8] = [
    ("RUN_STARTED", "r"),
    ("TOOL_CALL_PROPOSED", "r"),
    ("RUN_ERROR", "r"),
    ("RUN_STARTED", "r-answered-answered"),
    ("TOOL_CALL_DENIED", "r-answered-answered"),
    ("TOOL_CALL_RESULT", "r-answered-answered"),
    ("TEXT_MESSAGE_CHUNK", "r-answered-answered"),
    ("RUN_FINISHED", "r-answered-answered"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_socket_that_comes_back_sees_the_run_that_was_lost_and_the_one_in_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = killed_after_a_refusal(&folder).await;
    let mut back = Socket::open(&server, "&threadId=t").await;
    let mut frames = back.until("RUN_ERROR").await;
    assert_eq!(frames[frames.len() - 1]["code"], "run_lost");
    frames.extend(back.until("RUN_STARTED").await);
    server.go("t", 1);
    frames.extend(back.until("RUN_FINISHED").await);
    assert_eq!(kinds(&frames), STORY);
    assert_eq!(frames[5]["toolName"], "pay", "{frames:#?}");
    let mut judge = Judge::default();
    frames.iter().try_for_each(|frame| judge.check(frame.clone()).map(drop)).expect("legal in the contract");
    assert!(text(&frames[6]["delta"]).starts_with("rejected: "), "{frames:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_socket_that_comes_back_late_sees_it_all_and_then_what_happens() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = killed_after_a_refusal(&folder).await;
    server.go("t", 1);
    until(&server, |event| is_terminal(event) && event["runId"] == "r-answered-answered").await;
    let mut back = Socket::open(&server, "&threadId=t").await;
    let frames = back.until("RUN_FINISHED").await;
    assert_eq!(kinds(&frames), STORY);
    let mut other = Socket::open(&server, "").await;
    other.send(&json!({ "threadId": "t", "runId": "next", "message": "pay charity 7" })).await;
    let frames = back.until("RUN_FINISHED").await;
    assert_eq!(
        (text(&frames[0]["runId"]), text(&frames[3]["delta"])),
        ("next", "7 to charity"),
        "{frames:#?}"
    );
}
