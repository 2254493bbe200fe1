//! The inbox, rules and the audit trail.

use forestage_server::{ApiKey, Http, Keys, hash_key};
use forestage_store::{Append, Boundary, Decide, NewAudit, NewInterrupt, NewThread, Rule, Seq, ThreadChange};
use serde_json::{Value, json};

use crate::support::*;

/// Ada owns threads, Bob is a manager, Eve is nobody, and Ann looks after all.
fn keys() -> Keys {
    let key = |user: &str, roles: &[&str]| ApiKey {
        user: user.to_owned(),
        hash: hash_key(user),
        roles: roles.iter().map(|role| (*role).to_owned()).collect(),
    };
    Keys::new(&[key("ada", &[]), key("bob", &["manager"]), key("eve", &[]), key("ann", &["auditor"])])
        .unwrap()
}

async fn with_keys() -> Running {
    Running::with(keys(), Http::default()).await
}

fn question(id: &str, risk: &str) -> NewInterrupt {
    let json = json!({
        "id": id, "reason": "tool_call", "message": "Really?",
        "metadata": {"risk": risk, "arguments": {"amount": 1}},
    });
    NewInterrupt::new(id, json.to_string())
}

fn for_manager(id: &str, needs: u32) -> NewInterrupt {
    NewInterrupt {
        role: Some("manager".to_owned()),
        needs,
        private: r#"{"draft":"secret"}"#.into(),
        ..question(id, "critical")
    }
}

/// A run on a new thread of Ada's that ends with a question.
async fn asks(server: &Running, thread: &str, agent: &str, at: i64, new: NewInterrupt) {
    let store = &server.store;
    store.create_thread(NewThread::new(thread, "ada", agent, 1)).await.unwrap();
    let lease = store.claim(thread.into(), "test".into(), 0, 1000).await.unwrap();
    let append = Append::new(thread, "r1", lease.fence, Seq::START, vec!["{}".into()]);
    let agent = agent.to_owned();
    let started = Boundary::Started { request_hash: 1, agent, parent: None, at, answers: vec![] };
    let ended = Boundary::Ended { end: "interrupt".into(), at, messages: 0, interrupts: vec![new] };
    store.append(append.with_boundary(started).with_boundary(ended)).await.unwrap();
}

async fn decide(server: &Running, thread: &str, id: &str, by: &str, vote: bool) {
    let decide = Decide {
        thread_id: thread.into(),
        interrupt_id: id.into(),
        status: "resolved".to_owned(),
        json: r#"{"status":"resolved","payload":{"amount":12345678901234567890123}}"#.into(),
        by: by.to_owned(),
        at: 9,
        vote,
        audit: vec![],
        rules: vec![],
    };
    server.store.decide(decide).await.unwrap();
}

