//! A model server that plays from a script: for tests, demonstrations and builds that have no key.
//!
//! It is a real HTTP server and speaks OpenAI's chat completions and responses, Anthropic's messages, Gemini and Ollama,
//! streamed or whole. The script says what is answered to what; it can also be slow, fail, break off or hang. The same
//! server records real traffic with the secrets taken out, and plays it back.
//!
//! ```
//! # tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(async {
//! use forestage_llm::model_server::{ModelServer, Script};
//!
//! let script = Script::parse("hello", "rules: [{ do: [{ text: Hello! }] }]").unwrap();
//! let server = ModelServer::bind("127.0.0.1:0", script).await.unwrap();
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//! # })
//! ```

mod asked;
mod body;
mod chat;
mod gemini;
mod messages;
mod ollama;
mod plan;
mod responses;
mod script;
mod tape;
mod whole;
mod write;

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, State},
    http::{StatusCode, Uri, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::Notify, task::JoinHandle};

use self::{
    asked::{Asked, Dialect},
    plan::Plan,
};
pub use self::{
    script::{Script, schema},
    tape::{Recorder, Tape, TapeError},
};

/// The largest request: a conversation with images is large.
const MAX_BODY: usize = 64 << 20;

/// The routes of the providers.
const KNOWN: &str = "/v1/chat/completions, /v1/responses, /v1/messages, /v1beta/models/MODEL:streamGenerateContent and \
/api/chat";

/// Where answers come from.
#[derive(Debug)]
enum Source {
    Script(Script),
    Record(Recorder),
    Replay(Tape),
}

/// What was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The route, such as `/v1/chat/completions`.
    pub path: String,
    /// What was sent.
    pub body: Value,
    /// Whether whoever asked hung up before everything was said.
    pub hung_up: bool,
}

#[derive(Debug)]
struct Inner {
    source: Source,
    number: AtomicU64,
    requests: Mutex<Vec<Request>>,
    /// Told whenever something happens.
    changed: Notify,
}

type Shared = Arc<Inner>;

/// A model server that listens. It stops when it is dropped.
#[derive(Debug)]
pub struct ModelServer {
    address: SocketAddr,
    inner: Shared,
    task: JoinHandle<()>,
}

impl ModelServer {
    /// Plays from a script.
    pub async fn bind(address: &str, script: Script) -> io::Result<Self> {
        Self::serve(address, Source::Script(script)).await
    }

    /// Passes everything on to a provider, and writes it down.
    pub async fn record(address: &str, recorder: Recorder) -> io::Result<Self> {
        Self::serve(address, Source::Record(recorder)).await
    }

    /// Plays back what was written down.
    pub async fn replay(address: &str, tape: Tape) -> io::Result<Self> {
        Self::serve(address, Source::Replay(tape)).await
    }

    async fn serve(address: &str, source: Source) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let inner = Arc::new(Inner {
            source,
            number: AtomicU64::new(0),
            requests: Mutex::default(),
            changed: Notify::new(),
        });
        let app = Router::new()
            .route("/requests", get(requests))
            .route("/healthz", get(|| async { "ok" }))
            .fallback(post(answer))
            .layer(DefaultBodyLimit::max(MAX_BODY))
            .with_state(inner.clone());
        let task = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, app).await {
                tracing::error!(%error, "the model server stopped");
            }
        });
        Ok(Self { address, inner, task })
    }

    /// Where it listens, without any route.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What was asked so far.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.inner.lock().clone()
    }

    /// Waits until this holds for what was asked.
    pub async fn wait_until(&self, holds: impl Fn(&[Request]) -> bool) -> Vec<Request> {
        loop {
            let changed = self.inner.changed.notified();
            let requests = self.requests();
            if holds(&requests) {
                return requests;
            }
            changed.await;
        }
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Inner {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Request>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, path: &str, body: &Value) -> usize {
        let mut requests = self.lock();
        requests.push(Request { path: path.to_owned(), body: body.clone(), hung_up: false });
        self.changed.notify_waiters();
        requests.len() - 1
    }

    fn note_hung_up(&self, at: usize) {
        if let Some(request) = self.lock().get_mut(at) {
            request.hung_up = true;
        }
        self.changed.notify_waiters();
    }
}

async fn requests(State(inner): State<Shared>) -> Json<Value> {
    let told =
        |request: &Request| json!({ "path": request.path, "body": request.body, "hungUp": request.hung_up });
    Json(inner.lock().iter().map(told).collect())
}

async fn answer(
    State(inner): State<Shared>,
    uri: Uri,
    headers: axum::http::HeaderMap,
    bytes: axum::body::Bytes,
) -> Response {
    let body: Value = match serde_json::from_slice(&bytes) {
        Ok(body) => body,
        Err(error) => return refuse(StatusCode::BAD_REQUEST, &format!("this is not valid JSON: {error}")),
    };
    let at = inner.note(uri.path(), &body);
    match &inner.source {
        Source::Script(script) => {
            let number = inner.number.fetch_add(1, Ordering::Relaxed) + 1;
            from_script(&inner, script, uri.path(), &body, (at, number))
        }
        Source::Record(recorder) => recorder.pass_on(&uri, &headers, bytes).await,
        Source::Replay(tape) => tape.play(uri.path(), &headers, &body),
    }
}

fn from_script(
    inner: &Shared,
    script: &Script,
    path: &str,
    body: &Value,
    (at, number): (usize, u64),
) -> Response {
    let Some(dialect) = Dialect::of(path) else {
        let text = format!("there is no `{path}`; known are {KNOWN}");
        return refuse(StatusCode::NOT_FOUND, &text);
    };
    let asked = Asked::read(dialect, path, body);
    let Some(rule) = script.choose(&asked) else {
        return refuse(StatusCode::NOT_IMPLEMENTED, "no rule of the script fits this request");
    };
    let plan = Plan::new(rule, &asked, number);
    if let Some(failure) = &plan.failure {
        let status = failure.status();
        let told = whole::refusal(dialect, status.as_u16(), &failure.message, failure.retry_after);
        let mut response = (status, Json(told)).into_response();
        let wait = failure.retry_after.filter(|_| dialect != Dialect::Gemini);
        if let Some(value) = wait.and_then(|time| time.to_string().parse().ok()) {
            response.headers_mut().insert(header::RETRY_AFTER, value);
        }
        return response;
    }
    if !asked.stream {
        return Json(whole::whole(&plan, &asked)).into_response();
    }
    let acts = write::acts(&plan, &asked);
    let inner = inner.clone();
    let body = body::body(acts, plan.bytes, move || inner.note_hung_up(at));
    ([(header::CONTENT_TYPE, dialect.content_type())], body).into_response()
}

fn refuse(status: StatusCode, message: &str) -> Response {
    (status, Json(whole::refusal(Dialect::Chat, status.as_u16(), message, None))).into_response()
}
