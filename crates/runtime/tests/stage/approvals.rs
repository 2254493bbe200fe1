//! Tools that need a person: judged, asked about, decided, executed once.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use forestage_protocol::{event::Event, id::InterruptId, interrupt::RunOutcome};
use forestage_runtime::{
    About, Agents, Decider, Effect, Limits, RefusalKind, RunContext, Stage, StartRun, Verdict, agent_fn,
    house::HouseRules,
    tool::{Tools, tool_fn},
    with_house,
};
use forestage_store::{AuditQuery, InterruptQuery, Store, ThreadStatus, verify_audit};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::*;

/// Sends money.
#[derive(Debug, Deserialize, JsonSchema)]
struct Payment {
    /// Who gets it.
    to: String,
    /// How much.
    amount: u32,
}

/// Who was paid how much, with which key.
pub(crate) type Paid = Arc<Mutex<Vec<(String, String)>>>;

const HOUSE: &str = "
rules:
  - { name: gifts, tools: [pay], when: { to: { equals: charity } }, action: allow }
  - { name: bribes, tools: [pay], when: { to: { equals: minister } }, action: deny, reason: We do not bribe. }
  - { name: large, tools: [pay], when: { amount: { above: 1000 } }, action: ask, risk: critical, by: { role: manager, people: 2 } }
  - { name: quick, tools: [pay], when: { to: { equals: fast } }, action: ask, risk: low, timeout: 1s, on_expiry: approve }
  - { name: dear, tools: [pay], when: { amount: { above: 500 } }, action: ask, risk: high }
  - { name: others, tools: [pay], action: ask, risk: medium, reason: Money leaves the house. }
";

pub(crate) fn cashier(store: Arc<dyn Store>, paid: &Paid) -> Arc<Stage> {
    let paid = paid.clone();
    let pay = tool_fn("pay", move |call, payment: Payment| {
        let paid = paid.clone();
        async move {
            paid.lock().unwrap().push((format!("{} to {}", payment.amount, payment.to), call.key));
            Ok(format!("paid {}", payment.amount))
        }
    });
    let tools = Tools::new().with(pay).unwrap();
    let agent = agent_fn(About::new("pays"), |ctx: RunContext| async move {
        // "pay TO AMOUNT", several with commas.
        let text = ctx.last_user_text().unwrap_or_default();
        let calls = text.split(", ").map(|order| {
            let mut words = order.split(' ').skip(1);
            let (to, amount) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let amount = amount.parse::<i64>().map_or(json!(amount), |amount| json!(amount));
            ("pay".to_owned(), json!({ "to": to, "amount": amount }))
        });
        for used in ctx.use_tools(calls.collect()).await? {
            let said = used.unwrap_or_else(|error| format!("{}: {error}", error.code));
            ctx.say(said).await?;
        }
        Ok(())
    });
    let house = HouseRules::parse("house", HOUSE).unwrap();
    let agents = Agents::from([("it".to_owned(), with_house(agent, tools, house))]);
    Stage::new(store, agents, Limits { lease: Duration::from_millis(300), ..Limits::default() })
}

pub(crate) async fn counter() -> (Arc<Stage>, Paid) {
    let paid = Paid::default();
    let store = forestage_store::open("memory:").await.unwrap();
    (cashier(store, &paid), paid)
}

pub(crate) async fn order(stage: &Arc<Stage>, thread: &str, text: &str) -> Vec<InterruptId> {
    let events = run(stage, input(thread, &format!("{thread}-r1"), vec![user("m1", text)])).await;
    let Some(Event::RunFinished(end)) = events.last() else { panic!("{:?}", types(&events)) };
    match &end.outcome {
        Some(RunOutcome::Interrupt(outcome)) => {
            outcome.interrupts.as_slice().iter().map(|asked| asked.id.clone()).collect()
        }
        _ => Vec::new(),
    }
}

pub(crate) fn who(user: &str, roles: &[&str]) -> Decider {
    let roles = roles.iter().map(|role| (*role).to_owned()).collect();
    Decider { user: user.to_owned(), roles, origin: "test".to_owned() }
}

pub(crate) fn owner() -> Decider {
    who(OWNER, &[])
}

pub(crate) fn yes() -> Verdict {
    Verdict::resolved(json!({ "approved": true }))
}

