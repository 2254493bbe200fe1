//! `GET /ws`: a socket, what is heard on it and what is written.
//!
//! ```text
//! frames in ──> Desk, a task for each ──> a queue of frames ──> one writer ──> the socket
//! ```
//!
//! A client that does not read fills the queue; then its runs are shown more slowly, and they themselves go on.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{
        State,
        ws::{CloseFrame, Message, WebSocket, close_code},
    },
    response::Response,
    routing::get,
};
use forestage_protocol::id::ThreadId;
use futures_util::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use serde::Deserialize;
use serde_json::Value;
use tokio::{sync::mpsc, task::JoinSet};

use super::{
    decode::decode,
    desk::{Desk, Manner, Out},
};
use crate::{
    app::App,
    auth::Caller,
    dialect,
    error::ApiError,
    route::Query,
    transport::upgrade::{Upgrade, broken_frame, goodbye},
};

/// Told to whoever has no key that counts.
const UNAUTHORISED: u16 = 4001;

/// So many frames wait for a socket that is slow; then its runs are read more slowly.
const FRAMES: usize = 64;

/// So many frames of a client may be worked on at once.
const AT_ONCE: usize = 1024;

/// So long a client that is closed may take to read what was said before.
const LAST_WORDS: Duration = Duration::from_secs(10);

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/ws", get(open))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SocketQuery {
    agent: Option<String>,
    /// The run that is open on this thread is shown at once.
    thread_id: Option<ThreadId>,
    /// Whether a run without a result says `"result": null`.
    #[serde(default)]
    nulls: bool,
    /// Whether frames carry what a client needs to come back.
    #[serde(default)]
    cursors: bool,
    /// The key of the caller, read elsewhere.
    #[serde(rename = "token")]
    _token: Option<String>,
}

async fn open(
    State(app): State<App>,
    caller: Result<Caller, ApiError>,
    Query(query): Query<SocketQuery>,
    Upgrade(upgrade): Upgrade,
) -> Result<Response, ApiError> {
    let Ok(Caller(caller)) = caller else {
        return Ok(upgrade.on_upgrade(|socket| close(socket, UNAUTHORISED, "this server wants an API key")));
    };
    let agent = dialect::agent(&app, query.agent, app.http.dialects.agora.as_ref())?;
    Ok(upgrade.on_upgrade(move |socket| {
        let (frames, waiting) = mpsc::channel(FRAMES);
        let manner = Manner { nulls: query.nulls, cursors: query.cursors };
        let desk = Desk::new(app.clone(), caller, agent, manner, frames);
        talk(app, Arc::new(desk), query.thread_id, socket, waiting)
    }))
}

async fn close(mut socket: WebSocket, code: u16, reason: &'static str) {
    // The other side may be gone already.
    let _ = socket.send(Message::Close(Some(goodbye(code, reason)))).await;
}

async fn talk(
    app: App,
    desk: Arc<Desk>,
    thread: Option<ThreadId>,
    socket: WebSocket,
    frames: mpsc::Receiver<Out>,
) {
    let (sink, stream) = socket.split();
    let writer = tokio::spawn(write(app.clone(), sink, frames));
    // They end with the socket; the runs do not.
    let mut tasks = JoinSet::new();
    if let Some(thread) = thread {
        let desk = desk.clone();
        tasks.spawn(async move { desk.show_open(&thread).await });
    }
    let farewell = listen(&app, &desk, stream, &mut tasks).await;
    let abort = writer.abort_handle();
    if let Some(farewell) = farewell {
        // What was said before, and why we close, is still written.
        let said = async {
            desk.send(farewell).await;
            let _ = writer.await;
        };
        let _ = tokio::time::timeout(LAST_WORDS, said).await;
    }
    abort.abort();
}

/// Hears the client until one side has enough; how to close, if it is us.
async fn listen(
    app: &App,
    desk: &Arc<Desk>,
    mut stream: SplitStream<WebSocket>,
    tasks: &mut JoinSet<()>,
) -> Option<Out> {
    loop {
        let message = tokio::select! {
            message = stream.next() => message?,
            () = app.ending.cancelled() => {
                return Some(Out::Close(goodbye(close_code::AWAY, "the server is shutting down")));
            }
        };
        while tasks.try_join_next().is_some() {}
        match message {
            Ok(Message::Text(_)) if tasks.len() >= AT_ONCE => desk.refuse(&too_many(), &Value::Null).await,
            Ok(Message::Text(text)) => {
                let (desk, frame) = (desk.clone(), decode(text.as_str()));
                if let Ok(frame) = &frame {
                    desk.expect(frame).await;
                }
                tasks.spawn(async move { desk.hear(frame).await });
            }
            Ok(Message::Binary(_)) => desk.refuse(&not_text(), &Value::Null).await,
            Ok(Message::Ping(_) | Message::Pong(_)) => {}
            Ok(Message::Close(_)) => return None,
            Err(error) => {
                let (refused, code) = broken_frame(error)?;
                desk.refuse(&refused, &Value::Null).await;
                return Some(Out::Close(goodbye(code, refused.message())));
            }
        }
    }
}

fn too_many() -> ApiError {
    let text = format!("this socket has {AT_ONCE} runs open already");
    ApiError::bad_request("too_many_at_once", text).hint("wait for one to end, or open another socket")
}

fn not_text() -> ApiError {
    ApiError::bad_request("invalid_frame", "frames are JSON text")
}

/// Writes until it is told to close, or the other side is gone.
async fn write(app: App, mut sink: SplitSink<WebSocket, Message>, mut frames: mpsc::Receiver<Out>) {
    let mut heart = tokio::time::interval(app.keep_alive());
    loop {
        let out = tokio::select! {
            biased;
            out = frames.recv() => out,
            _ = heart.tick() => Some(Out::Ping),
        };
        let last = matches!(out, Some(Out::Close(_)) | None);
        let message = match out {
            Some(Out::Frame(frame)) => Message::Text(frame.to_string().into()),
            Some(Out::Ping) => Message::Ping(bytes::Bytes::new()),
            Some(Out::Close(frame)) => Message::Close(Some(frame)),
            None => Message::Close(None::<CloseFrame>),
        };
        if sink.send(message).await.is_err() || last {
            return;
        }
    }
}
