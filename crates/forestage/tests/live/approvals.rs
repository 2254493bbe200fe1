//! The server is killed while somebody has to decide, right after they did, and while the tool is at work. What the
//! tool does to the world is in a file that the server does not own.

use std::{collections::HashSet, path::PathBuf};

use forestage::protocol::{
    input::RunAgentInput,
    interrupt::{ResumeEntry, ResumeStatus},
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    raw::{self, Frames},
    support::{Process, in_time, input, is_terminal, text, trace},
};

/// Runs of a dead process are closed after so many milliseconds.
const LEASE: u32 = 300;

/// So often each story is told.
const TIMES: usize = 5;

/// A server that dies and comes back on the same file.
struct House {
    folder: TempDir,
    server: Process,
}

impl House {
    fn open() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let server = Process::start(&file(&folder), "127.0.0.1:0", LEASE);
        Self { folder, server }
    }

    fn kill_and_restart(&mut self) {
        self.server.kill();
        self.start();
    }

    fn start(&mut self) {
        self.server = Process::start(&file(&self.folder), "127.0.0.1:0", LEASE);
    }

    /// What was done to the world, line by line.
    fn trace(&self) -> Vec<String> {
        let text = std::fs::read_to_string(trace(&file(&self.folder))).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    async fn post(&self, input: &RunAgentInput) -> reqwest::Response {
        let request = raw::client().post(format!("{}/v1/agents/teller/runs", self.server.url)).json(input);
        request.send().await.expect("it is up")
    }

    /// Asks for something; the questions that come back.
    async fn order(&self, thread: &str, what: &str) -> Vec<String> {
        let events = to_the_end(self.post(&input(thread, "r", what)).await).await;
        let end = events.last().expect("an end");
        let asked = end["outcome"]["interrupts"].as_array().cloned().unwrap_or_default();
        asked.iter().map(|question| text(&question["id"]).to_owned()).collect()
    }

    /// Begins a run that approves; it is under way when this returns.
    async fn approve(&self, thread: &str, run: &str, id: &str) -> Frames {
        begun(self.post(&answer(thread, run, id, json!({ "approved": true }))).await).await
    }

    /// Decides in the inbox; it is on the disk when this returns.
    async fn decide(&self, id: &str, thread: &str, decision: Value) -> Value {
        let url = format!("{}/v1/interrupts/{id}?thread={thread}", self.server.url);
        let response = raw::client().post(url).json(&decision).send().await.expect("it is up");
        assert_eq!(response.status(), 200);
        response.json().await.expect("JSON")
    }

    async fn log(&self, thread: &str) -> Vec<Value> {
        raw::log(&self.server.url, thread).await
    }

    /// Follows a thread until so many runs have ended; the log until then.
    async fn after(&self, thread: &str, ends: usize) -> Vec<Value> {
        let mut ended = 0;
        self.until(thread, |event| {
            ended += usize::from(is_terminal(event));
            ended == ends
        })
        .await
    }

    /// Follows a thread until something happens, which it does in time; the log until then.
    async fn until(&self, thread: &str, mut happens: impl FnMut(&Value) -> bool) -> Vec<Value> {
        let mut frames = raw::follow(&self.server.url, thread, "start").await.expect("it is up");
        let mut events = Vec::new();
        while !events.last().is_some_and(&mut happens) {
            events.push(in_time(frames.next()).await.expect("the thread goes on").event);
        }
        events
    }
}

fn file(folder: &TempDir) -> PathBuf {
    folder.path().join("house.db")
}

fn answer(thread: &str, run: &str, id: &str, payload: Value) -> RunAgentInput {
    let entry = ResumeEntry { payload: Some(payload.into()), ..ResumeEntry::new(id, ResumeStatus::Resolved) };
    RunAgentInput { resume: Some(vec![entry]), ..RunAgentInput::new(thread, run, vec![]) }
}

/// The events of an answer that is no refusal.
async fn begun(response: reqwest::Response) -> Frames {
    if response.status() == 200 {
        return Frames::new(response);
    }
    panic!("{}: {}", response.status(), response.text().await.unwrap_or_default());
}

async fn to_the_end(response: reqwest::Response) -> Vec<Value> {
    let (mut frames, mut events) = (begun(response).await, Vec::new());
    while let Some(frame) = frames.next().await {
        events.push(frame.event);
    }
    events
}