pub(crate) fn no(reason: &str) -> Verdict {
    Verdict::resolved(json!({ "approved": false, "reason": reason }))
}

/// What was said last, once the run that goes on has ended.
async fn outcome(stage: &Arc<Stage>, thread: &str) -> String {
    let thread = stage.thread(OWNER, &thread.into()).await.unwrap();
    let mut follower = stage.follow(&thread, forestage_store::Seq::START);
    let (mut seen, mut ends) = (Vec::new(), 0);
    while ends < 2 {
        let batch = follower.next().await.unwrap().unwrap();
        for entry in batch.entries() {
            let event = Event::from_json(std::str::from_utf8(&entry.json).unwrap()).unwrap();
            ends += usize::from(matches!(event, Event::RunFinished(_) | Event::RunError(_)));
            seen.push(event);
        }
    }
    let said = seen.iter().filter_map(|event| match event {
        Event::TextMessageContent(event) => Some(event.delta.clone()),
        _ => None,
    });
    said.collect::<Vec<_>>().join(" | ")
}

fn payments(paid: &Paid) -> Vec<String> {
    paid.lock().unwrap().iter().map(|(what, _)| what.clone()).collect()
}

#[tokio::test]
async fn what_the_rules_allow_is_done_and_what_they_deny_is_not() {
    let (stage, paid) = counter().await;
    assert_eq!(order(&stage, "t1", "pay charity 5, pay minister 5, pay bob lots").await, []);
    let said = conversation(&stage, "t1").await;
    let said: Vec<_> = said.iter().filter(|(role, _)| role == "assistant").map(|(_, text)| text).collect();
    assert!(said.iter().any(|text| *text == "paid 5"), "{said:?}");
    assert!(said.iter().any(|text| *text == "denied: We do not bribe."), "{said:?}");
    assert!(said.iter().any(|text| text.starts_with("invalid_arguments: ")), "{said:?}");
    assert_eq!(payments(&paid), ["5 to charity"]);
}

#[tokio::test]
async fn the_result_of_a_call_that_failed_says_why() {
    let (stage, _) = counter().await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "pay minister 5")])).await;
    let result = events.iter().find_map(|event| match event {
        Event::ToolCallResult(result) => serde_json::to_value(result).ok(),
        _ => None,
    });
    let told: Value = serde_json::from_str(result.unwrap()["content"].as_str().unwrap()).unwrap();
    assert_eq!(told["error"]["code"], "denied");
    assert_eq!(told["error"]["message"], "We do not bribe.");
}

#[tokio::test]
async fn an_approval_in_the_inbox_lets_the_thread_go_on_by_itself() {
    let (stage, paid) = counter().await;
    let asked = order(&stage, "t1", "pay bob 7").await;
    assert_eq!(payments(&paid), [""; 0], "nothing happens before somebody decides");
    let ruling = stage.decide(&owner(), &asked[0], yes()).await.unwrap();
    assert_eq!(ruling.effect, Effect::Decided);
    assert_eq!(ruling.run.unwrap().run_id.as_str(), "t1-r1-answered");
    assert_eq!(outcome(&stage, "t1").await, "paid 7");
    assert_eq!(payments(&paid), ["7 to bob"]);
}

#[tokio::test]
async fn edited_arguments_are_executed_and_the_original_is_kept() {
    let (stage, paid) = counter().await;
    let asked = order(&stage, "t1", "pay bob 700").await;
    let edited = json!({ "approved": true, "editedArgs": { "to": "bob", "amount": 7 } });
    stage.decide(&owner(), &asked[0], Verdict::resolved(edited)).await.unwrap();
    assert_eq!(outcome(&stage, "t1").await, "paid 7");
    assert_eq!(payments(&paid), ["7 to bob"]);
    let trail = stage.store().audit_trail(AuditQuery::all()).await.unwrap();
    let decided = trail.iter().find(|entry| entry.entry.kind == "decided").unwrap();
    let told: Value = serde_json::from_slice(&decided.entry.json).unwrap();
    assert_eq!(told["shown"]["arguments"]["amount"], 700);
    assert_eq!(told["payload"]["editedArgs"]["amount"], 7);
    assert_ne!(told["original"], told["edited"]);
}

