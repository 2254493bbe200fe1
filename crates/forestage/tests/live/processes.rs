//! Two servers on one file or one database: a thread has one run at a time, wherever it runs, and everybody sees it.

use std::{path::PathBuf, time::Duration};

use reqwest::Response;
use serde_json::Value;

use crate::{
    raw::{self, Frames},
    support::{Process, input, is_terminal, text},
};

/// How many events one run of the agent that waits has, its boundaries included.
const REHEARSAL: usize = 41;

/// Long enough that a busy machine does not look like a dead process.
const LEASE: u32 = 1500;

/// Two servers that share a store, and the file where their tools leave what they did.
struct Two {
    one: Process,
    other: Process,
    trace: PathBuf,
}

/// Where two servers can meet: in a file, and in a Postgres database where there is a server for it.
struct Places {
    urls: Vec<String>,
    folder: tempfile::TempDir,
}

fn places() -> Places {
    let folder = tempfile::tempdir().expect("a folder");
    let file = format!("sqlite:{}", folder.path().join("shared.db").display());
    #[cfg(all(unix, feature = "postgres"))]
    let database = forestage::store::conformance::postgres::fresh();
    #[cfg(not(all(unix, feature = "postgres")))]
    let database = None;
    Places { urls: std::iter::once(file).chain(database).collect(), folder }
}

impl Places {
    /// Two servers at every place, one place after the other.
    fn servers(&self) -> impl Iterator<Item = Two> {
        self.urls.iter().enumerate().map(|(number, url)| {
            let trace = self.folder.path().join(format!("{number}.trace"));
            let [one, other] = [0, 1].map(|_| Process::start_on(url, &trace, "127.0.0.1:0", LEASE, &[]));
            Two { one, other, trace }
        })
    }
}

async fn post(server: &Process, agent: &str, thread: &str, run: &str) -> Response {
    let url = format!("{}/v1/agents/{agent}/runs", server.url);
    raw::client().post(url).json(&input(thread, run, "hello")).send().await.expect("it is up")
}

async fn run(server: &Process, agent: &str, thread: &str, run: &str) -> Frames {
    let response = post(server, agent, thread, run).await;
    assert_eq!(response.status(), 200, "{}", response.text().await.expect("a reason"));
    Frames::new(response)
}

