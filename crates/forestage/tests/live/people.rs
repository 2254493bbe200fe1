//! The server is killed while several people have to agree, and while a draft waits for somebody to look at it.

use std::path::PathBuf;

use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    raw::{self, Frames},
    support::{Process, in_time, input, text, trace},
};

/// Runs of a dead process are closed after so many milliseconds.
const LEASE: u32 = 300;

/// So often each story is told.
const TIMES: usize = 3;

/// Ann owns the threads; Bob and Mia are managers.
const PEOPLE: [&str; 2] = ["--people", "ann,bob:manager,mia:manager"];

/// A server for several people that dies and comes back on the same file.
struct House {
    folder: TempDir,
    server: Process,
}

impl House {
    fn open() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let server = Process::start_with(&file(&folder), "127.0.0.1:0", LEASE, &PEOPLE);
        Self { folder, server }
    }

    fn kill_and_restart(&mut self) {
        self.server.kill();
        self.server = Process::start_with(&file(&self.folder), "127.0.0.1:0", LEASE, &PEOPLE);
    }

    fn request(&self, who: &str, method: Method, path: &str) -> RequestBuilder {
        raw::client().request(method, format!("{}{path}", self.server.url)).header("x-api-key", who)
    }

    async fn get(&self, who: &str, path: &str) -> Value {
        body(self.request(who, Method::GET, path).send().await.expect("it is up")).await.1
    }

    /// Ann says something to an agent; the question that comes back.
    async fn order(&self, agent: &str, thread: &str, what: &str) -> String {
        let path = format!("/v1/agents/{agent}/runs");
        let request = self.request("ann", Method::POST, &path).json(&input(thread, "r", what));
        let mut frames = Frames::new(request.send().await.expect("it is up"));
        let mut last = Value::Null;
        while let Some(frame) = in_time(frames.next()).await {
            last = frame.event;
        }
        text(&last["outcome"]["interrupts"][0]["id"]).to_owned()
    }

    async fn approve(&self, who: &str, thread: &str, id: &str) -> (u16, Value) {
        let path = format!("/v1/interrupts/{id}?thread={thread}");
        let request = self.request(who, Method::POST, &path).json(&json!({ "approved": true }));
        body(request.send().await.expect("it is up")).await
    }

    async fn question(&self, who: &str, thread: &str, id: &str) -> Value {
        self.get(who, &format!("/v1/interrupts/{id}?thread={thread}")).await
    }

    /// Follows a thread until a run that goes on has ended in order, which it does by itself.
    async fn goes_on(&self, thread: &str) -> Vec<Value> {
        let path = format!("/v1/threads/{thread}/events?after=start&protocol=1.0");
        let mut frames = Frames::new(self.request("ann", Method::GET, &path).send().await.expect("it is up"));
        let mut events: Vec<Value> = Vec::new();
        let is_end = |event: &Value| event["type"] == "RUN_FINISHED" && event["runId"] != "r";
        while !events.last().is_some_and(is_end) {
            events.push(in_time(frames.next()).await.expect("the thread goes on").event);
        }
        events
    }

    fn trace(&self) -> String {
        std::fs::read_to_string(trace(&file(&self.folder))).unwrap_or_default()
    }
}

fn file(folder: &TempDir) -> PathBuf {
    folder.path().join("house.db")
}

async fn body(response: Response) -> (u16, Value) {
    (response.status().as_u16(), response.json().await.expect("JSON"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_has_agreed_has_agreed_however_often_the_server_is_killed() {
    let mut house = House::open();
    for time in 0..TIMES {
        let thread = format!("t{time}");
        let asked = house.order("teller", &thread, "pay bob 1000").await;
        house.kill_and_restart();
        let (_, first) = house.approve("bob", &thread, &asked).await;
        assert_eq!((&first["effect"], &first["run"]), (&json!("counted"), &Value::Null));
        house.kill_and_restart();
        let shown = house.question("mia", &thread, &asked).await;
        assert_eq!((&shown["votes"][0]["by"], &shown["decision"]), (&json!("bob"), &Value::Null));
        let (status, again) = house.approve("bob", &thread, &asked).await;
        assert_eq!((status, &again["error"]["code"]), (409, &json!("already_voted")));
        assert!(!house.trace().contains(&format!(" {thread}/")), "one is not enough");
        let (_, last) = house.approve("mia", &thread, &asked).await;
        assert_eq!(last["effect"], "decided");
        house.kill_and_restart();
        let log = house.goes_on(&thread).await;
        let results = log.iter().filter(|event| event["type"] == "TOOL_CALL_RESULT").count();
        assert_eq!(results, 1, "{log:?}");
        let begun =
            house.trace().lines().filter(|line| line.starts_with(&format!("begin {thread}/"))).count();
        assert!(begun <= 1, "it is not executed twice: {}", house.trace());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_draft_waits_and_is_shown_once_however_often_the_server_is_killed() {
    let mut house = House::open();
    for time in 0..TIMES {
        let thread = format!("t{time}");
        let asked = house.order("drafter", &thread, "a secret plan").await;
        for _ in 0..=time {
            house.kill_and_restart();
        }
        let shown = house.question("ann", &thread, &asked).await;
        assert_eq!(shown["private"]["text"], "a secret plan", "it waits");
        let messages = house.get("ann", &format!("/v1/threads/{thread}/messages")).await;
        assert_eq!(messages["messages"].as_array().map(Vec::len), Some(1), "nothing is shown: {messages}");
        let (status, ruling) = house.approve("ann", &thread, &asked).await;
        assert_eq!((status, &ruling["effect"]), (200, &json!("decided")));
        house.kill_and_restart();
        house.goes_on(&thread).await;
        let messages = house.get("ann", &format!("/v1/threads/{thread}/messages")).await;
        let said: Vec<_> = messages["messages"].as_array().into_iter().flatten().collect();
        let said: Vec<_> = said.iter().map(|message| text(&message["content"])).collect();
        assert_eq!(said, ["a secret plan", "a secret plan"], "what was asked, and the answer, once");
    }
}
