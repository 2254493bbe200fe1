//! A server to try things on.

use std::sync::Arc;

use forestage_protocol::event::MessagesSnapshot;
use forestage_runtime::{About, AgentError, Agents, Limits, Question, RunContext, Stage, agent_fn};
use forestage_server::{Http, Identity, Keys, Server};
use forestage_store::Store;
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};
use tokio::{sync::Notify, task::JoinHandle};

/// A running server.
pub(crate) struct Running {
    pub(crate) url: String,
    pub(crate) bell: Arc<Notify>,
    pub(crate) store: Arc<dyn Store>,
    stop: Arc<Notify>,
    task: JoinHandle<()>,
}

impl Running {
    pub(crate) async fn start() -> Self {
        Self::with(Keys::default(), Http::default()).await
    }

    pub(crate) async fn with(keys: Keys, http: Http) -> Self {
        let store = forestage_store::open("memory:").await.unwrap();
        Self::on(store, keys, http, Limits::default()).await
    }

    /// A server on a store of the test's own.
    pub(crate) async fn on(store: Arc<dyn Store>, keys: Keys, http: Http, limits: Limits) -> Self {
        let bell = Arc::new(Notify::new());
        Self::serving(agents(&bell), bell, store, keys, http, limits).await
    }

    /// A server with agents of the test's own.
    pub(crate) async fn playing(agents: Agents) -> Self {
        let store = forestage_store::open("memory:").await.unwrap();
        let bell = Arc::new(Notify::new());
        Self::serving(agents, bell, store, Keys::default(), Http::default(), Limits::default()).await
    }

    async fn serving(
        agents: Agents,
        bell: Arc<Notify>,
        store: Arc<dyn Store>,
        keys: Keys,
        http: Http,
        limits: Limits,
    ) -> Self {
        let limits = Limits { grace: std::time::Duration::from_millis(50), ..limits };
        let stage = Stage::new(store.clone(), agents, limits);
        let http = Http { listen: "127.0.0.1:0".to_owned(), ..http };
        let server = Server::bind(stage, keys, http).await.unwrap();
        Self::of(server, store, bell)
    }

    /// A demo, which these people may use beside the local user.
    pub(crate) async fn demo(people: Vec<Identity>) -> Self {
        let store = forestage_store::open("memory:").await.unwrap();
        let bell = Arc::new(Notify::new());
        let stage = Stage::new(store.clone(), agents(&bell), Limits::default());
        let http = Http { listen: "127.0.0.1:0".to_owned(), ..Http::default() };
        let server = Server::bind(stage, Keys::default(), http).await.unwrap();
        Self::of(server.with_demo_people(people).unwrap(), store, bell)
    }

    fn of(server: Server, store: Arc<dyn Store>, bell: Arc<Notify>) -> Self {
        let url = format!("http://{}", server.address());
        let stop = Arc::new(Notify::new());
        let stopped = stop.clone();
        let task = tokio::spawn(server.run(async move { stopped.notified().await }));
        Self { url, bell, store, stop, task }
    }

    pub(crate) async fn stop(self) {
        self.stop.notify_one();
        self.task.await.unwrap();
    }

    /// A request, as a client of 1.0 makes it: what follows a thread says which protocol it reads.
    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        if !path.contains("/events") || path.contains("protocol=") {
            return self.get_as_is(path);
        }
        let mark = if path.contains('?') { '&' } else { '?' };
        self.get_as_is(&format!("{path}{mark}protocol=1.0"))
    }

    pub(crate) fn get_as_is(&self, path: &str) -> RequestBuilder {
        reqwest::Client::new().get(format!("{}{path}", self.url))
    }

    /// A body, as a client of 1.0 sends it: an input states its protocol.
    pub(crate) fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        let mut body = body.clone();
        if let Some(input) = body
            .as_object_mut()
            .filter(|_| path.split('?').next().is_some_and(|path| path.ends_with("/runs")))
        {
            input.entry("protocolVersion").or_insert_with(|| "1.0".into());
        }
        self.post_as_is(path, &body)
    }

    pub(crate) fn post_as_is(&self, path: &str, body: &Value) -> RequestBuilder {
        reqwest::Client::new().post(format!("{}{path}", self.url)).json(body)
    }

    /// Runs an agent and reads the stream to its end.
    pub(crate) async fn run(&self, agent: &str, input: &Value) -> Vec<Frame> {
        let response = self.post(&format!("/v1/agents/{agent}/runs"), input).send().await.unwrap();
        assert_eq!(response.status(), 200, "{}", response.text().await.unwrap());
        frames(&response.text().await.unwrap())
    }

    /// What somebody gets, by the key that is their name.
    pub(crate) async fn json_as(&self, user: &str, path: &str) -> Value {
        body(self.get(path).header("x-api-key", user).send().await.unwrap()).await.1
    }

    /// What somebody is answered to a body.
    pub(crate) async fn post_as(&self, user: &str, path: &str, json: &Value) -> (u16, Value) {
        body(self.post(path, json).header("x-api-key", user).send().await.unwrap()).await
    }

    pub(crate) async fn delete_as(&self, user: &str, path: &str) -> u16 {
        let request = reqwest::Client::new().delete(format!("{}{path}", self.url)).header("x-api-key", user);
        request.send().await.unwrap().status().as_u16()
    }

    pub(crate) async fn json(&self, path: &str) -> Value {
        body(self.get(path).send().await.unwrap()).await.1
    }
}

/// An event stream that is read while it goes on.
pub(crate) struct Stream {
    response: Response,
    text: String,
}

