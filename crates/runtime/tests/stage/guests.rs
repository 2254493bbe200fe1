//! Agents that are asked something by another one, in its run.

use std::sync::Arc;

use forestage_runtime::{
    About, AgentError, Agents, Answer, Limits, Question, RunContext, ShownCall, Stage, Stop, Used, agent_fn,
    house::HouseRules, tool::Tools, with_house,
};
use serde_json::{Value, json};

use crate::support::*;

/// Asks the other agent, and says what came of it.
async fn host(ctx: RunContext) -> Result<(), AgentError> {
    let told = match invite(&ctx, "c1").await? {
        Ok(answer) => format!("told: {answer}"),
        Err(error) => format!("{}: {}", error.code, error.message),
    };
    ctx.say(told).await?;
    Ok(())
}

async fn invite(ctx: &RunContext, id: &str) -> Result<Used, Stop> {
    invite_for(ctx, id, "Count to two.").await
}

async fn invite_for(ctx: &RunContext, id: &str, task: &str) -> Result<Used, Stop> {
    let guest = ctx.find_agent("guest").expect("it is there");
    let call = ctx.tool_call_as(id.into(), "ask_guest")?;
    let arguments = json!({ "task": task });
    call.push(arguments.to_string()).await?;
    let shown = ShownCall { id: call.end(), name: "ask_guest".to_owned(), arguments };
    ctx.answer_shown(&shown, async |_| ctx.invite(&*guest, "guest", &shown, task).await).await
}

/// A stage whose agent asks the other one twice at the same time.
async fn stage_both<F, R>(guest: F) -> Arc<Stage>
where
    F: Fn(RunContext) -> R + Send + Sync + 'static,
    R: Future<Output = Result<(), AgentError>> + Send + 'static,
{
    let host = agent_fn(About::new("asks twice"), |ctx: RunContext| async move {
        let (one, two) = tokio::join!(invite_for(&ctx, "c1", "a"), invite_for(&ctx, "c2", "b"));
        let answers = [one?, two?].map(|answer| answer.unwrap_or_else(|error| error.code));
        ctx.say(answers.join(", ")).await?;
        Ok(())
    });
    let agents = Agents::from([
        ("it".to_owned(), host),
        ("guest".to_owned(), agent_fn(About::new("is asked"), guest)),
    ]);
    Stage::new(forestage_store::open("memory:").await.unwrap(), agents, Limits::default())
}

async fn stage_for<F, R>(guest: F) -> Arc<Stage>
where
    F: Fn(RunContext) -> R + Send + Sync + 'static,
    R: Future<Output = Result<(), AgentError>> + Send + 'static,
{
    stage_under(HouseRules::default(), guest).await
}

async fn stage_under<F, R>(house: HouseRules, guest: F) -> Arc<Stage>
where
    F: Fn(RunContext) -> R + Send + Sync + 'static,
    R: Future<Output = Result<(), AgentError>> + Send + 'static,
{
    let guest = with_house(agent_fn(About::new("is asked"), guest), Tools::default(), house);
    let host = agent_fn(About::new("asks"), host);
    let agents = Agents::from([("it".to_owned(), host), ("guest".to_owned(), guest)]);
    Stage::new(forestage_store::open("memory:").await.unwrap(), agents, Limits::default())
}

fn values(events: &[forestage_protocol::event::Event]) -> Vec<Value> {
    events.iter().map(|event| serde_json::from_str(&event.to_json()).unwrap()).collect()
}

async fn asked(stage: &Arc<Stage>) -> Vec<Value> {
    values(&run(stage, input("t", "r", vec![user("u", "go")])).await)
}

fn of_type<'a>(events: &'a [Value], kind: &str) -> &'a Value {
    events.iter().find(|event| event["type"] == kind).unwrap_or_else(|| panic!("no {kind} in {events:?}"))
}

