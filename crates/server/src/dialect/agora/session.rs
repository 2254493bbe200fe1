//! `GET /ws`: a socket, its runs, and the answers to their requests.

use std::{collections::HashSet, sync::Arc};

use axum::{
    Router,
    extract::{
        State,
        ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code},
    },
    http::StatusCode,
    response::Response,
    routing::get,
};
use forestage_protocol::{
    id::{InterruptId, ThreadId},
    input::RunAgentInput,
    interrupt::{Interrupt, ResumeEntry, ResumeStatus},
    json::Json,
    message::Message as Said,
};
use forestage_runtime::{OnBusy, Verdict};
use forestage_store::{InterruptQuery, Seq, Thread};
use futures_util::{SinkExt, StreamExt, stream::SplitSink};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    sync::{Mutex, mpsc},
    task::JoinSet,
};

use super::{
    decode::{Approval, Frame, decode},
    encode::{Encoder, error},
};
use crate::{
    app::App,
    auth::{Caller, Visitor},
    dialect::{
        self,
        door::{begin, events, pending},
    },
    error::ApiError,
    route::Query,
};

/// Told to whoever has no key that counts.
const UNAUTHORISED: u16 = 4001;

/// So many frames wait for a socket that is slow; then its runs are read more slowly.
const FRAMES: usize = 64;

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/ws", get(open))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SocketQuery {
    agent: Option<String>,
    /// What waits on this thread is shown at once.
    thread_id: Option<ThreadId>,
    /// The key of the caller, read elsewhere.
    #[serde(rename = "token")]
    _token: Option<String>,
}

async fn open(
    State(app): State<App>,
    caller: Result<Caller, ApiError>,
    Query(query): Query<SocketQuery>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let limit = app.http.max_frame_bytes;
    let upgrade = upgrade.max_message_size(limit).max_frame_size(limit);
    let Ok(Caller(caller)) = caller else {
        return Ok(upgrade.on_upgrade(|socket| close(socket, UNAUTHORISED, "this server wants an API key")));
    };
    let agent = dialect::agent(&app, query.agent, app.http.dialects.agora.as_ref())?;
    Ok(upgrade.on_upgrade(move |socket| talk(app, caller, agent, query.thread_id, socket)))
}

async fn close(mut socket: WebSocket, code: u16, reason: &'static str) {
    // The other side may be gone already.
    let _ = socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
}

/// One end of a socket.
struct Desk {
    app: App,
    caller: Visitor,
    agent: String,
    frames: mpsc::Sender<Value>,
    /// The threads whose runs are shown here.
    shown: Mutex<HashSet<ThreadId>>,
}

async fn talk(app: App, caller: Visitor, agent: String, thread: Option<ThreadId>, socket: WebSocket) {
    let (sink, mut stream) = socket.split();
    let (frames, waiting) = mpsc::channel(FRAMES);
    let desk = Arc::new(Desk { app: app.clone(), caller, agent, frames, shown: Mutex::default() });
    // They end with the socket; the runs do not.
    let mut tasks = JoinSet::new();
    tasks.spawn(write(app.clone(), sink, waiting));
    if let Some(thread) = thread {
        desk.show_waiting(&thread).await;
    }
    loop {
        let message = tokio::select! {
            message = stream.next() => message,
            () = app.ending.cancelled() => break,
        };
        match message {
            Some(Ok(Message::Text(text))) => {
                let desk = desk.clone();
                let text = text.to_string();
                tasks.spawn(async move { desk.hear(&text).await });
            }
            Some(Ok(Message::Binary(_))) => desk.refuse(&not_text(), &Value::Null).await,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(Message::Close(_)) | Err(_)) | None => return,
        }
    }
    // What was sent before the server ends is still written.
    drop(desk);
    let _ = tasks.join_next().await;
}

fn not_text() -> ApiError {
    ApiError::bad_request("invalid_frame", "frames are JSON text")
}

async fn write(app: App, mut sink: SplitSink<WebSocket, Message>, mut frames: mpsc::Receiver<Value>) {
    let mut heart = tokio::time::interval(app.keep_alive());
    loop {
        let message = tokio::select! {
            frame = frames.recv() => match frame {
                Some(frame) => Message::Text(frame.to_string().into()),
                None => break,
            },
            _ = heart.tick() => Message::Ping(bytes::Bytes::new()),
            () = app.ending.cancelled() => break,
        };
        if sink.send(message).await.is_err() {
            return;
        }
    }
    let going = CloseFrame { code: close_code::AWAY, reason: "the server is shutting down".into() };
    let _ = sink.send(Message::Close(Some(going))).await;
}

impl Desk {
    async fn hear(self: Arc<Self>, text: &str) {
        match decode(text) {
            Ok(Frame::Run(input)) => {
                let thread_id = input.thread_id.clone();
                if let Err(refused) = self.run(*input).await {
                    self.refuse(&refused, &json!({ "threadId": thread_id })).await;
                    self.show_waiting(&thread_id).await;
                }
            }
            Ok(Frame::Approval(approval)) => {
                let id = approval.approval_id.clone();
                if let Err(refused) = self.approve(approval).await {
                    self.refuse(&refused, &json!({ "approvalId": id })).await;
                }
            }
            Err(refused) => self.refuse(&refused, &Value::Null).await,
        }
    }

    /// Runs, and shows what comes of it, approvals in between included.
    async fn run(&self, input: RunAgentInput) -> Result<(), ApiError> {
        let input = self.answered_in_words(input).await?;
        let thread_id = input.thread_id.clone();
        let started = begin(&self.app, &self.caller, &self.agent, input, OnBusy::Queue).await?;
        let thread = self.app.stage.thread(&self.caller.user, &thread_id).await?;
        self.show(&thread, started.before.seq).await
    }

