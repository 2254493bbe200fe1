//! Our own client against our own server.

use forestage_client::{
    Approval, AuditQuery, Client, Conversation, DecideErrorKind, Effect, InboxEvent, InboxQuery, Outcome,
    Verdict, answer,
};
use forestage_protocol::json::Json;
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
    let said: Vec<_> = conversation.view().messages().map(|it| serde_json::to_value(it).unwrap()).collect();
    let said: Vec<_> = said.iter().map(|it| (it["role"].as_str(), it["content"].as_str())).collect();
    let expected = [("user", "one two"), ("assistant", "one two"), ("user", "three"), ("assistant", "three")];
    assert_eq!(said, expected.map(|(role, text)| (Some(role), Some(text))));
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

#[tokio::test]
async fn the_inbox_is_followed_and_decided_to_the_last_digit() {
    let server = Running::start().await;
    let client = Client::new(&server.url).unwrap();
    let mut inbox = client.follow_inbox(&InboxQuery::default()).await.unwrap();
    assert_eq!(inbox.next().await.unwrap().unwrap(), InboxEvent::Ready);
    server.run("asking", &input("t1", "r1", "go")).await;
    let InboxEvent::Opened(question) = inbox.next().await.unwrap().unwrap() else { panic!("not opened") };
    assert_eq!((question.message(), question.may_decide()), (Some("Really?"), true));

    let number = "12345678901234567890123";
    let edited_args = Some(Json::parse(&format!("{{\"amount\":{number}}}")).unwrap());
    let approval = Approval { approved: true, edited_args, ..Approval::default() };
    let id = question.interrupt_id().unwrap();
    let ruling = client.decide(&id, approval).await.unwrap();
    assert_eq!(ruling.effect, Effect::Decided);
    assert_eq!(ruling.run.unwrap().thread_id, "t1".into());
    let kept = server.get("/v1/interrupts/really").send().await.unwrap().text().await.unwrap();
    assert!(kept.contains(number), "{kept}");
    let InboxEvent::Decided(question) = inbox.next().await.unwrap().unwrap() else { panic!("not decided") };
    assert_eq!(question.decision().unwrap()["by"], "local");

    let late = client.decide(&id, Verdict::cancelled()).await.unwrap_err();
    assert_eq!(late.kind, DecideErrorKind::AlreadyDecided);
    let trail = client.audit(&AuditQuery::default()).await.unwrap();
    assert_eq!(trail.items.last().unwrap().kind(), Some("refused"));
}
