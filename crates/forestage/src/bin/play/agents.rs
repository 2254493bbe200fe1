//! The agents, by what they do.

use std::{error::Error, path::Path, sync::Arc, time::Duration};

use forestage::{
    protocol::message::Message,
    runtime::{
        About, Agent, AgentError, Agents, Question, RunContext, agent_fn, house::HouseRules, script,
        tool::Tools, with_house,
    },
};
use serde_json::json;

use crate::{gate::Gate, revue, teller};

/// All of them.
pub(crate) fn all(gate: &Gate, trace: Option<&Path>) -> Result<Agents, Box<dyn Error>> {
    let agents = [
        ("echo", agent_fn(About::new("says what it hears"), echo)),
        ("revue", agent_fn(About::new("does everything"), revue)),
        ("rehearsal", rehearsal(gate.clone())),
        ("ask", agent_fn(About::new("uses a tool after asking"), ask)),
        ("client-tool", agent_fn(About::new("asks the client to do something"), client_tool)),
        ("endless", agent_fn(About::new("begins, and never ends"), endless)),
        ("failing", agent_fn(About::new("fails in the middle of a sentence"), failing)),
        ("count", agent_fn(About::new("counts to N, with a pause after each number"), count)),
        ("flood", flood(gate.clone())),
        ("chatter", chatter(gate.clone())),
        ("teller", teller::agent(gate, trace)?),
        ("drafter", drafter()?),
    ];
    // The examples, too: what the demo shows is what other people's clients meet first.
    let mut all = script::builtin();
    all.extend(agents.map(|(name, agent)| (name.to_owned(), agent)));
    Ok(all)
}

async fn echo(ctx: RunContext) -> Result<(), AgentError> {
    let text = ctx.text()?;
    for word in ctx.last_user_text().unwrap_or_default().split_inclusive(' ') {
        text.push(word).await?;
    }
    Ok(())
}

/// Says what it hears, when somebody has looked at it.
fn drafter() -> Result<Arc<dyn Agent>, Box<dyn Error>> {
    let house = HouseRules::parse("drafter", "review: {}").map_err(script::LoadError::Scripts)?;
    Ok(with_house(agent_fn(About::new("drafts what it hears"), echo), Tools::new(), house))
}

async fn revue(ctx: RunContext) -> Result<(), AgentError> {
    revue::perform(&ctx, None).await
}

/// Everything, one event at a time, whenever the gate of the thread opens.
fn rehearsal(gate: Gate) -> Arc<dyn Agent> {
    agent_fn(About::new("does everything, step by step"), move |ctx: RunContext| {
        let gate = gate.clone();
        async move { revue::perform(&ctx, Some(&gate)).await }
    })
}

async fn ask(ctx: RunContext) -> Result<(), AgentError> {
    let order = json!({ "title": ctx.last_user_text() });
    let price = ctx.call_tool("price", &order, async |_| "12").await?;
    let question = Question::new("confirmation", &format!("Buy it for {price}?"));
    let answer = ctx.ask(question).await?;
    ctx.say(format!("You said {}.", answer.value())).await?;
    Ok(())
}

async fn client_tool(ctx: RunContext) -> Result<(), AgentError> {
    match ctx.messages().last() {
        Some(Message::Tool(answer)) => {
            ctx.say(format!("You are in {}.", answer.content.text())).await?;
        }
        _ => {
            ctx.call_client_tool("location", &json!({ "precise": false })).await?;
        }
    }
    Ok(())
}

async fn endless(ctx: RunContext) -> Result<(), AgentError> {
    let text = ctx.text()?;
    text.push("Once upon a time").await?;
    std::future::pending().await
}

async fn failing(ctx: RunContext) -> Result<(), AgentError> {
    let text = ctx.text()?;
    text.push("I can").await?;
    Err(AgentError::new("tongue_tied", "the word is missing"))
}

/// `N MICROSECONDS`: the pause is what a model needs for a token.
async fn count(ctx: RunContext) -> Result<(), AgentError> {
    let [to, pause] = two_numbers(&ctx)?;
    let text = ctx.text()?;
    for number in 0..to {
        text.push(format!("{number} ")).await?;
        tokio::time::sleep(Duration::from_micros(pause)).await;
    }
    Ok(())
}

/// `N BYTES`: events that add nothing to the conversation, so that what they cost is the way they take. Then it
/// waits at the gate of the thread, so that one can look at the server before it tidies up.
fn flood(gate: Gate) -> Arc<dyn Agent> {
    agent_fn(About::new("sends N events of so many bytes"), move |ctx: RunContext| {
        let gate = gate.clone();
        async move {
            let [events, bytes] = two_numbers(&ctx)?;
            let padding = "~".repeat(usize::try_from(bytes)?);
            for number in 0..events {
                ctx.custom("drop", json!({ "number": number, "padding": padding })).await?;
            }
            gate.pass(ctx.thread_id()).await;
            Ok(())
        }
    })
}

/// `N BYTES`: the same as messages, which every contract shows.
fn chatter(gate: Gate) -> Arc<dyn Agent> {
    agent_fn(About::new("says N messages of so many bytes"), move |ctx: RunContext| {
        let gate = gate.clone();
        async move {
            let [messages, bytes] = two_numbers(&ctx)?;
            let padding = "~".repeat(usize::try_from(bytes)?);
            for _ in 0..messages {
                ctx.say(&padding).await?;
            }
            gate.pass(ctx.thread_id()).await;
            Ok(())
        }
    })
}

fn two_numbers(ctx: &RunContext) -> Result<[u64; 2], AgentError> {
    let text = ctx.last_user_text().unwrap_or_default();
    let numbers: Vec<u64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    numbers.try_into().map_err(|_| AgentError::new("two_numbers", format!("`{text}` is not two numbers")))
}
