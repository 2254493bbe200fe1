//! Runs that go well, or end as the agent says.

use std::time::Duration;

use forestage_client::{AgentClient, ClientError, Outcome, Settings, answer};
use forestage_protocol::{
    compat::PeerVersion,
    event::{
        Event, RunError, RunFinished, RunStarted, SubagentFinished, SubagentStarted, ToolCallEnd,
        ToolCallStart,
    },
    input::RunAgentInput,
    interrupt::{CancelledOutcome, Interrupt, InterruptOutcome, OneOrMore, RunOutcome},
    message::{ActivityMessage, UserMessage},
};
use futures_util::TryStreamExt;
use serde_json::{Map, json};
use tokio::time::timeout;

use crate::server::{Server, Step, encoded, events, hello, json, numbered, plain, protobuf, quick, text};

fn input() -> RunAgentInput {
    RunAgentInput::new("t", "r", [UserMessage::new("u", "Hi").into()])
}

fn agent(server: &Server) -> AgentClient {
    AgentClient::at_with(&format!("{}/agent", server.base), quick()).unwrap()
}

fn finished(outcome: RunOutcome) -> Event {
    RunFinished { outcome: Some(outcome), ..RunFinished::new("t", "r") }.into()
}

async fn outcome_of(rest: Vec<Event>) -> Outcome {
    let stream = [vec![RunStarted::new("t", "r").into()], rest].concat();
    let server = Server::playing([events([plain(&stream)])]).await;
    agent(&server).run(input()).await.unwrap().finish().await.unwrap()
}

#[tokio::test]
async fn a_run_delivers_every_event_and_folds_it() {
    let server = Server::playing([events([plain(&hello())])]).await;
    let mut run = agent(&server).run(input()).await.unwrap();
    let mut delivered = Vec::new();
    while let Some(next) = run.next().await {
        delivered.push(next.unwrap().event);
    }
    assert_eq!(delivered, hello());
    assert_eq!(run.finish().await.unwrap(), Outcome::Success { result: None });
    let messages = serde_json::to_value(run.view().messages().collect::<Vec<_>>()).unwrap();
    assert_eq!(
        messages,
        json!([
            { "role": "user", "id": "u", "content": "Hi" },
            { "role": "assistant", "id": "m", "content": "Hello, world" },
        ])
    );
}

#[tokio::test]
async fn a_run_is_a_stream() {
    let server = Server::playing([events([numbered(1, &hello())])]).await;
    let run = agent(&server).run(input()).await.unwrap();
    let cursors: Vec<String> =
        run.map_ok(|delivered| delivered.cursor.unwrap().to_string()).try_collect().await.unwrap();
    assert_eq!(cursors, ["e.1", "e.2", "e.3", "e.4", "e.5", "e.6", "e.7"]);
}

#[tokio::test]
async fn the_input_is_sent_as_agui_wants_it() {
    let server = Server::playing([events([plain(&hello())])]).await;
    let mut input = input();
    input.messages.push(ActivityMessage::new("a", "plan", Map::new()).into());
    let agent = agent(&server).with_key("secret").unwrap().with_header("x-tenant", "blue").unwrap();
    assert!(agent.run(input).await.unwrap().finish().await.unwrap().is_success());
    let asked = &server.asked()[0];
    assert_eq!(asked.what, "POST /agent");
    assert_eq!(asked.header("authorization"), Some("Bearer secret"));
    assert_eq!(asked.header("x-tenant"), Some("blue"));
    assert_eq!(asked.header("accept"), Some("text/event-stream"));
    assert_eq!(asked.header("content-type"), Some("application/json"));
    assert_eq!(asked.header("last-event-id"), None);
    assert_eq!(
        asked.body,
        json!({
            "threadId": "t", "runId": "r", "protocolVersion": "1.0",
            "messages": [{ "role": "user", "id": "u", "content": "Hi" }],
        })
    );
}

#[tokio::test]
async fn protobuf_gives_the_same_events() {
    let server = Server::playing([protobuf([encoded(&hello())])]).await;
    let run = agent(&server).in_protobuf().run(input()).await.unwrap();
    let delivered: Vec<Event> = run.map_ok(|delivered| delivered.event).try_collect().await.unwrap();
    assert_eq!(delivered, hello());
    let accept = server.asked()[0].header("accept").unwrap().to_owned();
    assert!(accept.starts_with("application/vnd.ag-ui.event+proto"), "{accept}");
}

