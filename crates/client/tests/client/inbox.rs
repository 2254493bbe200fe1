//! The inbox, decisions, rules and the audit trail.

use std::time::Duration;

use forestage_client::{
    Approval, AuditQuery, Client, ClientError, DecideErrorKind, Effect, InboxEvent, InboxQuery, Remember,
    Retry, Settings, Verdict,
};
use forestage_protocol::json::Json;
use futures_util::TryStreamExt;
use serde_json::{Value, json};

use crate::server::{Answer, Server, Step, events, json, quick, text};

fn question(id: &str) -> Value {
    json!({ "id": id, "threadId": "t", "runId": "r", "votes": [], "decision": null,
            "interrupt": { "id": id, "reason": "tool_call", "message": "Really?", "metadata": { "tool": "send" } } })
}

fn decided(id: &str) -> Value {
    let mut question = question(id);
    question["decision"] = json!({ "status": "resolved", "by": "bob" });
    question
}

fn told(kind: &str, interrupt: Value) -> Step {
    text(&format!("data: {}\n\n", json!({ "type": kind, "interrupt": interrupt })))
}

fn ready() -> Step {
    text("data: {\"type\":\"ready\"}\n\n")
}

fn brief(event: &InboxEvent) -> (&'static str, String) {
    let (kind, record) = match event {
        InboxEvent::Opened(record) => ("opened", record),
        InboxEvent::Voted(record) => ("voted", record),
        InboxEvent::Decided(record) => ("decided", record),
        InboxEvent::Closed(record) => ("closed", record),
        _ => return ("ready", String::new()),
    };
    (kind, record.interrupt_id().unwrap().to_string())
}

#[tokio::test]
async fn the_inbox_is_read_with_filters_and_by_pages() {
    let page = json!({ "interrupts": [question("q")], "nextCursor": "n" });
    let server = Server::playing([json(200, page), json(200, decided("q"))]).await;
    let query = InboxQuery {
        thread_id: Some("t".into()),
        agent: Some("clerk".into()),
        risks: vec!["high".into(), "critical".into()],
        decided: true,
        limit: Some(2),
        after: Some("a".into()),
    };
    let page = server.client().inbox(&query).await.unwrap();
    let first = &page.items[0];
    assert_eq!(
        (first.message(), first.reason(), page.next.as_deref()),
        (Some("Really?"), Some("tool_call"), Some("n"))
    );
    assert_eq!(first.fact("tool"), Some(&json!("send")));
    let one = server.client().interrupt(&"q".into(), Some(&"t".into())).await.unwrap();
    assert_eq!(one.decision().unwrap()["by"], "bob");
    assert_eq!(
        server.log(),
        [
            "GET /v1/interrupts?thread=t&agent=clerk&risk=high%2Ccritical&decided=true&limit=2&after=a",
            "GET /v1/interrupts/q?thread=t",
        ]
    );
}

#[tokio::test]
async fn a_decision_is_sent_as_it_was_written() {
    let ruling =
        json!({ "effect": "decided", "interrupt": decided("q"), "run": { "threadId": "t", "runId": "r2" } });
    let server = Server::playing([json(200, ruling.clone()), json(200, ruling)]).await;
    let approval = Approval {
        approved: true,
        edited_args: Some(Json::parse("{\"amount\":12345678901234567890123}").unwrap()),
        reason: Some("fine".into()),
        remember: Some(Remember::Always),
    };
    let ruling = server.client().decide(&"q".into(), approval).await.unwrap();
    assert_eq!((ruling.effect, ruling.run.unwrap().run_id), (Effect::Decided, "r2".into()));
    server.client().decide(&"q".into(), Verdict::cancelled().on_thread("t")).await.unwrap();
    assert_eq!(server.log(), ["POST /v1/interrupts/q", "POST /v1/interrupts/q?thread=t"]);
    let asked = server.asked();
    let payload = &asked[0].body["payload"];
    assert_eq!((&payload["reason"], &payload["remember"]), (&json!("fine"), &json!("always")));
    assert_eq!(asked[1].body, json!({ "status": "cancelled" }));
}

