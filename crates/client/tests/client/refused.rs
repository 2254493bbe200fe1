//! Answers that are no stream, and streams that are not legal.

use forestage_client::{AgentClient, Client, ClientError};
use forestage_protocol::{
    event::{RunFinished, RunStarted, TextMessageContent},
    input::RunAgentInput,
};
use serde_json::json;

use crate::server::{Answer, Server, Step, events, hello, json, plain, quick, text};

async fn run(answer: Answer) -> Result<Vec<&'static str>, (Vec<&'static str>, ClientError)> {
    let server = Server::playing([answer]).await;
    let agent = AgentClient::at_with(&server.base, quick()).unwrap();
    let mut run = agent.run(RunAgentInput::new("t", "r", [])).await.map_err(|error| (Vec::new(), error))?;
    let mut delivered = Vec::new();
    while let Some(next) = run.next().await {
        match next {
            Ok(next) => delivered.push(next.event.event_type().as_str()),
            Err(error) => return Err((delivered, error)),
        }
    }
    Ok(delivered)
}

#[tokio::test]
async fn a_success_that_is_not_a_stream_is_refused() {
    for (content_type, body) in [
        (Some("application/json"), r#"{"ok":true}"#),
        (Some("text/html; charset=utf-8"), "<html>"),
        (Some("text/event-streams"), "data: {}\n\n"),
        (None, ""),
    ] {
        let answer = Answer { status: 200, content_type, steps: vec![text(body)] };
        let (_, error) = run(answer).await.unwrap_err();
        let ClientError::NotAStream { content_type: found, beginning } = error else { panic!("{error}") };
        assert_eq!((found.as_deref(), beginning.as_str()), (content_type, body));
    }
}

#[tokio::test]
async fn the_type_of_a_stream_may_have_parameters() {
    let content_type = Some("Text/Event-Stream; charset=utf-8");
    let answer = Answer { status: 200, content_type, steps: vec![plain(&hello())] };
    assert_eq!(run(answer).await.unwrap().len(), hello().len());
}

#[tokio::test]
async fn a_refusal_says_what_the_server_said() {
    let body = json!({ "error": {
        "code": "thread_busy", "message": "run `r0` is open", "path": "threadId", "hint": "use onBusy=queue",
    } });
    let (_, error) = run(json(409, body)).await.unwrap_err();
    assert!(!error.is_retryable());
    assert_eq!(error.to_string(), "the server refused with 409: run `r0` is open");
    let ClientError::Refused { status, code, message, path, hint } = error else { panic!("{error}") };
    assert_eq!((status, code.as_deref()), (409, Some("thread_busy")));
    assert_eq!(message, "run `r0` is open");
    assert_eq!((path.as_deref(), hint.as_deref()), (Some("threadId"), Some("use onBusy=queue")));
}

#[tokio::test]
async fn an_illegal_stream_fails_behind_what_was_legal() {
    let illegal = [
        RunStarted::new("t", "r").into(),
        TextMessageContent::new("m", "Hello").into(),
        RunFinished::new("t", "r").into(),
    ];
    let (delivered, error) = run(events([plain(&illegal)])).await.unwrap_err();
    assert_eq!(delivered, ["RUN_STARTED"]);
    assert_eq!(error.code(), Some("text_message_not_open"));
}

#[tokio::test]
async fn a_malformed_event_is_refused_with_its_place() {
    let started = plain(&hello()[..1]);
    let answer = events([started, text("data: {\"type\":\"TEXT_MESSAGE_START\",\"messageId\":7}\n\n")]);
    let (delivered, error) = run(answer).await.unwrap_err();
    assert_eq!(delivered, ["RUN_STARTED"]);
    let ClientError::Stream(error) = error else { panic!("{error}") };
    assert_eq!((error.index, error.path.as_deref()), (1, Some("/messageId")));
}

#[tokio::test]
async fn a_stream_of_another_thread_is_refused() {
    let (delivered, error) = run(events([plain(&[RunStarted::new("other", "r").into()])])).await.unwrap_err();
    assert!(delivered.is_empty());
    assert_eq!(error.code(), Some("thread_id_mismatch"));
}

#[tokio::test]
async fn an_event_over_the_limit_is_refused() {
    let server = Server::playing([events([text(&format!("data: {}", "x".repeat(2000))), Step::Hang])]).await;
    let settings = forestage_client::Settings { max_frame: 1000, ..quick() };
    let agent = AgentClient::at_with(&server.base, settings).unwrap();
    let error = agent.run(RunAgentInput::new("t", "r", [])).await.unwrap().finish().await.unwrap_err();
    assert_eq!(error.code(), Some("frame_too_large"));
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unreachable() {
    // A port that was free a moment ago.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let client = Client::with_settings(&base, quick()).unwrap();
    let error = client.agents().await.unwrap_err();
    assert!(matches!(error, ClientError::Unreachable(_)), "{error}");
    assert!(error.to_string().contains("refused"), "it says why: {error}");
    assert!(matches!(client.socket().await, Err(ClientError::Unreachable(_))));
}

#[test]
fn addresses_and_headers_are_checked_before_anything_is_sent() {
    for address in ["", "localhost:4000", "ftp://host", "http://"] {
        assert!(matches!(Client::new(address), Err(ClientError::Unusable { .. })), "{address}");
    }
    let client = Client::new("http://localhost").unwrap();
    assert!(client.agent("..").is_err());
    let error = client.with_key("sec\nret").unwrap_err().to_string();
    assert!(!error.contains("ret"), "the key is not shown: {error}");
}