#[tokio::test]
async fn chunks_are_expanded_and_share_the_cursor_of_their_event() {
    let stream = concat!(
        "id: e.1\ndata: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n",
        "id: e.2\ndata: {\"type\":\"TEXT_MESSAGE_CHUNK\",\"messageId\":\"m\",\"delta\":\"x\"}\n\n",
        "id: e.3\ndata: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n",
    );
    let server = Server::playing([events([text(stream)])]).await;
    let run = agent(&server).run(input()).await.unwrap();
    let delivered: Vec<(&str, Option<String>)> = run
        .map_ok(|delivered| {
            let cursor = delivered.cursor.map(|cursor| cursor.to_string());
            (delivered.event.event_type().as_str(), cursor)
        })
        .try_collect()
        .await
        .unwrap();
    assert_eq!(
        delivered,
        [
            ("RUN_STARTED", Some("e.1".to_owned())),
            ("TEXT_MESSAGE_START", None),
            ("TEXT_MESSAGE_CONTENT", Some("e.2".to_owned())),
            ("TEXT_MESSAGE_END", None),
            ("RUN_FINISHED", Some("e.3".to_owned())),
        ]
    );
}

#[tokio::test]
async fn unknown_things_are_dropped_with_a_warning() {
    let stream = concat!(
        "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\",\"mood\":1}\n\n",
        "data: {\"type\":\"TOMORROW\"}\n\n",
        "data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n",
    );
    let server = Server::playing([events([text(stream)])]).await;
    let mut run = agent(&server).run(input()).await.unwrap();
    assert!(run.finish().await.unwrap().is_success());
    let places: Vec<_> = run.take_warnings().into_iter().map(|warning| warning.path.unwrap()).collect();
    assert_eq!(places, ["/mood", "/type"]);
    assert!(run.take_warnings().is_empty());
}

#[tokio::test]
async fn the_ends_of_a_run_are_told_apart() {
    let call: [Event; 2] = [ToolCallStart::new("c", "tool").into(), ToolCallEnd::new("c").into()];
    let pending = [call.to_vec(), vec![RunFinished::new("t", "r").into()]].concat();
    assert_eq!(
        outcome_of(pending).await,
        Outcome::PendingToolCalls { tool_call_ids: vec!["c".into()], result: None }
    );

    let question = Interrupt::new("q", "confirmation");
    let outcome = InterruptOutcome::new(OneOrMore::from(question.clone()));
    assert_eq!(
        outcome_of(vec![finished(outcome.into())]).await,
        Outcome::Interrupted { interrupts: vec![question] }
    );

    assert_eq!(outcome_of(vec![finished(CancelledOutcome::new().into())]).await, Outcome::Cancelled);

    let error = RunError { code: Some("model".into()), ..RunError::new("overloaded") };
    assert_eq!(
        outcome_of(vec![error.into()]).await,
        Outcome::Failed { message: "overloaded".into(), code: Some("model".into()) }
    );
}

#[test]
fn only_a_run_that_is_done_is_a_success() {
    assert!(Outcome::Success { result: None }.is_success());
    for other in [
        Outcome::PendingToolCalls { tool_call_ids: vec!["c".into()], result: None },
        Outcome::Interrupted { interrupts: vec![Interrupt::new("q", "confirmation")] },
        Outcome::Cancelled,
        Outcome::Failed { message: "overloaded".into(), code: None },
    ] {
        assert!(!other.is_success(), "{other:?}");
    }
}

#[tokio::test]
async fn an_error_after_the_end_makes_the_run_a_failure() {
    let late = vec![RunFinished::new("t", "r").into(), RunError::new("could not save").into()];
    assert!(matches!(outcome_of(late).await, Outcome::Failed { .. }));
}

#[tokio::test]
async fn a_server_that_never_ends_the_stream_is_not_waited_for() {
    let server = Server::playing([events([plain(&hello()), Step::Hang])]).await;
    let settings = Settings { linger: Duration::from_millis(20), idle: Duration::from_secs(3600), ..quick() };
    let agent = AgentClient::at_with(&server.base, settings).unwrap();
    let mut run = agent.run(input()).await.unwrap();
    let outcome = timeout(Duration::from_secs(20), run.finish()).await.expect("it does not wait for ever");
    assert!(outcome.unwrap().is_success());
}

#[tokio::test]
async fn a_connection_that_dies_after_the_end_takes_nothing_from_it() {
    let server = Server::playing([events([numbered(1, &hello()), Step::Break])]).await;
    assert!(agent(&server).run(input()).await.unwrap().finish().await.unwrap().is_success());
    assert_eq!(server.log().len(), 1);
}

