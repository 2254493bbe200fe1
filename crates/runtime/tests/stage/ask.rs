//! Questions to people, and how runs go on after them.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use forestage_protocol::{event::Event, input::RunAgentInput, interrupt::RunOutcome};
use forestage_runtime::{AgentError, Answer, Question, RefusalKind, RunContext, Stage};
use serde_json::{Value, json};

use crate::support::*;

/// Looks something up, asks twice, and says what it heard.
fn booker(lookups: Arc<AtomicUsize>) -> impl Fn(RunContext) -> Booking + Send + Sync + 'static {
    move |ctx| Box::pin(book(ctx, lookups.clone()))
}

type Booking = std::pin::Pin<Box<dyn Future<Output = Result<(), AgentError>> + Send>>;

async fn book(ctx: RunContext, lookups: Arc<AtomicUsize>) -> Result<(), AgentError> {
    ctx.say("Let me see.").await?;
    let table = ctx
        .call_tool("find_table", &json!({"day": "friday"}), async |_| {
            lookups.fetch_add(1, Ordering::SeqCst);
            "table 7"
        })
        .await?;
    ctx.update_state(|state| state["asked"] = json!(1 + state["asked"].as_i64().unwrap_or(0))).await?;
    let people: i64 = ctx.ask_for("For how many?").await?;
    let sure = ctx.ask(Question::new("confirmation", "Sure?").id("sure")).await?;
    ctx.update_state(|state| state["people"] = json!(people)).await?;
    ctx.say(format!("{table} for {people}, {}", sure.value())).await?;
    Ok(())
}

async fn waiting(stage: &Arc<Stage>) -> String {
    let events = run(stage, input("t1", "r1", vec![user("m1", "a table, please")])).await;
    asked(&events)
}

fn asked(events: &[Event]) -> String {
    let Some(Event::RunFinished(end)) = events.last() else { panic!("{:?}", types(events)) };
    let Some(RunOutcome::Interrupt(outcome)) = &end.outcome else { panic!("{end:?}") };
    outcome.interrupts.as_slice()[0].id.to_string()
}

fn resume(run: &str, id: &str, value: Value) -> RunAgentInput {
    RunAgentInput { resume: Some(vec![answer(id, value)]), ..input("t1", run, vec![]) }
}

