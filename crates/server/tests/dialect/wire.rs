//! What the walks share: requests, streams, and the judges of the contracts.

use std::sync::Arc;

use forestage_protocol::pipeline::Reader;
use forestage_runtime::{About, Agent, Agents, RunContext, agent_fn, script};
use forestage_server::{ApiKey, Http, Keys, dialect, hash_key};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::support::*;

/// A server whose only agent plays a script.
pub(crate) async fn serve_script(script: &str, keys: Keys, http: Http) -> Running {
    let agent = script::parse("general-agent", script).unwrap_or_else(|errors| panic!("{errors:#?}"));
    serve_agent(Arc::new(agent), keys, http).await
}

/// A server with one agent.
pub(crate) async fn serve_agent(agent: Arc<dyn Agent>, keys: Keys, http: Http) -> Running {
    serve(Agents::from([("general-agent".to_owned(), agent)]), keys, "memory:", http).await
}

/// Posts a body and returns the status and the text of the answer.
pub(crate) async fn post(server: &Running, path: &str, body: &Value) -> (u16, String) {
    post_as(server, path, None, &body.to_string()).await
}

pub(crate) async fn post_as(server: &Running, path: &str, key: Option<&str>, body: &str) -> (u16, String) {
    let request = reqwest::Client::new().post(format!("http://{}{path}", server.address));
    let request = request.header("content-type", "application/json").body(body.to_owned());
    let request = match key {
        Some(key) => request.header("x-api-key", key),
        None => request,
    };
    let response = tokio::time::timeout(PATIENCE, request.send()).await.unwrap().unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

/// Posts a body and returns the events of the stream.
pub(crate) async fn stream(server: &Running, path: &str, body: &Value) -> Vec<Value> {
    let (status, text) = post(server, path, body).await;
    assert_eq!(status, 200, "{text}");
    sse(&text)
}

/// The events of a stream.
pub(crate) fn sse(text: &str) -> Vec<Value> {
    let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
    data.map(|data| serde_json::from_str(data).unwrap()).collect()
}

/// The code of an answer that is a no.
pub(crate) fn code(text: &str) -> String {
    let told: Value = serde_json::from_str(text).unwrap_or_else(|_| panic!("no JSON: {text}"));
    assert!(told["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{told}");
    told["error"]["code"].as_str().unwrap().to_owned()
}

/// Holds a stream against the rules of its contract.
pub(crate) fn judge(profile: &str, frames: &[Value]) {
    let mut rules = (dialect::profile(profile).unwrap().rules)();
    let mut reader = Reader::default();
    for frame in frames {
        let rest = rules.check(frame.clone()).unwrap_or_else(|fault| panic!("{fault:?}: {frame}"));
        if let Some(rest) = rest {
            reader.read_json(&rest.to_string(), |_| {}).unwrap_or_else(|fault| panic!("{fault:?}: {frame}"));
        }
    }
    rules.finish().unwrap();
    reader.finish().unwrap();
}

/// The events of one type.
pub(crate) fn of<'f>(frames: &'f [Value], kind: &str) -> Vec<&'f Value> {
    frames.iter().filter(|frame| frame["type"] == kind).collect()
}

/// A person's message.
pub(crate) fn user(id: &str, text: &str) -> Value {
    json!({ "id": id, "role": "user", "content": text })
}

/// A server with a key for each of these people.
pub(crate) async fn server_for(script: &str, people: &[&str]) -> Running {
    let key = |user: &&str| ApiKey {
        user: (*user).to_owned(),
        hash: hash_key(&format!("key-{user}")),
        roles: Vec::new(),
    };
    let keys: Vec<_> = people.iter().map(key).collect();
    serve_script(script, Keys::new(&keys).unwrap(), Http::default()).await
}

/// A server whose agent returns the input that it was given.
pub(crate) async fn mirror() -> Running {
    let agent = agent_fn(About::new("shows what it was asked"), |ctx: RunContext| async move {
        ctx.set_result(ctx.input()).unwrap();
        Ok(())
    });
    serve_agent(agent, Keys::default(), Http::default()).await
}

/// Sends bytes over a bare connection and reads all that comes back.
pub(crate) async fn raw(server: &Running, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(&server.address).await.unwrap();
    // A server that has said no may close while we are still sending.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
    String::from_utf8_lossy(&answer).into_owned()
}
