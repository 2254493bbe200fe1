//! The server of the tests: it plays what it is told, answer by answer, and remembers what it was asked.

use std::{
    collections::VecDeque,
    convert::Infallible,
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    extract::{Request, State, WebSocketUpgrade, ws::WebSocket},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::any,
};
use forestage_client::{Client, Retry, Settings};
use forestage_protocol::{
    codec::{length, proto, sse},
    event::{Event, RunFinished, RunStarted, TextMessageContent, TextMessageEnd, TextMessageStart},
};
use futures_util::{StreamExt, stream};
use serde_json::Value;
use tokio::net::TcpListener;

/// One piece of an answer's body.
pub(crate) enum Step {
    Send(Vec<u8>),
    /// The connection dies.
    Break,
    /// Nothing happens for a while.
    Pause(Duration),
    /// Nothing happens any more.
    Hang,
}

/// One answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) content_type: Option<&'static str>,
    pub(crate) steps: Vec<Step>,
}

/// One request, as it arrived.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) what: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }
}

#[derive(Default)]
struct Script {
    answers: VecDeque<Answer>,
    asked: Vec<Asked>,
}

/// A server that runs.
pub(crate) struct Server {
    pub(crate) base: String,
    script: Arc<Mutex<Script>>,
}

impl Server {
    /// A server that gives these answers, in order, whatever it is asked.
    pub(crate) async fn playing(answers: impl IntoIterator<Item = Answer>) -> Self {
        let script = Script { answers: answers.into_iter().collect(), asked: Vec::new() };
        let script = Arc::new(Mutex::new(script));
        let base = serve(Router::new().fallback(play).with_state(script.clone())).await;
        Self { base, script }
    }

    pub(crate) fn client(&self) -> Client {
        Client::with_settings(&self.base, quick()).unwrap()
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.script.lock().unwrap().asked.clone()
    }

    /// What was asked, as method and address.
    pub(crate) fn log(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.what).collect()
    }
}

/// A server that hands each socket that is opened to a function, with its number.
pub(crate) async fn sockets<F, T>(talk: F) -> String
where
    F: Fn(usize, WebSocket) -> T + Clone + Send + Sync + 'static,
    T: Future<Output = ()> + Send + 'static,
{
    let count = Arc::new(Mutex::new(0));
    let open = move |upgrade: WebSocketUpgrade| {
        let number = {
            let mut count = count.lock().unwrap();
            *count += 1;
            *count
        };
        let talk = talk.clone();
        async move { upgrade.on_upgrade(move |socket| talk(number, socket)) }
    };
    serve(Router::new().route("/v1/ws", any(open))).await
}

/// Serves for as long as the test runs.
pub(crate) async fn serve(router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    base
}

async fn play(State(script): State<Arc<Mutex<Script>>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.unwrap();
    let asked = Asked {
        what: format!("{} {}", head.method, head.uri),
        headers: head.headers,
        body: serde_json::from_slice(&bytes).unwrap_or_default(),
    };
    let mut script = script.lock().unwrap();
    script.asked.push(asked);
    script.answers.pop_front().map_or_else(nothing_left, respond)
}

fn nothing_left() -> Response {
    (StatusCode::GONE, "the test has no answer for this").into_response()
}

fn respond(answer: Answer) -> Response {
    let steps = stream::iter(answer.steps).filter_map(|step| async {
        match step {
            Step::Send(bytes) => Some(Ok(Bytes::from(bytes))),
            Step::Break => {
                // What was sent before goes on its way first.
                tokio::task::yield_now().await;
                Some(Err(io::Error::other("killed")))
            }
            Step::Pause(time) => {
                tokio::time::sleep(time).await;
                None
            }
            Step::Hang => std::future::pending::<Option<Result<Bytes, io::Error>>>().await,
        }
    });
    let mut response = Response::builder().status(answer.status);
    if let Some(content_type) = answer.content_type {
        response = response.header("content-type", content_type);
    }
    response.body(Body::from_stream(steps)).unwrap()
}

/// An event stream.
pub(crate) fn events(steps: impl IntoIterator<Item = Step>) -> Answer {
    Answer { status: 200, content_type: Some("text/event-stream"), steps: steps.into_iter().collect() }
}

/// A protobuf stream.
pub(crate) fn protobuf(steps: impl IntoIterator<Item = Step>) -> Answer {
    let content_type = Some("application/vnd.ag-ui.event+proto");
    Answer { status: 200, content_type, steps: steps.into_iter().collect() }
}

/// A JSON answer.
pub(crate) fn json(status: u16, body: Value) -> Answer {
    let steps = vec![Step::Send(body.to_string().into_bytes())];
    Answer { status, content_type: Some("application/json"), steps }
}

/// Text as it is.
pub(crate) fn text(text: &str) -> Step {
    Step::Send(text.as_bytes().to_vec())
}

/// Events with cursors: the first has this number, the others follow.
pub(crate) fn numbered(first: usize, events: &[Event]) -> Step {
    let frames = (first..).zip(events);
    let frames = frames
        .flat_map(|(seq, event)| sse::frame(event.to_json().as_bytes(), Some(&format!("e.{seq}"))).to_vec());
    Step::Send(frames.collect())
}

/// Events as another server sends them, without cursors.
pub(crate) fn plain(events: &[Event]) -> Step {
    Step::Send(
        events.iter().flat_map(|event| sse::frame(event.to_json().as_bytes(), None).to_vec()).collect(),
    )
}

/// Events in protobuf.
pub(crate) fn encoded(events: &[Event]) -> Step {
    let mut out = Vec::new();
    for event in events {
        let mut bytes = Vec::new();
        proto::encode(event, &mut bytes);
        length::encode(&bytes, &mut out);
    }
    Step::Send(out)
}

/// The run `r` on thread `t`, which says something.
pub(crate) fn hello() -> Vec<Event> {
    vec![
        RunStarted::new("t", "r").into(),
        TextMessageStart::new("m").into(),
        TextMessageContent::new("m", "Hello").into(),
        TextMessageContent::new("m", ", ").into(),
        TextMessageContent::new("m", "world").into(),
        TextMessageEnd::new("m").into(),
        RunFinished::new("t", "r").into(),
    ]
}

/// Limits for tests: pauses too short to notice.
pub(crate) fn quick() -> Settings {
    let retry = Retry { first: Duration::from_millis(1), max: Duration::from_millis(4), attempts: 3 };
    Settings { retry, idle: Duration::from_secs(5), ..Settings::default() }
}

/// Keeps `Infallible` futures readable where a talk never ends by itself.
pub(crate) async fn for_ever() {
    std::future::pending::<Infallible>().await;
}