#[tokio::test]
async fn a_question_ends_the_run_and_its_answer_continues_where_it_was() {
    let lookups = Arc::new(AtomicUsize::new(0));
    let stage = stage(booker(lookups.clone())).await;
    let question = waiting(&stage).await;
    let second = run(&stage, resume("r2", &question, json!(4))).await;
    assert_eq!(types(&second), ["RUN_STARTED", "MESSAGES_SNAPSHOT", "STATE_SNAPSHOT", "RUN_FINISHED"]);
    assert_eq!(asked(&second), "sure");
    let third = run(&stage, resume("r3", "sure", json!(true))).await;
    assert_eq!(
        types(&third)[1..],
        ["STATE_SNAPSHOT", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED"]
    );
    assert_eq!(conversation(&stage, "t1").await.last(), Some(&pair("assistant", "table 7 for 4, true")));
    assert_eq!(lookups.load(Ordering::SeqCst), 1, "a tool is executed once");
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let state = stage.conversation(&thread, None).await.unwrap().state;
    assert_eq!(state, json!({"asked": 1, "people": 4}));
}

#[tokio::test]
async fn an_answer_is_good_on_another_process_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("it.db").display());
    let lookups = Arc::new(AtomicUsize::new(0));
    let question = {
        let before = stage_on(forestage_store::open(&url).await.unwrap(), booker(lookups.clone()));
        let question = waiting(&before).await;
        before.close().await;
        question
    };
    let after = stage_on(forestage_store::open(&url).await.unwrap(), booker(lookups.clone()));
    assert_eq!(asked(&run(&after, resume("r2", &question, json!(2))).await), "sure");
    run(&after, resume("r3", "sure", json!("yes"))).await;
    assert_eq!(conversation(&after, "t1").await.last(), Some(&pair("assistant", "table 7 for 2, \"yes\"")));
    assert_eq!(lookups.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn an_answer_with_a_history_that_ends_before_the_question_is_told_what_to_do() {
    let stage = stage(booker(Arc::default())).await;
    let question = waiting(&stage).await;
    let said = vec![user("m1", "a table, please")];
    let short = RunAgentInput { messages: said.clone(), ..resume("r2", &question, json!(4)) };
    let refused = start(&stage, short).await.unwrap_err();
    assert_eq!((refused.code, refused.path.as_deref()), ("resume_on_branch", Some("resume[0].interruptId")));
    assert!(refused.hint.is_some_and(|hint| hint.contains("no messages")));
    // Without the answer it is what it looks like: the same is asked again.
    let again = run(&stage, input("t1", "r3", said)).await;
    assert!(!asked(&again).is_empty());
}

#[tokio::test]
async fn only_the_right_answers_are_taken() {
    let stage = stage(booker(Arc::default())).await;
    let question = waiting(&stage).await;

    let none = start(&stage, input("t1", "r2", vec![user("m2", "never mind")])).await.unwrap_err();
    assert_eq!((none.kind, none.code), (RefusalKind::Conflict, "interrupts_pending"));
    let wrong = start(&stage, resume("r2", "made-up", json!(1))).await.unwrap_err();
    assert_eq!((wrong.code, wrong.path.as_deref()), ("unknown_interrupt", Some("resume[0].interruptId")));
    let unfit = start(&stage, resume("r2", &question, json!("four"))).await.unwrap_err();
    assert_eq!((unfit.code, unfit.path.as_deref()), ("invalid_answer", Some("resume[0].payload")));
    let twice = RunAgentInput {
        resume: Some(vec![answer(&question, json!(1)), answer(&question, json!(2))]),
        ..input("t1", "r2", vec![])
    };
    assert_eq!(start(&stage, twice).await.unwrap_err().code, "duplicate_answer");

    run(&stage, resume("r2", &question, json!(1))).await;
    let late = start(&stage, resume("r3", &question, json!(9))).await.unwrap_err();
    assert_eq!((late.kind, late.code), (RefusalKind::Conflict, "already_decided"));
    assert!(late.message.contains(OWNER), "{}", late.message);
}

#[tokio::test]
async fn of_two_answers_at_once_one_counts() {
    let stage = stage(booker(Arc::default())).await;
    let question = waiting(&stage).await;
    let (one, two) = tokio::join!(
        start(&stage, resume("r2", &question, json!(1))),
        start(&stage, resume("r3", &question, json!(2)))
    );
    assert_eq!([&one, &two].iter().filter(|result| result.is_ok()).count(), 1, "{one:?} {two:?}");
}

#[tokio::test]
async fn a_refused_question_is_told_to_the_agent() {
    let stage = stage(|ctx: RunContext| async move {
        match ctx.ask(Question::new("confirmation", "May I?").id("may")).await? {
            Answer::Resolved(_) => ctx.say("Thank you.").await?,
            Answer::Cancelled(_) => ctx.say("As you wish.").await?,
        };
        Ok(())
    })
    .await;
    run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    let cancelled = forestage_protocol::interrupt::ResumeEntry::new(
        "may",
        forestage_protocol::interrupt::ResumeStatus::Cancelled,
    );
    run(&stage, RunAgentInput { resume: Some(vec![cancelled]), ..input("t1", "r2", vec![]) }).await;
    assert_eq!(conversation(&stage, "t1").await.last(), Some(&pair("assistant", "As you wish.")));
}

#[tokio::test]
async fn a_question_of_a_recording_still_waits() {
    let stage = stage(booker(Arc::default())).await;
    let events = run(&stage, input("t1", "r1", vec![user("m1", "a table, please")])).await;
    let question = asked(&events);
    stage.import(OWNER, "it", &"t2".into(), events).await.unwrap();
    let resumed =
        RunAgentInput { resume: Some(vec![answer(&question, json!(4))]), ..input("t2", "r2", vec![]) };
    assert_eq!(asked(&run(&stage, resumed).await), "sure");
}

#[tokio::test]
async fn an_expired_question_can_only_be_cancelled() {
    let stage = stage(|ctx: RunContext| async move {
        let question = Question::new("confirmation", "Quick?").id("q").expires_in(std::time::Duration::ZERO);
        ctx.ask(question).await?;
        Ok(())
    })
    .await;
    let started = run(&stage, input("t1", "r1", vec![])).await;
    assert_eq!(asked(&started), "q");
    // The clock counts milliseconds: wait until the next one.
    let now = forestage_runtime::now();
    while forestage_runtime::now() <= now + 1 {
        tokio::task::yield_now().await;
    }
    assert_eq!(start(&stage, resume("r2", "q", json!(1))).await.unwrap_err().code, "interrupt_expired");
}

#[tokio::test]
async fn an_agent_that_takes_another_way_after_the_answer_fails_its_run() {
    let calls = Arc::new(AtomicUsize::new(0));
    let stage = stage(move |ctx: RunContext| {
        let call = calls.fetch_add(1, Ordering::SeqCst);
        async move {
            if call == 0 {
                ctx.ask(Question::new("confirmation", "Here?").id("q")).await?;
            }
            Ok(())
        }
    })
    .await;
    run(&stage, input("t1", "r1", vec![])).await;
    let events = run(&stage, resume("r2", "q", json!(1))).await;
    let Some(Event::RunError(error)) = events.last() else { panic!("{:?}", types(&events)) };
    assert_eq!(error.code.as_deref(), Some("resume_diverged"));
}

/// Asks, and fails the first time it is answered.
fn unlucky(failures: Arc<AtomicUsize>) -> impl Fn(RunContext) -> Booking + Send + Sync + 'static {
    move |ctx| {
        let failures = failures.clone();
        Box::pin(async move {
            let answer = ctx.ask(Question::new("confirmation", "Now?").id("now")).await?;
            if failures.fetch_add(1, Ordering::SeqCst) == 0 {
                return Err(AgentError::new("no_luck", "not this time"));
            }
            ctx.say(format!("heard {}", answer.value())).await?;
            Ok(())
        })
    }
}