#[tokio::test]
async fn everybody_on_the_thread_is_told_who_decided_what() {
    let (stage, _) = counter().await;
    let asked = order(&stage, "t1", "pay bob 700").await;
    let edited = json!({ "to": "bob", "amount": 7 });
    let verdict = json!({ "approved": true, "editedArgs": edited, "reason": "enough" });
    stage.decide(&owner(), &asked[0], Verdict::resolved(verdict)).await.unwrap();
    outcome(&stage, "t1").await;
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let batch = stage.follow(&thread, forestage_store::Seq::START).next().await.unwrap().unwrap();
    let told = read(&batch).into_iter().find_map(|event| match event {
        Event::Custom(event) if event.name == "forestage.decision" => Some(event.value.to_value().unwrap()),
        _ => None,
    });
    let told = told.expect("the decision is told");
    assert_eq!((&told["interruptId"], &told["approved"]), (&json!(asked[0]), &json!(true)));
    assert_eq!(
        (&told["by"], &told["reason"], &told["editedArgs"]),
        (&json!(OWNER), &json!("enough"), &edited)
    );
    assert!(told["at"].is_i64() || told["at"].is_string(), "{told}");
}

#[tokio::test]
async fn a_rejection_is_told_to_the_agent_with_its_reason() {
    let (stage, paid) = counter().await;
    let asked = order(&stage, "t1", "pay bob 7").await;
    stage.decide(&owner(), &asked[0], no("too much")).await.unwrap();
    let said = outcome(&stage, "t1").await;
    assert!(said.starts_with("rejected: ") && said.ends_with("too much"), "{said}");
    assert_eq!(payments(&paid), [""; 0]);
}

#[tokio::test]
async fn several_calls_are_asked_about_at_once_and_go_on_when_all_are_decided() {
    let (stage, paid) = counter().await;
    let asked = order(&stage, "t1", "pay bob 1, pay charity 2, pay eve 3").await;
    assert_eq!(asked.len(), 2);
    let first = stage.decide(&owner(), &asked[1], no("not her")).await.unwrap();
    assert!(first.run.is_none(), "one more waits");
    assert!(stage.decide(&owner(), &asked[0], yes()).await.unwrap().run.is_some());
    let said = outcome(&stage, "t1").await;
    assert!(said.starts_with("paid 1 | paid 2 | rejected"), "{said}");
    assert_eq!(payments(&paid), ["1 to bob", "2 to charity"]);
}

#[tokio::test]
async fn what_is_remembered_is_not_asked_again() {
    let (stage, paid) = counter().await;
    let asked = order(&stage, "t1", "pay bob 7").await;
    let always = Verdict::resolved(json!({ "approved": true, "remember": "always" }));
    stage.decide(&owner(), &asked[0], always).await.unwrap();
    outcome(&stage, "t1").await;
    assert_eq!(order(&stage, "t2", "pay bob 8").await, []);
    assert_eq!(payments(&paid), ["7 to bob", "8 to bob"]);
    assert_eq!(order(&stage, "t3", "pay bob 5000").await.len(), 1, "what is critical is asked anew");
    assert_eq!(order(&stage, "t5", "pay bob 600").await.len(), 1, "a greater risk was not allowed");
    let rules = stage.store().rules(OWNER.to_owned()).await.unwrap();
    let trail = stage.store().audit_trail(AuditQuery::all()).await.unwrap();
    let added = trail.iter().find(|entry| entry.entry.kind == "rule_added").expect("it is on record");
    assert_eq!((added.entry.actor.as_str(), added.entry.interrupt_id.as_ref()), (OWNER, Some(&asked[0])));
    let removed = forestage_store::NewAudit { kind: "rule_removed".to_owned(), ..added.entry.clone() };
    assert!(stage.store().delete_rule(OWNER.to_owned(), rules[0].id.clone(), removed).await.unwrap());
    assert_eq!(order(&stage, "t4", "pay bob 9").await.len(), 1, "a rule can be taken back");
}

