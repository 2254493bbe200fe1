//! Event streams without our client: a request, and lines.

use std::io::BufRead;

use bytes::{Buf, Bytes};
use serde_json::Value;

/// One frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) id: String,
    pub(crate) event: Value,
}

impl Frame {
    pub(crate) fn seq(&self) -> u64 {
        seq(&self.id)
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let member = |name| text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        let event = serde_json::from_str(member("data: ")).ok()?;
        Some(Self { id: member("id: ").to_owned(), event })
    }
}

/// The number of a cursor.
pub(crate) fn seq(cursor: &str) -> u64 {
    cursor.rsplit_once('.').and_then(|(_, seq)| seq.parse().ok()).expect("a cursor")
}

/// Frames as they arrive.
pub(crate) struct Frames {
    response: reqwest::Response,
    unread: Bytes,
    frame: Vec<u8>,
}

impl Frames {
    pub(crate) fn new(response: reqwest::Response) -> Self {
        Self { response, unread: Bytes::new(), frame: Vec::new() }
    }

    /// The next whole frame; nothing when the connection has ended, in order or not.
    pub(crate) async fn next(&mut self) -> Option<Frame> {
        loop {
            if self.unread.is_empty() {
                self.unread = self.response.chunk().await.ok()??;
            }
            let mut rest = &self.unread[..];
            let read = rest.read_until(b'\n', &mut self.frame).expect("memory can be read");
            self.unread.advance(read);
            if self.frame.ends_with(b"\n\n") {
                let frame = std::mem::take(&mut self.frame);
                if let Some(frame) = Frame::parse(std::str::from_utf8(&frame).expect("frames are text")) {
                    return Some(frame);
                }
            }
        }
    }
}

/// Follows a thread; nothing if the server cannot be reached.
pub(crate) async fn follow(url: &str, thread: &str, after: &str) -> Option<Frames> {
    let request = client().get(format!("{url}/v1/threads/{thread}/events?after={after}&protocol=1.0"));
    let response = request.send().await.ok()?;
    assert_eq!(response.status(), 200);
    Some(Frames::new(response))
}

/// The log of a thread as it stands.
pub(crate) async fn log(url: &str, thread: &str) -> Vec<Value> {
    let request =
        client().get(format!("{url}/v1/threads/{thread}/events?after=start&live=false&protocol=1.0"));
    let mut frames = Frames::new(request.send().await.expect("it is up"));
    let mut events = Vec::new();
    while let Some(frame) = frames.next().await {
        events.push(frame.event);
    }
    events
}

/// No proxy stands between us and this machine.
pub(crate) fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().expect("a client")
}
