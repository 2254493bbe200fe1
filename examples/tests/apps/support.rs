//! An application as a process, and clients of its contracts.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use forestage::llm::model_server::{ModelServer, Script};
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite::Message};

/// Nothing that a test waits for takes longer.
const PATIENCE: Duration = Duration::from_secs(30);

/// An application in a process of its own. It is killed when this is dropped.
pub(crate) struct Process {
    child: Child,
    pub(crate) url: String,
}

impl Process {
    pub(crate) fn start(app: &str, data: &Path, more: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_forestage-examples"));
        command.args([app, "--listen", "127.0.0.1:0", "--data"]).arg(data).args(more);
        Self::of(command.env_remove("FORESTAGE_MODEL"))
    }

    /// Starts a server and waits until it listens.
    pub(crate) fn of(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it was built with this test");
        let mut line = String::new();
        let output = child.stdout.take().expect("it is piped");
        BufReader::new(output).read_line(&mut line).expect("it says where it listens");
        let url = line.trim().strip_prefix("listening on ").expect("its first line says where").to_owned();
        Self { child, url }
    }

    /// SIGKILL: nothing is written, nothing is said.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it is ours");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be dead already, which is what we want.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client at one of the sockets.
pub(crate) struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    pub(crate) async fn open(url: &str, path: &str) -> Self {
        let url = format!("{}{path}", url.replace("http://", "ws://"));
        Self(connect_async(url).await.expect("it is up").0)
    }

    pub(crate) async fn send(&mut self, frame: &Value) {
        self.0.send(Message::text(frame.to_string())).await.expect("it is open");
    }

    /// All frames until one that fits, that one included.
    pub(crate) async fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut frames: Vec<Value> = Vec::new();
        let end = tokio::time::Instant::now() + PATIENCE;
        while !frames.last().is_some_and(&fits) {
            let message = tokio::time::timeout_at(end, self.0.next()).await;
            let message = message.unwrap_or_else(|_| panic!("it goes on in time; so far: {frames:#?}"));
            if let Message::Text(text) = message.expect("it is open").expect("a frame") {
                frames.push(serde_json::from_str(&text).expect("JSON"));
            }
        }
        frames
    }

    /// All frames until one of this kind, that one included.
    pub(crate) async fn until_type(&mut self, kind: &str) -> Vec<Value> {
        self.until(|frame| frame["type"] == kind).await
    }
}

/// The frames of a kind.
pub(crate) fn of_type<'f>(frames: &'f [Value], kind: &str) -> Vec<&'f Value> {
    frames.iter().filter(|frame| frame["type"] == kind).collect()
}

/// What is said in frames, all of it.
pub(crate) fn text(frames: &[Value]) -> String {
    let is_said =
        |frame: &&Value| frame["type"].as_str().is_some_and(|kind| kind.starts_with("TEXT_MESSAGE"));
    frames.iter().filter(is_said).filter_map(|frame| frame["delta"].as_str()).collect()
}

/// A model that says what a file says.
pub(crate) async fn model(file: &str) -> ModelServer {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = std::fs::read_to_string(path).expect("it is in the repository");
    let rules = Script::parse(file, &text).unwrap_or_else(|errors| panic!("{errors:?}"));
    ModelServer::bind("127.0.0.1:0", rules).await.expect("there is a port")
}