#[tokio::test]
async fn what_cannot_be_remembered_is_not_offered_and_says_why() {
    let (stage, _) = counter().await;
    let asked = order(&stage, "t1", "pay bob 5000").await;
    let schema = |record: &forestage_store::InterruptRecord| {
        serde_json::from_slice::<Value>(&record.json).unwrap()["responseSchema"]["properties"].clone()
    };
    let record = stage.store().interrupt(asked[0].clone(), OWNER.into()).await.unwrap().unwrap();
    assert_eq!((schema(&record).get("remember"), schema(&record).get("editedArgs")), (None, None));
    let metadata = &serde_json::from_slice::<Value>(&record.json).unwrap()["metadata"];
    let about = &metadata["parameters"]["properties"]["amount"]["description"];
    assert_eq!(about, "How much.", "what nobody may change still says what it means");
    let always = Verdict::resolved(json!({ "approved": true, "remember": "always" }));
    let refused = stage.decide(&who("max", &["manager"]), &asked[0], always).await.unwrap_err();
    assert_eq!((refused.code, refused.path.as_deref()), ("not_rememberable", Some("payload.remember")));

    let asked = order(&stage, "t2", "pay bob 7").await;
    let record = stage.store().interrupt(asked[0].clone(), OWNER.into()).await.unwrap().unwrap();
    assert!(schema(&record).get("remember").is_some() && schema(&record).get("editedArgs").is_some());
    let never = Verdict::resolved(json!({ "approved": false, "remember": "always" }));
    let refused = stage.decide(&owner(), &asked[0], never).await.unwrap_err();
    assert_eq!(refused.code, "not_rememberable");
    assert!(refused.message.contains("rejection"), "{refused}");
    let wrong = Verdict::resolved(json!({ "approved": true, "editedArgs": { "to": "bob", "amount": "7" } }));
    let refused = stage.decide(&owner(), &asked[0], wrong).await.unwrap_err();
    assert_eq!(
        (refused.code, refused.path.as_deref()),
        ("invalid_answer", Some("payload.editedArgs.amount"))
    );
}

#[tokio::test]
async fn who_cannot_decide_is_told_who_can_and_what_to_do_meanwhile() {
    let (stage, _) = counter().await;
    order(&stage, "t1", "pay bob 5000").await;
    let refused = start(&stage, input("t1", "r2", vec![user("m2", "well?")])).await.unwrap_err();
    assert_eq!(refused.code, "interrupts_pending");
    let hint = refused.hint.unwrap();
    assert!(hint.contains("2 people with the role `manager`") && hint.contains("branch"), "{hint}");
    order(&stage, "t2", "pay bob 7").await;
    let refused = start(&stage, input("t2", "r2", vec![user("m2", "well?")])).await.unwrap_err();
    assert!(refused.hint.unwrap().starts_with("answer or cancel every question"));
}

#[tokio::test]
async fn a_run_that_waits_is_cancelled_with_its_questions_and_nobody_calls_the_agent() {
    let (stage, paid) = counter().await;
    let cancel = async |run: &str| stage.cancel(OWNER, &"t1".into(), &run.into()).await;
    // One is decided, one is for managers, and the agent is gone.
    let asked = order(&stage, "t1", "pay bob 7, pay bob 5000").await;
    stage.decide(&owner(), &asked[0], yes()).await.unwrap();
    stage.set_agents(Agents::default());
    assert!(cancel("t1-r1").await.unwrap());
    let thread = async || stage.thread(OWNER, &"t1".into()).await.unwrap();
    let log = all(&mut stage.read(&thread().await, forestage_store::Seq::START)).await;
    let ending: Vec<_> = types(&log).into_iter().rev().take(4).collect();
    assert_eq!(ending, ["RUN_FINISHED", "TOOL_CALL_RESULT", "TOOL_CALL_RESULT", "RUN_STARTED"]);
    let Some(Event::RunFinished(end)) = log.last() else { unreachable!() };
    assert!(matches!(end.outcome, Some(RunOutcome::Cancelled(_))), "{end:?}");
    assert_eq!((thread().await.status, thread().await.pending), (ThreadStatus::Idle, 0));
    assert_eq!(payments(&paid), [""; 0]);
    let late = stage.decide(&who("max", &["manager"]), &asked[1], yes()).await.unwrap_err();
    assert_eq!(late.code, "already_decided");
    assert!(!cancel("t1-r1").await.unwrap(), "it does not wait any more");
    let trail = stage.store().audit_trail(AuditQuery::all()).await.unwrap();
    let told = |kind: &str, origin: &str| {
        trail.iter().any(|entry| entry.entry.kind == kind && entry.entry.origin == origin)
    };
    assert!(told("decided", "cancel") && told("carried", "cancel"), "{trail:?}");
    assert_eq!(
        start(&stage, input("t1", "r2", vec![user("m2", "hm")])).await.unwrap_err().code,
        "unknown_agent"
    );
}

