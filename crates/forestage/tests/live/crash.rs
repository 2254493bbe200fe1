//! The server is killed again and again while many clients listen. Each comes back by its cursor, and in the end
//! all of them have heard exactly what the log says.

use std::{net::TcpListener, path::Path, time::Duration};

use forestage::client::{Client, Outcome, Retry, Settings};
use serde_json::Value;
use tokio::{sync::watch, task::JoinHandle};

use crate::{
    raw,
    support::{Process, input, is_terminal, merged, text},
};

const KILLS: usize = 24;
const THREADS: usize = 8;
/// So many of the threads have a second viewer, who knows nothing but HTTP.
const WATCHED: usize = 3;
/// Runs of a dead process are closed after so many milliseconds.
const LEASE: u32 = 300;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_or_doubled_when_the_server_is_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("killed.db");
    let mut random = Random::new();
    let mut server = Process::start(&file, &quiet_address(), LEASE);
    let audience = Audience::new(&server.url);

    let mut speakers = Vec::new();
    for thread in 0..THREADS {
        let speaker = Speaker::begin(&audience, format!("t{thread}"), random.split()).await;
        speakers.push(tokio::spawn(speaker.speak()));
    }
    let viewers: Vec<_> =
        (0..WATCHED).map(|thread| tokio::spawn(watch_all(audience.clone(), format!("t{thread}")))).collect();

    for _ in 0..KILLS {
        audience.hears_more(random.up_to(400)).await;
        server = audience.while_away(|| kill_and_restart(server, &file));
    }
    audience.is_last.send_replace(true);

    let heard = all(speakers).await;
    let seen = all(viewers).await;
    let successes = heard.iter().flat_map(|one| &one.outcomes).filter(|outcome| outcome.is_success()).count();
    let runs: usize = heard.iter().map(|one| one.outcomes.len()).sum();
    println!("{KILLS} kills, {runs} runs, {successes} of them to their end");
    assert!(successes > THREADS && successes < runs, "some runs were lost, and some were not");
    for (number, one) in heard.into_iter().enumerate() {
        let log = raw::log(&server.url, &one.thread).await;
        check_log(&log, &one.outcomes);
        let log = merged(log);
        assert_eq!(merged(one.events), log, "{}: what the client heard is the log", one.thread);
        if let Some(seen) = seen.get(number) {
            assert_eq!(merged(seen.iter().cloned()), log, "{}: and what the viewer saw", one.thread);
        }
    }
}

fn kill_and_restart(mut server: Process, file: &Path) -> Process {
    let address = server.address().to_owned();
    server.kill();
    Process::start(file, &address, LEASE)
}

/// Every run begins and ends once, before the next; and counts without leaving out or repeating a number.
fn check_log(log: &[Value], outcomes: &[Outcome]) {
    let boundaries: Vec<&str> = log
        .iter()
        .map(|event| if is_terminal(event) { "end" } else { text(&event["type"]) })
        .filter(|kind| ["end", "RUN_STARTED"].contains(kind))
        .collect();
    assert_eq!(boundaries, ["RUN_STARTED", "end"].repeat(outcomes.len()));
    let texts = merged(log.iter().cloned());
    for said in texts.iter().filter(|event| event["type"] == "TEXT_MESSAGE_CONTENT") {
        let said = text(&said["delta"]);
        let count = said.split_whitespace().count();
        assert_eq!(said, (0..count).map(|number| format!("{number} ")).collect::<String>());
    }
    for outcome in outcomes {
        let is_lost = |code: &Option<String>| code.as_deref() == Some("run_lost");
        assert!(
            outcome.is_success() || matches!(outcome, Outcome::Failed { code, .. } if is_lost(code)),
            "{outcome:?}"
        );
    }
    assert!(outcomes.last().is_some_and(Outcome::is_success), "no thread is stuck");
}

async fn all<T>(tasks: Vec<JoinHandle<T>>) -> Vec<T> {
    let mut results = Vec::new();
    for task in tasks {
        let result = tokio::time::timeout(Duration::from_secs(60), task).await;
        results.push(result.expect("nobody waits for ever").expect("nobody panics"));
    }
    results
}

/// What all clients of the server share.
#[derive(Clone)]
struct Audience {
    client: Client,
    url: String,
    /// How many events were heard by all together.
    heard: watch::Sender<usize>,
    is_up: watch::Sender<bool>,
    /// Whether the next run is the last one, because nobody kills any more.
    is_last: watch::Sender<bool>,
}

