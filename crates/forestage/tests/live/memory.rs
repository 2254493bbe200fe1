//! What a request may cost the server, whatever its shape: twenty times its size and sixteen megabytes.

use std::fs;

use futures_util::{SinkExt, StreamExt};
use tokio_tungstenite::{connect_async, tungstenite::Message};

use crate::support::Process;

/// What a request may cost beside a multiple of its size.
const ALWAYS: usize = 16 << 20;

/// What each of its bytes may cost.
const PER_BYTE: usize = 20;

/// As many values as a short body may have.
const VALUES: usize = 24_900;

/// A body that is large, and still read quickly by a build that is not optimised.
const LARGE: usize = 4 << 20;

fn run(state: &str, messages: &str, rest: &str) -> String {
    format!(
        r#"{{"threadId":"t","runId":"r","tools":[],"context":[],"messages":[{messages}],"state":{state}{rest}}}"#
    )
}

fn repeated(count: usize, each: impl Fn(usize) -> String) -> String {
    (0..count).map(each).collect::<Vec<_>>().join(",")
}

fn in_state(count: usize, each: &str) -> String {
    run(&format!(r#"{{"a":[{}]}}"#, repeated(count, |_| each.to_owned())), "", "")
}

fn said(content: &str, rest: &str) -> String {
    run("{}", &format!(r#"{{"id":"u","role":"user","content":{content}{rest}}}"#), "")
}

/// Inputs of runs that are as much as is taken, each in another way.
fn shapes() -> Vec<(&'static str, String)> {
    let ones = repeated(VALUES, |_| "1".to_owned());
    let deep = format!("{}1{}", "[".repeat(90), "]".repeat(90));
    let message = |at| format!(r#"{{"id":"{at}","role":"user","content":"x"}}"#);
    let calls = repeated(VALUES / 7, |at| {
        format!(r#"{{"id":"c{at}","type":"function","function":{{"name":"n","arguments":"{{}}"}}}}"#)
    });
    vec![
        ("a wide list", in_state(VALUES, "1")),
        ("empty objects", in_state(VALUES, "{}")),
        ("small objects", in_state(VALUES / 2, r#"{"a":1}"#)),
        ("many members", run(&format!("{{{}}}", repeated(VALUES, |at| format!(r#""{at:x}":1"#))), "", "")),
        ("deep lists", in_state(VALUES / 91, &deep)),
        ("many messages", run("{}", &repeated(VALUES / 4, message), "")),
        ("metadata", said(r#""x""#, &format!(r#","metadata":{{"a":[{ones}]}}"#))),
        (
            "parts",
            said(&format!("[{}]", repeated(VALUES / 3, |_| r#"{"type":"text","text":"a"}"#.to_owned())), ""),
        ),
        ("calls", run("{}", &format!(r#"{{"id":"a","role":"assistant","toolCalls":[{calls}]}}"#), "")),
        ("properties", run("{}", "", &format!(r#","forwardedProps":[{ones}]"#))),
        ("what nobody knows", run("{}", "", &format!(r#","unknown":[{ones}]"#))),
        ("short strings", in_state(LARGE / 48, &format!(r#""{}""#, "x".repeat(45)))),
        ("a long string", run(&format!(r#"{{"a":"{}"}}"#, "x".repeat(LARGE)), "", "")),
        ("escapes", run(&format!(r#"{{"a":"{}"}}"#, r"\n".repeat(LARGE / 2)), "", "")),
        ("a long message", said(&format!(r#""{}""#, "x".repeat(LARGE)), "")),
    ]
}

/// The most memory that the process had at any time.
fn high_water(server: &Process) -> usize {
    let status = fs::read_to_string(format!("/proc/{}/status", server.id())).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("Linux tells");
    line.trim().trim_end_matches(" kB").parse::<usize>().expect("a number") << 10
}

async fn post(server: &Process, path: &str, body: String) -> u16 {
    let request = reqwest::Client::new().post(format!("{}{path}", server.url));
    let response = request.body(body).send().await.expect("it answers");
    let status = response.status().as_u16();
    // The answer is read to its end, so that the run is over.
    response.bytes().await.expect("it is whole");
    status
}

async fn send(server: &Process, frame: String) {
    let url = format!("{}/v1/ws?agent=echo", server.url.replace("http", "ws"));
    let mut socket = connect_async(url).await.expect("it listens").0;
    socket.send(Message::text(frame)).await.expect("it is taken");
    while let Some(Ok(frame)) = socket.next().await {
        let text = frame.to_text().unwrap_or_default();
        assert!(!text.contains(r#""type":"error""#), "{text}");
        if text.contains(r#""type":"RUN_FINISHED""#) {
            return;
        }
    }
    panic!("it does not end");
}

/// A server that has done all this once, for what is only paid the first time.
async fn warm(folder: &tempfile::TempDir) -> Process {
    let server = Process::start(&folder.path().join("threads.db"), "127.0.0.1:0", 15_000);
    let hello = said(r#""hello""#, "");
    assert_eq!(post(&server, "/v1/agents/echo/runs", hello.replace(r#""t""#, r#""warm""#)).await, 200);
    send(&server, hello.replace(r#""t""#, r#""warm-2""#)).await;
    server
}

fn check(what: &str, size: usize, before: usize, server: &Process) {
    let (cost, allowed) = (high_water(server).saturating_sub(before), PER_BYTE * size + ALWAYS);
    println!("{what}: {size} bytes cost {cost}, allowed are {allowed}");
    assert!(cost <= allowed, "{what}: {size} bytes cost {cost}, and no more than {allowed} are allowed");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_body_costs_more_than_twenty_times_its_size() {
    for (what, body) in shapes() {
        let folder = tempfile::tempdir().expect("a folder");
        let server = warm(&folder).await;
        let (size, before) = (body.len(), high_water(&server));
        assert_eq!(post(&server, "/v1/agents/echo/runs", body).await, 200, "{what}");
        check(what, size, before, &server);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_frame_costs_more_than_twenty_times_its_size() {
    for (what, frame) in shapes() {
        let folder = tempfile::tempdir().expect("a folder");
        let server = warm(&folder).await;
        let (size, before) = (frame.len(), high_water(&server));
        send(&server, frame).await;
        check(what, size, before, &server);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_recording_costs_more_than_twenty_times_its_size() {
    let started =
        |run: usize| format!("{{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r{run}\"}}\n");
    let ended =
        |run: usize| format!("{{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r{run}\"}}\n");
    let one = |events: String| format!("{}{events}{}", started(1), ended(1));
    let text = "{\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m\",\"role\":\"assistant\"}\n";
    let delta = "{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"x\"}\n";
    let end = "{\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"m\"}\n";
    let ones = repeated(20_000, |_| "1".to_owned());
    let messages = repeated(VALUES / 4, |at| format!(r#"{{"id":"{at}","role":"user","content":"x"}}"#));
    for (what, recording) in [
        ("pieces", one(format!("{text}{}{end}", delta.repeat(LARGE / 64)))),
        ("runs", (0..LARGE / 4096).map(|run| started(run) + &ended(run)).collect()),
        ("a state", one(format!("{{\"type\":\"STATE_SNAPSHOT\",\"snapshot\":[{ones}]}}\n"))),
        ("messages", one(format!("{{\"type\":\"MESSAGES_SNAPSHOT\",\"messages\":[{messages}]}}\n"))),
        (
            "a value",
            one(format!("{{\"type\":\"CUSTOM\",\"name\":\"n\",\"value\":\"{}\"}}\n", "x".repeat(LARGE))),
        ),
    ] {
        for path in ["/v1/streams/verify", "/v1/threads/new/import?agent=echo"] {
            let folder = tempfile::tempdir().expect("a folder");
            let server = warm(&folder).await;
            let (size, before) = (recording.len(), high_water(&server));
            let status = post(&server, path, recording.clone()).await;
            assert!(matches!(status, 200 | 201), "{what} {path}: {status}");
            check(&format!("{what} {path}"), size, before, &server);
        }
    }
}