impl Stream {
    pub(crate) fn new(response: Response) -> Self {
        Self { response, text: String::new() }
    }

    /// The next event; nothing at the end.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((frame, rest)) = self.text.split_once("\n\n") {
                let data = frame.lines().find_map(|line| line.strip_prefix("data: "));
                let data = data.map(|data| serde_json::from_str(data).unwrap());
                self.text = rest.to_owned();
                match data {
                    Some(event) => return Some(event),
                    None => continue,
                }
            }
            self.more().await?;
        }
    }

    /// All that comes until something was said.
    pub(crate) async fn text_until(&mut self, wanted: &str) -> String {
        while !self.text.contains(wanted) {
            self.more().await.expect("it goes on");
        }
        self.text.clone()
    }

    /// Reads to the end, and says whether it was one.
    pub(crate) async fn rest(&mut self) -> Result<(), reqwest::Error> {
        while self.response.chunk().await?.is_some() {}
        Ok(())
    }

    async fn more(&mut self) -> Option<()> {
        let bytes = self.response.chunk().await.unwrap()?;
        self.text.push_str(std::str::from_utf8(&bytes).unwrap());
        Some(())
    }
}

/// One frame of an event stream.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) id: String,
    pub(crate) event: Value,
}

pub(crate) fn frames(text: &str) -> Vec<Frame> {
    let frames = text.split("\n\n").filter(|frame| frame.contains("data: "));
    let member = |frame: &str, name: &str| {
        frame.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().to_owned()
    };
    let parsed = frames.map(|frame| Frame {
        id: member(frame, "id: "),
        event: serde_json::from_str(&member(frame, "data: ")).unwrap(),
    });
    parsed.collect()
}

pub(crate) fn types(frames: &[Frame]) -> Vec<&str> {
    frames.iter().map(|frame| frame.event["type"].as_str().unwrap()).collect()
}

pub(crate) async fn body(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

pub(crate) fn input(thread: &str, run: &str, text: &str) -> Value {
    json!({
        "threadId": thread, "runId": run,
        "messages": [{"id": format!("{run}-u"), "role": "user", "content": text}],
        "tools": [], "context": [], "state": {}, "forwardedProps": {}, "protocolVersion": "1.0",
    })
}

pub(crate) fn agents(bell: &Arc<Notify>) -> Agents {
    let rung = bell.clone();
    let long = agent_fn(About::new("says more than sockets hold, then waits for a bell"), move |ctx| {
        let bell = rung.clone();
        async move { say_much(ctx, &bell).await }
    });
    let bell = bell.clone();
    let waiting = agent_fn(About::new("waits for a bell in the middle"), move |ctx: RunContext| {
        let bell = bell.clone();
        async move {
            let text = ctx.text()?;
            text.push("half ").await?;
            bell.notified().await;
            text.push("whole").await?;
            Ok(())
        }
    });
    let approving = agent_fn(About::new("asks two things at once"), |ctx: RunContext| async move {
        let question = |id: &str| Question::new("confirmation", "Shall I?").id(id);
        let answers = ctx.ask_all(vec![question("one"), question("two")]).await?;
        ctx.say(format!("{} and {}", answers[0].value(), answers[1].value())).await?;
        Ok(())
    });
    let asking = agent_fn(About::new("asks"), |ctx: RunContext| async move {
        let answer = ctx.ask(Question::new("confirmation", "Really?").id("really")).await?;
        ctx.say(format!("you said {}", answer.value())).await?;
        Ok(())
    });
    let tidying = agent_fn(About::new("takes back what was said last"), |ctx: RunContext| async move {
        let mut messages = ctx.messages().to_vec();
        messages.pop();
        ctx.emit(MessagesSnapshot::new(messages)).await?;
        Ok(())
    });
    Agents::from([
        ("tidying".to_owned(), tidying),
        ("echo".to_owned(), agent_fn(About::new("says what it hears"), echo)),
        ("waiting".to_owned(), waiting),
        ("long".to_owned(), long),
        ("asking".to_owned(), asking),
        ("approving".to_owned(), approving),
    ])
}

/// How many pieces the agent `long` says before it waits, each longer than what is read from a store at once.
pub(crate) const PIECES: usize = 160;

async fn say_much(ctx: RunContext, bell: &Notify) -> Result<(), AgentError> {
    let text = ctx.text()?;
    for _ in 0..PIECES {
        text.push(&"0123456789abcdef".repeat(8 << 10)).await?;
    }
    bell.notified().await;
    Ok(())
}

async fn echo(ctx: RunContext) -> Result<(), AgentError> {
    ctx.update_state(|state| state["heard"] = json!(ctx.last_user_text())).await?;
    let text = ctx.text()?;
    for word in ctx.last_user_text().unwrap_or_default().split_inclusive(' ') {
        text.push(word).await?;
    }
    Ok(())
}

/// The same with neighbouring deltas made one: what stays the same when the log is shortened.
pub(crate) fn merged(frames: &[Frame]) -> Vec<Frame> {
    let mut merged: Vec<Frame> = Vec::new();
    for frame in frames {
        match merged.last_mut() {
            Some(last) if is_delta_of(&last.event, &frame.event) => {
                let delta = format!("{}{}", text(&last.event["delta"]), text(&frame.event["delta"]));
                last.event["delta"] = json!(delta);
                last.id.clone_from(&frame.id);
            }
            _ => merged.push(frame.clone()),
        }
    }
    merged
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn is_delta_of(last: &Value, next: &Value) -> bool {
    next["type"] == "TEXT_MESSAGE_CONTENT"
        && last["type"] == next["type"]
        && last["messageId"] == next["messageId"]
}