/// What comes until the run has ended.
async fn to_the_end(frames: &mut Frames) -> Vec<Value> {
    let mut events = Vec::new();
    let reading = async {
        while let Some(frame) = frames.next().await {
            events.push(frame.event);
            if events.last().is_some_and(is_terminal) {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(30), reading).await.expect("it ends");
    events
}

#[tokio::test]
async fn a_run_in_one_process_is_followed_in_the_other_and_keeps_the_thread_busy_there() {
    for mut servers in places().servers() {
        let mut here = run(&servers.one, "rehearsal", "t", "r").await;
        here.next().await.expect("it has begun");
        let refused = post(&servers.other, "echo", "t", "r2").await;
        assert_eq!(refused.status(), 409);
        let reason: Value = refused.json().await.expect("a reason");
        assert_eq!(reason["error"]["code"], "thread_busy");

        let mut there = raw::follow(&servers.other.url, "t", "start").await.expect("it is up");
        let mut again = run(&servers.other, "rehearsal", "t", "r").await;
        servers.one.go("t", 5);
        for _ in 0..6 {
            there.next().await.expect("what the agent says is seen there, while it speaks");
        }
        servers.one.go("t", REHEARSAL);
        let rest = to_the_end(&mut here).await;
        assert_eq!(rest.len(), REHEARSAL - 1);
        assert_eq!(to_the_end(&mut there).await, rest[5..]);
        assert_eq!(to_the_end(&mut again).await[1..], rest, "the same request attaches");
    }
}

#[tokio::test]
async fn a_run_in_one_process_is_cancelled_in_the_other() {
    for servers in places().servers() {
        let mut here = run(&servers.one, "endless", "t", "r").await;
        here.next().await.expect("it has begun");
        let url = format!("{}/v1/threads/t/runs/r/cancel", servers.other.url);
        let answer: Value = raw::client().post(url).send().await.expect("up").json().await.expect("JSON");
        assert_eq!(answer["cancelled"], true);
        let events = to_the_end(&mut here).await;
        assert_eq!(events.last().expect("an end")["outcome"]["type"], "cancelled");
        let next = to_the_end(&mut run(&servers.other, "echo", "t", "r2").await).await;
        assert_eq!(next.last().expect("an end")["type"], "RUN_FINISHED");
    }
}

#[tokio::test]
async fn a_run_whose_process_died_is_closed_by_the_other_which_goes_on() {
    for mut servers in places().servers() {
        let mut here = run(&servers.one, "endless", "t", "r").await;
        let mut there = raw::follow(&servers.other.url, "t", "start").await.expect("it is up");
        for frames in [&mut here, &mut there] {
            while text(&frames.next().await.expect("it speaks").event["type"]) != "TEXT_MESSAGE_CONTENT" {}
        }
        servers.one.kill();
        let end = to_the_end(&mut there).await;
        let kinds: Vec<_> = end.iter().map(|event| text(&event["type"])).collect();
        assert_eq!(kinds, ["TEXT_MESSAGE_END", "RUN_ERROR"]);
        assert_eq!(end[1]["code"], "run_lost");
        let next = to_the_end(&mut run(&servers.other, "echo", "t", "r2").await).await;
        assert_eq!(next.last().expect("an end")["type"], "RUN_FINISHED");
    }
}

#[tokio::test]
async fn a_process_that_was_thought_dead_gives_up_its_run_when_it_wakes() {
    for servers in places().servers() {
        let mut here = run(&servers.one, "endless", "t", "r").await;
        while text(&here.next().await.expect("it speaks").event["type"]) != "TEXT_MESSAGE_CONTENT" {}
        servers.one.signal("-STOP");
        let mut there = raw::follow(&servers.other.url, "t", "start").await.expect("it is up");
        let seen = to_the_end(&mut there).await;
        servers.one.signal("-CONT");
        assert_eq!(
            to_the_end(&mut here).await,
            seen[seen.len() - 2..],
            "its viewer sees how the other closed it"
        );
        let next = to_the_end(&mut run(&servers.one, "echo", "t", "r2").await).await;
        assert_eq!(next.last().expect("an end")["type"], "RUN_FINISHED", "and the thread is free there, too");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_asked_at_once_never_run_one_thread_twice_at_a_time() {
    for servers in places().servers() {
        let (mut ran, mut refused) = (0, 0);
        for number in 0..20 {
            let thread = format!("t{number}");
            let asked = [(&servers.one, "a"), (&servers.other, "b")];
            let [one, other] = asked.map(|(server, name)| post(server, "echo", &thread, name));
            let (one, other) = tokio::join!(one, other);
            for response in [one, other] {
                match response.status().as_u16() {
                    200 => {
                        to_the_end(&mut Frames::new(response)).await;
                        ran += 1;
                    }
                    409 => refused += 1,
                    status => panic!("{status}: {}", response.text().await.expect("a reason")),
                }
            }
            let log = raw::log(&servers.one.url, &thread).await;
            let starts = log.iter().positions("RUN_STARTED");
            let ends = log.iter().positions("RUN_FINISHED");
            assert!(starts.iter().skip(1).zip(&ends).all(|(start, end)| start > end), "{thread}: {log:?}");
            assert_eq!(starts.len(), ends.len());
        }
        assert_eq!((ran + refused, ran >= 20), (40, true));
    }
}

#[tokio::test]
async fn a_question_that_was_asked_in_one_process_is_decided_in_the_other() {
    for servers in places().servers() {
        let url = format!("{}/v1/agents/teller/runs", servers.one.url);
        let order = raw::client().post(url).json(&input("t", "r", "pay ann 7")).send().await.expect("up");
        let asked = to_the_end(&mut Frames::new(order)).await;
        let id = text(&asked.last().expect("an end")["outcome"]["interrupts"][0]["id"]).to_owned();
        let url = format!("{}/v1/interrupts", servers.other.url);
        let inbox: Value = raw::client().get(url).send().await.expect("up").json().await.expect("JSON");
        assert!(inbox.to_string().contains(&id), "it waits there, too: {inbox}");

        let mut here = raw::follow(&servers.one.url, "t", "start").await.expect("it is up");
        assert_eq!(to_the_end(&mut here).await, asked);
        let url = format!("{}/v1/interrupts/{id}?thread=t", servers.other.url);
        let yes = serde_json::json!({ "approved": true });
        let decided = raw::client().post(url).json(&yes).send().await.expect("up");
        assert_eq!(decided.status(), 200, "{}", decided.text().await.expect("a reason"));
        let went_on = to_the_end(&mut here).await;
        assert_eq!(went_on.last().expect("an end")["type"], "RUN_FINISHED", "the viewer here sees it go on");
        let trace = std::fs::read_to_string(&servers.trace).expect("the tool was at work");
        assert_eq!(trace.matches("begin ").count(), 1, "once, in whichever process: {trace}");
    }
}

/// Where events of a kind are.
trait Positions<'e>: Iterator<Item = &'e Value> + Sized {
    fn positions(self, kind: &str) -> Vec<usize> {
        self.enumerate().filter(|(_, event)| event["type"] == kind).map(|(at, _)| at).collect()
    }
}

impl<'e, I: Iterator<Item = &'e Value>> Positions<'e> for I {}