    async fn show(&self, thread: &Thread, after: Seq) -> Result<(), ApiError> {
        self.shown.lock().await.insert(thread.id.clone());
        let shown = self.show_run(thread, after).await;
        self.shown.lock().await.remove(&thread.id);
        shown
    }

    async fn show_run(&self, thread: &Thread, after: Seq) -> Result<(), ApiError> {
        let mut encoder = self.encoder()?;
        let mut follower = self.app.stage.follow(thread, after);
        while !encoder.is_over() {
            let Some(batch) = follower.next().await? else { return Ok(()) };
            for frame in encoder.encode(&events(&batch)) {
                self.send(frame).await;
            }
        }
        Ok(())
    }

    fn encoder(&self) -> Result<Encoder, ApiError> {
        let tools = self.app.stage.agent(&self.agent)?.tools();
        Ok(Encoder::new(&self.agent, tools))
    }

    /// Decides. Whoever shows the run shows what follows; if that is nobody, we do.
    async fn approve(&self, approval: Approval) -> Result<(), ApiError> {
        let Approval { approval_id, approved, feedback } = approval;
        let mut payload = json!({ "approved": approved });
        if let Some(feedback) = feedback {
            payload["reason"] = feedback.into();
        }
        let (who, verdict) = (self.caller.decider(), Verdict::resolved(payload));
        let stage = &self.app.stage;
        let ruling = match self.thread_of(&approval_id).await? {
            Some(thread) => stage.decide_on(&who, &thread, &approval_id, verdict).await?,
            None => stage.decide(&who, &approval_id, verdict).await?,
        };
        let Some(started) = ruling.run else { return Ok(()) };
        if self.shown.lock().await.contains(&started.thread_id) {
            return Ok(());
        }
        let thread = self.app.stage.thread(&self.caller.user, &started.thread_id).await?;
        self.show(&thread, started.before.seq).await
    }

    /// The thread on which a request waits. Of several, it is the one that is shown here.
    async fn thread_of(&self, id: &InterruptId) -> Result<Option<ThreadId>, ApiError> {
        let query = InterruptQuery { limit: 10_000, ..InterruptQuery::of(self.caller.viewer()) };
        let records = self.app.stage.store().interrupts(query).await?;
        let mut waiting: Vec<_> =
            records.into_iter().filter(|record| record.id == *id).map(|record| record.thread_id).collect();
        if waiting.len() > 1 {
            let shown = self.shown.lock().await;
            waiting.retain(|thread| shown.contains(thread));
            if waiting.len() != 1 {
                let text = format!("several threads wait for an answer to `{id}`");
                return Err(ApiError::new(StatusCode::CONFLICT, "ambiguous_interrupt", text)
                    .hint("answer on the socket that shows the run, or in the inbox"));
            }
        }
        Ok(waiting.pop())
    }

    /// A thread that waits for words takes what the person says next as the answer.
    async fn answered_in_words(&self, mut input: RunAgentInput) -> Result<RunAgentInput, ApiError> {
        let asked = self.pending(&input.thread_id).await?;
        let about_tool = |question: &Interrupt| question.tool_call_id.is_some();
        let words: Vec<_> = input.messages.iter().filter_map(words).collect();
        if asked.is_empty() || words.is_empty() || asked.iter().any(about_tool) || input.resume.is_some() {
            return Ok(input);
        }
        let said = words.join("\n");
        input.resume = Some(asked.iter().map(|question| in_words(question, &said)).collect());
        input.messages.clear();
        Ok(input)
    }

    async fn pending(&self, thread_id: &ThreadId) -> Result<Vec<Interrupt>, ApiError> {
        pending(&self.app, &self.caller, thread_id).await
    }

    /// Shows the requests for approval that wait on a thread.
    async fn show_waiting(&self, thread_id: &ThreadId) {
        let (Ok(pending), Ok(encoder)) = (self.pending(thread_id).await, self.encoder()) else { return };
        for value in pending.iter().filter_map(|asked| encoder.request(asked)) {
            self.send(json!({ "type": "CUSTOM", "name": "agora:tool_approval_request", "value": value }))
                .await;
        }
    }

    async fn refuse(&self, refused: &ApiError, about: &Value) {
        let mut details = refused.to_value()["error"].clone();
        if let (Value::Object(details), Value::Object(about)) = (&mut details, about) {
            details.remove("code");
            details.remove("message");
            details.extend(about.clone());
        }
        self.send(error(refused.code(), refused.message(), &details)).await;
    }

    async fn send(&self, frame: Value) {
        // A socket that is gone hears nothing.
        let _ = self.frames.send(frame).await;
    }
}

fn words(message: &Said) -> Option<String> {
    match message {
        Said::User(message) => Some(message.content.text().into_owned()),
        _ => None,
    }
}

/// An answer of words in the shape that the question wants.
fn in_words(question: &Interrupt, said: &str) -> ResumeEntry {
    let kind =
        question.response_schema.as_ref().and_then(|schema| schema.get("type")?.as_str().map(str::to_owned));
    let payload = match kind.as_deref() {
        Some("object") => json!({ "response": said }),
        Some("number" | "integer" | "boolean") => {
            serde_json::from_str(said.trim()).unwrap_or_else(|_| json!(said))
        }
        _ => json!(said),
    };
    ResumeEntry {
        payload: Some(Json::from(payload)),
        ..ResumeEntry::new(question.id.clone(), ResumeStatus::Resolved)
    }
}