#[tokio::test]
async fn why_a_decision_does_not_count_is_told_by_its_kind() {
    use DecideErrorKind as Kind;
    let cases = [
        (404, "unknown_interrupt", Kind::Unknown),
        (409, "ambiguous_interrupt", Kind::Ambiguous),
        (403, "role_required", Kind::RoleRequired),
        (409, "already_decided", Kind::AlreadyDecided),
        (409, "already_voted", Kind::AlreadyVoted),
        (409, "interrupt_expired", Kind::Expired),
        (422, "invalid_answer", Kind::Invalid),
        (409, "abandoned_interrupt", Kind::Abandoned),
        (409, "answer_together", Kind::Together),
        (503, "shutting_down", Kind::Other),
    ];
    for (status, code, kind) in cases {
        let answer = json(status, json!({ "error": { "code": code, "message": "no" } }));
        let server = Server::playing([answer]).await;
        let error = server.client().decide(&"q".into(), Verdict::resolved(json!(1))).await.unwrap_err();
        assert_eq!((error.kind, error.error.code()), (kind, Some(code)));
    }
}

#[tokio::test]
async fn the_inbox_is_followed_over_broken_connections_without_a_gap() {
    let server = Server::playing([
        events([
            told("opened", question("a")),
            told("opened", question("b")),
            told("opened", question("c")),
            ready(),
            told("closed", question("c")),
            Step::Break,
        ]),
        // Meanwhile `b` was decided and `a` went away; `d` is new.
        events([
            told("opened", question("d")),
            ready(),
            told("someday", question("x")),
            told("decided", decided("d")),
            Step::Hang,
        ]),
        json(404, json!({ "error": { "code": "unknown_interrupt", "message": "gone" } })),
        json(200, decided("b")),
    ])
    .await;
    let mut inbox = server.client().follow_inbox(&InboxQuery::default()).await.unwrap();
    let mut heard = Vec::new();
    while heard.len() < 9 {
        heard.push(brief(&inbox.next().await.unwrap().unwrap()));
    }
    let expected = [
        ("opened", "a"),
        ("opened", "b"),
        ("opened", "c"),
        ("ready", ""),
        ("closed", "c"),
        ("opened", "d"),
        ("closed", "a"),
        ("decided", "b"),
        ("decided", "d"),
    ];
    assert_eq!(heard, expected.map(|(kind, id)| (kind, id.to_owned())));
    assert_eq!(
        server.log(),
        [
            "GET /v1/interrupts?follow=true",
            "GET /v1/interrupts?follow=true",
            "GET /v1/interrupts/a?thread=t",
            "GET /v1/interrupts/b?thread=t",
        ]
    );
}

#[tokio::test]
async fn a_connection_that_does_not_come_back_is_told() {
    let gone = || Answer { status: 503, content_type: None, steps: vec![] };
    let server = Server::playing([events([ready(), Step::Break]), gone(), gone(), gone(), gone()]).await;
    let mut inbox = server.client().follow_inbox(&InboxQuery::default()).await.unwrap();
    assert_eq!(inbox.next().await.unwrap().unwrap(), InboxEvent::Ready);
    let error = inbox.next().await.unwrap().unwrap_err();
    assert!(matches!(error, ClientError::GaveUp { attempts: 3, .. }), "{error}");
    assert!(inbox.next().await.is_none());
}

#[tokio::test]
async fn what_waits_unchanged_is_told_once_and_votes_are_told_as_they_come() {
    let agreed = |by: &str| {
        let mut question = question("b");
        question["votes"] = json!([{ "by": by }]);
        question
    };
    let server = Server::playing([
        events([told("opened", question("a")), told("opened", question("b")), ready(), Step::Break]),
        // Somebody agreed to `b` while nobody listened.
        events([told("opened", question("a")), told("opened", agreed("ann")), ready(), Step::Break]),
        events([
            told("opened", question("a")),
            told("opened", agreed("ann")),
            ready(),
            told("voted", agreed("bob")),
            told("opened", question("c")),
            told("closed", question("c")),
            Step::Break,
        ]),
        events([
            told("opened", question("a")),
            told("opened", agreed("bob")),
            ready(),
            told("decided", decided("a")),
            Step::Hang,
        ]),
    ])
    .await;
    let mut inbox = server.client().follow_inbox(&InboxQuery::default()).await.unwrap();
    let mut heard = Vec::new();
    while heard.len() < 8 {
        heard.push(brief(&inbox.next().await.unwrap().unwrap()));
    }
    let expected = [
        ("opened", "a"),
        ("opened", "b"),
        ("ready", ""),
        ("voted", "b"),
        ("voted", "b"),
        ("opened", "c"),
        ("closed", "c"),
        ("decided", "a"),
    ];
    assert_eq!(heard, expected.map(|(kind, id)| (kind, id.to_owned())));
}