/// The last text that was said.
fn last_text(events: &[Value]) -> String {
    let last = events.iter().rfind(|event| event["type"] == "TEXT_MESSAGE_START").unwrap();
    let pieces = events
        .iter()
        .filter(|event| event["type"] == "TEXT_MESSAGE_CONTENT" && event["messageId"] == last["messageId"]);
    pieces.map(|piece| piece["delta"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn who_is_asked_hears_the_question_alone_and_its_last_words_are_the_answer() {
    let stage = stage_for(|ctx: RunContext| async move {
        assert_eq!(ctx.messages().len(), 1, "nothing else of the conversation");
        ctx.say(ctx.last_user_text().unwrap_or_default()).await?;
        let text = ctx.text()?;
        text.push("One, ").await?;
        text.push("two. ").await?;
        drop(text);
        // A message without words is no answer.
        ctx.say(" ").await?;
        Ok(())
    })
    .await;
    let events = asked(&stage).await;
    assert_eq!(last_text(&events), "told: One, two.");
    let started = of_type(&events, "SUBAGENT_STARTED");
    assert_eq!((&started["name"], &started["parentToolCallId"]), (&json!("guest"), &json!("c1")));
    let said = of_type(&events, "TEXT_MESSAGE_CONTENT");
    assert_eq!(
        (&said["delta"], &said["subagentRunId"]),
        (&json!("Count to two."), &started["subagentRunId"])
    );
    assert_eq!(of_type(&events, "SUBAGENT_FINISHED")["subagentRunId"], started["subagentRunId"]);
    assert_eq!(of_type(&events, "TOOL_CALL_RESULT")["content"], "One, two.");
}

#[tokio::test]
async fn who_says_nothing_answers_with_its_result() {
    let stage = stage_for(|ctx: RunContext| async move {
        ctx.set_result(&json!({ "two": 2 }))?;
        Ok(())
    })
    .await;
    let events = asked(&stage).await;
    assert_eq!(last_text(&events), "told: {\"two\":2}");
    assert_eq!(of_type(&events, "SUBAGENT_FINISHED")["result"], json!({ "two": 2 }));
}

#[tokio::test]
async fn a_guest_that_fails_fails_its_call_and_not_the_run() {
    let stage = stage_for(|_| async { Err(AgentError::new("tired", "I cannot count")) }).await;
    let events = asked(&stage).await;
    let failed = of_type(&events, "SUBAGENT_ERROR");
    assert_eq!((&failed["code"], &failed["message"]), (&json!("tired"), &json!("I cannot count")));
    assert_eq!(last_text(&events), "tired: I cannot count");
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED");
}

#[tokio::test]
async fn a_guest_that_asks_a_person_is_suspended_with_its_question_and_goes_on_with_the_answer() {
    let stage = stage_for(|ctx: RunContext| async move {
        ctx.say("Let me ask.").await?;
        let Answer::Resolved(answer) = ctx.ask(Question::new("input_required", "How far?")).await? else {
            return Err(AgentError::new("refused", "no answer"));
        };
        ctx.say(format!("up to {}", answer.get())).await?;
        Ok(())
    })
    .await;
    let events = asked(&stage).await;
    let asked = &events.last().unwrap()["outcome"]["interrupts"][0];
    let started = of_type(&events, "SUBAGENT_STARTED");
    assert_eq!((&asked["message"], &asked["subagentRunId"]), (&json!("How far?"), &started["subagentRunId"]));
    assert_eq!(of_type(&events, "SUBAGENT_FINISHED")["outcome"]["interruptIds"], json!([asked["id"]]));

    let answers = vec![answer(asked["id"].as_str().unwrap(), json!(7))];
    let mut again = input("t", "r2", vec![]);
    again.resume = Some(answers);
    let events = values(&run(&stage, again).await);
    assert_eq!(last_text(&events), "told: up to 7");
    let texts: Vec<_> = events.iter().filter(|event| event["type"] == "TEXT_MESSAGE_CONTENT").collect();
    assert!(texts.iter().all(|text| text["delta"] != "Let me ask."), "it was said before");
    assert_eq!(of_type(&events, "SUBAGENT_STARTED")["parentToolCallId"], "c1");
}

#[tokio::test]
async fn guests_that_ask_at_the_same_time_get_their_own_answers() {
    let stage = stage_both(|ctx: RunContext| async move {
        let task = ctx.last_user_text().unwrap_or_default();
        let question = Question::new("input_required", &format!("How about {task}?"));
        let Answer::Resolved(answer) = ctx.ask(question).await? else {
            return Err(AgentError::new("refused", "no answer"));
        };
        ctx.say(format!("{task}={}", answer.get())).await?;
        Ok(())
    })
    .await;
    let events = asked(&stage).await;
    let questions = events.last().unwrap()["outcome"]["interrupts"].as_array().unwrap().clone();
    assert_eq!(questions.len(), 2);
    // They are answered in another order than they were asked in.
    let answers = questions.iter().rev().map(|asked| {
        let value = if asked["message"] == "How about a?" { 1 } else { 2 };
        answer(asked["id"].as_str().unwrap(), json!(value))
    });
    let mut again = input("t", "r2", vec![]);
    again.resume = Some(answers.collect());
    assert_eq!(last_text(&values(&run(&stage, again).await)), "a=1, b=2");
}

#[tokio::test]
async fn whose_words_are_looked_at_first_cannot_be_asked() {
    let house = HouseRules::parse("house", "review: {}").unwrap();
    let stage =
        stage_under(
            house,
            |ctx: RunContext| async move { ctx.say("hidden").await.map(drop).map_err(Into::into) },
        );
    let events = asked(&stage.await).await;
    assert!(last_text(&events).starts_with("needs_review: "), "{}", last_text(&events));
    assert!(events.iter().all(|event| event["type"] != "SUBAGENT_STARTED"));
}

#[tokio::test]
async fn agents_ask_each_other_four_times_over_and_not_more() {
    let stage = stage_for(|ctx: RunContext| async move {
        let depth = ctx.new_id("c");
        match invite(&ctx, &depth).await? {
            Ok(answer) => ctx.say(format!("({answer})")).await?,
            Err(error) => ctx.say(error.code).await?,
        };
        Ok(())
    })
    .await;
    let events = asked(&stage).await;
    assert_eq!(last_text(&events), "told: (((too_deep)))");
    let started: Vec<_> = events.iter().filter(|event| event["type"] == "SUBAGENT_STARTED").collect();
    assert_eq!(started.len(), 4);
    for pair in started.windows(2) {
        assert_eq!(pair[1]["parentSubagentRunId"], pair[0]["subagentRunId"]);
    }
}
