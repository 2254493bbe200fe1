//! Clients that stop reading: the run does not wait for them, and they lose nothing.

use std::time::Duration;

use forestage_runtime::Stage;
use forestage_server::{Http, Keys};
use forestage_store::ThreadStatus;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{support::*, wire::*};

/// Says far more than sockets hold.
const TALKER: &str = r#"
rules:
  - do: [{ repeat: { times: 400, do: [{ text: { text: "{{user}}", chunk: all } }] } }]
"#;

/// Never ends by itself.
const WAITS: &str = "rules: [{ do: [{ text: Begun. }, { sleep: 1h }] }]";

const PIECES: usize = 400;

fn long() -> String {
    "0123456789abcdef".repeat(1024)
}

/// Waits until the run is over, whoever watches.
async fn over(stage: &Stage, runs: u64) {
    let ended = async {
        loop {
            if let Ok(thread) = stage.thread("local", &"t1".into()).await
                && thread.status == ThreadStatus::Idle
                && thread.runs == runs
            {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, ended).await.expect("the run ends although nobody reads");
}

fn whole(frames: &[Value]) {
    let pieces = of(frames, "TEXT_MESSAGE_CONTENT");
    assert_eq!(pieces.len(), PIECES);
    assert!(pieces.iter().all(|piece| piece["delta"] == long()));
    assert_eq!(frames.last().unwrap()["type"], "RUN_FINISHED");
}

#[tokio::test]
async fn a_socket_that_stops_reading_gets_everything_when_it_reads_again() {
    let server = serve_script(TALKER, Keys::default(), Http::default()).await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&json!({ "threadId": "t1", "messages": [{ "role": "user", "content": long() }] })).await;
    over(&server.stage, 1).await;
    let frames = socket.until("RUN_FINISHED").await;
    whole(&frames);
    judge("agora", &frames);
}

#[tokio::test]
async fn a_socket_far_behind_sees_its_own_run_and_nothing_of_the_next_one() {
    let server = serve_script(TALKER, Keys::default(), Http::default()).await;
    let mut slow = Socket::open(&server, "/ws").await;
    slow.send(
        &json!({ "threadId": "t1", "runId": "r1", "messages": [{ "role": "user", "content": long() }] }),
    )
    .await;
    over(&server.stage, 1).await;
    let mut quick = Socket::open(&server, "/ws").await;
    quick
        .send(&json!({ "threadId": "t1", "runId": "r2", "messages": [{ "role": "user", "content": "x" }] }))
        .await;
    assert_eq!(quick.until("RUN_FINISHED").await[0]["runId"], "r2");
    let frames = slow.until("RUN_FINISHED").await;
    whole(&frames);
    assert_eq!(frames.last().unwrap()["runId"], "r1");
    slow.send_text("{").await;
    assert_eq!(slow.next().await["value"]["errorCode"], "invalid_json", "nothing else was waiting");
}

#[tokio::test]
async fn a_socket_that_talks_and_never_reads_harms_no_other() {
    for (path, place, piece) in
        [("/ws", "/value/errorCode", "TEXT_MESSAGE_CONTENT"), ("/realtime", "/code", "TEXT_MESSAGE_CHUNK")]
    {
        let server = serve_script(TALKER, Keys::default(), Http::default()).await;
        let mut deaf = Socket::open(&server, path).await;
        for _ in 0..500 {
            deaf.send_text("{").await;
        }
        let mut other = Socket::open(&server, path).await;
        other.send(&json!({ "threadId": "t2", "messages": [{ "role": "user", "content": "x" }] })).await;
        assert_eq!(of(&other.until("RUN_FINISHED").await, piece).len(), PIECES);
        for _ in 0..500 {
            assert_eq!(deaf.next().await.pointer(place), Some(&json!("invalid_json")), "each is answered");
        }
    }
}

#[tokio::test]
async fn a_socket_that_wants_too_much_at_once_is_told_and_the_rest_is_done() {
    for (path, place) in [("/ws", "/value/errorCode"), ("/realtime", "/code")] {
        let server = serve_script(WAITS, Keys::default(), Http::default()).await;
        let mut socket = Socket::open(&server, path).await;
        // The first run goes on until it is stopped, and those behind it wait for its end.
        for run in 0..=1024 {
            let message = json!([{ "role": "user", "content": "x" }]);
            socket.send(&json!({ "threadId": "t1", "runId": format!("r{run}"), "messages": message })).await;
        }
        let told = tokio::time::timeout(PATIENCE, async {
            loop {
                let frame = socket.next().await;
                if let Some(code) = frame.pointer(place) {
                    return code.clone();
                }
            }
        });
        assert_eq!(told.await.unwrap(), "too_many_at_once", "{path}");
    }
}

#[tokio::test]
async fn a_stream_that_is_not_read_gets_everything_when_it_is_read_again() {
    for (path, profile) in [("/awp", "its"), ("/run", "net")] {
        let server = serve_script(TALKER, Keys::default(), Http::default()).await;
        let body = json!({ "threadId": "t1", "runId": "r1", "messages": [user("m", &long())] }).to_string();
        let mut stream = TcpStream::connect(&server.address).await.unwrap();
        let (host, size) = (&server.address, body.len());
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-length: {size}\r\n\r\n"
        );
        stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
        over(&server.stage, 1).await;
        let mut answer = Vec::new();
        tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await.unwrap().unwrap();
        let frames = sse(&unchunked(&answer));
        whole(&frames);
        judge(profile, &frames);
    }
}

/// The body of an answer that came in chunks.
fn unchunked(answer: &[u8]) -> String {
    let find =
        |bytes: &[u8], what: &[u8]| bytes.windows(what.len()).position(|window| window == what).unwrap();
    let mut rest = &answer[find(answer, b"\r\n\r\n") + 4..];
    let mut body = Vec::new();
    loop {
        let line = find(rest, b"\r\n");
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..line]).unwrap(), 16).unwrap();
        if size == 0 {
            return String::from_utf8(body).unwrap();
        }
        body.extend_from_slice(&rest[line + 2..line + 2 + size]);
        rest = &rest[line + 2 + size + 2..];
    }
}
