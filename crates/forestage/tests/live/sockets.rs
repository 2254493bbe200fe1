//! Sockets of the coach's contract whose server is killed right after somebody has decided: whoever comes back sees how
//! the thread goes on by itself.

use forestage::server::dialect::{Rules, trainer2::Judge};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
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
        Self::open_for(server, "teller", query).await
    }

    async fn open_for(server: &Process, agent: &str, query: &str) -> Self {
        let url = format!("ws://{}/realtime?agent={agent}{query}", server.address());
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

/// An agent elsewhere that says nothing to whoever asks first, and is done with all others.
struct Far {
    url: String,
    asked: tokio::sync::mpsc::Receiver<()>,
}

impl Far {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("it has one"));
        let (asking, asked) = tokio::sync::mpsc::channel(8);
        tokio::spawn(async move {
            let mut held = None;
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut request = [0; 16 << 10];
                let _ = stream.read(&mut request).await;
                let _ = asking.send(()).await;
                if held.is_none() {
                    held = Some(stream);
                    continue;
                }
                let lines =
                    "{\"type\":\"TEXT_MESSAGE_CHUNK\",\"delta\":\"Here.\"}\n{\"type\":\"RUN_FINISHED\"}\n";
                let answer = format!("HTTP/1.0 200 OK\r\ncontent-type: application/x-ndjson\r\n\r\n{lines}");
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        Self { url, asked }
    }

    async fn asked(&mut self) {
        in_time(self.asked.recv()).await.expect("it listens");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_of_an_agent_elsewhere_that_is_lost_is_shown_and_goes_on_if_somebody_had_answered() {
    for staged in [false, true] {
        let (folder, mut far) = (tempfile::tempdir().expect("a folder"), Far::start().await);
        let file = folder.path().join("house.db");
        let start = |url: &str| Process::start_with(&file, "127.0.0.1:0", LEASE, &["--far", url]);
        let mut server = start(&far.url);
        let mut socket = Socket::open_for(&server, "far", if staged { "&mode=audit" } else { "" }).await;
        let policy = json!({ "autoApproveAssistant": true });
        let forwarded = json!({ "auditPolicy": policy });
        socket
            .send(&json!({ "threadId": "t", "runId": "r", "message": "hi", "forwardedProps": forwarded }))
            .await;
        if staged {
            socket.until("RUN_STAGED").await;
            socket.send(&json!({ "type": "RUN_STAGE_APPROVED", "threadId": "t" })).await;
        }
        // What was seen is in the log; what was not may be lost with the process.
        socket.until("RUN_STARTED").await;
        far.asked().await;
        server.kill();
        let server = start(&far.url);
        let mut back = Socket::open_for(&server, "far", "&threadId=t").await;
        let mut frames = back.until("RUN_ERROR").await;
        assert_eq!(frames[frames.len() - 1]["code"], "run_lost", "{frames:#?}");
        if !staged {
            // Nobody has answered anything, so nothing is tried again behind anybody's back.
            assert_eq!(kinds(&frames), [("RUN_STARTED", "r"), ("RUN_ERROR", "r")]);
            continue;
        }
        frames.extend(back.until("RUN_FINISHED").await);
        let story = [
            ("RUN_STAGED", "r"),
            ("RUN_STAGE_APPROVED", "r"),
            ("RUN_STARTED", "r"),
            ("RUN_ERROR", "r"),
            ("RUN_STARTED", "r-answered-answered"),
            ("TEXT_MESSAGE_CHUNK", "r-answered-answered"),
            ("RUN_FINISHED", "r-answered-answered"),
        ];
        assert_eq!(kinds(&frames), story, "{frames:#?}");
    }
}
