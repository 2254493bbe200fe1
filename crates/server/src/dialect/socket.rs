//! The sockets of dialects: what is heard on one, and what is written.
//!
//! ```text
//! frames in ──> a session, a task for each ──> a queue of frames ──> one writer ──> the socket
//! ```
//!
//! A client that does not read fills the queue; then its runs are shown more slowly, and they themselves go on.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code},
    response::Response,
};
use forestage_protocol::id::ThreadId;
use futures_util::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use serde_json::Value;
use tokio::{sync::mpsc, task::JoinSet};

use crate::{
    app::App,
    auth::{Caller, Visitor},
    error::ApiError,
    intake::{Unread, admit_frame},
    transport::upgrade::{Upgrade, broken_frame, goodbye},
};

/// So many frames wait for a socket that is slow; then its runs are read more slowly.
const FRAMES: usize = 64;

/// So many frames of a client may be worked on at once.
const AT_ONCE: usize = 1024;

/// So long a client that is closed may take to read what was said before.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// What a dialect does with a socket.
pub(super) trait Session: Send + Sync + 'static {
    /// What a client sends.
    type Frame: Send + 'static;

    /// Reads a frame, and notes what has to be known before a later one is read.
    fn read(&self, text: &str) -> impl Future<Output = Self::Frame> + Send;

    /// Works on a frame, beside others.
    fn hear(self: Arc<Self>, frame: Self::Frame) -> impl Future<Output = ()> + Send;

    /// Shows a thread to a client that has come back to it.
    fn come_back(self: Arc<Self>, thread_id: ThreadId) -> impl Future<Output = ()> + Send;

    /// Says what is wrong with something that is no frame at all.
    fn refuse_frame(&self, refused: &ApiError) -> impl Future<Output = ()> + Send;
}

/// Where a session puts what it says.
#[derive(Clone, Debug)]
pub(super) struct Line(mpsc::Sender<Out>);

#[derive(Debug)]
enum Out {
    Frame(Value),
    Close(CloseFrame),
}

impl Line {
    /// Says something. A socket that is gone hears nothing.
    pub(super) async fn send(&self, frame: Value) {
        let _ = self.0.send(Out::Frame(frame)).await;
    }

    async fn close(&self, frame: CloseFrame) {
        let _ = self.0.send(Out::Close(frame)).await;
    }

    /// Closes the socket after what was said before, if this is a failure of the store: the client has been told, and what it
    /// was shown does not go on. It comes back by itself, which a socket that is merely pinged would not make it do.
    pub(super) async fn close_if_lost(&self, refused: &ApiError) {
        if refused.code() == "store_unavailable" {
            self.close(goodbye(close_code::AGAIN, refused.message())).await;
        }
    }

    /// Waits until nothing more is written.
    async fn closed(&self) {
        self.0.closed().await;
    }
}

/// Where a socket is, and what its client asks for in the address.
pub(super) struct Door {
    /// The contract's close code for somebody without a key that counts.
    pub(super) unauthorised: u16,
    /// The agent that the client names.
    pub(super) agent: Option<String>,
    /// The one that the configuration names.
    pub(super) configured: Option<String>,
    /// The thread that the client has come back to.
    pub(super) back_to: Option<ThreadId>,
}

/// Who sits on our side of a socket, before whom.
pub(super) struct Seat {
    pub(super) app: App,
    pub(super) caller: Visitor,
    pub(super) agent: String,
    pub(super) line: Line,
}

/// Lets a client in and serves its socket until either side has enough. The thread that it has come back to, if there
/// is one, is shown beside what is heard.
pub(super) fn admit<S: Session>(
    app: &App,
    caller: Result<Caller, ApiError>,
    Upgrade(upgrade, unread): Upgrade,
    door: Door,
    session: impl FnOnce(Seat) -> S + Send + 'static,
) -> Result<Response, ApiError> {
    let Ok(Caller(caller)) = caller else { return Ok(turn_away(upgrade, door.unauthorised)) };
    let agent = super::agent(app, door.agent, door.configured.as_ref())?;
    let app = app.clone();
    Ok(upgrade.on_upgrade(move |socket| {
        let (line, frames) = mpsc::channel(FRAMES);
        let line = Line(line);
        let seat = Seat { app: app.clone(), caller, agent, line: line.clone() };
        talk(app, Arc::new(session(seat)), (line, frames), (socket, unread), door.back_to)
    }))
}

