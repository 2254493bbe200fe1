//! `GET /realtime`: a socket, its runs, and the answers at their gates.

use std::{collections::HashMap, sync::Arc};

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
    id::ThreadId,
    input::RunAgentInput,
    interrupt::{Interrupt, ResumeEntry, ResumeStatus},
    json::Json,
    message::Message as Said,
};
use forestage_runtime::{OnBusy, StartRun, Verdict};
use forestage_store::{InterruptQuery, InterruptRecord};
use futures_util::{SinkExt, StreamExt, stream::SplitSink};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    sync::{Mutex, mpsc},
    task::JoinSet,
};

use super::{
    decode::{Decision, Frame, decode},
    gate::{Draft, Gate},
};
use crate::{
    app::App,
    auth::{Caller, Visitor},
    dialect,
    error::ApiError,
    route::Query,
};

/// Told to whoever has no key that counts.
const UNAUTHORISED: u16 = 4401;

/// So many frames wait for a socket that is slow; then its runs are read more slowly.
const FRAMES: usize = 64;

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/realtime", get(open))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SocketQuery {
    agent: Option<String>,
    /// `audit`: the client looks before anything counts.
    #[serde(default)]
    mode: Mode,
    /// What is under way or waits on this thread is shown at once.
    thread_id: Option<ThreadId>,
    /// The key of the caller, read elsewhere.
    #[serde(rename = "token")]
    _token: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    #[default]
    Chat,
    Audit,
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
    let agent = dialect::agent(&app, query.agent.clone(), app.http.dialects.trainer2.as_ref())?;
    Ok(upgrade.on_upgrade(move |socket| talk(app, caller, agent, query, socket)))
}

async fn close(mut socket: WebSocket, code: u16, reason: &'static str) {
    // The other side may be gone already.
    let _ = socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
}

/// One end of a socket.
pub(super) struct Desk {
    pub(super) app: App,
    pub(super) caller: Visitor,
    agent: String,
    audit: bool,
    frames: mpsc::Sender<Value>,
    /// The threads whose runs are shown here, with how many of them are.
    shown: Mutex<HashMap<ThreadId, usize>>,
}

