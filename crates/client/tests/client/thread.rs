//! Threads of a Forestage server.

use forestage_client::{After, BranchPoint, ClientError, Cursor, OnBusy, ThreadQuery};
use forestage_protocol::{
    event::{Event, MessagesSnapshot, RunFinished, RunStarted, StateSnapshot, TextMessageStart},
    input::RunAgentInput,
    json::Json,
    message::AssistantMessage,
};
use futures_util::TryStreamExt;
use serde_json::json;

use crate::server::{Answer, Server, Step, events, hello, json, numbered, plain, text};

/// What a second run on the thread adds.
fn second() -> Vec<Event> {
    vec![RunStarted::new("t", "r2").into(), RunFinished::new("t", "r2").into()]
}

#[tokio::test]
async fn a_thread_is_followed_through_its_runs_and_over_broken_connections() {
    let server = Server::playing([
        events([numbered(1, &hello()[..3]), Step::Break]),
        // A server that goes down in order ends the stream; the thread goes on.
        events([numbered(4, &hello()[3..])]),
        events([numbered(8, &second()), Step::Hang]),
    ])
    .await;
    let mut follow = server.client().thread("t").follow(After::Start).await.unwrap();
    let mut delivered = Vec::new();
    while delivered.len() < 9 {
        delivered.push(follow.next().await.unwrap().unwrap().event);
    }
    assert_eq!(delivered, [hello(), second()].concat());
    assert_eq!(follow.cursor().unwrap().as_str(), "e.9");
    assert_eq!(
        server.log(),
        [
            "GET /v1/threads/t/events?protocol=1.0&after=start",
            "GET /v1/threads/t/events?protocol=1.0&after=e.3",
            "GET /v1/threads/t/events?protocol=1.0&after=e.7",
        ]
    );
}

#[tokio::test]
async fn following_from_now_on_begins_with_the_conversation_as_it_stands() {
    let said = AssistantMessage { content: Some("Hello".into()), ..AssistantMessage::new("m") };
    let prelude: Vec<Event> = vec![
        RunStarted::new("t", "r").into(),
        MessagesSnapshot::new([said.into()]).into(),
        StateSnapshot::new(Json::from(json!({ "mood": "good" }))).into(),
        TextMessageStart::new("m").into(),
    ];
    let server = Server::playing([
        // The connection breaks before the first cursor: the prelude is told once more.
        events([plain(&prelude), Step::Break]),
        events([plain(&prelude), numbered(4, &hello()[3..]), Step::Hang]),
    ])
    .await;
    let mut follow = server.client().thread("t").follow(After::Now).await.unwrap();
    for _ in 0..12 {
        follow.next().await.unwrap().unwrap();
    }
    assert_eq!(
        server.log(),
        ["GET /v1/threads/t/events?protocol=1.0", "GET /v1/threads/t/events?protocol=1.0"]
    );
    assert_eq!(follow.view().messages().count(), 1);
    let message = serde_json::to_value(follow.view().message("m").unwrap()).unwrap();
    assert_eq!(message["content"], "Hello, world");
    assert_eq!(*follow.view().state(), json!({ "mood": "good" }));
}

#[tokio::test]
async fn a_replay_ends_at_the_present_end() {
    let server = Server::playing([
        events([numbered(4, &hello()[3..5]), Step::Break]),
        events([numbered(6, &hello()[5..6])]),
    ])
    .await;
    let after = After::Cursor(Cursor::parse("e.3").unwrap());
    let mut replay = server.client().thread("t").replay(after).await.unwrap();
    let mut delivered = Vec::new();
    while let Some(next) = replay.next().await {
        delivered.push(next.unwrap().event);
    }
    assert_eq!(delivered, hello()[3..6]);
    assert_eq!(
        server.log(),
        [
            "GET /v1/threads/t/events?protocol=1.0&live=false&after=e.3",
            "GET /v1/threads/t/events?protocol=1.0&live=false&after=e.5",
        ]
    );
}