async fn listed(server: &Running, user: &str, query: &str) -> Vec<String> {
    let answer = server.json_as(user, &format!("/v1/interrupts{query}")).await;
    let interrupts = answer["interrupts"].as_array().unwrap_or_else(|| panic!("{answer}"));
    interrupts.iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_inbox_is_filtered_and_paged() {
    let server = with_keys().await;
    asks(&server, "t1", "clerk", 11, question("a", "low")).await;
    asks(&server, "t.2", "clerk", 12, question("b", "high")).await;
    asks(&server, "t3", "cook", 13, question("c", "critical")).await;
    assert_eq!(listed(&server, "ada", "").await, ["a", "b", "c"]);
    assert_eq!(listed(&server, "ada", "?agent=clerk").await, ["a", "b"]);
    assert_eq!(listed(&server, "ada", "?risk=high,critical").await, ["b", "c"]);
    assert_eq!(listed(&server, "ada", "?thread=t.2").await, ["b"]);
    assert_eq!(listed(&server, "ada", "?agent=clerk&risk=critical").await, [""; 0]);
    let (mut seen, mut query) = (Vec::new(), "?limit=1".to_owned());
    loop {
        let page = server.json_as("ada", &format!("/v1/interrupts{query}")).await;
        seen.push(page["interrupts"][0]["id"].as_str().unwrap().to_owned());
        match page["nextCursor"].as_str() {
            Some(next) => query = format!("?limit=1&after={next}"),
            None => break,
        }
    }
    assert_eq!(seen, ["a", "b", "c"]);
    decide(&server, "t1", "a", "ada", false).await;
    assert_eq!(listed(&server, "ada", "").await, ["b", "c"]);
    assert_eq!(listed(&server, "ada", "?decided=true").await, ["a", "b", "c"]);
    for (query, code) in [
        ("?risk=huge", "invalid_query"),
        ("?colour=red", "invalid_query"),
        ("?after=here", "invalid_cursor"),
        ("?follow=true&limit=3", "invalid_query"),
    ] {
        let answer = server.json_as("ada", &format!("/v1/interrupts{query}")).await;
        assert_eq!(answer["error"]["code"], code, "{query}");
    }
}

#[tokio::test]
async fn a_draft_is_shown_only_to_those_who_may_decide() {
    let server = with_keys().await;
    asks(&server, "t1", "clerk", 11, for_manager("a", 2)).await;
    let one = async |user: &str| server.json_as(user, "/v1/interrupts/a").await;
    let (owner, manager) = (one("ada").await, one("bob").await);
    assert_eq!((&owner["mayDecide"], owner.get("private")), (&json!(false), None));
    assert_eq!((&manager["mayDecide"], &manager["private"]), (&json!(true), &json!({"draft": "secret"})));
    for shown in [&owner, &manager] {
        assert_eq!(
            (&shown["role"], &shown["needs"], &shown["agent"], &shown["owner"], &shown["risk"]),
            (&json!("manager"), &json!(2), &json!("clerk"), &json!("ada"), &json!("critical"))
        );
    }
    decide(&server, "t1", "a", "bob", true).await;
    let voted = one("ada").await;
    assert_eq!((&voted["votes"][0]["by"], &voted["decision"]), (&json!("bob"), &json!(null)));
    assert_eq!(one("eve").await["error"]["code"], "unknown_interrupt");
    assert_eq!(listed(&server, "eve", "").await, [""; 0]);
}

#[tokio::test]
async fn what_is_json_in_the_store_leaves_it_digit_by_digit() {
    let server = with_keys().await;
    asks(&server, "t1", "clerk", 11, question("a", "low")).await;
    decide(&server, "t1", "a", "ada", false).await;
    let response = server.get("/v1/interrupts/a").header("x-api-key", "ada").send().await.unwrap();
    let text = response.text().await.unwrap();
    assert!(text.contains(r#"{"amount":12345678901234567890123}"#), "{text}");
}

#[tokio::test]
async fn an_id_that_waits_on_several_threads_wants_the_thread_named() {
    let server = with_keys().await;
    asks(&server, "t1", "clerk", 11, question("a", "low")).await;
    asks(&server, "t2", "clerk", 12, question("a", "low")).await;
    let get = async |query: &str| server.json_as("ada", &format!("/v1/interrupts/a{query}")).await;
    assert_eq!(get("").await["error"]["code"], "ambiguous_interrupt");
    for thread in ["t1", "t2"] {
        assert_eq!(get(&format!("?thread={thread}")).await["threadId"], thread);
    }
    assert_eq!(get("?thread=t9").await["error"]["code"], "unknown_interrupt");
    decide(&server, "t2", "a", "ada", false).await;
    assert_eq!(get("").await["threadId"], "t1", "the one that still waits");
    decide(&server, "t1", "a", "ada", false).await;
    assert_eq!(get("").await["threadId"], "t2", "the newest");
}

async fn follow(server: &Running, user: &str, query: &str) -> Stream {
    let request = server.get(&format!("/v1/interrupts?follow=true{query}")).header("x-api-key", user);
    let response = request.send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    Stream::new(response)
}

fn told(event: &Value) -> (String, String) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (text(&event["type"]), text(&event["interrupt"]["id"]))
}

async fn hears(stream: &mut Stream, kind: &str, id: &str) -> Value {
    let event = stream.next().await.expect("it goes on");
    assert_eq!(told(&event), (kind.to_owned(), id.to_owned()), "{event}");
    event
}

#[tokio::test]
async fn who_follows_the_inbox_hears_what_waits_and_what_becomes_of_it() {
    let server = with_keys().await;
    asks(&server, "t1", "clerk", 11, question("a", "low")).await;
    asks(&server, "t2", "clerk", 12, for_manager("b", 2)).await;
    let mut owner = follow(&server, "ada", "").await;
    let mut manager = follow(&server, "bob", "").await;
    let mut stranger = follow(&server, "eve", "").await;
    hears(&mut owner, "opened", "a").await;
    assert_eq!(hears(&mut owner, "opened", "b").await["interrupt"].get("private"), None);
    hears(&mut owner, "ready", "").await;
    assert_eq!(hears(&mut manager, "opened", "b").await["interrupt"]["private"]["draft"], "secret");
    hears(&mut manager, "ready", "").await;
    hears(&mut stranger, "ready", "").await;

    asks(&server, "t3", "clerk", 13, question("c", "low")).await;
    hears(&mut owner, "opened", "c").await;
    decide(&server, "t2", "b", "bob", true).await;
    assert_eq!(hears(&mut owner, "voted", "b").await["interrupt"]["votes"][0]["by"], "bob");
    hears(&mut manager, "voted", "b").await;
    decide(&server, "t2", "b", "mia", true).await;
    assert_eq!(hears(&mut manager, "decided", "b").await["interrupt"]["decision"]["by"], "mia");
    hears(&mut owner, "decided", "b").await;
    server.store.delete_thread("t3".into()).await.unwrap();
    hears(&mut owner, "closed", "c").await;
    let change = ThreadChange { head: Some(None), now: 70, ..ThreadChange::default() };
    server.store.update_thread("t1".into(), change).await.unwrap();
    hears(&mut owner, "closed", "a").await;
    let change = ThreadChange { head: Some(Some("r1".into())), now: 71, ..ThreadChange::default() };
    server.store.update_thread("t1".into(), change).await.unwrap();
    hears(&mut owner, "opened", "a").await;

    server.stop().await;
    for stream in [&mut owner, &mut manager, &mut stranger] {
        assert_eq!(stream.next().await, None, "it ends with the server");
    }
}

#[tokio::test]
async fn who_follows_with_a_filter_hears_of_nothing_else() {
    let server = with_keys().await;
    let mut stream = follow(&server, "ada", "&risk=high").await;
    hears(&mut stream, "ready", "").await;
    asks(&server, "t1", "clerk", 11, question("a", "low")).await;
    asks(&server, "t2", "clerk", 12, question("b", "high")).await;
    hears(&mut stream, "opened", "b").await;
}

#[tokio::test]
async fn a_silent_inbox_is_kept_alive() {
    let server = Running::with(keys(), Http { keep_alive_seconds: 1, ..Http::default() }).await;
    let mut stream = follow(&server, "ada", "").await;
    hears(&mut stream, "ready", "").await;
    assert!(stream.text_until("keep-alive").await.contains(": keep-alive\n\n"));
}

fn rule(id: &str, owner: &str) -> Rule {
    Rule {
        risk: "medium".to_owned(),
        id: id.to_owned(),
        owner: owner.to_owned(),
        agent: "clerk".to_owned(),
        tool: "send".to_owned(),
        thread_id: None,
        by: owner.to_owned(),
        at: 5,
    }
}

#[tokio::test]
async fn rules_are_listed_and_taken_back_by_their_owner() {
    let server = with_keys().await;
    server.store.put_rule(rule("x", "ada")).await.unwrap();
    server.store.put_rule(rule("y", "eve")).await.unwrap();
    let rules = server.json_as("ada", "/v1/rules").await;
    let expected = json!([{
        "id": "x", "agent": "clerk", "tool": "send", "risk": "medium", "threadId": null, "by": "ada", "at": 5,
    }]);
    assert_eq!(rules["rules"], expected);
    let remove = async |user: &str, id: &str| server.delete_as(user, &format!("/v1/rules/{id}")).await;
    assert_eq!(remove("eve", "x").await, 404);
    assert_eq!(remove("ada", "x").await, 204);
    assert_eq!(remove("ada", "x").await, 404);
    assert_eq!(server.json_as("ada", "/v1/rules").await["rules"], json!([]));
    let trail = server.json_as("ada", "/v1/audit").await;
    let entry = &trail["entries"][0];
    assert_eq!(
        (&entry["kind"], &entry["actor"], &entry["origin"]),
        (&json!("rule_removed"), &json!("ada"), &json!("http 127.0.0.1"))
    );
}

async fn audited(server: &Running, owner: &str, thread: Option<&str>) {
    let entry = NewAudit {
        at: 7,
        kind: "decided".to_owned(),
        actor: owner.to_owned(),
        origin: "resume".to_owned(),
        owner: owner.to_owned(),
        thread_id: thread.map(Into::into),
        interrupt_id: thread.map(|_| "q".into()),
        json: r#"{"n":1e400}"#.into(),
    };
    server.store.audit(entry).await.unwrap();
}

fn numbers(answer: &Value) -> Vec<u64> {
    let entries = answer["entries"].as_array().unwrap_or_else(|| panic!("{answer}"));
    entries.iter().map(|entry| entry["seq"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn everybody_sees_the_trail_of_their_own_and_an_auditor_all_of_it() {
    let server = with_keys().await;
    for (owner, thread) in [("ada", Some("t1")), ("eve", Some("t2")), ("ada", None), ("ada", Some("t1"))] {
        audited(&server, owner, thread).await;
    }
    let trail = async |user: &str, query: &str| server.json_as(user, &format!("/v1/audit{query}")).await;
    assert_eq!(numbers(&trail("ada", "").await), [1, 3, 4]);
    assert_eq!(numbers(&trail("eve", "").await), [2]);
    assert_eq!(numbers(&trail("eve", "?thread=t1").await), [0; 0]);
    assert_eq!(numbers(&trail("ann", "").await), [1, 2, 3, 4]);
    assert_eq!(numbers(&trail("ann", "?thread=t1").await), [1, 4]);
    assert_eq!(numbers(&trail("ann", "?interrupt=q&after=1").await), [2, 4]);
    let page = trail("ann", "?limit=3").await;
    assert_eq!(
        (numbers(&page), &page["nextCursor"], &page["all"]),
        (vec![1, 2, 3], &json!("3"), &json!(true))
    );
    let rest = trail("ann", "?limit=3&after=3").await;
    assert_eq!((numbers(&rest), &rest["nextCursor"]), (vec![4], &json!(null)));
    assert_eq!(trail("ada", "").await["all"], json!(false));
}

#[tokio::test]
async fn an_export_of_the_trail_is_sealed_as_documented() {
    let server = with_keys().await;
    for number in 0..1100 {
        audited(&server, "ada", (number % 2 == 0).then_some("t1")).await;
    }
    let request = server.get("/v1/audit?format=jsonl").header("x-api-key", "ann");
    let response = request.send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/x-ndjson");
    let text = response.text().await.unwrap();
    let mut last = vec![0; 32];
    for line in text.lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        last = seal(&last, &entry);
        let digits: String = last.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(entry["hash"], json!(digits));
    }
    assert_eq!(text.lines().count(), 1100);
}

#[tokio::test]
async fn an_export_from_which_entries_are_left_out_says_so_first() {
    let server = with_keys().await;
    audited(&server, "ada", Some("t1")).await;
    audited(&server, "eve", Some("t2")).await;
    let first = async |user: &str, query: &str| {
        let path = format!("/v1/audit?format=jsonl{query}");
        let text = server.get(&path).header("x-api-key", user).send().await.unwrap().text().await.unwrap();
        serde_json::from_str::<Value>(text.lines().next().unwrap()).unwrap()
    };
    assert_eq!(first("ada", "").await, json!({"filtered": {"owner": "ada"}}));
    assert_eq!(first("ann", "&thread=t2").await, json!({"filtered": {"threadId": "t2"}}));
    assert_eq!(first("ann", "").await["seq"], 1);
}

/// The seal as the description of the API has it.
fn seal(last: &[u8], entry: &Value) -> Vec<u8> {
    let number = |name: &str| Some(entry[name].as_i64().unwrap().to_be_bytes().to_vec());
    let text = |name: &str| entry[name].as_str().map(|text| text.as_bytes().to_vec());
    let mut bytes = last.to_vec();
    for field in [
        number("seq"),
        number("at"),
        text("kind"),
        text("actor"),
        text("origin"),
        text("owner"),
        text("threadId"),
        text("interruptId"),
        text("json"),
    ] {
        let length = field.as_ref().map_or(u64::MAX, |field| field.len() as u64);
        bytes.extend(length.to_be_bytes());
        bytes.extend(field.unwrap_or_default());
    }
    use sha2::Digest;
    sha2::Sha256::digest(&bytes).to_vec()
}

#[tokio::test]
async fn who_has_the_role_decides_and_the_owner_does_not() {
    let server = with_keys().await;
    asks(&server, "t1", "echo", 11, for_manager("a", 2)).await;
    let approve = json!({"approved": true});
    let (status, answer) = server.post_as("ada", "/v1/interrupts/a", &approve).await;
    assert_eq!((status, &answer["error"]["code"]), (403, &json!("role_required")));
    let (status, counted) = server.post_as("bob", "/v1/interrupts/a", &approve).await;
    assert_eq!((status, &counted["effect"], &counted["run"]), (200, &json!("counted"), &json!(null)));
    let votes = counted["interrupt"]["votes"].as_array().unwrap();
    assert_eq!((votes.len(), &votes[0]["by"]), (1, &json!("bob")));
    let (status, rejected) = server.post_as("bob", "/v1/interrupts/a", &json!({"approved": false})).await;
    assert_eq!((status, &rejected["effect"]), (200, &json!("decided")), "a no decides at once: {rejected}");
}
