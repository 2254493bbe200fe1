//! A server with a few scripts, and clients that know nothing but their contract.

use std::{sync::Arc, time::Duration};

use forestage_runtime::{Agent, Agents, Limits, Stage, script};
use forestage_server::{ApiKey, Dialects, Http, Keys, Server, hash_key};
use forestage_store::Store;
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::{net::TcpStream, sync::Notify};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite::Message};

/// Long enough for anything; only a failure waits for it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

const INSPECTOR: &str = r#"
description: Inspects
house:
  rules:
    - { tools: ["*generate_final_report"], action: ask, risk: critical, reason: A report leaves the house. }
  moderation:
    input: { patterns: [{ pattern: "drop table", message: That may not be said here. }] }
tools:
  - { name: generate_final_report, description: Writes the report, result: { url: /report.pdf } }
  - { name: get_inspection_history, result: { violations: 1 } }
rules:
  - when: { answers: "its:render_quick_quiz" }
    do: [{ text: "You chose {{answer.selected_option_id}}." }]
  - when: { says: "*quiz*" }
    do:
      - tool:
          name: "its:render_quick_quiz"
          args: { quiz_id: q1, question_text: Capital of France?, options: [{ id: option_paris, text: Paris }] }
          chunk: 7
  - when: { says: "*history*" }
    do:
      - step: { name: thinking, do: [{ text: "I look it up." }] }
      - step: { name: executing_tools, do: [{ tool: { name: get_inspection_history, args: { kvk: "92251854" } } }] }
      - step: { name: thinking, do: [{ text: One violation. }] }
  - when: { says: "*report*" }
    do:
      - step:
          name: executing_tools
          do:
            - tool:
                name: generate_final_report
                args: { kvk: "92251854" }
                then: [{ text: "Here it is: {{answer.url}}" }]
                failed: [{ text: "There is no report. {{answer.message}}" }]
  - when: { says: "*fail*" }
    do:
      - step: { name: routing, do: [{ error: { message: It broke, code: processing_error } }] }
  - when: { says: "*ask*" }
    do:
      - ask: { message: "Which company?", answers: [{ do: [{ text: "You said {{answer}}." }] }] }
  - when: { says: "*handoff*" }
    do:
      - state: { currentAgent: general-agent }
      - patch: [{ op: replace, path: /currentAgent, value: history-agent }]
      - text: Over to history.
  - when: { says: "*go on*" }
    do: [{ repeat: { times: 100000, do: [{ text: "On and on. " }, { sleep: 20ms }] } }]
  - when: { says: "*two*" }
    do:
      - ask: { message: "First?", id: one }
      - text: Thanks.
  - do:
      - step: { name: routing, do: [{ sleep: 1ms }] }
      - step: { name: thinking, do: [{ text: "Hello there." }] }
"#;

/// A running server.
pub(crate) struct Running {
    pub(crate) address: String,
    pub(crate) stage: Arc<Stage>,
    stop: Arc<Notify>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.notify_one();
    }
}

pub(crate) async fn server() -> Running {
    server_with(Keys::default()).await
}

pub(crate) async fn server_with_key(key: &str) -> Running {
    let key = ApiKey { user: "ada".to_owned(), hash: hash_key(key), roles: Vec::new() };
    server_with(Keys::new(&[key]).unwrap()).await
}

async fn server_with(keys: Keys) -> Running {
    let agent = script::parse("general-agent", INSPECTOR).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let agents = Agents::from([("general-agent".to_owned(), Arc::new(agent) as Arc<dyn Agent>)]);
    serve(agents, keys, "memory:", Http::default()).await
}

/// Serves these agents.
pub(crate) async fn serve(agents: Agents, keys: Keys, store: &str, http: Http) -> Running {
    serve_on(forestage_store::open(store).await.unwrap(), agents, keys, http, Limits::default()).await
}

/// The same on a store of the test's own.
pub(crate) async fn serve_on(
    store: Arc<dyn Store>,
    agents: Agents,
    keys: Keys,
    http: Http,
    limits: Limits,
) -> Running {
    let stage = Stage::new(store, agents, limits);
    let http = Http { listen: "127.0.0.1:0".to_owned(), dialects: Dialects::default(), ..http };
    let server = Server::bind(stage.clone(), keys, http).await.unwrap();
    Running::of(server, stage)
}

