//! Viewers who stop reading. They cost nothing, slow nobody, and find everything when they read on.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
};

use crate::{
    raw::{self, Frame, Frames},
    support::{Process, input, is_terminal},
};

/// About 60 MB in all: far more than what the system holds for a connection.
const EVENTS: u64 = 4_000;
const BYTES: u64 = 16_000;
const STALLED: usize = 8;
/// How much more memory the server may use because of them, in KiB.
const MORE: u64 = 32 << 10;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn viewers_who_stop_reading_cost_nothing_and_miss_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let alone = Process::start(&folder.path().join("alone.db"), "127.0.0.1:0", 15_000);
    let usual = flood(&alone, || ()).await;
    drop(alone);

    let mut server = Process::start(&folder.path().join("stalled.db"), "127.0.0.1:0", 15_000);
    let mut stalled = Vec::new();
    // The thread exists as soon as its first event was seen.
    let peak = flood(&server, || stalled.extend((0..STALLED).map(|_| Stalled::open(&server)))).await;
    println!("{usual} KiB with a viewer who reads, {peak} KiB with {STALLED} more who do not");
    assert!(peak < usual + MORE, "{peak} KiB instead of {usual}");
    server.go("t", 1);

    let mut stalled = stalled.into_iter();
    let reads_on = stalled.next().expect("there are several");
    tokio::task::block_in_place(|| reads_on.read_all());
    let comes_back = stalled.next().expect("there are several");
    let last = tokio::task::block_in_place(|| comes_back.read_some(1000));
    let mut rest = raw::follow(&server.url, "t", &last.id).await.expect("it is up");
    let (mut number, mut next) =
        (last.event["value"]["number"].as_u64().expect("a number"), rest.next().await);
    while let Some(frame) = next.filter(|frame| !is_terminal(&frame.event)) {
        number += 1;
        assert_eq!(frame.event["value"]["number"], number);
        next = rest.next().await;
    }
    assert_eq!(number, EVENTS - 1, "exactly the rest");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sockets_of_the_dialects_that_are_not_read_cost_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let alone = Process::start(&folder.path().join("alone.db"), "127.0.0.1:0", 15_000);
    let usual = chatter(&alone, || ()).await;
    drop(alone);
    for path in ["/ws", "/realtime"] {
        let file = folder.path().join(format!("{}.db", &path[1..]));
        let server = Process::start(&file, "127.0.0.1:0", 15_000);
        let mut stalled = Vec::new();
        let peak =
            chatter(&server, || stalled.extend((0..STALLED).map(|_| open_socket(&server, path)))).await;
        println!("{usual} KiB alone, {peak} KiB with {STALLED} sockets on {path} that are not read");
        assert!(peak < usual + MORE, "{path}: {peak} KiB instead of {usual}");
    }
}

/// A run of many messages with a viewer who reads all of it; and the most memory that the server has had until then, in KiB.
async fn chatter(server: &Process, begun: impl FnOnce()) -> u64 {
    let input = input("t", "r", &format!("{} {BYTES}", EVENTS / 2));
    let request = raw::client().post(format!("{}/v1/agents/chatter/runs", server.url)).json(&input);
    let mut frames = Frames::new(request.send().await.expect("it is up"));
    assert_eq!(frames.next().await.expect("a run").event["type"], "RUN_STARTED");
    begun();
    let mut ended = 0;
    while ended < EVENTS / 2 {
        let frame = frames.next().await.expect("the run goes on");
        ended += u64::from(frame.event["type"] == "TEXT_MESSAGE_END");
    }
    peak_kib(server)
}

/// A socket that shows the run on the thread, and that nobody reads.
fn open_socket(server: &Process, path: &str) -> TcpStream {
    let mut socket = TcpStream::connect(server.address()).expect("it is up");
    let head = format!(
        "GET {path}?agent=chatter&threadId=t HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    socket.write_all(head.as_bytes()).expect("it listens");
    let mut answer = [0; 12];
    socket.read_exact(&mut answer).expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 101");
    socket
}

/// A large run with a viewer who reads all of it; and the most memory that the server has had until then, in KiB.
/// `begun` is called when its first event is there.
async fn flood(server: &Process, begun: impl FnOnce()) -> u64 {
    let input = input("t", "r", &format!("{EVENTS} {BYTES}"));
    let request = raw::client().post(format!("{}/v1/agents/flood/runs", server.url)).json(&input);
    let mut frames = Frames::new(request.send().await.expect("it is up"));
    assert_eq!(frames.next().await.expect("a run").event["type"], "RUN_STARTED");
    begun();
    for number in 0..EVENTS {
        let frame = frames.next().await.expect("the run goes on");
        assert_eq!(frame.event["value"]["number"], number);
    }
    peak_kib(server)
}

fn peak_kib(server: &Process) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("it is there");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

/// A viewer who asks for everything, and then does not read.
struct Stalled(BufReader<TcpStream>);

impl Stalled {
    fn open(server: &Process) -> Self {
        let mut socket = TcpStream::connect(server.address()).expect("it is up");
        let head = "GET /v1/threads/t/events?after=start&protocol=1.0 HTTP/1.1\r\nhost: localhost\r\n\r\n";
        socket.write_all(head.as_bytes()).expect("it listens");
        Self(BufReader::new(socket))
    }

    /// Reads on to the end of the run: every number is there, once and in order.
    fn read_all(self) {
        let frames = self.frames();
        let numbers = frames.filter_map(|frame| frame.event["value"]["number"].as_u64());
        assert!(numbers.take_while(|number| *number < EVENTS - 1).eq(0..EVENTS - 1));
    }

    /// Reads so many frames and hangs up.
    fn read_some(self, count: usize) -> Frame {
        self.frames().nth(count).expect("there are more")
    }

    fn frames(mut self) -> impl Iterator<Item = Frame> {
        let mut line = String::new();
        while self.0.read_line(&mut line).expect("readable") > 2 {
            line.clear();
        }
        let mut lines = BufReader::new(Chunks { socket: self.0, left: 0 }).lines().map_while(Result::ok);
        std::iter::from_fn(move || {
            let frame: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
            (!frame.is_empty()).then(|| Frame::parse(&frame.join("\n")))
        })
        .flatten()
    }
}

/// The body of a chunked answer.
struct Chunks {
    socket: BufReader<TcpStream>,
    left: usize,
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        while self.left == 0 {
            let mut line = String::new();
            if self.socket.read_line(&mut line)? == 0 {
                return Ok(0);
            }
            // A blank line is the end of the chunk before.
            self.left = usize::from_str_radix(line.trim(), 16).unwrap_or(0);
        }
        let most = self.left.min(buffer.len());
        let read = self.socket.read(&mut buffer[..most])?;
        self.left -= read;
        Ok(read)
    }
}