#[tokio::test]
async fn what_is_dropped_while_a_thread_is_read_is_warned_of_once() {
    let stream = concat!(
        "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\",\"mood\":1}\n\n",
        "data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n",
    );
    let server = Server::playing([events([text(stream)])]).await;
    let mut replay = server.client().thread("t").replay(After::Start).await.unwrap();
    while let Some(next) = replay.next().await {
        next.unwrap();
    }
    let places: Vec<_> = replay.take_warnings().into_iter().map(|warning| warning.path.unwrap()).collect();
    assert_eq!(places, ["/mood"]);
    assert!(replay.take_warnings().is_empty());
}

#[tokio::test]
async fn a_log_is_exported_whole_or_with_an_error() {
    let lines = "{\"cursor\":\"e.1\",\"event\":{}}\n";
    let jsonl = |steps| Answer { status: 200, content_type: Some("application/jsonl"), steps };
    let whole = jsonl(vec![text(lines), text(lines)]);
    let server = Server::playing([whole, jsonl(vec![text(lines), Step::Break])]).await;
    let thread = server.client().thread("t");
    let pieces: Vec<_> = thread.export().await.unwrap().try_collect().await.unwrap();
    assert_eq!(pieces.concat(), lines.repeat(2).into_bytes());
    let broken = thread.export().await.unwrap().try_collect::<Vec<_>>().await;
    assert!(matches!(broken, Err(ClientError::Broken(_))));
    assert_eq!(server.log()[0], "GET /v1/threads/t/events?format=jsonl&after=start&live=false");
}

#[tokio::test]
async fn views_are_read() {
    let server = Server::playing([
        json(200, json!({ "threadId": "t", "title": "Greetings" })),
        json(200, json!({ "messages": [{ "role": "user", "id": "u", "content": "Hi" }] })),
        json(200, json!({ "state": { "n": 1 } })),
        json(200, json!({ "runs": [{ "runId": "r", "agent": "hello", "end": "success" }] })),
    ])
    .await;
    let thread = server.client().thread("t");
    assert_eq!(thread.get().await.unwrap().title(), Some("Greetings"));
    assert_eq!(thread.messages().await.unwrap()[0].role(), "user");
    assert_eq!(thread.state().await.unwrap(), json!({ "n": 1 }));
    assert_eq!(thread.runs().await.unwrap()[0].end(), Some("success"));
    let expected = ["", "/messages", "/state", "/runs"].map(|end| format!("GET /v1/threads/t{end}"));
    assert_eq!(server.log(), expected);
}

#[tokio::test]
async fn a_thread_is_changed() {
    let done = || json(200, json!({}));
    let branch = json(201, json!({ "threadId": "t2" }));
    let note = json(201, json!({ "id": "n1", "kind": "rating" }));
    let notes = json(200, json!({ "annotations": [{ "id": "n1", "kind": "rating" }] }));
    let server = Server::playing([done(), done(), done(), branch, note, notes, done()]).await;
    let thread = server.client().with_key("k").unwrap().thread("a/b");
    thread.rename("New").await.unwrap();
    thread.archive(true).await.unwrap();
    thread.review(true).await.unwrap();
    let branch = thread.branch(&BranchPoint::Message("m".into())).await.unwrap();
    assert_eq!(branch.thread_id(), Some("t2".into()));
    assert_eq!(thread.annotate(&json!({ "kind": "rating", "value": 5 })).await.unwrap().id(), Some("n1"));
    assert_eq!(thread.annotations().await.unwrap()[0].kind(), Some("rating"));
    thread.delete().await.unwrap();
    let asked: Vec<_> = server.asked().into_iter().map(|asked| (asked.what, asked.body)).collect();
    assert_eq!(
        asked,
        [
            ("PATCH /v1/threads/a%2Fb".to_owned(), json!({ "title": "New" })),
            ("PATCH /v1/threads/a%2Fb".to_owned(), json!({ "archived": true })),
            ("PATCH /v1/threads/a%2Fb".to_owned(), json!({ "review": true })),
            ("POST /v1/threads/a%2Fb/branches".to_owned(), json!({ "messageId": "m" })),
            ("POST /v1/threads/a%2Fb/annotations".to_owned(), json!({ "kind": "rating", "value": 5 })),
            ("GET /v1/threads/a%2Fb/annotations".to_owned(), json!(null)),
            ("DELETE /v1/threads/a%2Fb".to_owned(), json!(null)),
        ]
    );
    assert!(server.asked().iter().all(|asked| asked.header("authorization") == Some("Bearer k")));
}