/// Everything that the agent said, in order.
fn said(log: &[Value]) -> Vec<String> {
    let pieces = log.iter().filter(|event| event["type"] == "TEXT_MESSAGE_CONTENT");
    pieces.map(|event| text(&event["delta"]).to_owned()).collect()
}

fn results(log: &[Value]) -> Vec<&Value> {
    log.iter().filter(|event| event["type"] == "TOOL_CALL_RESULT").collect()
}

fn count(trace: &[String], word: &str) -> usize {
    trace.iter().filter(|line| line.starts_with(word)).count()
}

/// The keys of all that was begun.
fn keys(trace: &[String]) -> HashSet<&str> {
    trace.iter().filter_map(|line| line.strip_prefix("begin ")).collect()
}

/// What always holds: each call has one result, which says what the trace says.
fn check(log: &[Value], trace: &[String]) {
    let called = log.iter().filter(|event| event["type"] == "TOOL_CALL_START");
    let called: HashSet<_> = called.map(|event| text(&event["toolCallId"])).collect();
    let results = results(log);
    let answered: HashSet<_> = results.iter().map(|result| text(&result["toolCallId"])).collect();
    assert_eq!(answered.len(), results.len(), "no call is answered twice: {results:?}");
    assert!(answered.is_subset(&called), "what is answered was called: {results:?}");
    let done = results.iter().filter(|result| result["metadata"]["forestage"]["failed"].is_null()).count();
    assert!(done <= count(trace, "end "), "what is said to be done is done: {results:?} {trace:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_waits_however_often_the_server_is_killed() {
    let mut house = House::open();
    for time in 0..TIMES {
        let thread = format!("t{time}");
        let asked = house.order(&thread, "pay ann 7").await;
        let before = house.log(&thread).await;
        for _ in 0..=time {
            house.kill_and_restart();
        }
        assert_eq!(house.log(&thread).await, before, "it waits, and nothing has happened");
        assert_eq!(house.trace().len(), 2 * time, "nothing happens before somebody decides");
        house.approve(&thread, "yes", &asked[0]).await;
        let log = house.after(&thread, 2).await;
        assert_eq!(said(&log), ["7 to ann"]);
        check(&log, &house.trace());
    }
    let trace = house.trace();
    assert_eq!((keys(&trace).len(), count(&trace, "begin"), count(&trace, "end")), (TIMES, TIMES, TIMES));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_between_the_decision_and_the_tool_it_is_executed_once_after_a_retry() {
    let mut house = House::open();
    for time in 0..TIMES {
        let thread = format!("t{time}");
        let asked = house.order(&thread, "pay ann 7 before").await;
        // The decision is in the log, and the agent waits on its way back to the question.
        let mut frames = house.approve(&thread, "yes", &asked[0]).await;
        assert_eq!(frames.next().await.expect("it begins").event["type"], "RUN_STARTED");
        house.kill_and_restart();
        let lost = house.after(&thread, 2).await;
        assert_eq!(lost.last().expect("an end")["code"], "run_lost", "the thread says why it does not go on");
        assert_eq!(house.trace().len(), 2 * time);

        let other = house.post(&answer(&thread, "no", &asked[0], json!({ "approved": false }))).await;
        assert_eq!(other.status(), 409, "what was decided stays decided");
        house.approve(&thread, "again", &asked[0]).await;
        house.server.go(&thread, 1);
        let log = house.after(&thread, 3).await;
        assert_eq!(said(&log), ["7 to ann"]);
        check(&log, &house.trace());
    }
    let trace = house.trace();
    assert_eq!((keys(&trace).len(), count(&trace, "begin"), count(&trace, "end")), (TIMES, TIMES, TIMES));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_moment_after_the_decision_nothing_is_executed_twice_or_claimed_in_vain() {
    let mut house = House::open();
    let (mut done, mut unknown) = (0, 0);
    for time in 0..4 * TIMES {
        let thread = format!("t{time}");
        let asked = house.order(&thread, "pay ann 7, pay bob 8").await;
        let approval = {
            let entry = |id: &String| ResumeEntry {
                payload: Some(json!({ "approved": true }).into()),
                ..ResumeEntry::new(id.as_str(), ResumeStatus::Resolved)
            };
            let resume = Some(asked.iter().map(entry).collect());
            RunAgentInput { resume, ..RunAgentInput::new(thread.as_str(), "yes", vec![]) }
        };
        let mut frames = begun(house.post(&approval).await).await;
        // As many events as it takes to get through the whole story, one more each time.
        for _ in 0..time % 10 {
            if frames.next().await.is_none() {
                break;
            }
        }
        house.kill_and_restart();
        let log = house.after(&thread, 2).await;
        let log = match log.last().expect("an end")["type"] == "RUN_ERROR" {
            false => log,
            true => {
                let again = RunAgentInput { run_id: "again".into(), ..approval };
                to_the_end(house.post(&again).await).await;
                house.after(&thread, 3).await
            }
        };
        let trace: Vec<_> =
            house.trace().into_iter().filter(|line| line.contains(&format!(" {thread}/"))).collect();
        assert_eq!(keys(&trace).len(), count(&trace, "begin"), "nothing is begun twice: {trace:?}");
        let told = results(&log);
        assert_eq!(told.len(), 2, "{told:?}");
        check(&log, &trace);
        let failed = |result: &&&Value| result["metadata"]["forestage"]["failed"] == "outcome_unknown";
        let lost = told.iter().filter(failed).count();
        (done, unknown) = (done + told.len() - lost, unknown + lost);
    }
    println!("{done} calls done, of {unknown} nobody knows");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_decision_in_the_inbox_is_carried_out_once_though_the_server_is_killed_at_once() {
    let mut house = House::open();
    for time in 0..TIMES {
        let thread = format!("t{time}");
        let asked = house.order(&thread, "pay ann 7, pay bob 8").await;
        let first = house.decide(&asked[1], &thread, json!({ "approved": true })).await;
        assert!(first["run"].is_null(), "one more waits");
        house.kill_and_restart();
        let last = house.decide(&asked[0], &thread, json!({ "approved": false })).await;
        assert_eq!(last["run"]["runId"], "r-answered");
        house.kill_and_restart();
        // Nobody does anything any more, and the thread goes on.
        let is_end = |event: &Value| {
            event["type"] == "RUN_FINISHED" && text(&event["runId"]).starts_with("r-answered")
        };
        let log = house.until(&thread, is_end).await;
        check(&log, &house.trace());
        let said = said(&log);
        let tail = &said[said.len() - 2..];
        assert!(tail[0].starts_with("rejected: "), "{said:?}");
        assert!(tail[1] == "8 to bob" || tail[1].starts_with("outcome_unknown: "), "{said:?}");
        let again = house.decide(&asked[0], &thread, json!({ "approved": false })).await;
        assert_eq!((&again["effect"], &again["run"]), (&json!("repeated"), &Value::Null));
    }
    let trace = house.trace();
    assert_eq!(keys(&trace).len(), count(&trace, "begin"), "nothing is begun twice: {trace:?}");
    assert!(!trace.iter().any(|line| line.contains("-c1")), "what was rejected is not done: {trace:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_during_a_tool_that_must_not_be_repeated_it_is_not() {
    let mut house = House::open();
    for time in 0..TIMES {
        let thread = format!("t{time}");
        let asked = house.order(&thread, "pay ann 7 during").await;
        house.approve(&thread, "yes", &asked[0]).await;
        assert!(house.server.says().starts_with("begin "));
        house.kill_and_restart();
        // Whoever would rather not have approved it hears the same: it may have been done.
        let approved = time % 2 == 0;
        let again = match approved {
            true => answer(&thread, "again", &asked[0], json!({ "approved": true })),
            false => {
                let entry = ResumeEntry::new(asked[0].as_str(), ResumeStatus::Cancelled);
                RunAgentInput {
                    resume: Some(vec![entry]),
                    ..RunAgentInput::new(thread.as_str(), "again", vec![])
                }
            }
        };
        to_the_end(house.post(&again).await).await;
        let log = house.after(&thread, 3).await;
        assert_eq!(results(&log)[0]["metadata"]["forestage"]["failed"], "outcome_unknown");
        assert!(said(&log)[0].starts_with("outcome_unknown: "), "the agent is told: {:?}", said(&log));
        check(&log, &house.trace());
    }
    let trace = house.trace();
    assert_eq!((keys(&trace).len(), count(&trace, "begin"), count(&trace, "end")), (TIMES, TIMES, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_during_a_tool_that_may_be_repeated_it_is_with_the_same_key() {
    let mut house = House::open();
    let asked = house.order("t", "book ann 7 during").await;
    for time in 0..TIMES {
        house.approve("t", &format!("yes{time}"), &asked[0]).await;
        assert!(house.server.says().starts_with("begin "));
        house.kill_and_restart();
    }
    let mut frames = house.approve("t", "at last", &asked[0]).await;
    assert!(house.server.says().starts_with("begin "));
    house.server.go("t", 1);
    while frames.next().await.is_some() {}
    let log = house.after("t", TIMES + 2).await;
    assert_eq!(said(&log), ["7 to ann"]);
    let trace = house.trace();
    assert_eq!((keys(&trace).len(), count(&trace, "begin"), count(&trace, "end")), (1, TIMES + 1, 1));
    check(&log, &trace);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_server_decided_by_itself_it_carries_on_by_itself() {
    let mut house = House::open();
    // Silence approves it: nobody is there who would try again.
    house.order("once", "pay ann 1 during").await;
    assert!(house.server.says().starts_with("begin once/"));
    house.kill_and_restart();
    let log = house.after("once", 3).await;
    assert!(said(&log)[0].starts_with("outcome_unknown: "), "{log:?}");
    check(&log, &house.trace());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_server_carries_on_by_itself_survives_an_orderly_end() {
    let mut house = House::open();
    house.order("t", "book ann 1 during").await;
    assert!(house.server.says().starts_with("begin t/"));
    house.server.stop();
    house.start();
    assert!(house.server.says().starts_with("begin t/"));
    house.server.go("t", 1);
    let log = house.after("t", 3).await;
    let stopped = log.iter().find(|event| event["type"] == "RUN_ERROR").expect("it says why");
    assert_eq!(stopped["code"], "shutdown");
    assert_eq!(said(&log), ["1 to ann"]);
    check(&log, &house.trace());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_kills_the_server_each_time_is_not_tried_for_ever() {
    let mut house = House::open();
    house.order("often", "book ann 1 during").await;
    for _ in 0..3 {
        assert!(house.server.says().starts_with("begin often/"));
        house.kill_and_restart();
    }
    let log = house.after("often", 4).await;
    assert_eq!(log.last().expect("an end")["code"], "run_lost");
    // A later thread gets its turn, and by then the first one would have had another.
    house.order("later", "pay ann 1").await;
    house.after("later", 2).await;
    let trace = house.trace();
    assert_eq!(trace.iter().filter(|line| line.starts_with("begin often/")).count(), 3);
    assert_eq!(house.log("often").await.len(), log.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_calls_that_are_the_same_the_second_is_not_taken_for_the_first() {
    let mut house = House::open();
    let asked = house.order("t", "book ann 7 during, book ann 7 during").await;
    let entry = |id: &String| ResumeEntry {
        payload: Some(json!({ "approved": true }).into()),
        ..ResumeEntry::new(id.as_str(), ResumeStatus::Resolved)
    };
    let resume: Vec<_> = asked.iter().map(entry).collect();
    let approval =
        |run: &str| RunAgentInput { resume: Some(resume.clone()), ..RunAgentInput::new("t", run, vec![]) };
    let mut frames = begun(house.post(&approval("yes")).await).await;
    house.server.go("t", 1);
    let begun: Vec<_> = (0..3).map(|_| house.server.says()).collect();
    assert!(begun[1].starts_with("end ") && begun[2].starts_with("begin "), "{begun:?}");
    while frames.next().await.is_some_and(|frame| frame.event["type"] != "TOOL_CALL_RESULT") {}
    house.kill_and_restart();
    house.server.go("t", 1);
    to_the_end(house.post(&approval("again")).await).await;
    let (log, trace) = (house.after("t", 3).await, house.trace());
    assert_eq!(results(&log).len(), 2, "{:?}", results(&log));
    assert_eq!((keys(&trace).len(), count(&trace, "begin"), count(&trace, "end")), (2, 3, 2), "{trace:?}");
    check(&log, &trace);
}
