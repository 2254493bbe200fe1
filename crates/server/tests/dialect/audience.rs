//! One thread before an audience of five contracts: whatever begins at one door, and whoever answers, all see the same.

use std::sync::Arc;

use forestage_protocol::{event::Event, verify::Verifier};
use forestage_runtime::{About, Agent, RunContext, agent_fn};
use forestage_server::{Http, Keys};
use serde_json::{Value, json};
use tokio::{sync::Semaphore, time::timeout};

use crate::{support::*, wire};

/// What was said, in whatever pieces it came.
fn said(frames: &[Value]) -> String {
    let is_text = |frame: &&Value| {
        ["TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_CHUNK"].contains(&frame["type"].as_str().unwrap_or_default())
    };
    frames.iter().filter(is_text).filter_map(|frame| frame["delta"].as_str()).collect()
}

/// Follows a thread as an AG-UI client does, over an event stream, until a number of runs have ended.
pub(crate) async fn watch(address: String, thread: String, runs: usize) -> Vec<Value> {
    let url = format!("http://{address}/v1/threads/{thread}/events?after=start");
    let mut response = reqwest::get(url).await.unwrap();
    let (mut text, mut frames) = (String::new(), Vec::new());
    while wire::of(&frames, "RUN_FINISHED").len() + wire::of(&frames, "RUN_ERROR").len() < runs {
        let chunk = timeout(PATIENCE, response.chunk()).await.expect("more in time");
        text.push_str(std::str::from_utf8(&chunk.unwrap().expect("the stream is open")).unwrap());
        let whole = text.rfind("\n\n").map_or(0, |end| end + 2);
        frames.extend(wire::sse(&text[..whole]));
        text.drain(..whole);
    }
    let mut verifier = Verifier::default();
    for frame in &frames {
        let event = Event::from_json(&frame.to_string()).unwrap();
        verifier.check(&event).unwrap_or_else(|violation| panic!("{violation}: {frame}"));
    }
    frames
}

/// Where a run halts between its two sentences.
struct Pause {
    begun: Semaphore,
    on: Semaphore,
}

fn pausing(pause: Arc<Pause>) -> Arc<dyn Agent> {
    agent_fn(About::new("says two things"), move |ctx: RunContext| {
        let pause = pause.clone();
        async move {
            let asked = ctx.last_user_text().unwrap_or_default();
            ctx.say(format!("You said {asked}. ")).await?;
            pause.begun.add_permits(1);
            pause.on.acquire().await.unwrap().forget();
            ctx.say("That is all.").await?;
            Ok(())
        }
    })
}

fn request(run: &str) -> Value {
    json!({ "threadId": "t1", "runId": run, "messages": [wire::user(run, run)] })
}

/// Asks for a run, or joins it where the same request has begun it.
async fn join(server: &Running, path: &str, run: &str) -> reqwest::Response {
    ask(server, path, &request(run)).await
}

async fn ask(server: &Running, path: &str, body: &Value) -> reqwest::Response {
    let url = format!("http://{}{path}", server.address);
    let request = reqwest::Client::new().post(url).json(body).send();
    let response = timeout(PATIENCE, request).await.expect("an answer in time").unwrap();
    if response.status() != 200 {
        panic!("{path} {body}: {}", response.text().await.unwrap());
    }
    response
}

async fn rest(response: reqwest::Response) -> Vec<Value> {
    wire::sse(&timeout(PATIENCE, response.text()).await.expect("an end in time").unwrap())
}

const SOCKETS: [(&str, &str); 2] = [("/ws", "agora"), ("/realtime", "trainer2")];
const STREAMS: [(&str, &str); 3] =
    [("/awp", "its"), ("/run", "net"), ("/v1/agents/general-agent/runs", "its")];

#[tokio::test]
async fn a_run_that_begins_at_any_door_is_seen_at_all_of_them_while_it_goes_on() {
    let pause = Arc::new(Pause { begun: Semaphore::new(0), on: Semaphore::new(0) });
    let server = wire::serve_agent(pausing(pause.clone()), Keys::default(), Http::default()).await;
    let doors = SOCKETS.into_iter().chain(STREAMS).map(|(door, _)| door);
    let (mut official, mut expected) = (None, String::new());
    for (number, first) in doors.enumerate() {
        let run = format!("r{number}");
        let (mut sockets, mut streams) = (Vec::new(), Vec::new());
        match STREAMS.iter().find(|(path, _)| *path == first) {
            Some((path, profile)) => streams.push((join(&server, path, &run).await, *profile)),
            None => {
                let mut socket = Socket::open(&server, first).await;
                socket.send(&request(&run)).await;
                sockets.push((first, socket));
            }
        }
        timeout(PATIENCE, pause.begun.acquire()).await.expect("a beginning in time").unwrap().forget();
        official.get_or_insert_with(|| tokio::spawn(watch(server.address.clone(), "t1".to_owned(), 5)));
        for (path, _) in SOCKETS.into_iter().filter(|(path, _)| *path != first) {
            sockets.push((path, Socket::open(&server, &format!("{path}?threadId=t1")).await));
        }
        // Whoever says nothing joins, wherever the run began.
        for (path, profile) in STREAMS.into_iter().filter(|(path, _)| ["/awp", "/run"].contains(path)) {
            streams.push((
                ask(&server, path, &json!({ "threadId": "t1", "runId": "w", "messages": [] })).await,
                profile,
            ));
        }
        // What is said on `/realtime` comes with what the screen knows, so it is not the same request.
        for (path, profile) in STREAMS.into_iter().filter(|(path, _)| ![*path, "/realtime"].contains(&first))
        {
            streams.push((join(&server, path, &run).await, profile));
        }
        // Everybody is there, in the middle of the run.
        let mut seen = Vec::new();
        for (_, socket) in &mut sockets {
            seen.push(socket.until("RUN_STARTED").await);
        }
        pause.on.add_permits(1);
        let words = format!("You said {run}. That is all.");
        for ((path, mut socket), mut frames) in sockets.into_iter().zip(seen) {
            frames.extend(socket.until("RUN_FINISHED").await);
            assert_eq!(said(&frames), words, "{path} of a run from {first}");
            let profile = SOCKETS.iter().find(|(socket, _)| *socket == path).unwrap().1;
            wire::judge(profile, &frames);
        }
        for (response, profile) in streams {
            let frames = rest(response).await;
            assert_eq!(said(&frames), words, "{profile} of a run from {first}");
            wire::judge(profile, &frames);
        }
        expected.push_str(&words);
    }
    assert_eq!(said(&official.unwrap().await.unwrap()), expected);
}