#[tokio::test]
async fn a_draft_that_is_cancelled_is_not_shown() {
    let agent = agent_fn(About::new("drafts"), |ctx: RunContext| async move {
        ctx.say("a secret plan").await?;
        Ok(())
    });
    let house = HouseRules::parse("house", "review: {}").unwrap();
    let agents = Agents::from([("it".to_owned(), with_house(agent, Tools::new(), house))]);
    let stage = Stage::new(forestage_store::open("memory:").await.unwrap(), agents, Limits::default());
    assert_eq!(order(&stage, "t1", "go").await.len(), 1);
    assert!(stage.cancel(OWNER, &"t1".into(), &"t1-r1".into()).await.unwrap());
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let log = all(&mut stage.read(&thread, forestage_store::Seq::START)).await;
    assert!(!log.iter().map(Event::to_json).any(|event| event.contains("secret")), "{log:?}");
    assert_eq!(run(&stage, input("t1", "r2", vec![user("m2", "again")])).await.len(), 3, "it can go on");
}

#[tokio::test]
async fn a_draft_that_is_too_long_ends_the_run_and_nothing_of_it_is_shown() {
    let agent = agent_fn(About::new("drafts"), |ctx: RunContext| async move {
        let piece = "x".repeat(1 << 20);
        let text = ctx.text()?;
        for _ in 0..5 {
            text.push(piece.as_str()).await?;
        }
        Ok(())
    });
    let house = HouseRules::parse("house", "review: {}").unwrap();
    let agents = Agents::from([("it".to_owned(), with_house(agent, Tools::new(), house))]);
    let stage = Stage::new(forestage_store::open("memory:").await.unwrap(), agents, Limits::default());
    let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    let Some(Event::RunError(error)) = events.last() else { panic!("{:?}", types(&events)) };
    assert!(error.message.contains("bytes of a draft"), "{}", error.message);
    assert!(types(&events).iter().all(|kind| !kind.starts_with("TEXT_MESSAGE")), "{:?}", types(&events));
}

#[tokio::test]
async fn two_people_with_the_role_have_to_agree() {
    let (stage, paid) = counter().await;
    let asked = order(&stage, "t1", "pay bob 5000").await;
    let by = |user| who(user, &["manager"]);
    let refused = stage.decide(&owner(), &asked[0], yes()).await.unwrap_err();
    assert_eq!((refused.kind, refused.code), (RefusalKind::Forbidden, "role_required"));
    let first = stage.decide(&by("mia"), &asked[0], yes()).await.unwrap();
    assert_eq!((first.effect, first.run), (Effect::Counted { votes: 1, needs: 2 }, None));
    assert_eq!(stage.decide(&by("mia"), &asked[0], yes()).await.unwrap_err().code, "already_voted");
    assert_eq!(payments(&paid), [""; 0]);
    assert_eq!(stage.decide(&by("max"), &asked[0], yes()).await.unwrap().effect, Effect::Decided);
    assert_eq!(outcome(&stage, "t1").await, "paid 5000");
    let trail = stage.store().audit_trail(AuditQuery::all()).await.unwrap();
    let agreed =
        trail.iter().filter(|entry| entry.entry.kind == "agreed").map(|entry| entry.entry.actor.as_str());
    assert_eq!(agreed.collect::<Vec<_>>(), ["mia", "max"], "each of them is on record");
}

#[tokio::test]
async fn silence_is_decided_as_the_rules_say() {
    let (stage, paid) = counter().await;
    let asked = order(&stage, "t1", "pay fast 3").await;
    assert_eq!(asked.len(), 1);
    assert_eq!(outcome(&stage, "t1").await, "paid 3");
    assert_eq!(payments(&paid), ["3 to fast"]);
    let query = InterruptQuery { decided: true, ..InterruptQuery::of(OWNER) };
    let record = stage.store().interrupts(query).await.unwrap().remove(0);
    let decision = record.decision.unwrap();
    assert_eq!((decision.status.as_str(), decision.by.as_str()), ("expired", "expiry"));
}