impl Running {
    /// Lets a server run until this is dropped.
    pub(crate) fn of(server: Server, stage: Arc<Stage>) -> Self {
        let address = server.address().to_string();
        let stop = Arc::new(Notify::new());
        let stopped = stop.clone();
        tokio::spawn(server.run(async move { stopped.notified().await }));
        Self { address, stage, stop }
    }
}

/// A client on a socket that sends and gets JSON.
pub(crate) struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    pub(crate) async fn open(server: &Running, path: &str) -> Self {
        Self(connect_async(format!("ws://{}{path}", server.address)).await.unwrap().0)
    }

    pub(crate) async fn send(&mut self, value: &Value) {
        self.0.send(Message::text(value.to_string())).await.unwrap();
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        self.0.send(Message::text(text)).await.unwrap();
    }

    /// The next frame.
    pub(crate) async fn next(&mut self) -> Value {
        match self.message().await {
            Message::Text(text) => serde_json::from_str(&text).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    /// The code with which the server closes.
    pub(crate) async fn close_code(&mut self) -> u16 {
        match self.message().await {
            Message::Close(Some(frame)) => frame.code.into(),
            other => panic!("{other:?}"),
        }
    }

    /// All frames until one of this kind, that one included.
    pub(crate) async fn until(&mut self, kind: &str) -> Vec<Value> {
        let mut frames = Vec::new();
        loop {
            frames.push(self.next().await);
            let last = frames.last().unwrap();
            if last["type"] == kind || last["name"] == kind {
                return frames;
            }
        }
    }

    /// Sends a message of any kind.
    pub(crate) async fn send_message(&mut self, message: Message) {
        self.0.send(message).await.unwrap();
    }

    pub(crate) async fn message(&mut self) -> Message {
        // A server that only says that it is there says nothing.
        tokio::time::timeout(PATIENCE, self.any_message()).await.expect("a frame in time")
    }

    async fn any_message(&mut self) -> Message {
        loop {
            match self.0.next().await.expect("the socket is open").unwrap() {
                Message::Ping(_) | Message::Pong(_) => {}
                other => return other,
            }
        }
    }
}

/// The kinds of frames, with the name of a step or of a custom event.
pub(crate) fn kinds(frames: &[Value]) -> Vec<String> {
    let kind = |frame: &Value| {
        let detail = frame["stepName"].as_str().or(frame["name"].as_str());
        let detail = detail.or_else(|| frame["snapshot"]["status"].as_str());
        let kind = frame["type"].as_str().unwrap();
        detail.map_or_else(|| kind.to_owned(), |detail| format!("{kind} {detail}"))
    };
    frames.iter().map(kind).collect()
}

/// What was said.
pub(crate) fn text(frames: &[Value]) -> String {
    frames
        .iter()
        .filter(|frame| frame["type"] == "TEXT_MESSAGE_CONTENT")
        .filter_map(|frame| frame["delta"].as_str())
        .collect()
}

/// Frames with neighbouring pieces of one message or call in one: a log that is made shorter joins them, whenever that is.
pub(crate) fn compacted(frames: &[Value]) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::new();
    for frame in frames {
        let mut frame = frame.clone();
        if let Some(delta) = frame["delta"].as_str().map(str::to_owned) {
            // When and where one piece of several ends is not the same any more.
            for name in ["timestamp", "cursor"] {
                frame.as_object_mut().unwrap().remove(name);
            }
            let is_same = |name: &str, other: &Value| frame[name] == other[name];
            let last = out.last_mut().filter(|last| last["delta"].is_string());
            let names = ["type", "messageId", "toolCallId"];
            if let Some(last) = last.filter(|last| names.iter().all(|name| is_same(name, last))) {
                last["delta"] = format!("{}{delta}", last["delta"].as_str().unwrap()).into();
                continue;
            }
        }
        out.push(frame);
    }
    out
}
