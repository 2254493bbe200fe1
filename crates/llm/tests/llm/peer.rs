//! An agent elsewhere that says whatever a test wants, however wrong that is, over real HTTP.

use std::{
    convert::Infallible,
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    http::HeaderMap,
    response::Response,
};
use forestage_llm::remote::agui::{AgUi, AgUiConfig};
use forestage_runtime::{Agent, Agents, Limits, Stage};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::Notify};

/// What an answer is made of.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// An event, framed as it should be.
    Event(Value),
    /// Bytes as they are.
    Bytes(&'static str),
    /// Nothing any more, until whoever listens goes away.
    Silence,
    /// The connection dies.
    Death,
}

/// An answer to one call.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) pieces: Vec<Piece>,
}

impl Reply {
    pub(crate) fn new(status: u16, kind: &str, body: &'static str) -> Self {
        let headers = vec![("content-type", kind.to_owned())];
        Self { status, headers, pieces: vec![Piece::Bytes(body)] }
    }
}

/// A whole run that says these events.
pub(crate) fn run_of(input: &Value, events: Vec<Value>) -> Reply {
    run_to(input, events, Value::Null)
}

/// The same with an outcome.
pub(crate) fn run_to(input: &Value, events: Vec<Value>, outcome: Value) -> Reply {
    let ids = |kind: &str| json!({ "type": kind, "threadId": input["threadId"], "runId": input["runId"] });
    let mut last = ids("RUN_FINISHED");
    if !outcome.is_null() {
        last["outcome"] = outcome;
    }
    let all = std::iter::once(ids("RUN_STARTED")).chain(events).chain([last]);
    stream_of(all.map(Piece::Event).collect())
}

/// The beginning of a run, and whatever comes then.
pub(crate) fn beginning(input: &Value, rest: Vec<Piece>) -> Reply {
    let start = json!({ "type": "RUN_STARTED", "threadId": input["threadId"], "runId": input["runId"] });
    stream_of(std::iter::once(Piece::Event(start)).chain(rest).collect())
}

fn stream_of(pieces: Vec<Piece>) -> Reply {
    Reply { pieces, ..Reply::new(200, "text/event-stream", "") }
}

/// A message as events.
pub(crate) fn message(id: &str, text: &str) -> Vec<Value> {
    vec![
        json!({ "type": "TEXT_MESSAGE_START", "messageId": id, "role": "assistant" }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": text }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": id }),
    ]
}

/// A call as events.
pub(crate) fn call(id: &str, name: &str, arguments: &Value) -> Vec<Value> {
    vec![
        json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name }),
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": arguments.to_string() }),
        json!({ "type": "TOOL_CALL_END", "toolCallId": id }),
    ]
}

type Play = dyn Fn(&Value, usize) -> Reply + Send + Sync;

/// The agent elsewhere.
pub(crate) struct Peer {
    pub(crate) url: String,
    heard: Arc<Heard>,
}

struct Heard {
    play: Box<Play>,
    inputs: Mutex<Vec<(Value, HeaderMap)>>,
    calls: AtomicUsize,
    left: Notify,
}

impl Peer {
    /// Listens. It plays by what it is told, and by how often it was called before.
    pub(crate) async fn new(play: impl Fn(&Value, usize) -> Reply + Send + Sync + 'static) -> Self {
        let heard = Arc::new(Heard {
            play: Box::new(play),
            inputs: Mutex::default(),
            calls: AtomicUsize::new(0),
            left: Notify::new(),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/agent", listener.local_addr().unwrap());
        let app = Router::new().fallback(answer).with_state(heard.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { url, heard }
    }

    /// What it was told, call by call.
    pub(crate) fn inputs(&self) -> Vec<Value> {
        self.heard.inputs.lock().unwrap().iter().map(|(input, _)| input.clone()).collect()
    }

    /// A header of its first call.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let inputs = self.heard.inputs.lock().unwrap();
        inputs.first()?.1.get(name).map(|value| value.to_str().unwrap().to_owned())
    }

    /// Waits until somebody who listened to silence has gone.
    pub(crate) async fn is_left(&self) {
        tokio::time::timeout(Duration::from_secs(10), self.heard.left.notified()).await.unwrap();
    }

    /// Where it is, and no patience.
    pub(crate) fn config(&self) -> AgUiConfig {
        AgUiConfig { retries: 0, ..AgUiConfig::new("peer", &self.url) }
    }
}

/// Tells that whoever listened is gone.
struct Listening(Arc<Heard>);

impl Drop for Listening {
    fn drop(&mut self) {
        self.0.left.notify_one();
    }
}

async fn answer(State(heard): State<Arc<Heard>>, request: Request) -> Response {
    let headers = request.headers().clone();
    let body = axum::body::to_bytes(request.into_body(), 1 << 24).await.unwrap();
    let input: Value = serde_json::from_slice(&body).unwrap_or_default();
    heard.inputs.lock().unwrap().push((input.clone(), headers));
    let reply = (heard.play)(&input, heard.calls.fetch_add(1, Ordering::SeqCst));
    let listening = Arc::new(Listening(heard.clone()));
    let pieces = stream::iter(reply.pieces).then(move |piece| said(piece, listening.clone()));
    let mut response = Response::builder().status(reply.status);
    for (name, value) in reply.headers {
        response = response.header(name, value);
    }
    response.body(Body::from_stream(pieces)).unwrap()
}

async fn said(piece: Piece, _listening: Arc<Listening>) -> Result<Bytes, io::Error> {
    match piece {
        Piece::Event(event) => Ok(Bytes::from(format!("data: {event}\n\n"))),
        Piece::Bytes(bytes) => Ok(Bytes::from_static(bytes.as_bytes())),
        Piece::Silence => match std::future::pending::<Infallible>().await {},
        Piece::Death => Err(io::Error::other("dead")),
    }
}

/// A stage with one agent, which is elsewhere.
pub(crate) async fn stage_with(config: AgUiConfig) -> Arc<Stage> {
    let store = forestage_store::open("memory:").await.unwrap();
    Stage::new(store, elsewhere(config), Limits::default())
}

/// The agent that is elsewhere.
pub(crate) fn elsewhere(config: AgUiConfig) -> Agents {
    let agent: Arc<dyn Agent> = Arc::new(AgUi::new(config).unwrap());
    Agents::from([("peer".to_owned(), agent)])
}
