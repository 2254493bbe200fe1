//! A run that was to go on with a decision fails, and the decision is there for the next one: nothing is shown, done or
//! decided twice.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use forestage_protocol::{event::Event, input::RunAgentInput, interrupt::RunOutcome};
use forestage_runtime::{
    About, AgentError, Agents, Limits, Question, RunContext, Stage, agent_fn,
    house::HouseRules,
    tool::{Tools, tool_fn},
    with_house,
};
use serde_json::{Value, json};

use crate::support::*;

/// Fails the first time it comes to its end.
fn once_unlucky(
    agent: fn(RunContext) -> Part,
    house: &str,
    tools: Tools,
) -> Arc<dyn forestage_runtime::Agent> {
    let failures = Arc::new(AtomicUsize::new(0));
    let agent = agent_fn(About::new("fails once"), move |ctx: RunContext| {
        let failures = failures.clone();
        async move {
            agent(ctx).await?;
            match failures.fetch_add(1, Ordering::SeqCst) {
                0 => Err(AgentError::new("no_luck", "not this time")),
                _ => Ok(()),
            }
        }
    });
    with_house(agent, tools, HouseRules::parse("house", house).unwrap())
}

type Part = forestage_runtime::BoxFuture<'static, Result<(), AgentError>>;

async fn stage_of(agent: Arc<dyn forestage_runtime::Agent>) -> Arc<Stage> {
    let store = forestage_store::open("memory:").await.unwrap();
    Stage::new(store, Agents::from([("it".to_owned(), agent)]), Limits::default())
}

fn asked(events: &[Event]) -> Vec<String> {
    let Some(Event::RunFinished(end)) = events.last() else { panic!("{:?}", types(events)) };
    let Some(RunOutcome::Interrupt(outcome)) = &end.outcome else { panic!("{end:?}") };
    outcome.interrupts.as_slice().iter().map(|question| question.id.to_string()).collect()
}

fn resume(run: &str, ids: &[String], value: &Value) -> RunAgentInput {
    let answers = ids.iter().map(|id| answer(id, value.clone())).collect();
    RunAgentInput { resume: Some(answers), ..input("t1", run, vec![]) }
}

fn plan(ctx: RunContext) -> Part {
    Box::pin(async move {
        ctx.say("a plan").await?;
        let used = ctx.use_tools(vec![("act".to_owned(), json!({})), ("act".to_owned(), json!({}))]).await?;
        assert!(used.iter().all(Result::is_ok), "{used:?}");
        Ok(())
    })
}

#[tokio::test]
async fn drafts_and_results_that_were_shown_are_not_shown_again() {
    let acts = Arc::new(AtomicUsize::new(0));
    let counted = acts.clone();
    let act = tool_fn("act", move |_, _: serde_json::Map<String, Value>| {
        let number = counted.fetch_add(1, Ordering::SeqCst);
        async move { Ok(number) }
    });
    let house = "review: {}\nrules: [{ tools: [act], action: ask }]";
    let stage = stage_of(once_unlucky(plan, house, Tools::new().with(act).unwrap())).await;
    let ids = asked(&run(&stage, input("t1", "r1", vec![user("m1", "go")])).await);
    assert_eq!(ids.len(), 3, "two calls and a draft");
    let yes = json!({ "approved": true });
    assert_eq!(types(&run(&stage, resume("r2", &ids, &yes)).await).last(), Some(&"RUN_ERROR"));
    let again = run(&stage, resume("r3", &ids, &yes)).await;
    assert_eq!(types(&again).last(), Some(&"RUN_FINISHED"));
    let said = conversation(&stage, "t1").await;
    let told: Vec<_> = said.iter().map(|(role, text)| (role.as_str(), text.as_str())).collect();
    let calls = [("assistant", ""), ("tool", "0"), ("assistant", ""), ("tool", "1")];
    assert_eq!(told, [&[("user", "go")], &calls[..], &[("assistant", "a plan")]].concat());
    assert_eq!(acts.load(Ordering::SeqCst), 2, "each call is executed once");
}

fn login(ctx: RunContext) -> Part {
    Box::pin(async move {
        let schema =
            json!({ "type": "object", "properties": { "word": { "type": "string", "format": "password" } } });
        let schema = schema.as_object().cloned().unwrap_or_default();
        let answer = ctx.ask(Question::new("input_required", "Password?").schema(schema)).await?;
        ctx.say(if answer.value()["word"] == json!("hunter2") { "welcome" } else { "wrong" }).await?;
        Ok(())
    })
}

#[tokio::test]
async fn a_password_has_to_be_given_again() {
    let stage = stage_of(once_unlucky(login, "rules: []", Tools::new())).await;
    let ids = asked(&run(&stage, input("t1", "r1", vec![user("m1", "go")])).await);
    let word = json!({ "word": "hunter2" });
    assert_eq!(types(&run(&stage, resume("r2", &ids, &word)).await).last(), Some(&"RUN_ERROR"));
    let again = run(&stage, resume("r3", &ids, &word)).await;
    assert_eq!(types(&again).last(), Some(&"RUN_FINISHED"));
    assert_eq!(conversation(&stage, "t1").await.last(), Some(&pair("assistant", "welcome")));
    assert!(!again.iter().map(Event::to_json).collect::<String>().contains("hunter2"));
}

fn act_once(ctx: RunContext) -> Part {
    Box::pin(async move {
        let used = ctx.use_tools(vec![("act".to_owned(), json!({}))]).await?;
        ctx.say(format!("got {}", used[0].clone().unwrap_or_default())).await?;
        Ok(())
    })
}

#[tokio::test]
async fn a_run_that_failed_by_itself_is_repeated_from_its_beginning() {
    let acts = Arc::new(AtomicUsize::new(0));
    let counted = acts.clone();
    let act = tool_fn("act", move |_, _: serde_json::Map<String, Value>| {
        let number = counted.fetch_add(1, Ordering::SeqCst);
        async move { Ok(number) }
    });
    let stage = stage_of(once_unlucky(act_once, "rules: []", Tools::new().with(act).unwrap())).await;
    let failed = run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    assert_eq!(types(&failed).last(), Some(&"RUN_ERROR"));
    let again = run(&stage, input("t1", "r2", vec![user("m1", "go")])).await;
    assert_eq!(types(&again).last(), Some(&"RUN_FINISHED"));
    assert_eq!(acts.load(Ordering::SeqCst), 2, "what led to the failure is not taken for granted");
    assert_eq!(conversation(&stage, "t1").await.last(), Some(&pair("assistant", "got 1")));
}