/// A socket, and what was seen on it.
type Seat = (Socket, Vec<Value>);

/// The sockets of both contracts, each at the request for approval of a run that began at a door.
async fn asked(server: &Running, door: &str, thread: &str) -> [Seat; 2] {
    let message = wire::user(&format!("{thread}-m"), "the report");
    let body = json!({ "threadId": thread, "runId": format!("{thread}-r"), "messages": [message] });
    let gates = [("/ws", "agora:tool_approval_request"), ("/realtime", "TOOL_CALL_PROPOSED")];
    let mut seats = gates.map(|_| None);
    match gates.iter().position(|(path, _)| *path == door) {
        Some(at) => {
            let mut socket = Socket::open(server, door).await;
            socket.send(&body).await;
            let frames = socket.until(gates[at].1).await;
            seats[at] = Some((socket, frames));
        }
        None => drop(wire::stream(server, door, &body).await),
    }
    for ((path, gate), seat) in gates.into_iter().zip(&mut seats) {
        if seat.is_none() {
            let mut socket = Socket::open(server, &format!("{path}?threadId={thread}")).await;
            let frames = socket.until(gate).await;
            *seat = Some((socket, frames));
        }
    }
    seats.map(Option::unwrap)
}

/// Lets the call pass, at one of the doors.
async fn approve(server: &Running, door: &str, thread: &str, [agora, trainer2]: &mut [Seat; 2]) {
    let question = agora.1.last().unwrap()["value"]["approvalId"].clone();
    match door {
        "/ws" => {
            let value = json!({ "approvalId": question, "approved": true });
            let name = "agora:tool_approval_response";
            agora.0.send(&json!({ "type": "CUSTOM", "name": name, "value": value })).await;
        }
        "/realtime" => {
            let mut answer = trainer2.1.last().unwrap().clone();
            answer["type"] = "TOOL_CALL_APPROVED".into();
            trainer2.0.send(&answer).await;
        }
        "/run" => {
            let resume = json!({ "interruptId": question, "payload": { "approved": true } });
            let body = json!({ "threadId": thread, "runId": format!("{thread}-2"), "messages": [], "resume": resume });
            let frames = wire::stream(server, "/run", &body).await;
            wire::judge("net", &frames);
            assert_eq!(said(&frames), WORDS);
        }
        inbox => {
            let path = format!("{inbox}/{}", question.as_str().unwrap());
            let (status, told) = wire::post(server, &path, &json!({ "approved": true })).await;
            assert_eq!(status, 200, "{told}");
        }
    }
}

const WORDS: &str = "Here it is: /report.pdf";

#[tokio::test]
async fn what_is_asked_at_any_door_is_answered_at_any_other_and_all_go_on() {
    let server = server().await;
    let asking = ["/ws", "/realtime", "/awp", "/run", "/v1/agents/general-agent/runs"];
    let answering = ["/ws", "/realtime", "/run", "/v1/interrupts"];
    for (ask, answer) in asking.into_iter().flat_map(|ask| answering.map(|answer| (ask, answer))) {
        let thread: String = format!("{ask}-{answer}").replace('/', "_");
        let mut seats = asked(&server, ask, &thread).await;
        let official = tokio::spawn(watch(server.address.clone(), thread.clone(), 2));
        approve(&server, answer, &thread, &mut seats).await;
        for ((mut socket, mut frames), profile) in seats.into_iter().zip(["agora", "trainer2"]) {
            frames.extend(socket.until("RUN_FINISHED").await);
            wire::judge(profile, &frames);
            assert_eq!(said(&frames), WORDS, "{profile}: asked at {ask}, answered at {answer}");
        }
        assert_eq!(said(&official.await.unwrap()), WORDS, "asked at {ask}, answered at {answer}");
    }
}