#[tokio::test]
async fn what_went_away_unheard_is_decided_only_if_that_very_question_was() {
    let mut of_another_run = decided("b");
    of_another_run["runId"] = json!("r2");
    let server = Server::playing([
        events([told("opened", question("a")), told("opened", question("b")), ready(), Step::Break]),
        events([ready(), Step::Hang]),
        json(200, question("a")),
        json(200, of_another_run),
    ])
    .await;
    let mut inbox = server.client().follow_inbox(&InboxQuery::default()).await.unwrap();
    let mut heard = Vec::new();
    while heard.len() < 5 {
        heard.push(brief(&inbox.next().await.unwrap().unwrap()));
    }
    let expected = [("opened", "a"), ("opened", "b"), ("ready", ""), ("closed", "a"), ("closed", "b")];
    assert_eq!(heard, expected.map(|(kind, id)| (kind, id.to_owned())));
}

#[tokio::test]
async fn what_became_of_a_question_that_nobody_may_see_any_more_is_an_error() {
    let server = Server::playing([
        events([told("opened", question("a")), ready(), Step::Break]),
        events([ready(), Step::Hang]),
        json(403, json!({ "error": { "code": "forbidden", "message": "not yours" } })),
    ])
    .await;
    let mut inbox = server.client().follow_inbox(&InboxQuery::default()).await.unwrap();
    assert_eq!(brief(&inbox.next().await.unwrap().unwrap()).0, "opened");
    assert_eq!(inbox.next().await.unwrap().unwrap(), InboxEvent::Ready);
    assert_eq!(inbox.next().await.unwrap().unwrap_err().code(), Some("forbidden"));
    assert!(inbox.next().await.is_none());
}

#[tokio::test]
async fn a_refusal_on_the_way_back_to_the_inbox_is_final() {
    let refusal = json(403, json!({ "error": { "code": "forbidden", "message": "not any more" } }));
    let server = Server::playing([events([ready(), Step::Break]), refusal]).await;
    let mut inbox = server.client().follow_inbox(&InboxQuery::default()).await.unwrap();
    assert_eq!(inbox.next().await.unwrap().unwrap(), InboxEvent::Ready);
    let error = inbox.next().await.unwrap().unwrap_err();
    assert!(matches!(error, ClientError::Refused { status: 403, .. }), "{error}");
    assert_eq!(server.log().len(), 2);
}

#[tokio::test]
async fn an_inbox_on_connections_that_last_is_followed_for_ever() {
    let lasting = || events([text(": here\n\n"), Step::Pause(Duration::from_millis(100)), Step::Break]);
    let answers = (0..5).map(|_| lasting()).chain([events([told("opened", question("a")), Step::Hang])]);
    let server = Server::playing(answers).await;
    let retry = Retry { max: Duration::from_millis(5), ..quick().retry };
    let client = Client::with_settings(&server.base, Settings { retry, ..quick() }).unwrap();
    let mut inbox = client.follow_inbox(&InboxQuery::default()).await.unwrap();
    assert_eq!(brief(&inbox.next().await.unwrap().unwrap()).0, "opened");
}

#[tokio::test]
async fn rules_and_the_audit_trail_are_read() {
    let entry = json!({ "seq": 7, "kind": "decided", "actor": "bob", "json": "{}", "hash": "ab" });
    let server = Server::playing([
        json(200, json!({ "rules": [{ "id": "x/1", "tool": "send" }] })),
        json(204, json!({})),
        json(200, json!({ "entries": [entry], "nextCursor": "7" })),
        json(200, json!({ "seq": 7 })),
    ])
    .await;
    let client = server.client();
    let rule = client.rules().await.unwrap().remove(0);
    assert_eq!(rule.tool(), Some("send"));
    client.delete_rule(rule.id().unwrap()).await.unwrap();
    let query =
        AuditQuery { thread_id: Some("t".into()), interrupt_id: Some("q".into()), ..AuditQuery::default() };
    let page = client.audit(&query).await.unwrap();
    assert_eq!(
        (page.items[0].seq(), page.items[0].actor(), page.next),
        (Some(7), Some("bob"), Some("7".into()))
    );
    let pieces: Vec<_> = client.export_audit(&query).await.unwrap().try_collect().await.unwrap();
    assert_eq!(pieces.concat(), b"{\"seq\":7}");
    assert_eq!(
        server.log(),
        [
            "GET /v1/rules",
            "DELETE /v1/rules/x%2F1",
            "GET /v1/audit?thread=t&interrupt=q",
            "GET /v1/audit?thread=t&interrupt=q&format=jsonl",
        ]
    );
}