#[tokio::test]
async fn keep_alive_comments_are_signs_of_life() {
    let (head, tail) = (&hello()[..3], &hello()[3..]);
    let mut steps = vec![plain(head)];
    for _ in 0..6 {
        steps.extend([Step::Pause(Duration::from_millis(150)), text(": keep-alive\n\n")]);
    }
    steps.push(plain(tail));
    let server = Server::playing([events(steps)]).await;
    let settings = Settings { idle: Duration::from_millis(600), ..quick() };
    let agent = AgentClient::at_with(&server.base, settings).unwrap();
    assert!(agent.run(input()).await.unwrap().finish().await.unwrap().is_success());
}

#[tokio::test]
async fn a_run_can_be_cancelled_at_a_forestage_server() {
    let mut stream = hello();
    stream.pop();
    stream.push(finished(CancelledOutcome::new().into()));
    let server = Server::playing([events([numbered(1, &stream)]), json(202, json!({}))]).await;
    let mut run = server.client().agent("hello").unwrap().run(input()).await.unwrap();
    run.next().await.unwrap().unwrap();
    run.cancel().await.unwrap();
    assert_eq!(run.finish().await.unwrap(), Outcome::Cancelled);
    assert_eq!(server.log(), ["POST /v1/agents/hello/runs", "POST /v1/threads/t/runs/r/cancel"]);
}

#[tokio::test]
async fn a_run_elsewhere_cannot_be_cancelled() {
    let server = Server::playing([events([plain(&hello())])]).await;
    let run = agent(&server).run(input()).await.unwrap();
    assert!(matches!(run.cancel().await, Err(ClientError::Unsupported(_))));
}

#[tokio::test]
async fn questions_are_answered_all_at_once_with_a_new_run() {
    let outcome = InterruptOutcome::new(OneOrMore::from(Interrupt::new("q", "confirmation")));
    let asks = [RunStarted::new("t", "r").into(), finished(outcome.into())];
    let server = Server::playing([events([plain(&asks)]), events([plain(&hello())])]).await;
    let mut run = agent(&server).run(input()).await.unwrap();
    let _ = run.finish().await.unwrap();

    let error = run.answer(vec![answer::resolved("other", true)]).await.unwrap_err();
    assert!(error.to_string().ends_with("missing `q`; not asked `other`"), "{error}");

    let mut resumed = run.answer(vec![answer::resolved("q", json!({ "yes": true }))]).await.unwrap();
    assert!(resumed.finish().await.unwrap().is_success());
    let body = &server.asked()[1].body;
    assert_eq!(
        body["resume"],
        json!([{ "interruptId": "q", "status": "resolved", "payload": { "yes": true } }])
    );
    assert_eq!(body["messages"], json!([{ "role": "user", "id": "u", "content": "Hi" }]));
    assert_ne!(body["runId"], "r");
}

#[tokio::test]
async fn a_thread_is_resumed_without_the_run_that_asked() {
    let server = Server::playing([events([numbered(1, &hello())])]).await;
    let agent = server.client().agent("hello").unwrap();
    let mut run = agent.resume("t", "r", vec![answer::cancelled("q")]).await.unwrap();
    assert!(run.finish().await.unwrap().is_success());
    assert_eq!(server.asked()[0].body["resume"], json!([{ "interruptId": "q", "status": "cancelled" }]));
}

#[tokio::test]
async fn an_older_peer_gets_what_it_can_read() {
    let server = Server::playing([events([plain(&hello())])]).await;
    let agent = agent(&server).for_peer(PeerVersion::parse("0.0.39").unwrap());
    let mut input = input();
    input.parent_run_id = Some("p".into());
    assert!(agent.run(input).await.unwrap().finish().await.unwrap().is_success());
    assert_eq!(server.asked()[0].body.get("parentRunId"), None);
}

#[tokio::test]
async fn what_an_older_peer_cannot_have_meant_is_dropped_with_a_warning() {
    let stream = [
        RunStarted::new("t", "r").into(),
        SubagentStarted::new("s", "scout").into(),
        SubagentFinished::new("s").into(),
        RunFinished::new("t", "r").into(),
    ];
    let server = Server::playing([events([plain(&stream)])]).await;
    let agent = agent(&server).for_peer(PeerVersion::parse("0.0.39").unwrap());
    let mut run = agent.run(input()).await.unwrap();
    let mut delivered = Vec::new();
    while let Some(next) = run.next().await {
        delivered.push(next.unwrap().event);
    }
    assert_eq!(delivered, [stream[0].clone(), stream[3].clone()]);
    assert_eq!(run.take_warnings().len(), 2);
}