impl Audience {
    fn new(url: &str) -> Self {
        let retry = Retry { first: Duration::from_millis(10), max: Duration::from_millis(80), attempts: 1 };
        let settings = Settings { retry: retry.for_ever(), ..Settings::default() };
        Self {
            client: Client::with_settings(url, settings).expect("an address"),
            url: url.to_owned(),
            heard: watch::Sender::new(0),
            is_up: watch::Sender::new(true),
            is_last: watch::Sender::new(false),
        }
    }

    async fn hears_more(&self, events: usize) {
        let before = *self.heard.borrow();
        let mut heard = self.heard.subscribe();
        let more = heard.wait_for(|now| *now >= before + events);
        let more = tokio::time::timeout(Duration::from_secs(30), more).await;
        more.expect("the streams go on").expect("we hold the sender");
    }

    fn while_away(&self, work: impl FnOnce() -> Process) -> Process {
        self.is_up.send_replace(false);
        let process = tokio::task::block_in_place(work);
        self.is_up.send_replace(true);
        process
    }

    async fn returns(&self) {
        self.is_up.subscribe().wait_for(|is_up| *is_up).await.expect("we hold the sender");
    }
}

/// A client with a thread of its own: run after run, each to its end.
struct Speaker {
    audience: Audience,
    random: Random,
    thread: String,
    events: Vec<Value>,
    outcomes: Vec<Outcome>,
}

impl Speaker {
    async fn begin(audience: &Audience, thread: String, random: Random) -> Self {
        let (events, outcomes) = (Vec::new(), Vec::new());
        let mut speaker = Self { audience: audience.clone(), random, thread, events, outcomes };
        speaker.run("first").await;
        speaker
    }

    async fn speak(mut self) -> Self {
        let mut number = 0;
        while !*self.audience.is_last.borrow() {
            number += 1;
            self.run(&number.to_string()).await;
        }
        self.run("last").await;
        self
    }

    async fn run(&mut self, name: &str) {
        let text = format!("{} {}", self.random.up_to(150), self.random.up_to(3000));
        let input = input(&self.thread, &format!("{}-{name}", self.thread), &text);
        let agent = self.audience.client.agent("count").expect("a name");
        let mut run = loop {
            match agent.run(input.clone()).await {
                Ok(run) => break run,
                Err(error) if error.is_retryable() => self.audience.returns().await,
                Err(error) => panic!("{}: {error}", self.thread),
            }
        };
        while let Some(delivered) = run.next().await {
            let delivered = delivered.unwrap_or_else(|error| panic!("{}: {error}", self.thread));
            self.events.push(serde_json::to_value(delivered.event).expect("events are JSON"));
            self.audience.heard.send_modify(|heard| *heard += 1);
        }
        self.outcomes.push(run.finish().await.expect("a run ends"));
    }
}

/// A viewer who follows a thread from its beginning to the end of its last run.
async fn watch_all(audience: Audience, thread: String) -> Vec<Value> {
    let (mut seen, mut after) = (Vec::new(), "start".to_owned());
    let last = format!("{thread}-last");
    loop {
        audience.returns().await;
        let Some(mut body) = raw::follow(&audience.url, &thread, &after).await else { continue };
        while let Some(frame) = body.next().await {
            assert!(after == "start" || frame.seq() > raw::seq(&after), "{} after {after}", frame.id);
            after = frame.id;
            seen.push(frame.event);
            let event = &seen[seen.len() - 1];
            if is_terminal(event) && event["runId"] == last.as_str() {
                return seen;
            }
        }
    }
}

/// An address that no outgoing connection takes while the server is away.
fn quiet_address() -> String {
    let first = 20_000 + std::process::id() % 10_000;
    let mut addresses = (first..32_000).map(|port| format!("127.0.0.1:{port}"));
    addresses.find(|address| TcpListener::bind(address).is_ok()).expect("a free port")
}

/// Numbers that only depend on a seed, which is printed.
struct Random(u64);

impl Random {
    fn new() -> Self {
        let given = std::env::var("FORESTAGE_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = given.unwrap_or_else(|| {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            now.map_or(1, |now| u64::from(now.subsec_nanos()) + now.as_secs())
        });
        println!("FORESTAGE_SEED={seed}");
        Self(seed)
    }

    fn split(&mut self) -> Self {
        Self(self.next())
    }

    /// From 1 to `most`.
    fn up_to(&mut self, most: u64) -> usize {
        usize::try_from(self.next() % most + 1).expect("it is small")
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