/// Closes a socket of somebody without a key that counts.
fn turn_away(upgrade: WebSocketUpgrade, code: u16) -> Response {
    upgrade.on_upgrade(move |mut socket| async move {
        let farewell = goodbye(code, "this server wants an API key");
        // The other side may be gone already.
        let _ = socket.send(Message::Close(Some(farewell))).await;
    })
}

async fn talk<S: Session>(
    app: App,
    session: Arc<S>,
    (line, frames): (Line, mpsc::Receiver<Out>),
    (socket, unread): (WebSocket, Unread),
    back_to: Option<ThreadId>,
) {
    let (sink, stream) = socket.split();
    let writer = tokio::spawn(write(app.clone(), sink, frames));
    // They end with the socket; the runs do not.
    let mut tasks = JoinSet::new();
    if let Some(thread_id) = back_to {
        tasks.spawn(session.clone().come_back(thread_id));
    }
    let farewell = tokio::select! {
        farewell = listen(&app, &session, (stream, &unread), &mut tasks) => farewell,
        // We have closed it, and a client that does not answer that is not waited for.
        () = line.closed() => None,
    };
    let abort = writer.abort_handle();
    if let Some(farewell) = farewell {
        // What was said before, and why we close, is still written.
        let said = async {
            line.close(farewell).await;
            let _ = writer.await;
        };
        let _ = tokio::time::timeout(LAST_WORDS, said).await;
    }
    abort.abort();
}

/// Hears the client until one side has enough; how to close, if it is us.
async fn listen<S: Session>(
    app: &App,
    session: &Arc<S>,
    (mut stream, unread): (SplitStream<WebSocket>, &Unread),
    tasks: &mut JoinSet<()>,
) -> Option<CloseFrame> {
    loop {
        let message = tokio::select! {
            message = stream.next() => message?,
            () = app.ending.cancelled() => {
                return Some(goodbye(close_code::AWAY, "the server is shutting down"));
            }
        };
        while tasks.try_join_next().is_some() {}
        match &message {
            Ok(Message::Text(_) | Message::Binary(_)) => unread.handed_on(),
            Ok(Message::Ping(payload) | Message::Pong(payload)) => unread.handed_on_control(payload.len()),
            _ => {}
        }
        match message {
            Ok(Message::Text(_)) if tasks.len() >= AT_ONCE => session.refuse_frame(&too_many()).await,
            Ok(Message::Text(text)) => {
                let _share = match admit_frame(text.as_str(), app).await {
                    Ok(share) => share,
                    Err(refused) => {
                        session.refuse_frame(&refused).await;
                        continue;
                    }
                };
                let frame = session.read(text.as_str()).await;
                tasks.spawn(session.clone().hear(frame));
            }
            Ok(Message::Binary(_)) => session.refuse_frame(&not_text()).await,
            Ok(Message::Ping(_) | Message::Pong(_)) => {}
            Ok(Message::Close(_)) => return None,
            Err(error) => {
                let (refused, code) = broken_frame(error, unread)?;
                session.refuse_frame(&refused).await;
                return Some(goodbye(code, refused.message()));
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
        let message = tokio::select! {
            biased;
            out = frames.recv() => match out {
                Some(Out::Frame(frame)) => Message::Text(frame.to_string().into()),
                Some(Out::Close(frame)) => Message::Close(Some(frame)),
                None => Message::Close(None),
            },
            _ = heart.tick() => Message::Ping(bytes::Bytes::new()),
        };
        let last = matches!(message, Message::Close(_));
        if sink.send(message).await.is_err() || last {
            return;
        }
    }
}
