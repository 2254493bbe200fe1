//! Our own client against our own server.

use forestage_client::{Client, Conversation, Outcome, answer};
use serde_json::json;

use crate::support::*;

#[tokio::test]
async fn a_conversation_goes_on_turn_by_turn() {
    let server = Running::start().await;
    let client = Client::new(&server.url).unwrap();
    let mut conversation = Conversation::new(client.agent("echo").unwrap());
    for text in ["one two", "three"] {
        let outcome = conversation.say(text).await.unwrap().finish().await.unwrap();
        assert!(outcome.is_success(), "{outcome:?}");
    }
    assert_eq!(conversation.view().messages().count(), 4);
    assert_eq!(conversation.view().state(), &json!({"heard": "three"}));
}

#[tokio::test]
async fn a_question_is_answered() {
    let server = Running::start().await;
    let client = Client::new(&server.url).unwrap();
    let mut conversation = Conversation::new(client.agent("asking").unwrap());
    let outcome = conversation.say("go").await.unwrap().finish().await.unwrap();
    let Outcome::Interrupted { interrupts } = outcome else { panic!("{outcome:?}") };
    let answers = vec![answer::resolved(&interrupts[0].id, "yes")];
    let outcome = conversation.answer(answers).await.unwrap().finish().await.unwrap();
    assert!(outcome.is_success());
}
