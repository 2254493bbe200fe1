//! Conversations at hand: whoever has just run a thread knows of it what the log says, and nothing else.

use std::sync::Arc;

use forestage_protocol::{id::RunId, input::RunAgentInput, message::Message};
use forestage_runtime::{AgentError, BranchPoint, Question, RunContext, Stage};
use serde_json::{Value, json};

use crate::support::*;

/// Does what it is told.
async fn obey(ctx: RunContext) -> Result<(), AgentError> {
    match ctx.last_user_text().unwrap_or_default().as_str() {
        "state" => ctx.update_state(|state| state["n"] = json!(1 + state["n"].as_i64().unwrap_or(0))).await?,
        "tool" => {
            ctx.call_tool("look", &json!({"where": "here"}), async |_| "nothing").await?;
        }
        "show" => {
            let content = json!({"done": 0}).as_object().unwrap().clone();
            let mut activity = ctx.activity("PLAN", content).await?;
            activity.update(json!({"done": 1}).as_object().unwrap().clone()).await?;
        }
        "think" => ctx.reasoning()?.push("hm").await?,
        "remember" => ctx.remember("it", &json!(ctx.messages().len())).await?,
        "ask" => {
            ctx.say("One moment.").await?;
            let heard = ctx.ask(Question::new("confirmation", "Sure?")).await?;
            ctx.say(format!("You said {}.", heard.value())).await?;
        }
        "fail" => {
            ctx.say("Well,").await?;
            return Err(AgentError::new("agent_error", "no"));
        }
        other => {
            let text = ctx.text()?;
            for word in other.split_inclusive(' ') {
                text.push(word).await?;
            }
        }
    }
    Ok(())
}

/// Everything that is known of a thread.
async fn known(stage: &Stage) -> (Value, Vec<(String, String)>, Value, Option<RunId>, Vec<&'static str>) {
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let it = stage.conversation(&thread, None).await.unwrap();
    let prelude = stage.prelude(&thread).await.unwrap().unwrap();
    let origins = it.origins.iter().map(|(id, run)| (id.to_string(), run.to_string())).collect();
    (serde_json::to_value(&it.messages).unwrap(), origins, it.state, it.head, types(&prelude.events))
}

/// The next input for a word: what is said, or an answer where something was asked.
async fn next(stage: &Stage, number: usize, word: &str) -> RunAgentInput {
    let run = format!("r{number}");
    let thread = stage.thread(OWNER, &"t1".into()).await.ok();
    let mut messages = match &thread {
        Some(thread) => stage.conversation(thread, None).await.unwrap().messages,
        None => Vec::new(),
    };
    let last_said = messages.iter().rposition(|message| matches!(message, Message::User(_)));
    match (word, last_said) {
        ("again", Some(at)) => messages.truncate(at + 1),
        ("edit", Some(at)) => {
            messages.truncate(at);
            messages.push(user(&format!("m{number}"), "something else"));
        }
        _ => messages = vec![user(&format!("m{number}"), word)],
    }
    input("t1", &run, messages)
}

#[tokio::test]
async fn what_is_at_hand_is_what_the_log_says_whatever_happened() {
    let store = forestage_store::open("memory:").await.unwrap();
    let stage = stage_on(store.clone(), obey);
    let words = "hello state tool show think remember ask fail again hello there edit state ask \
                 fail tool again show remember edit ask hello";
    for (number, word) in words.split(' ').enumerate() {
        let events = run(&stage, next(&stage, number, word).await).await;
        if let Some(question) = asked(&events) {
            let resume = Some(vec![answer(&question, json!(true))]);
            let resumed = RunAgentInput { resume, ..input("t1", &format!("r{number}a"), vec![]) };
            run(&stage, resumed).await;
        }
        // Nothing is at hand for one that has just begun.
        let other = stage_on(store.clone(), obey);
        assert_eq!(known(&stage).await, known(&other).await, "after {number}, {word}");
        assert_eq!(known(&stage).await, known(&stage).await, "read twice");
    }
}

fn asked(events: &[forestage_protocol::event::Event]) -> Option<String> {
    let end = serde_json::to_value(events.last().unwrap()).unwrap();
    Some(end["outcome"]["interrupts"][0]["id"].as_str()?.to_owned())
}

#[tokio::test]
async fn another_process_that_went_on_meanwhile_is_heard() {
    let store = forestage_store::open("memory:").await.unwrap();
    let (here, there) = (stage_on(store.clone(), obey), stage_on(store, obey));
    run(&here, input("t1", "r1", vec![user("m1", "one")])).await;
    run(&there, input("t1", "r2", vec![user("m2", "two")])).await;
    run(&here, input("t1", "r3", vec![user("m3", "three")])).await;
    let said: Vec<_> = conversation(&here, "t1").await.into_iter().map(|(_, text)| text).collect();
    assert_eq!(said, ["one", "one", "two", "two", "three", "three"]);
}

#[tokio::test]
async fn a_thread_made_anew_under_the_same_id_begins_with_nothing() {
    let stage = stage(obey).await;
    run(&stage, input("t1", "r1", vec![user("m1", "one")])).await;
    stage.delete(OWNER, &"t1".into()).await.unwrap();
    run(&stage, input("t1", "r1", vec![user("m2", "two")])).await;
    assert_eq!(conversation(&stage, "t1").await, [pair("user", "two"), pair("assistant", "two")]);
}

#[tokio::test]
async fn a_message_is_found_on_every_branch_and_in_the_middle_of_a_long_one() {
    let stage = stage(obey).await;
    for number in 0..20 {
        run(&stage, input("t1", &format!("r{number}"), vec![user(&format!("m{number}"), "hello")])).await;
    }
    let answers = said_by_the_agent(&stage).await;
    run(&stage, edited(&stage, 10).await).await;
    for (message, head) in [(answers[15].as_str(), Some("r15")), ("m12", Some("r11")), ("m0", None)] {
        let branch = stage.branch(OWNER, &"t1".into(), BranchPoint::At(message.into())).await.unwrap();
        assert_eq!(branch.head.as_deref(), head, "{message}");
    }
    let unknown = stage.branch(OWNER, &"t1".into(), BranchPoint::At("nobody".into())).await.unwrap_err();
    assert_eq!((unknown.code, unknown.path.as_deref()), ("unknown_message", Some("messageId")));
}

async fn said_by_the_agent(stage: &Stage) -> Vec<String> {
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let messages = stage.conversation(&thread, None).await.unwrap().messages;
    let of_agent = messages.iter().filter(|message| matches!(message, Message::Assistant(_)));
    of_agent.map(|message| message.id().to_string()).collect()
}

/// The history up to a message of the person, which reads differently.
async fn edited(stage: &Arc<Stage>, number: usize) -> RunAgentInput {
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let mut messages = stage.conversation(&thread, None).await.unwrap().messages;
    let id = format!("m{number}");
    let at = messages.iter().position(|message| message.id().as_str() == id).unwrap();
    messages.truncate(at);
    messages.push(user(&id, "something else"));
    input("t1", "edited", messages)
}
