//! Conversations, turn by turn.

use forestage_client::{AgentClient, Conversation, Outcome, answer};
use forestage_protocol::{
    event::{
        Event, RunError, RunFinished, RunStarted, StateSnapshot, TextMessageContent, TextMessageEnd,
        TextMessageStart,
    },
    input::Context,
    interrupt::{Interrupt, InterruptOutcome, OneOrMore},
    json::Json,
    message::ToolMessage,
    tool::Tool,
};
use serde_json::{Value, json};

use crate::server::{Server, events, numbered, plain, quick};

/// A run on thread `t` that says something.
fn says(run: &str, text: &str) -> Vec<Event> {
    vec![
        RunStarted::new("t", run).into(),
        StateSnapshot::new(Json::from(json!({ "last": text }))).into(),
        TextMessageStart::new(run).into(),
        TextMessageContent::new(run, text).into(),
        TextMessageEnd::new(run).into(),
        RunFinished::new("t", run).into(),
    ]
}

fn asks(run: &str) -> Vec<Event> {
    let outcome = InterruptOutcome::new(OneOrMore::from(Interrupt::new("q", "confirmation")));
    let finished = RunFinished { outcome: Some(outcome.into()), ..RunFinished::new("t", run) };
    vec![RunStarted::new("t", run).into(), finished.into()]
}

/// The texts that a request sent, or that a conversation holds.
fn texts(messages: &Value) -> Vec<&str> {
    messages.as_array().unwrap().iter().map(|message| message["content"].as_str().unwrap()).collect()
}

fn held(conversation: &Conversation) -> Value {
    serde_json::to_value(conversation.view().messages().collect::<Vec<_>>()).unwrap()
}

fn on(agent: AgentClient) -> Conversation {
    Conversation::on(agent, "t".into(), Default::default())
}

#[tokio::test]
async fn a_forestage_server_is_sent_what_is_new() {
    let (first, second) = (says("r1", "Hello"), says("r2", "Fine"));
    let server = Server::playing([events([numbered(1, &first)]), events([numbered(7, &second)])]).await;
    let mut conversation = on(server.client().agent("hello").unwrap());
    assert!(conversation.say("Hi").await.unwrap().finish().await.unwrap().is_success());
    assert!(conversation.say("How are you?").await.unwrap().finish().await.unwrap().is_success());
    let asked = server.asked();
    assert_eq!(texts(&asked[0].body["messages"]), ["Hi"]);
    assert_eq!(texts(&asked[1].body["messages"]), ["How are you?"]);
    assert_eq!(asked[1].body.get("state"), None);
    assert_ne!(asked[0].body["runId"], asked[1].body["runId"]);
    assert_eq!(texts(&held(&conversation)), ["Hi", "Hello", "How are you?", "Fine"]);
}

#[tokio::test]
async fn any_other_server_is_sent_everything() {
    let (first, second) = (says("r1", "Hello"), says("r2", "Fine"));
    let server = Server::playing([events([plain(&first)]), events([plain(&second)])]).await;
    let mut conversation = on(AgentClient::at_with(&server.base, quick()).unwrap());
    let _ = conversation.say("Hi").await.unwrap().finish().await.unwrap();
    let _ = conversation.say("How are you?").await.unwrap().finish().await.unwrap();
    let body = &server.asked()[1].body;
    assert_eq!(texts(&body["messages"]), ["Hi", "Hello", "How are you?"]);
    assert_eq!(body["state"], json!({ "last": "Hello" }));
}

#[tokio::test]
async fn what_was_delivered_stays_when_a_turn_is_left_early() {
    let server = Server::playing([events([numbered(1, &says("r1", "Hello"))])]).await;
    let mut conversation = on(server.client().agent("hello").unwrap());
    let mut turn = conversation.say("Hi").await.unwrap();
    for _ in 0..4 {
        turn.next().await.unwrap().unwrap();
    }
    drop(turn);
    assert_eq!(texts(&held(&conversation)), ["Hi", "Hello"]);
}

#[tokio::test]
async fn a_turn_that_is_refused_changes_nothing() {
    let server = Server::playing([]).await;
    let mut conversation = on(server.client().agent("hello").unwrap());
    assert!(conversation.say("Hi").await.is_err());
    assert_eq!(conversation.view().messages().count(), 0);
}

#[tokio::test]
async fn a_question_waits_until_a_run_has_taken_its_answer() {
    let fails = [RunStarted::new("t", "r2").into(), RunError::new("overloaded").into()];
    let server = Server::playing([
        events([numbered(1, &asks("r1"))]),
        events([numbered(3, &fails)]),
        events([numbered(5, &says("r3", "Done"))]),
    ])
    .await;
    let mut conversation = on(server.client().agent("hello").unwrap());
    let outcome = conversation.say("Do it").await.unwrap().finish().await.unwrap();
    assert!(matches!(outcome, Outcome::Interrupted { .. }));
    assert!(conversation.answer(Vec::new()).await.is_err(), "every question has to be answered");

    let yes = || vec![answer::resolved("q", true)];
    let outcome = conversation.answer(yes()).await.unwrap().finish().await.unwrap();
    assert!(matches!(outcome, Outcome::Failed { .. }));
    assert!(conversation.answer(yes()).await.unwrap().finish().await.unwrap().is_success());
    assert!(conversation.answer(yes()).await.is_err(), "nothing waits any more");
}

#[tokio::test]
async fn tools_are_offered_and_their_results_returned() {
    let server = Server::playing([events([numbered(1, &says("r1", "Thanks"))])]).await;
    let mut conversation =
        on(server.client().agent("hello").unwrap()).with_tools(vec![Tool::new("clock", "tells the time")]);
    let result = ToolMessage::new("m1", "12:00", "c1");
    let _ = conversation.return_results(vec![result]).await.unwrap().finish().await.unwrap();
    let body = &server.asked()[0].body;
    assert_eq!(body["tools"], json!([{ "name": "clock", "description": "tells the time" }]));
    assert_eq!(
        body["messages"],
        json!([{ "role": "tool", "id": "m1", "content": "12:00", "toolCallId": "c1" }])
    );
}

#[tokio::test]
async fn the_situation_of_the_client_is_told_where_there_is_anything_to_tell() {
    let (first, second) = (says("r1", "Hello"), says("r2", "Fine"));
    let server = Server::playing([events([numbered(1, &first)]), events([numbered(7, &second)])]).await;
    let mut conversation = on(server.client().agent("hello").unwrap());
    let _ = conversation.say("Hi").await.unwrap().finish().await.unwrap();
    let mut conversation = conversation.with_context(vec![Context::new("page", "cart")]);
    let _ = conversation.say("And now?").await.unwrap().finish().await.unwrap();
    let asked = server.asked();
    assert_eq!((asked[0].body.get("context"), asked[0].body.get("tools")), (None, None));
    assert_eq!(asked[1].body["context"], json!([{ "description": "page", "value": "cart" }]));
}

#[tokio::test]
async fn a_conversation_is_loaded_with_what_waits_for_an_answer() {
    let log = [says("r1", "Hello"), asks("r2")].concat();
    let server = Server::playing([events([numbered(1, &log)])]).await;
    let agent = server.client().agent("hello").unwrap();
    let conversation = Conversation::load(agent, "t").await.unwrap();
    assert_eq!(texts(&held(&conversation)), ["Hello"]);
    assert_eq!(conversation.view().pending_interrupts().len(), 1);
    assert_eq!(*conversation.view().state(), json!({ "last": "Hello" }));
}
