//! Answers that somebody looks at first, words that may not be said, and secrets.

use std::sync::Arc;

use forestage_protocol::{event::Event, id::InterruptId, input::RunAgentInput, interrupt::RunOutcome};
use forestage_runtime::{
    About, AgentError, Agents, Limits, Question, RunContext, Stage, Verdict, agent_fn, house::HouseRules,
    tool::Tools, with_house,
};
use forestage_store::{AuditQuery, InterruptQuery, ThreadChange};
use serde_json::json;

use crate::{
    approvals::{owner, who, yes},
    support::*,
};

async fn under(house: &str, text: &'static str) -> Arc<Stage> {
    let agent = agent_fn(About::new("answers"), move |ctx: RunContext| async move {
        let message = ctx.text()?;
        for word in text.split_inclusive(' ') {
            message.push(word).await?;
        }
        Ok(())
    });
    on_stage(house, agent).await
}

async fn on_stage(house: &str, agent: Arc<dyn forestage_runtime::Agent>) -> Arc<Stage> {
    let agent = with_house(agent, Tools::new(), HouseRules::parse("house", house).unwrap());
    let store = forestage_store::open("memory:").await.unwrap();
    Stage::new(store, Agents::from([("it".to_owned(), agent)]), Limits::default())
}

fn question(events: &[Event]) -> InterruptId {
    let Some(Event::RunFinished(end)) = events.last() else { panic!("{:?}", types(events)) };
    let Some(RunOutcome::Interrupt(outcome)) = &end.outcome else { panic!("{end:?}") };
    outcome.interrupts.as_slice()[0].id.clone()
}

async fn said(stage: &Arc<Stage>) -> Vec<(String, String)> {
    conversation(stage, "t1").await.into_iter().filter(|(role, _)| role == "assistant").collect()
}

async fn go_on(stage: &Arc<Stage>, run: forestage_runtime::Started) -> Vec<Event> {
    events_of(stage, &run).await
}

#[tokio::test]
async fn nothing_of_a_draft_is_shown_before_it_is_approved() {
    let stage = under("review: { role: coach }", "secret plan").await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    assert_eq!(types(&events), ["RUN_STARTED", "MESSAGES_SNAPSHOT", "RUN_FINISHED"]);
    let text = events.iter().map(Event::to_json).collect::<String>();
    assert!(!text.contains("secret"), "{text}");
    let asked = question(&events);
    let query = InterruptQuery::of(who("cora", &["coach"]).viewer());
    let record = stage.store().interrupts(query).await.unwrap().remove(0);
    assert!(String::from_utf8_lossy(&record.private).contains("secret plan"));
    assert_eq!(stage.decide(&owner(), &asked, yes()).await.unwrap_err().code, "role_required");
    let run = stage.decide(&who("cora", &["coach"]), &asked, yes()).await.unwrap().run.unwrap();
    let events = go_on(&stage, run).await;
    assert_eq!(types(&events).last(), Some(&"RUN_FINISHED"));
    assert_eq!(said(&stage).await, [pair("assistant", "secret plan")]);
}

fn in_chunks() -> Arc<dyn forestage_runtime::Agent> {
    agent_fn(About::new("speaks in chunks"), |ctx: RunContext| async move {
        for word in ["The ", "secret ", "plan."] {
            let chunk = json!({ "type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": word });
            ctx.emit(Event::from_json(&chunk.to_string()).expect("a chunk")).await?;
        }
        Ok(())
    })
}

#[tokio::test]
async fn chunks_are_held_and_looked_through_like_whole_messages() {
    let stage = on_stage("review: { role: coach }", in_chunks()).await;
    let shown = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    assert!(!format!("{shown:?}").contains("secret"), "{shown:?}");
    let ruling = stage.decide(&who("cora", &["coach"]), &question(&shown), yes()).await.unwrap();
    go_on(&stage, ruling.run.unwrap()).await;
    assert_eq!(said(&stage).await, [pair("assistant", "The secret plan.")]);
    let house = "moderation:\n  output: { patterns: [{ pattern: 'secret' }] }";
    let stage = on_stage(house, in_chunks()).await;
    let shown = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    assert!(matches!(shown.last(), Some(Event::RunError(_))), "{shown:?}");
}

/// Says the same twice: piece by piece, and in a snapshot that says something more.
fn in_a_snapshot() -> Arc<dyn forestage_runtime::Agent> {
    agent_fn(About::new("restates the conversation"), |ctx: RunContext| async move {
        let first = ctx.say("One.").await?;
        let messages = json!([
            { "id": "m1", "role": "user", "content": "not what the person said" },
            { "id": first, "role": "assistant", "content": "something else than One" },
            { "id": "new", "role": "assistant", "content": "The secret plan." },
        ]);
        let snapshot = json!({ "type": "MESSAGES_SNAPSHOT", "messages": messages });
        ctx.emit(Event::from_json(&snapshot.to_string()).expect("a snapshot")).await?;
        Ok(())
    })
}