#[tokio::test]
async fn the_server_is_asked_what_it_has() {
    let server = Server::playing([
        json(200, json!({ "agents": [{ "name": "hello" }] })),
        json(200, json!({ "name": "hello", "description": "says hello" })),
        json(200, json!({ "threads": [{ "threadId": "t" }], "nextCursor": "p2" })),
    ])
    .await;
    let client = server.client();
    assert_eq!(client.agents().await.unwrap()[0].name(), Some("hello"));
    assert_eq!(client.describe("hello").await.unwrap().description(), Some("says hello"));
    let query = ThreadQuery {
        search: Some("a b".into()),
        agent: Some("hello".into()),
        status: Some("idle".into()),
        archived: true,
        limit: Some(1),
        cursor: None,
    };
    let page = client.threads(&query).await.unwrap();
    assert_eq!((page.items[0].thread_id(), page.next.as_deref()), (Some("t".into()), Some("p2")));
    assert_eq!(
        server.log(),
        [
            "GET /v1/agents",
            "GET /v1/agents/hello",
            "GET /v1/threads?search=a+b&agent=hello&status=idle&archived=true&limit=1",
        ]
    );
}

#[tokio::test]
async fn cancelling_says_whether_there_was_anything_to_stop() {
    for (answer, expected) in
        [(json!({ "cancelled": true }), true), (json!({ "cancelled": false }), false), (json!({}), true)]
    {
        let server = Server::playing([json(202, answer.clone())]).await;
        let stopped = server.client().thread("t").cancel(&"r".into()).await.unwrap();
        assert_eq!(stopped, expected, "{answer}");
        assert_eq!(server.log(), ["POST /v1/threads/t/runs/r/cancel"]);
    }
}

#[tokio::test]
async fn a_recording_becomes_a_thread() {
    let server = Server::playing([json(201, json!({ "id": "t" }))]).await;
    let thread = server.client().thread("t").import("hello", b"[1]".to_vec()).await.unwrap();
    assert_eq!(thread.thread_id(), Some("t".into()));
    assert_eq!(server.log(), ["POST /v1/threads/t/import?agent=hello"]);
    assert_eq!(server.asked()[0].header("content-type"), Some("application/x-ndjson"));
    assert_eq!(server.asked()[0].body, json!([1]));
}

#[tokio::test]
async fn a_busy_thread_is_dealt_with_as_asked() {
    let server = Server::playing([events([numbered(1, &hello())])]).await;
    let agent = server.client().agent("hello").unwrap().on_busy(OnBusy::Queue).on_busy(OnBusy::Replace);
    let mut run = agent.run(RunAgentInput::new("t", "r", [])).await.unwrap();
    assert!(run.finish().await.unwrap().is_success());
    assert_eq!(server.log(), ["POST /v1/agents/hello/runs?onBusy=replace"]);
}

#[tokio::test]
async fn an_answer_of_another_shape_cannot_be_understood() {
    let server = Server::playing([json(200, json!({ "threads": 7 }))]).await;
    let error = server.client().threads(&ThreadQuery::default()).await.unwrap_err();
    assert!(matches!(error, ClientError::Unreadable(_)), "{error}");
}