/// An approval as a process leaves it that dies right after it has recorded it.
fn recorded(thread: &str, asked: &InterruptId) -> forestage_store::Decide {
    let payload = json!({ "interruptId": asked, "status": "resolved", "payload": { "approved": true } });
    forestage_store::Decide {
        thread_id: thread.into(),
        interrupt_id: asked.clone(),
        status: "resolved".to_owned(),
        json: payload.to_string().into(),
        by: OWNER.to_owned(),
        at: 1,
        vote: false,
        audit: Vec::new(),
        rules: Vec::new(),
    }
}

#[tokio::test]
async fn a_decision_that_nobody_carried_in_is_found_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("it.db").display());
    let paid = Paid::default();
    let asked = {
        let before = cashier(forestage_store::open(&url).await.unwrap(), &paid);
        let asked = order(&before, "t1", "pay bob 7").await;
        before.close().await;
        asked
    };
    let store = forestage_store::open(&url).await.unwrap();
    store.decide(recorded("t1", &asked[0])).await.unwrap();
    let after = cashier(store, &paid);
    assert_eq!(outcome(&after, "t1").await, "paid 7");
    assert_eq!(payments(&paid), ["7 to bob"]);
    after.close().await;
}

#[tokio::test]
async fn a_decision_waits_for_an_agent_that_was_taken_away() {
    let (stage, paid) = counter().await;
    let agents = (*stage.agents()).clone();
    let asked = order(&stage, "t1", "pay bob 7").await;
    stage.set_agents(Agents::default());
    let ruling = stage.decide(&owner(), &asked[0], yes()).await.unwrap();
    assert_eq!((ruling.effect, ruling.run), (Effect::Decided, None));
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    assert_eq!((thread.status, thread.pending), (ThreadStatus::Waiting, 0));
    stage.set_agents(agents);
    let outcome = tokio::time::timeout(Duration::from_secs(10), outcome(&stage, "t1")).await;
    assert_eq!(outcome.expect("it goes on at once"), "paid 7");
    assert_eq!(payments(&paid), ["7 to bob"]);
}

#[tokio::test]
async fn threads_that_wait_for_an_agent_keep_no_other_from_its_turn() {
    let (stage, _) = counter().await;
    let agents = (*stage.agents()).clone();
    stage.set_agents(Agents::from([("gone".to_owned(), agents["it"].clone())]));
    for number in 0..70 {
        let input = input(&format!("g{number}"), "r", vec![user("m1", "pay bob 7")]);
        let started = stage.start(StartRun::new("gone", input, OWNER)).await.unwrap();
        events_of(&stage, &started).await;
    }
    stage.set_agents(agents);
    for asked in stage.store().interrupts(InterruptQuery::of(OWNER)).await.unwrap() {
        stage.decide_on(&owner(), &asked.thread_id, &asked.id, yes()).await.unwrap();
    }
    let asked = order(&stage, "t1", "pay bob 7").await;
    stage.store().decide(recorded("t1", &asked[0])).await.unwrap();
    let outcome = tokio::time::timeout(Duration::from_secs(10), outcome(&stage, "t1")).await;
    assert_eq!(outcome.expect("it gets its turn"), "paid 7");
}

#[tokio::test]
async fn everything_is_on_record_and_the_record_is_whole() {
    let (stage, _) = counter().await;
    let asked = order(&stage, "t1", "pay bob 7").await;
    stage.decide(&who("eve", &[]), &asked[0], yes()).await.unwrap_err();
    stage.decide(&owner(), &asked[0], yes()).await.unwrap();
    outcome(&stage, "t1").await;
    let trail = stage.store().audit_trail(AuditQuery::all()).await.unwrap();
    let kinds: Vec<_> =
        trail.iter().map(|entry| (entry.entry.kind.as_str(), entry.entry.actor.as_str())).collect();
    assert_eq!(kinds, [("asked", "it"), ("refused", "eve"), ("decided", OWNER), ("carried", "server")]);
    verify_audit(forestage_store::AuditEntry::BEFORE_FIRST, &trail).unwrap();
}
