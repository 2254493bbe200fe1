//! The command that plays the part of a provider.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::Child,
};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{forestage, run};

/// A provider that runs.
pub(crate) struct ModelServer {
    child: Child,
    _folder: TempDir,
    pub(crate) url: String,
}

impl ModelServer {
    /// One that plays a script.
    pub(crate) fn start(script: &str) -> Self {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("script.yaml"), script).unwrap();
        let flags = ["model-server", "--json", "--listen", "127.0.0.1:0", "--script", "script.yaml"];
        let mut child = forestage(&flags).current_dir(folder.path()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let announced: Value = serde_json::from_str(&line).unwrap();
        let url = announced["url"].as_str().unwrap().to_owned();
        Self { child, _folder: folder, url }
    }

    /// What it was asked.
    pub(crate) fn requests(&self) -> Vec<Value> {
        let body = exchange(&self.url, "GET /requests HTTP/1.1", "");
        serde_json::from_str(&body).unwrap()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a request and returns the body of the answer.
fn exchange(url: &str, line: &str, body: &str) -> String {
    let address = url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let head = format!(
        "{line}\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all((head + body).as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split_once("\r\n\r\n").unwrap().1.to_owned()
}

#[test]
fn it_answers_whole_in_each_dialect() {
    let models = ModelServer::start("rules: [{ do: [{ text: Hello }] }]");
    for (route, key) in [("chat/completions", "choices"), ("responses", "output"), ("messages", "content")] {
        let body =
            exchange(&models.url, &format!("POST /v1/{route} HTTP/1.1"), r#"{"model":"m","messages":[]}"#);
        let answer: Value = serde_json::from_str(&body).unwrap();
        assert!(answer[key].to_string().contains("Hello"), "{route}: {answer}");
    }
    assert_eq!(models.requests().len(), 3);
}

#[test]
fn a_bad_script_is_told_with_its_places() {
    let folder = TempDir::new().unwrap();
    let script = folder.path().join("s.yaml");
    fs::write(&script, "rules:\n  - do: [{ txt: hi }]\n").unwrap();
    let (code, _, told) = run(&["model-server", "--script", script.to_str().unwrap()], "");
    assert_eq!(code, 2);
    assert!(told.contains("s.yaml:2:") && told.contains("did you mean `text`?"), "{told}");
}