#[tokio::test]
async fn after_a_failure_the_same_answer_goes_on_and_nobody_can_change_it() {
    let stage = stage(unlucky(Arc::default())).await;
    run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    let failed = run(&stage, resume("r2", "now", json!("yes"))).await;
    assert_eq!(types(&failed).last(), Some(&"RUN_ERROR"));
    let other = start(&stage, resume("r3", "now", json!("no"))).await.unwrap_err();
    assert_eq!(other.code, "already_decided", "a no is never taken for the yes before it");
    run(&stage, resume("r4", "now", json!("yes"))).await;
    assert_eq!(conversation(&stage, "t1").await.last(), Some(&pair("assistant", "heard \"yes\"")));
}

#[tokio::test]
async fn after_a_failure_the_thread_can_move_on() {
    let stage = stage(unlucky(Arc::default())).await;
    run(&stage, input("t1", "r1", vec![user("m1", "go")])).await;
    run(&stage, resume("r2", "now", json!("yes"))).await;
    let next = run(&stage, input("t1", "r3", vec![user("m2", "something else")])).await;
    assert_eq!(asked(&next), "now", "a new turn, which asks anew");
}

#[tokio::test]
async fn only_the_agent_that_asked_is_answered() {
    let store = forestage_store::open("memory:").await.unwrap();
    let stage = stage_on(store, booker(Arc::default()));
    let mut agents = (*stage.agents()).clone();
    agents.insert("other".to_owned(), agents["it"].clone());
    stage.set_agents(agents);
    let question = waiting(&stage).await;
    let wrong = forestage_runtime::StartRun::new("other", resume("r2", &question, json!(2)), OWNER);
    assert_eq!(stage.start(wrong).await.unwrap_err().code, "wrong_agent");
    assert_eq!(
        asked(&run(&stage, resume("r3", &question, json!(2))).await),
        "sure",
        "the answer was not used up"
    );
}