async fn talk(app: App, caller: Visitor, agent: String, query: SocketQuery, socket: WebSocket) {
    let (sink, mut stream) = socket.split();
    let (frames, waiting) = mpsc::channel(FRAMES);
    let audit = query.mode == Mode::Audit;
    let desk = Arc::new(Desk { app: app.clone(), caller, agent, audit, frames, shown: Mutex::default() });
    // They end with the socket; the runs do not.
    let mut tasks = JoinSet::new();
    tasks.spawn(write(app.clone(), sink, waiting));
    if let Some(thread_id) = query.thread_id {
        let desk = desk.clone();
        tasks.spawn(async move { desk.come_back(&thread_id).await });
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
            Some(Ok(Message::Binary(_))) => {
                let error = ApiError::bad_request("invalid_frame", "frames are JSON text");
                desk.refuse(&error, None, None).await;
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(Message::Close(_)) | Err(_)) | None => return,
        }
    }
    // What was sent before the server ends is still written.
    drop(desk);
    let _ = tasks.join_next().await;
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
        match decode(text, self.audit) {
            Ok(Frame::Run(input)) => {
                let (thread_id, run_id) = (input.thread_id.clone(), input.run_id.clone());
                if let Err(refused) = self.run(*input).await {
                    self.refuse(&refused, Some(&thread_id), Some(&run_id)).await;
                }
            }
            Ok(Frame::Decision(decision)) => {
                let (thread_id, run_id) = (decision.thread_id.clone(), decision.run_id.clone());
                if let Err(refused) = self.decide(decision).await {
                    self.refuse(&refused, Some(&thread_id), run_id.as_deref()).await;
                }
            }
            Err(refused) => self.refuse(&refused, None, None).await,
        }
    }

    /// Runs, and shows what comes of it, gates in between included.
    async fn run(&self, input: RunAgentInput) -> Result<(), ApiError> {
        let input = self.answered_in_words(input).await?;
        let thread_id = input.thread_id.clone();
        let decider = Some(self.caller.decider());
        let start = StartRun::new(&self.agent, input, &self.caller.user);
        let started = self.app.stage.start(StartRun { on_busy: OnBusy::Queue, decider, ..start }).await?;
        let thread = self.app.stage.thread(&self.caller.user, &thread_id).await?;
        self.show(&thread, started.before.seq).await
    }

    /// Decides. Whoever shows the run shows what follows; if that is nobody, we do.
    async fn decide(&self, decision: Decision) -> Result<(), ApiError> {
        let Decision { thread_id, run_id, gate, approved, edits, reason } = decision;
        let records = self.questions(&thread_id, false).await?;
        let is_it = |record: &&InterruptRecord| {
            question_of(record).and_then(|asked| Gate::of(&asked)) == Some(gate.clone())
        };
        let record = records.iter().find(is_it).ok_or_else(|| unknown_gate(&gate, &thread_id))?;
        if let Some(run_id) = run_id
            && !self.is_of_turn(&thread_id, &record.run_id, &run_id).await?
        {
            return Err(unknown_gate(&gate, &thread_id).at("runId"));
        }
        let draft = Draft::read(&record.private).unwrap_or_default();
        let verdict = Verdict::resolved(gate.payload(approved, edits, reason, &draft));
        let ruling =
            self.app.stage.decide_on(&self.caller.decider(), &thread_id, &record.id, verdict).await?;
        let Some(started) = ruling.run else { return Ok(()) };
        if self.shown.lock().await.contains_key(&thread_id) {
            return Ok(());
        }
        let thread = self.app.stage.thread(&self.caller.user, &thread_id).await?;
        self.show_rest(&thread, started.before.seq).await
    }

    /// A thread that waits for words takes what the person says next as the answer.
    async fn answered_in_words(&self, mut input: RunAgentInput) -> Result<RunAgentInput, ApiError> {
        let records = self.questions(&input.thread_id, false).await?;
        let asked: Vec<_> = records.iter().filter_map(question_of).collect();
        let words: Vec<_> = input.messages.iter().filter_map(words).collect();
        if asked.is_empty() || words.is_empty() || asked.iter().any(|asked| Gate::of(asked).is_some()) {
            return Ok(input);
        }
        let said = words.join("\n");
        input.resume = Some(asked.iter().map(|question| in_words(question, &said)).collect());
        input.messages.clear();
        Ok(input)
    }

    /// The questions of a thread of the caller's; those that are decided only if they are wanted.
    pub(super) async fn questions(
        &self,
        thread_id: &ThreadId,
        decided: bool,
    ) -> Result<Vec<InterruptRecord>, ApiError> {
        let query = InterruptQuery {
            thread_id: Some(thread_id.clone()),
            decided,
            limit: 10_000,
            ..InterruptQuery::of(self.caller.user.as_str())
        };
        Ok(self.app.stage.store().interrupts(query).await?)
    }

    pub(super) fn encoder(&self) -> Result<super::Encoder, ApiError> {
        Ok(super::Encoder::new(self.app.stage.agent(&self.agent)?.tools()))
    }

    pub(super) async fn begin_to_show(&self, thread_id: &ThreadId) {
        *self.shown.lock().await.entry(thread_id.clone()).or_default() += 1;
    }

    pub(super) async fn end_to_show(&self, thread_id: &ThreadId) {
        let mut shown = self.shown.lock().await;
        if let Some(count) = shown.get_mut(thread_id) {
            *count -= 1;
        }
        shown.retain(|_, count| *count > 0);
    }

    pub(super) async fn refuse(&self, refused: &ApiError, thread_id: Option<&str>, run_id: Option<&str>) {
        let mut error = refused.to_value()["error"].clone();
        error["type"] = "RUN_ERROR".into();
        for (name, id) in [("threadId", thread_id), ("runId", run_id)] {
            if let Some(id) = id {
                error[name] = id.into();
            }
        }
        self.send(error).await;
    }

    pub(super) async fn send(&self, frame: Value) {
        // A socket that is gone hears nothing.
        let _ = self.frames.send(frame).await;
    }
}

pub(super) fn question_of(record: &InterruptRecord) -> Option<Interrupt> {
    serde_json::from_slice(&record.json).ok()
}

fn unknown_gate(gate: &Gate, thread_id: &ThreadId) -> ApiError {
    let what = match gate {
        Gate::Stage => "nothing waits to be sent to the agent".to_owned(),
        Gate::Tool(id) => format!("no call `{id}` waits"),
        Gate::Draft => "no draft waits".to_owned(),
    };
    ApiError::new(StatusCode::CONFLICT, "unknown_gate", format!("{what} on thread `{thread_id}`"))
        .hint("it may have been decided elsewhere; open the socket with `?threadId=` to see what waits")
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