#[tokio::test]
async fn a_snapshot_is_held_like_the_messages_that_are_new_in_it() {
    let stage = on_stage("review: { role: coach }", in_a_snapshot()).await;
    let shown = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    assert!(!format!("{shown:?}").contains("secret"), "{shown:?}");
    let ruling = stage.decide(&who("cora", &["coach"]), &question(&shown), yes()).await.unwrap();
    go_on(&stage, ruling.run.unwrap()).await;
    let all = [pair("user", "go"), pair("assistant", "One."), pair("assistant", "The secret plan.")];
    assert_eq!(conversation(&stage, "t1").await, all);
}

#[tokio::test]
async fn what_a_snapshot_says_can_be_edited_and_is_moderated() {
    let stage = on_stage("review: {}", in_a_snapshot()).await;
    let asked = question(&run(&stage, input("t1", "r1", vec![user("m1", "go")])).await);
    let verdict = Verdict::resolved(json!({ "approved": true, "text": "A public plan." }));
    let ruling = stage.decide(&owner(), &asked, verdict).await.unwrap();
    go_on(&stage, ruling.run.unwrap()).await;
    assert_eq!(said(&stage).await, [pair("assistant", "A public plan.")]);
    let house = "moderation:\n  output: { patterns: [{ pattern: 'secret' }] }";
    let stage = on_stage(house, in_a_snapshot()).await;
    let shown = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    assert!(matches!(shown.last(), Some(Event::RunError(_))), "{shown:?}");
    assert!(!format!("{shown:?}").contains("secret plan"), "{shown:?}");
}

#[tokio::test]
async fn a_snapshot_replaces_the_conversation_where_nobody_looks() {
    let stage = on_stage("rules: []", in_a_snapshot()).await;
    run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    assert_eq!(said(&stage).await[0], pair("assistant", "something else than One"));
}

async fn review(stage: &Stage, thread: &str, review: bool) {
    let change = ThreadChange { review: Some(review), now: 1, ..ThreadChange::default() };
    stage.store().update_thread(thread.into(), change).await.unwrap().expect("the thread is there");
}

#[tokio::test]
async fn a_thread_has_its_answers_looked_at_from_when_it_says_so() {
    let stage = under("rules: []", "secret plan").await;
    run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    assert_eq!(said(&stage).await, [pair("assistant", "secret plan")]);
    review(&stage, "t1", true).await;
    let events = run(&stage, input("t1", "r2", vec![user("m2", "go on")])).await;
    assert!(!events.iter().map(Event::to_json).any(|event| event.contains("TEXT_MESSAGE")), "{events:?}");
    let run_on = stage.decide(&owner(), &question(&events), yes()).await.unwrap().run.unwrap();
    go_on(&stage, run_on).await;
    assert_eq!(said(&stage).await.len(), 2);
    review(&stage, "t1", false).await;
    let events = run(&stage, input("t1", "r3", vec![user("m3", "go on")])).await;
    assert!(types(&events).contains(&"TEXT_MESSAGE_CONTENT"));
}

#[tokio::test]
async fn a_turn_that_is_looked_at_is_looked_at_to_its_end_whoever_goes_on_with_it() {
    let agent = agent_fn(About::new("asks, then tells"), |ctx: RunContext| async move {
        ctx.ask(Question::new("input_required", "Sure?")).await?;
        ctx.say("secret plan").await?;
        Ok(())
    });
    let stage = on_stage("rules: []", agent).await;
    let wanted = json!({ "forestage": { "review": true } });
    let first =
        RunAgentInput { forwarded_props: Some(wanted.into()), ..input("t1", "r1", vec![user("m1", "go")]) };
    let asked = question(&run(&stage, first).await);
    let goes_on = stage.decide(&owner(), &asked, yes()).await.unwrap().run.unwrap();
    let events = go_on(&stage, goes_on).await;
    assert!(said(&stage).await.is_empty(), "the server began this run, and nobody has looked");
    let goes_on = stage.decide(&owner(), &question(&events), yes()).await.unwrap().run.unwrap();
    go_on(&stage, goes_on).await;
    assert_eq!(said(&stage).await, [pair("assistant", "secret plan")]);
}

#[tokio::test]
async fn a_draft_can_be_edited_or_rejected() {
    for (verdict, shown) in [
        (json!({ "approved": true, "text": "public plan" }), vec![pair("assistant", "public plan")]),
        (json!({ "approved": false, "reason": "no plan" }), vec![]),
    ] {
        let stage = under("review: {}", "secret plan").await;
        let asked = question(&run(&stage, input("t1", "r1", vec![user("m1", "go")])).await);
        let run = stage.decide(&owner(), &asked, Verdict::resolved(verdict)).await.unwrap().run.unwrap();
        go_on(&stage, run).await;
        assert_eq!(said(&stage).await, shown);
    }
}

