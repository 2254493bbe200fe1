//! Agents elsewhere that end in other ways than they should: a real socket that says some bytes and closes.

use std::sync::Arc;

use forestage_llm::remote::ndjson::{Ndjson, NdjsonConfig};
use forestage_runtime::{Agent, Agents};
use forestage_server::{Http, Keys};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::{
    support::*,
    trainer2::{chunks, says},
};

/// An answer whose end is the end of the connection.
const OLD: &str = "HTTP/1.0 200 OK\r\ncontent-type: application/x-ndjson\r\n\r\n";
/// One that says that it is complete.
const CHUNKED: &str = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";

const HELLO: &str = "{\"type\":\"TEXT_MESSAGE_CHUNK\",\"delta\":\"Hello.\"}\n";
const FINISHED: &str = "{\"type\":\"RUN_FINISHED\"}";

/// An agent that answers everybody with these bytes, and closes.
async fn agent(answer: String) -> Arc<dyn Agent> {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 16 << 10];
            let _ = stream.read(&mut request).await;
            let _ = stream.write_all(answer.as_bytes()).await;
            let _ = stream.shutdown().await;
        }
    });
    Arc::new(Ndjson::new(NdjsonConfig { url, ..NdjsonConfig::default() }).unwrap())
}

/// What a client sees of a run of an agent that answers with these bytes.
async fn shown(answer: String) -> Vec<Value> {
    let agents = Agents::from([("far".to_owned(), agent(answer).await)]);
    let server = serve(agents, Keys::default(), "memory:", Http::default()).await;
    let mut socket = Socket::open(&server, "/realtime").await;
    socket.send(&says("t1", "r1", "hi")).await;
    let mut frames = vec![socket.next().await];
    while !matches!(frames[frames.len() - 1]["type"].as_str(), Some("RUN_FINISHED" | "RUN_ERROR")) {
        frames.push(socket.next().await);
    }
    frames
}

fn chunked(text: &str) -> String {
    format!("{CHUNKED}{:x}\r\n{text}\r\n0\r\n\r\n", text.len())
}

#[tokio::test]
async fn an_answer_that_stops_without_its_last_line_is_no_answer() {
    for (answer, why) in [
        (format!("{OLD}{HELLO}"), "neither RUN_FINISHED nor RUN_ERROR"),
        (OLD.to_owned(), "neither RUN_FINISHED nor RUN_ERROR"),
        (chunked(HELLO), "neither RUN_FINISHED nor RUN_ERROR"),
        (format!("{OLD}{HELLO}{{\"type\":\"TEXT_MESS"), "line 2 of its answer is cut off"),
        (chunked(&format!("{HELLO}{{\"type\":\"RUN_FIN")), "line 2 of its answer is cut off"),
        (format!("{CHUNKED}ff\r\n{HELLO}"), "the agent broke off"),
    ] {
        let frames = shown(answer.clone()).await;
        let end = frames.last().unwrap();
        assert_eq!(
            (&end["type"], &end["code"]),
            (&"RUN_ERROR".into(), &"agent_unreachable".into()),
            "{answer}"
        );
        assert!(end["message"].as_str().unwrap().contains(why), "{end}");
        if answer.contains(HELLO) {
            assert_eq!(chunks(&frames), ["Hello."], "what was said stays said");
        }
    }
}

#[tokio::test]
async fn the_last_line_needs_no_end_of_its_own() {
    for answer in [format!("{OLD}{HELLO}{FINISHED}"), chunked(&format!("{HELLO}{FINISHED}\n"))] {
        let frames = shown(answer.clone()).await;
        assert_eq!(kinds(&frames), ["RUN_STARTED", "TEXT_MESSAGE_CHUNK", "RUN_FINISHED"], "{answer}");
    }
}

#[tokio::test]
async fn a_result_without_a_call_is_an_error_and_one_of_a_call_counts_once() {
    let started =
        "{\"type\":\"TOOL_CALL_STARTED\",\"toolCallId\":\"w\",\"toolName\":\"weather\",\"args\":{}}\n";
    let result = "{\"type\":\"TOOL_CALL_RESULT\",\"toolCallId\":\"w\",\"result\":1}\n";
    for (lines, results) in [(result.to_owned(), 0), (format!("{started}{result}{result}"), 1)] {
        let frames = shown(format!("{OLD}{lines}{FINISHED}")).await;
        let end = frames.last().unwrap();
        assert_eq!(end["code"], "invalid_agent_event", "{lines}");
        assert!(end["message"].as_str().unwrap().contains("no call `w`"), "{end}");
        assert_eq!(kinds(&frames).iter().filter(|kind| *kind == "TOOL_CALL_RESULT").count(), results);
    }
}
