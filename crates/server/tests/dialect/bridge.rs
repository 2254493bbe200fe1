//! One thread, many tongues: what is begun in one dialect goes on in another and is seen in all.

use forestage_protocol::{apply::ThreadView, event::Event, verify::Verifier};
use serde_json::{Value, json};

use crate::{audience::watch, support::*, wire};

async fn events(server: &Running, thread: &str) -> Vec<Event> {
    let url = format!("http://{}/v1/threads/{thread}/events?format=jsonl", server.address);
    let text = reqwest::get(url).await.unwrap().text().await.unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.map(|line| Event::from_json(&line.get("event").unwrap_or(&line).to_string()).unwrap()).collect()
}

async fn post(server: &Running, path: &str, body: &Value) -> String {
    let url = format!("http://{}{path}", server.address);
    let response = reqwest::Client::new().post(url).json(body).send().await.unwrap();
    assert_eq!(response.status(), 200);
    response.text().await.unwrap()
}

fn user(id: &str, text: &str) -> Value {
    json!([{ "id": id, "role": "user", "content": text }])
}

#[tokio::test]
async fn one_thread_is_spoken_on_in_every_dialect_and_its_log_is_plain_ag_ui() {
    let server = server().await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&json!({ "threadId": "t1", "messages": [{ "role": "user", "content": "hi" }] })).await;
    socket.until("RUN_FINISHED").await;
    post(&server, "/awp", &json!({ "thread_id": "t1", "run_id": "r2", "messages": user("m2", "hi") })).await;
    post(&server, "/run", &json!({ "threadId": "t1", "runId": "r3", "messages": user("m3", "the report") }))
        .await;
    // What the stream of one dialect asked is approved in another.
    let mut other = Socket::open(&server, "/ws?threadId=t1").await;
    let request = other.until("agora:tool_approval_request").await.pop().unwrap();
    let value = json!({ "approval_id": request["value"]["approvalId"], "approved": true });
    other.send(&json!({ "type": "CUSTOM", "name": "agora:tool_approval_response", "value": value })).await;
    assert!(text(&other.until("RUN_FINISHED").await).starts_with("Here it is"));
    let last = json!({ "threadId": "t1", "runId": "r5", "messages": user("m5", "hi") });
    post(&server, "/v1/agents/general-agent/runs", &last).await;

    let events = events(&server, "t1").await;
    let (mut verifier, mut view) = (Verifier::default(), ThreadView::default());
    for event in &events {
        verifier.check(event).unwrap_or_else(|violation| panic!("{violation}: {}", event.to_json()));
        view.apply(event);
    }
    let said = view.messages().filter(|message| message.role() == "user").count();
    assert_eq!(said, 4, "everything that anybody said is there");
    let runs = events.iter().filter(|event| matches!(event, Event::RunStarted(_))).count();
    assert_eq!(runs, 5);
}

#[tokio::test]
async fn clients_of_four_contracts_watch_one_thread_and_each_sees_its_own_language() {
    let server = server().await;
    let mut agora = Socket::open(&server, "/ws").await;
    agora.send(&json!({ "threadId": "t1", "runId": "r1", "messages": [{ "role": "user", "content": "the report" }] })).await;
    let before = agora.until("agora:tool_approval_request").await;
    // A client of 1.0 that joins now sees the same run, waiting; another one watches to the end.
    let live = tokio::spawn(watch(server.address.clone(), "t1".to_owned(), 3));
    let official = watch(server.address.clone(), "t1".to_owned(), 1).await;
    let asked = &official.last().unwrap()["outcome"]["interrupts"][0]["id"];
    assert_eq!(*asked, before.last().unwrap()["value"]["approvalId"]);
    // A client of the third contract answers; the first one sees its run go on, without having said a word.
    let resume = json!({ "threadId": "t1", "runId": "r2", "messages": [], "resume": { "interruptId": asked, "payload": { "approved": true } } });
    let net = wire::stream(&server, "/run", &resume).await;
    wire::judge("net", &net);
    let after = agora.until("RUN_FINISHED").await;
    wire::judge("agora", &[before, after.clone()].concat());
    assert_eq!(after.last().unwrap()["runId"], "r1", "one run on AGORA's wire");
    // A client of the fourth goes on with the conversation.
    let its = wire::stream(
        &server,
        "/awp",
        &json!({ "thread_id": "t1", "run_id": "r3", "messages": user("m3", "hi") }),
    )
    .await;
    wire::judge("its", &its);
    let official = live.await.unwrap();
    let mut verifier = Verifier::default();
    for event in &official {
        let event = Event::from_json(&event.to_string()).unwrap();
        verifier.check(&event).unwrap_or_else(|violation| panic!("{violation}"));
    }
    // What was said is the same for all of them.
    let said = |frames: &[Value]| text(frames);
    assert_eq!(said(&after), said(&net));
    assert_eq!(said(&official), format!("{}{}", said(&net), said(&its)));
    let outcomes: Vec<_> =
        wire::of(&official, "RUN_FINISHED").iter().map(|end| end["runId"].clone()).collect();
    assert_eq!(outcomes, ["r1", "r2", "r3"]);
}