#[tokio::test]
async fn a_failure_does_not_say_what_nobody_has_looked_at() {
    let agent = agent_fn(About::new("fails"), |ctx: RunContext| async move {
        ctx.say("a secret plan").await?;
        Err(AgentError::new("no_luck", "the secret plan failed"))
    });
    let stage = on_stage("review: { role: coach }", agent).await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    let Some(Event::RunError(error)) = events.last() else { panic!("{:?}", types(&events)) };
    assert_eq!(error.code.as_deref(), Some("no_luck"));
    assert!(!events.iter().map(Event::to_json).any(|event| event.contains("secret")), "{events:?}");
    let all = stage.store().audit_trail(AuditQuery::all()).await.unwrap();
    let withheld = all.iter().find(|entry| entry.entry.kind == "withheld").expect("it is on record");
    assert!(String::from_utf8_lossy(&withheld.entry.json).contains("the secret plan failed"));
    let own = AuditQuery { owner: Some(OWNER.to_owned()), ..AuditQuery::all() };
    let own = stage.store().audit_trail(own).await.unwrap();
    assert!(!format!("{own:?}").contains("secret"), "the owner is the one who may not read it yet");
}

#[tokio::test]
async fn what_a_run_returns_is_held_back_too() {
    for (verdict, returned) in [
        (json!({ "approved": true }), Some(json!("secret"))),
        (json!({ "approved": true, "text": "other words" }), None),
        (json!({ "approved": false }), None),
    ] {
        let agent = agent_fn(About::new("returns"), |ctx: RunContext| async move {
            ctx.set_result(&"secret")?;
            Ok(())
        });
        let stage = on_stage("review: {}", agent).await;
        let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
        assert!(!events.iter().map(Event::to_json).any(|event| event.contains("secret")), "{events:?}");
        let goes_on = stage.decide(&owner(), &question(&events), Verdict::resolved(verdict)).await.unwrap();
        let events = go_on(&stage, goes_on.run.unwrap()).await;
        let Some(Event::RunFinished(end)) = events.last() else { panic!("{:?}", types(&events)) };
        assert_eq!(end.result.as_ref().map(|result| result.to_value().unwrap()), returned);
    }
}

#[tokio::test]
async fn what_may_not_be_said_ends_the_run_with_a_code() {
    let house = "moderation:\n  input: { max_length: 20 }\n  output: { patterns: [{ pattern: 'api key' }] }";
    let stage = under(house, "my api key is 7").await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    let Some(Event::RunError(error)) = events.last() else { panic!("{:?}", types(&events)) };
    assert_eq!(error.code.as_deref(), Some("moderation_violation"));
    let events = run(&stage, input("t2", "r1", vec![user("m1", "this is much too long for it")])).await;
    assert_eq!(types(&events), ["RUN_STARTED", "RUN_ERROR"]);
}

#[tokio::test]
async fn what_may_not_be_said_is_not_said_by_who_takes_over_in_the_middle_of_a_message() {
    for house in ["moderation:\n  output: { patterns: [{ pattern: 'secret' }] }", "review: { role: coach }"] {
        let house = HouseRules::parse("house.yaml", house).expect("legal");
        let nobody = agent_fn(About::new("says nothing"), |_: RunContext| async { Ok(()) });
        let strict = with_house(nobody, Tools::new(), house);
        let agent = agent_fn(About::new("hands over"), move |ctx: RunContext| {
            let strict = strict.clone();
            async move {
                let text = ctx.text()?;
                text.push("The plan ").await?;
                text.push("is ").await?;
                ctx.hand_over_to(&*strict);
                text.push("secret.").await?;
                Ok(())
            }
        });
        let stage = on_stage("rules: []", agent).await;
        let events = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
        let log = events.iter().map(Event::to_json).collect::<String>();
        assert!(log.contains("The plan ") && !log.contains("secret"), "{log}");
    }
}

async fn login(ctx: RunContext) -> Result<(), AgentError> {
    let schema =
        json!({ "type": "object", "properties": { "response": { "type": "string", "format": "password" } } });
    let schema = schema.as_object().cloned().unwrap_or_default();
    let answer = ctx.ask(Question::new("input_required", "Password?").schema(schema)).await?;
    let right = answer.value()["response"] == json!("hunter2");
    ctx.say(if right { "welcome" } else { "wrong" }).await?;
    Ok(())
}

#[tokio::test]
async fn a_password_reaches_the_agent_and_nothing_else() {
    let stage = on_stage("rules: []", agent_fn(About::new("asks"), login)).await;
    let asked = question(&run(&stage, input("t1", "r1", vec![user("m1", "go")])).await);
    let secret = Verdict::resolved(json!({ "response": "hunter2" }));
    let run = stage.decide(&owner(), &asked, secret).await.unwrap().run.unwrap();
    let events = go_on(&stage, run).await;
    assert_eq!(said(&stage).await, [pair("assistant", "welcome")]);
    let log = events.iter().map(Event::to_json).collect::<String>();
    let trail = stage.store().audit_trail(AuditQuery::all()).await.unwrap();
    let record = stage.store().interrupt(asked, OWNER.into()).await.unwrap();
    assert!(!format!("{log}{trail:?}{record:?}").contains("hunter2"));
}
